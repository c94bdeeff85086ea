"""Occurrences outside of the window for which they are laid down: live series, expanded on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.calendar import Calendar
from calward.model.event import Flag
from calward.model.grant import Level
from calward.model.ids import CalendarId, HouseholdId, MemberId
from calward.model.time import Span
from calward.operations.seen import Seen
from calward.operations.view.rows import master_of, read_events, seen_event
from calward.recurrence.series import expand
from calward.store.columns import Instant
from calward.store.cut import Cut
from calward.store.series import live_series

MOST_SERIES = 20_000


def parts_outside(span: Span, window: Span | None) -> Iterator[Span]:
    """The parts of a span that lie before or after the window."""
    if window is None:
        yield span
        return
    if span.start < window.start:
        yield Span(span.start, min(span.end, window.start))
    if span.end > window.end:
        yield Span(max(span.start, window.end), span.end)


def expand_unlaid(
    conn: Connection,
    household: HouseholdId,
    cut: Cut,
    calendars: Mapping[CalendarId, Calendar],
    span: Span,
    window: Span | None,
    zone: ZoneInfo,
    owners: Mapping[str, MemberId],
) -> tuple[list[Seen], list[Flag]]:
    """Occurrences of series that overlap ``span`` but not ``window``, with what their expansion says."""
    found: list[Seen] = []
    flags: list[Flag] = []
    for part in parts_outside(span, window):
        first, last = int(part.start.timestamp()), int(part.end.timestamp()) + 1
        for row in live_series(conn, household, cut, first, last, limit=MOST_SERIES):
            events = read_events(row.local)
            expansion = expand(events, part, zone)
            flags.extend(flag for flag in expansion.flags if row.level >= Level.TITLES)
            master = master_of(events)
            rule = master.rrules[0] if master and master.rrules else ""
            by_key = {event.key: event for event in events}
            for one in expansion.occurrences:
                laid = window and Span(one.start.instant(UTC), one.end.instant(UTC)).overlaps(window)
                if not laid:
                    found.append(
                        seen_event(
                            by_key[one.component],
                            one,
                            ident=row.event_id,
                            key=one.key,
                            calendar=calendars[row.calendar_id],
                            level=Level(row.level),
                            own=row.own,
                            alone=bool(row.alone),
                            maker=row.maker,
                            rule=rule,
                            recurs=True,
                            created_at=Instant.read(row.created_at),
                            updated_at=Instant.read(row.updated_at),
                            owners=owners,
                        )
                    )
    return found, flags

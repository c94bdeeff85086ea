"""Which occurrence of an event an id names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from calward.errors import NotFound
from calward.model.event import Event, Occurrence
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, Duration, Span, recurrence_key
from calward.operations.view.rows import is_series, master_of
from calward.recurrence.bounds import bounds
from calward.recurrence.series import expand

AROUND = timedelta(days=2)
AHEAD = timedelta(days=2 * 366)
EARLIEST, LATEST = datetime(1, 1, 3, tzinfo=UTC), datetime(9996, 1, 1, tzinfo=UTC)
"""Beyond these a margin would leave the calendar."""


def occurrence_named(events: Sequence[Event], key: RecurrenceKey, now: datetime, zone: ZoneInfo) -> Occurrence:
    """The occurrence of an object that ``key`` names; without one, the next of a series, or its last.

    Raises ``NotFound`` for a key that names none: what was an occurrence once is never taken for the whole.
    """
    if all(event.start is None for event in events):
        raise NotFound("That event has no time that can be read; export it to see what it holds.")
    if not key:
        return _next(events, now, zone)
    if not is_series(events) and events[0].start is not None:
        if recurrence_key(events[0].start) == key:
            return _next(events, now, zone)
        raise NotFound("That event does not repeat (any more); use its id without what follows the dot.")
    for window in _where(events, key):
        for one in expand(events, window, zone).occurrences:
            if one.key == key:
                return one
    raise NotFound("There is no such occurrence in that series (any more).")


def _next(events: Sequence[Event], now: datetime, zone: ZoneInfo) -> Occurrence:
    reach = bounds(events, zone)
    if reach is not None:
        ahead = Span(now, max(now, min(reach.first_start, LATEST)) + AHEAD)
        behind = _span(reach.first_start, reach.last_end or now)
        for window, pick in ((ahead, 0), (behind, -1)):
            if found := expand(events, window, zone).occurrences:
                return found[pick]
    shown = master_of(events) or events[0]
    start = shown.start or next(event.start for event in events if event.start)
    return Occurrence(start, start, _end(shown, start, zone), shown.key)


def _end(event: Event, start: CalTime, zone: ZoneInfo) -> CalTime:
    length = event.duration or (Duration(days=1) if start.is_date else Duration())
    return event.end or length.after(start, zone)


def _where(events: Sequence[Event], key: RecurrenceKey) -> Iterator[Span]:
    """Where to look for an occurrence: around its original start, and wherever an override put it."""
    try:
        original = datetime.strptime(key[:8], "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        raise NotFound("There is no such occurrence in that series.") from None
    overridden = (event.start.instant(UTC) for event in events if event.key == key and event.start)
    for moment in (*overridden, original):
        yield _span(moment, moment)


def _span(start: datetime, end: datetime) -> Span:
    """From a little before to a little after, within what a calendar can say."""
    first = min(max(start, EARLIEST), LATEST) - AROUND
    return Span(first, max(min(max(end, EARLIEST), LATEST) + AROUND, first))

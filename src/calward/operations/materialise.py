"""Bytes → rows: the only place where components, people, occurrences and search text are written.

Occurrences are laid down for a rolling window; an event that does not recur has its one row whatever the
window. Outside of it the view expands live series on demand, with the same engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.ical.reading import read_document, read_object
from calward.ical.tree import Document
from calward.model.event import Attendee, Event, Flag, Occurrence
from calward.model.ids import CalendarId, EventId, HouseholdId, MemberId, RecurrenceKey
from calward.model.principal import Member
from calward.model.time import CalTime, Span, TimeKind, instant_key
from calward.recurrence.bounds import bounds
from calward.recurrence.series import expand
from calward.store.indexed import ComponentIndex, OccurrenceIndex, PersonIndex, clear_index, insert_index
from calward.store.search import normalise
from calward.store.settings import get_setting, set_setting

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
WIDEST = timedelta(hours=14)
"""How far a floating time or a date may be from UTC, seen from somewhere on earth."""
TZDATA = version("tzdata")
WINDOW = "occurrence_window"
WINDOW_BACK = timedelta(days=366)
WINDOW_AHEAD = timedelta(days=2 * 366)
MAX_TEXT = 100_000
"""Characters of one text field that are kept for reading and search; the bytes keep all."""


@dataclass(frozen=True, slots=True)
class Source:
    """An object whose bytes are to be read into rows."""

    event: EventId
    calendar: CalendarId
    data: bytes | None
    """None: the object is a tombstone, and nothing is to be read from it."""
    document: Document | None = None
    """The same bytes parsed, where somebody has done that already."""


def materialise(
    conn: Connection,
    household: HouseholdId,
    sources: Sequence[Source],
    window: Span,
    members: Sequence[Member],
) -> None:
    """Replace all rows that were read from these objects by what their bytes say now."""
    clear_index(conn, household, [source.event for source in sources])
    owners = {address.lower(): member.id for member in members for address in member.addresses}
    insert_index(conn, household, [row for source in sources for row in index_of(source, window, owners)])


def index_of(source: Source, window: Span, owners: dict[str, MemberId]) -> list[ComponentIndex]:
    """The rows of one object. Occurrences hang on the component that describes them."""
    events = _events(source)
    if not events:
        return []
    series = len(events) > 1 or events[0].recurs or events[0].recurrence_id is not None
    expansion = expand(events, window if series else _whole(events[0], window), UTC)
    by_component: dict[RecurrenceKey, list[OccurrenceIndex]] = {}
    for occurrence in expansion.occurrences:
        by_component.setdefault(occurrence.component, []).append(_occurrence(occurrence, series=series))
    reach = bounds(events, UTC)
    master = next((event for event in events if event.recurrence_id is None), events[0])
    rule = master.rrules[0] if master.rrules else ""
    return [
        ComponentIndex(
            event_id=source.event,
            calendar_id=source.calendar,
            kind="VEVENT",
            key=event.key,
            summary=event.summary[:MAX_TEXT],
            location=event.location[:MAX_TEXT],
            description=event.description[:MAX_TEXT],
            status=event.status,
            transparent=event.transparent,
            recurs=series and event is master,
            rrule=rule,
            organizer=event.organizer.address if event.organizer else "",
            url=event.url[:MAX_TEXT],
            first_start=_epoch(reach.first_start - WIDEST) if reach else None,
            last_end=_epoch(reach.last_end + WIDEST) if reach and reach.last_end else None,
            flags=_flags((*event.flags, *(expansion.flags if event is master else ()))),
            text=_search_text(event),
            people=tuple(_people(event, owners)),
            occurrences=tuple(by_component.get(event.key, ())),
        )
        for event in events
    ]


def _events(source: Source) -> tuple[Event, ...]:
    if source.document is not None:
        return read_document(source.document).events
    return read_object(source.data).events if source.data is not None else ()


def window_of(conn: Connection, household: HouseholdId, now: datetime) -> Span:
    """The window for which this household's occurrences are laid down; set at the first use."""
    kept = window_kept(conn, household)
    if kept is None:
        kept = Span(now - WINDOW_BACK, now + WINDOW_AHEAD)
        set_setting(conn, household, WINDOW, [kept.start.isoformat(), kept.end.isoformat()])
    return kept


def window_kept(conn: Connection, household: HouseholdId) -> Span | None:
    """The same for a reader; None where nothing was ever laid down."""
    kept = get_setting(conn, household, WINDOW)
    return Span(*map(datetime.fromisoformat, kept)) if kept else None


def _whole(event: Event, window: Span) -> Span:
    """A window around an event that does not recur, so that it is found wherever it lies."""
    if event.start is None:
        return window
    start = event.start.instant(UTC)
    day = timedelta(days=2)
    low = datetime(1, 1, 3, tzinfo=UTC)
    high = datetime(9999, 12, 29, tzinfo=UTC)
    return Span(max(low, start) - day, min(high, start) + day)


def _occurrence(occurrence: Occurrence, *, series: bool) -> OccurrenceIndex:
    start, end = _storable(occurrence.start), _storable(occurrence.end)
    first, last = start.instant(UTC), end.instant(UTC)
    if start.zone is not None and end.zone is not start.zone:
        # A flight's DTEND may have a TZID of its own; the row has one zone for both.
        end = start.at(last.astimezone(start.zone).replace(tzinfo=None))
    widened = WIDEST if start.zone is None else timedelta()
    return OccurrenceIndex(
        key=_key(occurrence, first) if series else RecurrenceKey(""),
        kind=start.kind,
        wall_start=start.wall.isoformat(),
        wall_end=end.wall.isoformat(),
        tzid=start.zone.key if isinstance(start.zone, ZoneInfo) else None,
        utc_start=_epoch(first - widened),
        # A floating end can come before its start in a zone that puts the clock forward between them.
        utc_end=_epoch(max(first, last) + widened),
        tzdata=TZDATA,
    )


def _key(occurrence: Occurrence, first: datetime) -> RecurrenceKey:
    """The occurrence's name; where it is at its original start, that moment is known already."""
    if occurrence.original is occurrence.start and occurrence.start.zone is not None:
        return instant_key(first)
    return occurrence.key


def _storable(time: CalTime) -> CalTime:
    """Zoned times keep their IANA zone; one of a calendar's own definition is kept in UTC."""
    if time.kind is TimeKind.ZONED and time.zone is not None and not isinstance(time.zone, ZoneInfo):
        return CalTime.of_utc(time.instant(UTC))
    return time


def _people(event: Event, owners: dict[str, MemberId]) -> Iterable[PersonIndex]:
    if event.organizer:
        yield _person(event.organizer, owners, organizer=True)
    for attendee in event.attendees:
        yield _person(attendee, owners, organizer=False)


def _person(person: Attendee, owners: dict[str, MemberId], *, organizer: bool) -> PersonIndex:
    address = person.email or person.address
    return PersonIndex(
        member_id=owners.get(address.lower()),
        address=address,
        name=person.name,
        role=person.role,
        partstat=person.partstat,
        organizer=organizer,
    )


def _search_text(event: Event) -> tuple[str, str, str, str]:
    people = (*event.attendees, *((event.organizer,) if event.organizer else ()))
    names = " ".join(f"{person.name} {person.email or person.address}" for person in people)
    title, notes, location, who = (
        normalise(text[:MAX_TEXT]) for text in (event.summary, event.description, event.location, names)
    )
    return title, notes, location, who


def _flags(flags: Iterable[Flag]) -> list[dict[str, Any]]:
    return [{"code": flag.code, "detail": flag.detail} for flag in dict.fromkeys(flags)]


def _epoch(moment: datetime) -> int:
    return (moment - _EPOCH) // _SECOND

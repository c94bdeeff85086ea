"""Bytes → rows: the only place where components, people, occurrences and search text are written.

Occurrences are laid down for a rolling window; an event that does not recur has its one row whatever the
window. Outside of it the view expands live series on demand, with the same engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from importlib.metadata import version
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.ical.reading import read_document, read_object
from calward.ical.tree import Document
from calward.model.event import Attendee, Event, Flag, Occurrence
from calward.model.ids import CalendarId, EventId, HouseholdId, MemberId, RecurrenceKey
from calward.model.principal import Member
from calward.model.time import CalTime, Span
from calward.operations.local_clock import wall_text
from calward.operations.stored import Stored
from calward.recurrence.bounds import bounds
from calward.recurrence.calm import calm_around
from calward.recurrence.lengths import naive_utc
from calward.recurrence.series import expand
from calward.store.indexed import ComponentIndex, OccurrenceIndex, PersonIndex, clear_index, insert_index
from calward.store.search import normalise
from calward.store.settings import get_setting, set_setting

WIDEST = timedelta(hours=14)
"""How far a floating time or a date may be from UTC, seen from somewhere on earth."""
TZDATA = version("tzdata")
WINDOW = "occurrence_window"
WINDOW_BACK = timedelta(days=366)
WINDOW_AHEAD = timedelta(days=2 * 366)
WINDOW_STEP = timedelta(days=30)
"""How far the window may lag behind before it is moved."""
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


def sources_of(found: Sequence[Stored]) -> list[Source]:
    """Objects as they are now."""
    return [Source(one.event, one.calendar, None if one.deleted_at else one.data) for one in found]


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
    laying = Laying(series=series)
    by_component: dict[RecurrenceKey, list[OccurrenceIndex]] = {event.key: [] for event in events}
    for occurrence in expansion.occurrences:
        by_component[occurrence.component].append(laying.row(occurrence))
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
            first_start=int((reach.first_start - WIDEST).timestamp()) if reach else None,
            last_end=int((reach.last_end + WIDEST).timestamp()) if reach and reach.last_end else None,
            flags=_flags((*event.flags, *(expansion.flags if event is master else ()))),
            text=_search_text(event),
            people=tuple(_people(event, owners)),
            occurrences=tuple(by_component[event.key]),
        )
        for event in events
    ]


def _events(source: Source) -> tuple[Event, ...]:
    if source.document is not None:
        return read_document(source.document).events
    return read_object(source.data).events if source.data is not None else ()


def window_of(conn: Connection, household: HouseholdId, now: datetime) -> Span:
    """The window for which this household's occurrences are laid down; set at the first use."""
    return window_kept(conn, household) or _keep_window(conn, household, now)


def window_kept(conn: Connection, household: HouseholdId) -> Span | None:
    """The same for a reader; None where nothing was ever laid down."""
    kept = get_setting(conn, household, WINDOW)
    return Span(*map(datetime.fromisoformat, kept)) if kept else None


def move_window(conn: Connection, household: HouseholdId, now: datetime) -> bool:
    """Have the window move on with time; whether it did, so that every series has to be laid down anew."""
    kept = window_kept(conn, household)
    if kept is None or now + WINDOW_AHEAD - kept.end < WINDOW_STEP:
        return False
    _keep_window(conn, household, now)
    return True


def _keep_window(conn: Connection, household: HouseholdId, now: datetime) -> Span:
    window = Span(now - WINDOW_BACK, now + WINDOW_AHEAD)
    set_setting(conn, household, WINDOW, [window.start.isoformat(), window.end.isoformat()])
    return window


def _whole(event: Event, window: Span) -> Span:
    """A window around an event that does not recur, so that it is found wherever it lies."""
    if event.start is None:
        return window
    start = event.start.instant(UTC)
    day = timedelta(days=2)
    low = datetime(1, 1, 3, tzinfo=UTC)
    high = datetime(9999, 12, 29, tzinfo=UTC)
    return Span(max(low, start) - day, min(high, start) + day)


class Laying:
    """Occurrences of one object → their rows; what its zone said of one serves the next.

    A series has hundreds of them, most within one calm stretch of its zone (``calward.recurrence.calm``), where
    conversion is mere addition. On other days, and where one ends in another zone, the zone is asked.
    ``series``: whether each needs a name. Times without a zone are placed in UTC, and widened.
    """

    def __init__(self, *, series: bool) -> None:
        self._series = series
        self._zone: tzinfo | None = None
        self._first = self._before = datetime(1, 1, 1)
        self._ahead = 0

    def row(self, occurrence: Occurrence) -> OccurrenceIndex:
        start, end = occurrence.start, occurrence.end
        if end.zone is start.zone and self._is_calm(start.zone, start.wall, end.wall):
            begins, ends = _seconds(start.wall), _seconds(end.wall)
            first, last = begins - self._ahead, ends - self._ahead
        else:
            start, end = _storable(start), _storable(end)
            first, last = _seconds(naive_utc(start, UTC)), _seconds(naive_utc(end, UTC))
            if start.zone is not None and end.zone is not start.zone:
                # A flight's DTEND may have a TZID of its own; the row has one zone for both.
                end = start.at(end.instant(UTC).astimezone(start.zone).replace(tzinfo=None))
            begins, ends = _seconds(start.wall), _seconds(end.wall)
        zone = start.zone
        widened = _WIDEST if zone is None else 0
        return OccurrenceIndex(
            self._key(occurrence, first),
            start.kind.value,
            wall_text(begins),
            wall_text(ends),
            zone.key if isinstance(zone, ZoneInfo) else None,
            first - widened,
            # A floating end can come before its start in a zone that puts the clock forward between them.
            max(first, last) + widened,
            TZDATA,
        )

    def _is_calm(self, zone: tzinfo | None, start: datetime, end: datetime) -> bool:
        """Whether one offset, known from then on, holds from ``start`` to ``end``, both read in ``zone``."""
        if zone is not self._zone or not self._first <= start < self._before:
            calm = calm_around(zone or UTC, start) if _is_kept(zone) else None
            if calm is None:
                return False
            self._zone, self._first, self._before = zone, calm.first, calm.before
            self._ahead = calm.offset // _SECOND
        return self._first <= end < self._before

    def _key(self, occurrence: Occurrence, first: int) -> RecurrenceKey:
        """The occurrence's name; where it is at its original start, that moment is known already."""
        if not self._series:
            return _WHOLE
        if occurrence.original is occurrence.start and occurrence.start.zone is not None:
            return RecurrenceKey(wall_text(first).replace("-", "").replace(":", "") + "Z")
        return occurrence.key


_WHOLE = RecurrenceKey("")
_EPOCH = datetime(1970, 1, 1)
_SECOND = timedelta(seconds=1)
_DAY = 24 * 3600
_WIDEST = WIDEST // _SECOND


def _seconds(wall: datetime) -> int:
    """From 1970 on the same clock; dividing by a second would take longer."""
    since = wall - _EPOCH
    return since.days * _DAY + since.seconds


def _is_kept(zone: tzinfo | None) -> bool:
    """Whether a row can say that zone by its name; one of a calendar's own definition has none that counts."""
    return zone is None or zone is UTC or isinstance(zone, ZoneInfo)


def _storable(time: CalTime) -> CalTime:
    """The time as a row keeps it: in UTC where its zone is not kept."""
    return time if _is_kept(time.zone) else CalTime.of_utc(time.instant(UTC))


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

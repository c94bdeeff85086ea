"""The cut reader: what one principal sees, and nothing else.

Every question about events goes through the cut, a relation that the queries join; what a row's level does not
show is never read out of the store. Objects are handed out for editing from the level ``titles`` on; below it
they are not found, like those that do not exist.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from calward.errors import Conflict, InvalidInput, NotFound
from calward.guard.trust import Trust
from calward.model.calendar import Calendar
from calward.model.event import Flag
from calward.model.grant import Level
from calward.model.ids import (
    EventId,
    EventUid,
    Href,
    MemberId,
    OccurrenceId,
    RecurrenceKey,
    occurrence_id,
    split_occurrence_id,
)
from calward.model.principal import Member
from calward.model.time import Span
from calward.operations.answers import EventView, FlagView
from calward.operations.identity import Access
from calward.operations.materialise import window_kept
from calward.operations.seen import Seen
from calward.operations.show import Presenter
from calward.operations.stored import Stored
from calward.operations.view.calendars import Calendars
from calward.operations.view.found import load, load_all
from calward.operations.view.later import Later
from calward.operations.view.matching import says
from calward.operations.view.mirrors import Mirrors
from calward.operations.view.naming import occurrence_named
from calward.operations.view.people import People
from calward.operations.view.records import Records
from calward.operations.view.requests import Requests
from calward.operations.view.rows import is_series, master_of, read_events, seen_event, seen_row
from calward.operations.view.unlaid import expand_unlaid
from calward.operations.view.vault import VaultView
from calward.store.components import (
    PersonRow,
    components_matching,
    components_of,
    count_matching,
    people_on,
)
from calward.store.cut import Cut
from calward.store.events import OccurrenceRow, occurrences_between
from calward.store.objects import is_unsent, objects_with_uid
from calward.store.permits import permits_of
from calward.store.search import Wanted, words_of

WHOLE = RecurrenceKey("")


@dataclass(frozen=True, slots=True)
class Overlap:
    """What overlaps a window, by start; ``flags`` say where an expansion could not be complete."""

    rows: tuple[Seen, ...]
    flags: tuple[FlagView, ...] = ()


class View:
    """Reads for one principal at one moment, within one transaction."""

    def __init__(self, conn: Connection, access: Access, now: datetime) -> None:
        self._conn = conn
        self._access = access
        self._now = now
        self._household = access.household.id
        self._sights = {sight.calendar: sight for sight in access.sights}
        self.presenter = Presenter(
            access.zone, access.assistant_names, access.addresses, locked_down=access.locked_down
        )
        self.calendars = Calendars(conn, access)
        self.people = People(conn, access, now)
        self.requests = Requests(conn, access, now)
        self.records = Records(conn, access, now)
        self.mirrors = Mirrors(conn, access)
        self.vault = VaultView(conn, access)
        self.later = Later(conn, access, self.vault)

    @property
    def members(self) -> tuple[Member, ...]:
        return self._access.members

    @property
    def opened(self) -> frozenset[EventId]:
        """The events that a person opened for a while to this assistant."""
        return frozenset(self._permits)

    def overlapping(self, span: Span, *, calendar: str | None, most: int) -> Overlap:
        """Occurrences that overlap a window, ordered by start; at most ``most`` (ask for one more to know)."""
        cut = self._cut(calendar)
        rows = self._laid(cut, span, None, most)
        unlaid, flags = self._unlaid(cut, span)
        if unlaid:
            rows = sorted([*rows, *unlaid], key=self._order)[:most]
        views = tuple(FlagView(code=flag.code, detail=flag.detail) for flag in dict.fromkeys(flags))
        return Overlap(tuple(rows), views)

    def search(
        self, query: str, span: Span | None, *, attendee: str | None, calendar: str | None, limit: int
    ) -> tuple[tuple[Seen, ...], int]:
        """What matches, and how much there is in all: occurrences in a window, else each event once, and an
        exception of a series by itself."""
        cut, wanted = self._cut(calendar), self._wanted(query, attendee)
        if span is not None:
            found = self._laid(cut, span, wanted, limit=MOST_MATCHES)
            if self._access.locked_down:
                found = [one for one in found if not one.withheld and says(one, wanted)]
            unlaid, _ = self._unlaid(cut, span)
            if matching := [one for one in unlaid if says(one, wanted)]:
                found = sorted([*found, *matching], key=self._order)
            return tuple(found[:limit]), len(found)
        if self._access.locked_down:
            return self._unveiled(cut, wanted, limit)
        rows = components_matching(self._conn, self._household, cut, wanted, limit=limit)
        total = count_matching(self._conn, self._household, cut, wanted)
        idents = [occurrence_id(row.event_id, row.key) for row in rows]
        return tuple(seen for ident in idents if (seen := self._found(ident))), total

    def _unveiled(self, cut: Cut, wanted: Wanted, limit: int) -> tuple[tuple[Seen, ...], int]:
        """What matches and is not withheld: a text that is not shown is not found by either."""
        rows = components_matching(self._conn, self._household, cut, wanted, limit=MOST_MATCHES)
        found = (self._found(occurrence_id(row.event_id, row.key)) for row in rows)
        shown = tuple(seen for seen in found if seen and not seen.withheld and says(seen, wanted))
        return shown[:limit], len(shown)

    def find(self, ident: str) -> Seen:
        """One event or occurrence by id, seen at ``titles`` at least. A series is shown by its next occurrence.

        Raises ``NotFound`` for an id that names nothing, or nothing that may be known of.
        """
        event, key = split_occurrence_id(ident)
        stored = self.stored(event)
        return self._seen(stored, stored.data, key)

    def whole(self, ident: str) -> Stored:
        """The object that an event's or occurrence's id is part of, where all of it is seen."""
        stored = self.stored(split_occurrence_id(ident)[0])
        if self.level_of(stored) < Level.DETAILS:
            raise self._missing(deleted=False)
        return stored

    def stored(self, event: EventId, *, deleted: bool = False) -> Stored:
        """An object to be edited, or with ``deleted`` a tombstone to be brought back."""
        found = load(self._conn, self._household, event)
        if found is None or (found.deleted_at is not None) is not deleted:
            raise self._missing(deleted=deleted)
        if self.level_of(found) < Level.TITLES:
            raise self._missing(deleted=deleted)
        return found

    @property
    def lockdown(self) -> bool:
        """Whether the household keeps text from outside from assistants."""
        return self._access.lockdown

    def forgettable(self, event: EventId) -> EventId:
        """An event of which this person may let the past go: one of a calendar of their own, deleted or not.

        Raises ``NotFound`` as for one that never was, and ``Conflict`` while its deletion is still to be sent.
        """
        found = load(self._conn, self._household, event)
        calendar = self._access.calendars.get(found.calendar) if found else None
        if found is None or calendar is None or calendar.member != self._access.person.member:
            raise NotFound("There is no event of yours with that id, deleted or not.")
        if found.deleted_at is not None and is_unsent(self._conn, self._household, event):
            raise Conflict("Its deletion was not sent to the server yet; sync, and forget it then.")
        return event

    def event_of_uid(self, uid: EventUid) -> EventId:
        """The event that carries a UID, among those seen at ``titles`` at least.

        Raises ``NotFound``, and ``InvalidInput`` where several carry it: then only an id says which is meant.
        """
        rows = objects_with_uid(self._conn, self._household, list(self._sights), uid)
        seen = list(self.uids_of([row.id for row in rows]))
        if len(seen) > 1:
            raise InvalidInput("Several events here carry that UID; name the one that is meant by its id.")
        if not seen:
            raise NotFound("There is no event with that UID here. List or search to find it.")
        return seen[0]

    def uids_of(self, events: Sequence[EventId]) -> dict[EventId, EventUid]:
        """The UIDs of those events that are seen at ``titles`` at least."""
        found = load_all(self._conn, self._household, events)
        return {one.event: one.uid for one in found if self.level_of(one) >= Level.TITLES}

    def living(self, event: EventId) -> Stored | None:
        """An object that is not deleted and may be edited; None where there is none."""
        try:
            return self.stored(event)
        except NotFound:
            return None

    def level_of(self, stored: Stored) -> Level:
        """What this principal sees of an object."""
        sight = self._sights.get(stored.calendar)
        if sight is None:
            return Level.NONE
        level = sight.level(made=self._is_makers(stored), reach=stored.reach)
        return max(level, self._permits.get(stored.event, Level.NONE))

    def show_new(self, event: EventId, calendar: Calendar, data: bytes) -> EventView:
        """How an event that is about to be created will look to this principal."""
        sight = self._sights[calendar.id]
        level = sight.own if self._access.assistant else sight.others
        stored = Stored(
            event=event,
            calendar=calendar.id,
            uid=read_events(data)[0].uid,
            href=Href(""),
            data=data,
            digest="",
            meaning="",
            created_at=self._now,
            updated_at=self._now,
            deleted_at=None,
            maker=self._access.assistant,
            reach=Level.DETAILS,
        )
        return self.presenter.event(self._seen(stored, data, WHOLE, level=level))

    def show_bytes(self, stored: Stored, data: bytes, key: RecurrenceKey = WHOLE) -> EventView:
        """How an object will look with other bytes."""
        return self.presenter.event(self._seen(stored, data, key))

    def starts(self, seen: Seen) -> datetime:
        """The moment an occurrence starts, in UTC; a day is its midnight in the caller's zone."""
        return seen.start.instant(self._access.zone)

    def original_start(self, seen: Seen) -> datetime:
        """The moment at which an occurrence was to start by its series, in UTC."""
        events = read_events(self.stored(seen.event).data)
        return occurrence_named(events, seen.key, self._now, self._access.zone).original.instant(
            self._access.zone
        )

    def titles(self, events: Sequence[EventId]) -> dict[tuple[EventId, RecurrenceKey], str]:
        """The titles of these events and of their exceptions, of those that are seen at ``titles`` at least."""
        rows = components_of(self._conn, self._household, self._cut(None), events)
        return {(row.event_id, row.key): row.summary for row in rows if row.level >= Level.TITLES}

    @cached_property
    def _permits(self) -> dict[EventId, Level]:
        if self._access.assistant is None:
            return {}
        rows = permits_of(
            self._conn, self._household, self._access.assistant, at=self._now, epoch=self._access.epoch
        )
        return {row.event_id: Level(row.level) for row in rows}

    @cached_property
    def _owners(self) -> dict[str, MemberId]:
        return {address.lower(): member.id for member in self.members for address in member.addresses}

    def _cut(self, calendar: str | None) -> Cut:
        only = self.calendars.named(calendar).id if calendar is not None else None
        sights = tuple(sight for sight in self._access.sights if only in (None, sight.calendar))
        return Cut(sights, self._now, self._access.epoch, self._access.assistant)

    def _wanted(self, query: str, attendee: str | None) -> Wanted:
        words = words_of(query)
        if attendee is None or not attendee.strip():
            if not words:
                raise InvalidInput("query: say what to look for, or give an attendee.")
            return Wanted(words)
        for member in self.members:
            if member.answers_to(attendee):
                return Wanted(words, member.id)
        return Wanted(words, people=words_of(attendee.removeprefix("mailto:")))

    def _laid(self, cut: Cut, span: Span, wanted: Wanted | None, limit: int) -> list[Seen]:
        """Laid-down occurrences; times without a zone are looked at again in the viewer's."""
        rows = occurrences_between(
            self._conn,
            self._household,
            cut,
            int(span.start.timestamp()),
            int(span.end.timestamp()),
            wanted=wanted,
            limit=limit,
        )
        people = self._people(rows)
        calendars = self._access.calendars
        found = [seen_row(row, calendars[row.calendar_id], people.get(row.component, ())) for row in rows]
        if self._access.locked_down:
            found = list(map(self._veiled, found))
        seen = [one for one in found if one.utc is not None]
        for one in found:
            if one.utc is None and self._span_of(one).overlaps(span):
                insort(seen, one, key=self._order)
        return seen

    def _people(self, rows: Sequence[OccurrenceRow]) -> dict[int, list[PersonRow]]:
        shown = {row.component for row in rows if row.level >= Level.DETAILS}
        return people_on(self._conn, self._household, list(shown)) if shown else {}

    def _unlaid(self, cut: Cut, span: Span) -> tuple[list[Seen], list[Flag]]:
        window = window_kept(self._conn, self._household)
        if window is not None and window.start <= span.start and span.end <= window.end:
            return [], []
        found, flags = expand_unlaid(
            self._conn,
            self._household,
            cut,
            self._access.calendars,
            span,
            window,
            self._access.zone,
            self._owners,
        )
        return list(map(self._veiled, found)), flags

    def _found(self, ident: OccurrenceId) -> Seen | None:
        """A match to show; one whose time cannot be read is counted, but there is nothing to show of it."""
        try:
            return self.find(ident)
        except NotFound:
            return None

    def _span_of(self, seen: Seen) -> Span:
        start, end = seen.start.instant(self._access.zone), seen.end.instant(self._access.zone)
        return Span(start, max(start, end))

    def _order(self, seen: Seen) -> tuple[int, str, str]:
        start = seen.utc[0] if seen.utc else int(seen.start.instant(self._access.zone).timestamp())
        return start, seen.event, seen.key

    def _seen(self, stored: Stored, data: bytes, key: RecurrenceKey, *, level: Level | None = None) -> Seen:
        events = read_events(data)
        series = is_series(events)
        occurrence = occurrence_named(events, key, self._now, self._access.zone)
        event = next((event for event in events if event.key == occurrence.component), events[0])
        master = master_of(events)
        seen = seen_event(
            event,
            occurrence,
            ident=stored.event,
            key=key if series else WHOLE,
            calendar=self._access.calendars[stored.calendar],
            level=self.level_of(stored) if level is None else level,
            own=self._is_makers(stored),
            alone=stored.is_own(self._access.assistant),
            maker=stored.maker,
            rule=master.rrules[0] if master and master.rrules else "",
            recurs=series,
            created_at=stored.created_at,
            updated_at=stored.updated_at,
            owners=self._owners,
        )
        return self._veiled(seen)

    def _veiled(self, seen: Seen) -> Seen:
        """Without what a stranger wrote, where a person keeps that from assistants."""
        if not self._access.locked_down:
            return seen
        if self.presenter.trust(seen) is not Trust.EXTERNAL:
            people = tuple(one if one.member else one._replace(name="") for one in seen.people)
            return seen._replace(people=people)
        return seen._replace(
            summary="", location="", description="", url="", rrule="", people=(), flags=(), withheld=True
        )

    def _is_makers(self, stored: Stored) -> bool:
        return self._access.assistant is not None and stored.maker == self._access.assistant

    def _missing(self, *, deleted: bool) -> NotFound:
        if deleted:
            return NotFound("There is no deleted event with that id.")
        return NotFound("There is no event with that id here. List or search to find it.")


MOST_MATCHES = 100_000

"""A stored calendar object taken apart for editing: its components, their lines, and where an occurrence is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from calward.errors import NotFound
from calward.ical.edit import Edit, apply_edits
from calward.ical.find import find_component
from calward.ical.lines import Line
from calward.ical.reading import read_document
from calward.ical.tree import Component, Document, parse
from calward.ical.values import BadValue, read_time, read_times
from calward.ical.zones import Zones
from calward.model.event import Event, Period
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, recurrence_key
from calward.recurrence.bounds import Bounds, bounds
from calward.recurrence.expand import STEPS
from calward.recurrence.lengths import add, length_of, naive_utc
from calward.recurrence.members import Members
from calward.recurrence.slots import slot_of, wall_in_series
from calward.recurrence.stretches import Stretch, stretches

MASTER = RecurrenceKey("")


@dataclass(frozen=True, slots=True)
class Target:
    """One occurrence: its place in the series, where it is now, and the component that describes it."""

    original: CalTime
    slot: datetime
    start: CalTime
    end: CalTime
    component: Event
    period: Period | None = None
    """The RDATE period that names it."""

    @property
    def overridden(self) -> bool:
        """Whether it has a component of its own."""
        return self.component.recurrence_id is not None and recurrence_key(self.original) == self.component.key


class Stored:
    """The events of one object (one UID), read once. Raises ``NotFound`` where there is none with a start."""

    __slots__ = ("data", "document", "events", "master", "members", "overrides", "viewer", "zones")

    def __init__(self, data: bytes, viewer: tzinfo) -> None:
        self.data = data
        self.viewer = viewer
        self.document: Document = parse(data)
        self.zones = Zones(self.document)
        self.events = read_document(self.document).events
        self.master = next((event for event in self.events if event.recurrence_id is None), None)
        self.overrides = tuple(event for event in self.events if event.recurrence_id is not None)
        self.members: Members | None = None
        if self.master is not None and self.master.start is not None:
            self.members = Members(self.master, self.master.start, viewer)
        if not self.events or (self.master is not None and self.members is None):
            raise NotFound("The calendar object holds no event that is anywhere in time.")

    @property
    def recurs(self) -> bool:
        return bool(self.overrides) or (self.master is not None and self.master.recurs)

    def after(self, edits: tuple[Edit, ...] | list[Edit]) -> Stored:
        """The object as these edits leave it."""
        return Stored(apply_edits(self.data, edits), self.viewer)

    def component(self, key: RecurrenceKey) -> Component:
        return find_component(self.document, key)

    def lines(self, key: RecurrenceKey, *names: str) -> Iterator[Line]:
        """The properties of these names of one component, in their order."""
        for line in self.component(key).properties():
            if line.name in names:
                yield line

    def times(self, line: Line) -> list[CalTime | Period] | None:
        """The values of an EXDATE or RDATE line; None if one of them cannot be read."""
        found: list[CalTime | Period] = []
        for time in read_times(line.value, line.params, self.zones.get):
            if isinstance(time, BadValue):
                return None
            found.append(time)
        return found

    def slot(self, time: CalTime) -> datetime:
        """The slot of a RECURRENCE-ID, EXDATE or RDATE; see ``slots``."""
        return slot_of(time, self.start, self.viewer)

    @property
    def start(self) -> CalTime:
        """DTSTART of the master; of the first override where there is no master."""
        first = self.master or self.events[0]
        start = first.start or first.recurrence_id
        if start is None:
            raise NotFound("The event has no start.")
        return start

    def bounds(self) -> Bounds:
        """From when to when it has occurrences."""
        found = bounds(self.events, self.viewer)
        if found is None:
            raise NotFound("The event has no start.")
        return found

    def target(self, key: RecurrenceKey) -> Target:
        """The occurrence ``key`` names; empty names the first of the series (or the event, if it is alone).

        Raises ``NotFound`` for one that the series does not have, or has no more.
        """
        for event in self.overrides:
            if event.key == key and event.recurrence_id is not None:
                return self._override(event, event.recurrence_id)
        members = self.members
        if members is None:
            raise NotFound(f"The series has no occurrence {key}.")
        original = members.start if key == MASTER else self._find(members, key)
        slot = self.slot(original)
        for event in self.overrides:  # written in another form than the key
            if event.recurrence_id is not None and self.slot(event.recurrence_id) == slot:
                return self._override(event, event.recurrence_id)
        return self._member(original, slot)

    def _member(self, original: CalTime, slot: datetime) -> Target:
        """An occurrence that has no component of its own."""
        stretch = next(it for it in self._stretches() if it.since <= slot < it.until)
        start = stretch.moved(original, self.viewer)
        period = self.members.periods.get(slot) if self.members and stretch.event is self.master else None
        end = period.end if period else self._end(stretch.event, start)
        return Target(original, slot, start, end, stretch.event, period)

    def _override(self, event: Event, recurrence_id: CalTime) -> Target:
        start = event.start or recurrence_id
        original = recurrence_id
        if self.members is not None:
            original = self.members.start.at(wall_in_series(recurrence_id, self.members.start, self.viewer))
        return Target(original, self.slot(recurrence_id), start, self._end(event, start), event)

    def _end(self, event: Event, start: CalTime) -> CalTime:
        end, _ = length_of(event, self.viewer).after(start, naive_utc(start, self.viewer), self.viewer)
        return end

    def _stretches(self) -> list[Stretch]:
        return stretches(self.master or self.events[0], self.start, self.events, self.viewer)

    def _find(self, members: Members, key: RecurrenceKey) -> CalTime:
        """The original start that ``key`` names among the members."""
        time = read_key(key)
        wall = wall_in_series(time, members.start, self.viewer)
        found = members.between(add(wall, -_AROUND), add(wall, _AROUND), STEPS)
        slot = self.slot(time)
        if slot in found.rdates:
            return found.rdates[slot]
        if slot in found.walls:
            return members.start.at(found.walls[slot])
        raise NotFound(f"The series has no occurrence {key}.")


_AROUND = timedelta(days=2)
_KEY = re.compile(r"\d{8}(T\d{6}Z?)?", re.ASCII)


def read_key(key: RecurrenceKey) -> CalTime:
    """The time that names an occurrence; see ``calward.model.time.recurrence_key``."""
    if not _KEY.fullmatch(key):
        raise NotFound(f"The series has no occurrence {key}.")
    try:
        return read_time(key, "", lambda _: None)
    except BadValue:
        raise NotFound(f"The series has no occurrence {key}.") from None

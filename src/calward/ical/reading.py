"""Calendar objects as events (RFC 5545 §3.6.1). Sloppy input is accepted component by component.

Whatever cannot be read becomes a flag on the event it is in, or one of the ``others`` with the reason, and
the rest goes on. This runs over every object of a first sync, so it takes each line apart once and by plain
string methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from calward.ical.lines import Params, param, split_line
from calward.ical.tree import CAPS, Caps, Component, Document, parse
from calward.ical.values import (
    BadValue,
    read_attendee,
    read_duration,
    read_integer,
    read_text,
    read_texts,
    read_time,
    read_times,
    read_utc,
)
from calward.ical.zones import Zones
from calward.model.event import Alarm, Event, Flag, Period
from calward.model.ids import EventUid
from calward.model.time import CalTime, Duration

MAX_TIMES = 20_000
"""Of the RDATEs, and of the EXDATEs, of one event."""
MAX_FLAGS = 20
"""Of one event; a thousand broken lines are told as this many."""

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Other:
    """A component that is no event, or an event that does not count, and why."""

    kind: str
    uid: str
    why: str
    line: int
    """1-based content line of its BEGIN."""


@dataclass(frozen=True, slots=True)
class ObjectReading:
    """What a text holds."""

    events: tuple[Event, ...]
    """In the order of the text; of each UID and key the one that counts."""
    others: tuple[Other, ...]
    flags: tuple[Flag, ...]
    """About the text as a whole: ``duplicate`` and ``bad_line``."""


def read_object(data: bytes, caps: Caps = CAPS) -> ObjectReading:
    """Read the events of an object or of a whole file; ``TooLarge`` over a cap, and no other error."""
    return read_document(parse(data, caps))


def read_document(document: Document) -> ObjectReading:
    """The same for a text that is parsed already."""
    zones = Zones(document)
    events: list[tuple[Event, Component]] = []
    others: list[Other] = []
    for component, _ in document.top():
        if component.name == "VEVENT":
            event = read_event(component, zones)
            if isinstance(event, Event):
                events.append((event, component))
            else:
                others.append(event)
        elif component.name != "VTIMEZONE":
            others.append(_other(component, "it is no event"))
    flags = [Flag("bad_line", "The line belongs to no component.", index + 1) for index in document.strays]
    kept = _without_duplicates(events, others, flags)
    return ObjectReading(kept, tuple(others), tuple(flags[:MAX_FLAGS]))


def read_event(component: Component, zones: Zones) -> Event | Other:
    """One VEVENT.

    ``start`` is None, with the flag ``no_start``, where there is none that can be read. An override whose
    RECURRENCE-ID cannot be read is an ``Other``: taken for the master it would change every occurrence.
    """
    reader = _Reader(component, zones)
    first = reader.first
    several = reader.several
    start = reader.read("DTSTART", reader.time)
    end = reader.end(start)
    recurrence_id = reader.read("RECURRENCE-ID", reader.time)
    this_and_future = False
    if "RECURRENCE-ID" in first:
        if recurrence_id is None:
            return _other(component, "its RECURRENCE-ID cannot be read")
        this_and_future = param(first["RECURRENCE-ID"][0], "RANGE").upper() == "THISANDFUTURE"
    uid = first["UID"][1].strip() if "UID" in first else ""
    rrules = reader.rules("RRULE")
    rdates = tuple(reader.times("RDATE"))
    exdates = tuple(time for time in reader.times("EXDATE") if isinstance(time, CalTime))
    reader.check_zones((start, end, recurrence_id, *rdates, *exdates), recurs=bool(rrules))
    if start is None:
        reader.flag("no_start", "The event has no start that can be read.", component.first)
    if not uid:
        reader.flag("no_uid", "The event has no UID.", component.first)
    if not component.closed:
        reader.flag("bad_line", "The event has no END line.", component.first)
    return Event(
        uid=EventUid(uid),
        start=start,
        end=end,
        duration=reader.read("DURATION", _duration) if end is None else None,
        recurrence_id=recurrence_id,
        this_and_future=this_and_future,
        summary=reader.text("SUMMARY"),
        description=reader.text("DESCRIPTION"),
        location=reader.text("LOCATION"),
        url=reader.text("URL"),
        status=reader.word("STATUS"),
        transparent=reader.word("TRANSP") == "TRANSPARENT",
        classification=reader.word("CLASS"),
        categories=tuple(item for _, value, _ in several.get("CATEGORIES", ()) for item in read_texts(value)),
        organizer=reader.read("ORGANIZER", read_attendee),
        attendees=tuple(read_attendee(params, value) for params, value, _ in several.get("ATTENDEE", ())),
        alarms=tuple(_alarms(component, reader)) if component.children else (),
        related=tuple(EventUid(uid) for kind, uid in reader.related() if kind != "CHILD"),
        sequence=reader.read("SEQUENCE", _integer) or 0,
        created=reader.read("CREATED", _moment),
        last_modified=reader.read("LAST-MODIFIED", _moment),
        rrules=rrules,
        exrules=reader.rules("EXRULE"),
        rdates=rdates,
        exdates=exdates,
        flags=tuple(reader.flags[:MAX_FLAGS]),
    )


Found = tuple[Params, str, int]
"""Parameters, raw value and line index of one property."""

_SEVERAL = frozenset({"ATTENDEE", "CATEGORIES", "RRULE", "EXRULE", "RDATE", "EXDATE", "RELATED-TO"})
_ONCE = frozenset(
    {
        "UID",
        "DTSTART",
        "DTEND",
        "DURATION",
        "RECURRENCE-ID",
        "SEQUENCE",
        "CREATED",
        "LAST-MODIFIED",
        "ORGANIZER",
    }
    | {"SUMMARY", "DESCRIPTION", "LOCATION", "URL", "STATUS", "TRANSP", "CLASS", "ACTION", "TRIGGER"}
    | {"REPEAT", "ACKNOWLEDGED", "PROXIMITY"}
)


class _Reader:
    """The properties of one component, taken apart once, and the flags found on the way."""

    __slots__ = ("first", "flags", "several", "zones")

    def __init__(self, component: Component, zones: Zones) -> None:
        self.zones = zones
        self.flags: list[Flag] = []
        self.first: dict[str, Found] = {}
        self.several: dict[str, list[Found]] = {}
        texts = component.lines.texts
        for index in component.own():
            name, params, value = split_line(texts[index])
            if name in _ONCE:
                if name in self.first:
                    self.flag("bad_line", f"{name} is given again; the first one counts.", index)
                else:
                    self.first[name] = (params, value, index)
            elif name in _SEVERAL:
                self.several.setdefault(name, []).append((params, value, index))
            elif not name and value.strip():
                self.flag("bad_line", "The line is no property.", index)

    def flag(self, code: str, detail: str, index: int | None = None) -> None:
        self.flags.append(Flag(code, detail, None if index is None else index + 1))

    def read(self, name: str, reader: Callable[[Params, str], Read]) -> Read | None:
        """One property, None where it is missing or, flagged, where it cannot be read."""
        found = self.first.get(name)
        if found is None:
            return None
        try:
            return reader(found[0], found[1])
        except BadValue as error:
            self.flag("bad_value", f"{name} should be {error}.", found[2])
            return None

    def text(self, name: str) -> str:
        found = self.first.get(name)
        return read_text(found[1]) if found else ""

    def word(self, name: str) -> str:
        found = self.first.get(name)
        return found[1].strip().upper() if found else ""

    def rules(self, name: str) -> tuple[str, ...]:
        return tuple(value.strip() for _, value, _ in self.several.get(name, ()))

    def time(self, params: Params, value: str) -> CalTime:
        if not params:
            return read_time(value, "", self.zones.get)
        return read_time(value, param(params, "TZID"), self.zones.get, param(params, "VALUE").upper())

    def related(self) -> Iterator[tuple[str, str]]:
        """RELATED-TO as the kind of relation, upper-cased, and the UID it names."""
        for params, value, _ in self.several.get("RELATED-TO", ()):
            yield param(params, "RELTYPE").upper() or "PARENT", value.strip()

    def times(self, name: str) -> Iterator[CalTime | Period]:
        room = MAX_TIMES
        for params, value, index in self.several.get(name, ()):
            for one in read_times(value, params, self.zones.get):
                room -= 1
                if room < 0:
                    self.flag("bad_value", f"{name} should give at most {MAX_TIMES} times.", index)
                    return
                if isinstance(one, BadValue):
                    self.flag("bad_value", f"{name} should be {one}.", index)
                else:
                    yield one

    def end(self, start: CalTime | None) -> CalTime | None:
        """DTEND, unless it is before the start."""
        end = self.read("DTEND", self.time)
        if start is None or end is None or start.is_date != end.is_date:
            return end
        if start.zone is end.zone:
            backwards = end.wall < start.wall
        elif start.zone and end.zone:
            backwards = end.instant(UTC) < start.instant(UTC)
        else:
            return end
        if backwards:
            self.flag("bad_value", "DTEND should not be before DTSTART.", self.first["DTEND"][2])
            return None
        return end

    def check_zones(self, times: Iterable[CalTime | Period | None], *, recurs: bool) -> None:
        """Flag each TZID that is unknown, or that its VTIMEZONE says something else about."""
        seen: set[str] = set()
        for time in times:
            one = time.start if isinstance(time, Period) else time
            if one is None or one.tzid is None or one.tzid in seen:
                continue
            seen.add(one.tzid)
            if one.zone is None:
                self.flag("unknown_zone", "A time zone of the event is not known.")
            elif self.zones.differs(one.tzid, one.wall, recurs=recurs):
                self.flag(
                    "zone_differs",
                    "The text and the zone's name disagree on its offset; the name counts.",
                )


def _alarms(component: Component, event: _Reader) -> Iterator[Alarm]:
    for child in component.children:
        if child.name != "VALARM":
            continue
        reader = _Reader(child, event.zones)
        trigger = reader.first.get("TRIGGER")
        try:
            if trigger is None:
                raise BadValue("a time")
            yield _alarm(reader, trigger)
        except BadValue as error:
            event.flag("bad_value", f"The TRIGGER of an alarm should be {error}.", child.first)


def _alarm(reader: _Reader, trigger: Found) -> Alarm:
    params, value, _ = trigger
    # By its form rather than by VALUE, which programs forget.
    relative = value.lstrip(" +-")[:1] in ("P", "p")
    gap = reader.read("DURATION", _duration)
    return Alarm(
        action=reader.word("ACTION"),
        offset=read_duration(value) if relative else None,
        related_to_end=relative and param(params, "RELATED").upper() == "END",
        at=None if relative else reader.time(params, value),
        description=reader.text("DESCRIPTION"),
        # The two come together or not at all.
        repeats=(reader.read("REPEAT", _integer) or 0) if gap is not None else 0,
        gap=gap,
        uid=reader.text("UID").strip(),
        acknowledged=reader.read("ACKNOWLEDGED", _moment),
        snoozes=next((uid for kind, uid in reader.related() if kind == "SNOOZE"), ""),
        place="PROXIMITY" in reader.first,
    )


def _without_duplicates(
    found: list[tuple[Event, Component]], others: list[Other], flags: list[Flag]
) -> tuple[Event, ...]:
    """Of each UID and key the event with the highest SEQUENCE, and of these the last."""
    if len(found) == 1:
        return (found[0][0],)
    winners: dict[tuple[str, str], int] = {}
    losers: set[int] = set()
    for place, (event, _) in enumerate(found):
        name = (event.uid, event.key)
        before = winners.get(name)
        if not event.uid or before is None:
            winners[name] = place
        elif event.sequence >= found[before][0].sequence:
            losers.add(before)
            winners[name] = place
        else:
            losers.add(place)
    for place in sorted(losers):
        component = found[place][1]
        others.append(_other(component, "another event of the same UID and RECURRENCE-ID counts"))
        flags.append(Flag("duplicate", "The event is there again, and that one counts.", component.first + 1))
    return tuple(event for place, (event, _) in enumerate(found) if place not in losers)


def _other(component: Component, why: str) -> Other:
    uid = next(component.texts("UID"), "").strip()
    return Other(component.name, uid, why, component.first + 1)


def _duration(_params: Params, value: str) -> Duration:
    duration = read_duration(value)
    if duration.days < 0 or duration.seconds < 0:
        raise BadValue("a duration that does not go backwards")
    return duration


def _integer(_params: Params, value: str) -> int:
    return read_integer(value)


def _moment(_params: Params, value: str) -> datetime:
    return read_utc(value)

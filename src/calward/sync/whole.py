"""A calendar object as a merge sees it: its components by what names them, each with its properties."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from calward.ical.find import component_key
from calward.ical.lines import Params
from calward.ical.meaning import meaning, property_meaning
from calward.ical.tree import Component, Document, parse
from calward.ical.values import BadValue, read_attendee, read_time
from calward.ical.zones import Zones
from calward.model.ids import EventUid, RecurrenceKey
from calward.model.time import recurrence_key
from calward.sync.settled import Property


class Name(NamedTuple):
    """What tells the components of an object apart."""

    component: str
    uid: EventUid
    key: RecurrenceKey

    @property
    def master(self) -> Name:
        """The component that stands for the whole series of this one."""
        return self._replace(key=RecurrenceKey(""))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One component. ``properties`` are by name, in the order of the text."""

    component: Component
    properties: Mapping[str, tuple[Property, ...]]
    meaning: str

    def named(self, *names: str) -> tuple[Property, ...]:
        """The properties of these names."""
        return tuple(one for name in names for one in self.properties.get(name, ()))


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """One version of an object."""

    document: Document
    calendar: Part
    parts: Mapping[Name, Part]
    """All but the VTIMEZONEs."""
    timezones: Mapping[str, Component]
    """By TZID."""
    zones: Zones

    def slots(self, name: Name, listing: str) -> frozenset[str]:
        """What a list of dates (EXDATE, RDATE) of a component names, as recurrence keys where it can be."""
        part = self.parts.get(name)
        listed = part.named(listing) if part else ()
        return frozenset(slot for one in listed for slot in slots(one, self.zones))


def read_whole(data: bytes, own: Collection[str]) -> Whole | None:
    """Take a text apart; None where it is not one sound calendar with every component named once.

    Raises ``TooLarge`` over the caps.
    """
    document = parse(data)
    if len(document.roots) != 1 or document.strays:
        return None
    (calendar,) = document.roots
    if calendar.name != "VCALENDAR" or not all(one.closed for one in calendar.walk()):
        return None
    zones = Zones(document)
    parts: dict[Name, Part] = {}
    timezones: dict[str, Component] = {}
    for child in calendar.children:
        if child.name == "VTIMEZONE":
            if timezones.setdefault(_text(child, "TZID"), child) is not child:
                return None
        elif parts.setdefault(_name(child, zones), part := read_part(child, own)) is not part:
            return None
    return Whole(document, read_part(calendar, own), parts, timezones, zones)


def read_part(component: Component, own: Collection[str]) -> Part:
    """One component with its properties; lines that are no property are left out."""
    raws = component.lines.raws
    properties: dict[str, list[Property]] = {}
    for line in component.properties():
        said = property_meaning(line, own)
        properties.setdefault(line.name, []).append(Property(line, raws[line.index], said))
    grouped = {name: tuple(found) for name, found in properties.items()}
    return Part(component, grouped, meaning(component, own))


def items(value: str) -> list[str]:
    """The raw items of a list; a comma after a backslash is part of one."""
    found = [""]
    escaped = False
    for char in value:
        if char == "," and not escaped:
            found.append("")
            continue
        found[-1] += char
        escaped = char == "\\" and not escaped
    return found


def slots(one: Property, zones: Zones) -> Iterator[str]:
    """Each item of a list of dates, as the recurrence key of the slot that it names."""
    for item in items(one.line.value):
        yield slot(item, one.line.params, zones)


def slot(item: str, params: Params, zones: Zones) -> str:
    """One date as a recurrence key; a period, or what cannot be read, as it is written."""
    found = {name: values[0] for name, values in reversed(params)}
    try:
        return recurrence_key(read_time(item, found.get("TZID", ""), zones.get, found.get("VALUE", "").upper()))
    except BadValue:
        return item.strip().upper()


def address(one: Property) -> str:
    """Who an ATTENDEE line is about: a lower-case mail address, or another address as written."""
    person = read_attendee(one.line.params, one.line.value)
    return person.email or person.address


def people(parts: Sequence[Part]) -> frozenset[str]:
    """The addresses of all who are invited."""
    return frozenset(address(one) for part in parts for one in part.named("ATTENDEE"))


def _name(component: Component, zones: Zones) -> Name:
    key = component_key(component, zones)
    if key is None:
        key = RecurrenceKey(_text(component, "RECURRENCE-ID"))
    return Name(component.name, EventUid(_text(component, "UID")), key)


def _text(component: Component, name: str) -> str:
    return next(component.texts(name), "").strip()

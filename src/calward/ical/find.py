"""Finding one component of an object by what names it: its place in the series."""

from __future__ import annotations

from collections.abc import Iterator

from calward.errors import NotFound
from calward.ical.lines import split_line
from calward.ical.tree import Component, Document
from calward.ical.values import BadValue, read_integer, read_time
from calward.ical.zones import Zones
from calward.model.ids import RecurrenceKey
from calward.model.time import recurrence_key


def find_component(document: Document, key: RecurrenceKey) -> Component:
    """The VEVENT that ``key`` names, the master's being empty (``calward.model.time.recurrence_key``).

    Of several under one key it is the one that counts: with the highest SEQUENCE, and of these the last. Raises
    ``NotFound`` where there is none.
    """
    zones = Zones(document)
    found = [one for one in events(document) if component_key(one, zones) == key]
    if not found:
        what = f"no override of {key}" if key else "no event that stands for the whole"
        raise NotFound(f"The calendar object has {what}; read it again.")
    return max(enumerate(found), key=lambda one: (sequence(one[1]), one[0]))[1]


def events(document: Document) -> Iterator[Component]:
    """The VEVENTs of a text, in a calendar or outside of any."""
    return (component for component, _ in document.top() if component.name == "VEVENT")


def component_key(component: Component, zones: Zones) -> RecurrenceKey | None:
    """What names a component within its object; None where its RECURRENCE-ID cannot be read."""
    for index in component.own():
        text = component.lines.texts[index]
        if text[:13].upper() != "RECURRENCE-ID":
            continue
        name, params, value = split_line(text)
        if name == "RECURRENCE-ID":
            found = {key: values[0] for key, values in reversed(params)}
            try:
                return recurrence_key(
                    read_time(value, found.get("TZID", ""), zones.get, found.get("VALUE", "").upper())
                )
            except BadValue:
                return None
    return RecurrenceKey("")


def sequence(component: Component) -> int:
    """SEQUENCE, and 0 where it is missing or no number."""
    for text in component.texts("SEQUENCE"):
        try:
            return read_integer(text)
        except BadValue:
            return 0
    return 0

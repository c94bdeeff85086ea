"""Calendar objects for the tests of merging, put together from lines."""

from __future__ import annotations

from calward.errors import NotFound
from calward.ical.tree import Component, parse
from calward.sync.merge import Collision, Merged, merge
from calward.sync.whole import read_whole

ME = "me@example.org"
EVENT = (
    "UID:lunch-1",
    "DTSTAMP:20260301T080000Z",
    "DTSTART;TZID=Europe/Berlin:20260310T120000",
    "DTEND;TZID=Europe/Berlin:20260310T130000",
    "SUMMARY:Lunch",
    "LOCATION:Canteen",
)
SERIES = (*EVENT, "RRULE:FREQ=DAILY;COUNT=10")
ALARM = ("BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT15M", "END:VALARM")


def calendar(*components: tuple[str, ...], ending: str = "\r\n") -> bytes:
    """An object of these components, each given by the lines inside of it."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"]
    for inside in components:
        lines += inside if inside[0].startswith("BEGIN:") else ("BEGIN:VEVENT", *inside, "END:VEVENT")
    return "".join(line + ending for line in [*lines, "END:VCALENDAR"]).encode()


def override(slot: str, *more: str) -> tuple[str, ...]:
    """An occurrence of the series with a component of its own, an hour from 12:00 on a day such as 20260312."""
    zone = ";TZID=Europe/Berlin"
    return (
        "UID:lunch-1",
        "DTSTAMP:20260301T080000Z",
        f"RECURRENCE-ID{zone}:{slot}T120000",
        f"DTSTART{zone}:{slot}T120000",
        f"DTEND{zone}:{slot}T130000",
        *more,
    )


def with_(lines: tuple[str, ...], *changes: str) -> tuple[str, ...]:
    """The lines with each change in the place of the line of its name, or after the event's own lines."""
    out = list(lines)
    for change in changes:
        name = _name(change)
        at = [index for index, line in enumerate(out) if _name(line) == name and name != "ATTENDEE"]
        if at:
            out[at[0]] = change
        else:
            ends = [index for index, line in enumerate(out) if index and line.startswith(("BEGIN:", "END:"))]
            out.insert(ends[0] if ends else len(out), change)
    return tuple(out)


def less(lines: tuple[str, ...], *names: str) -> tuple[str, ...]:
    """The lines without those that begin so."""
    return tuple(line for line in lines if not line.startswith(names))


def merged(base: bytes, local: bytes, remote: bytes, *own: str) -> bytes:
    """What they merge to; fails where they collide."""
    found = merge(base, local, remote, own)
    assert isinstance(found, Merged), found
    return found.data


def clashes(base: bytes, local: bytes, remote: bytes, *own: str) -> list[tuple[str, ...]]:
    """The names of what collides; fails where they merge."""
    found = merge(base, local, remote, own)
    assert isinstance(found, Collision), found
    return [clash.names for clash in found.clashes]


def texts(data: bytes, key: str = "") -> list[str]:
    """The lines inside of one event, nested ones too."""
    component = event(data, key)
    return component.lines.texts[component.first + 1 : component.last]


def event(data: bytes, key: str = "") -> Component:
    whole = read_whole(data, ())
    assert whole is not None
    for name, part in whole.parts.items():
        if name.key == key:
            return part.component
    raise NotFound(f"no event {key}")


def keys(data: bytes) -> list[str]:
    """Which occurrences have a component, the master's being empty."""
    whole = read_whole(data, ())
    assert whole is not None
    return [name.key for name in whole.parts]


def zones(data: bytes) -> list[str]:
    (root,) = parse(data).roots
    return [next(child.texts("TZID")) for child in root.children if child.name == "VTIMEZONE"]


def _name(line: str) -> str:
    return line.partition(":")[0].partition(";")[0]

"""Files of many events taken apart into calendar objects, and put together again, all bytes kept.

An object is what a CalDAV server stores at one href (RFC 4791 §4.1): a VCALENDAR with all components of one
UID. It is made of the file's own lines: the calendar's properties, its VTIMEZONEs, the components of that
UID. What is no event stays behind as ``residue`` and is there again when the file is recomposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from calward.ical.find import component_key, events
from calward.ical.lines import BOM, fold, line_ending, line_tail, param, split_line
from calward.ical.reading import Other
from calward.ical.tree import CAPS, Caps, Component, Document, parse
from calward.ical.zones import Zones
from calward.model.event import Flag
from calward.model.ids import EventUid

DERIVED_UID = "calward-no-uid-"
"""How the UIDs begin that stand for events without one; the bytes are left without."""


@dataclass(frozen=True, slots=True)
class Framed:
    """One calendar object of a file."""

    uid: EventUid
    data: bytes
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A file taken apart."""

    objects: tuple[Framed, ...]
    """In the order in which their UIDs come up."""
    residue: tuple[Other, ...]
    """What is no event, with its line: other components, and lines that belong to none."""


def split(data: bytes, caps: Caps = CAPS) -> Split:
    """Take a file apart. A file that holds one UID and nothing else is that object as it is.

    Raises ``TooLarge`` over a cap.
    """
    document = parse(data, caps)
    groups = _groups(document)
    residue = tuple(_residue(document))
    if len(groups) == 1 and not residue:
        ((uid, components),) = groups.items()
        return Split((Framed(uid, data, _flags(uid, components)),), ())
    objects = (Framed(uid, _frame(components), _flags(uid, components)) for uid, components in groups.items())
    return Split(tuple(objects), residue)


def recompose(original: bytes, current: Mapping[EventUid, bytes | None], caps: Caps = CAPS) -> bytes:
    """The file again, with the events as they are now.

    ``current`` gives the objects by the UIDs that ``split`` gave them. A component that its object has
    unchanged, and everything that is no event, comes out byte for byte; one that the object no longer has is
    dropped, as are all of a UID that is missing or None; a new one follows the last of its UID. Raises
    ``TooLarge`` over a cap.
    """
    document = parse(original, caps)
    groups = _groups(document)
    if len(groups) == 1 and not any(_residue(document)):
        ((uid, _),) = groups.items()
        whole = current.get(uid)
        if whole is not None:
            return whole
    changes: list[tuple[int, int, bytes]] = []
    for uid, components in groups.items():
        changes += _changes(document, components, current.get(uid), caps)
    out: list[bytes] = []
    at = 0
    for first, end, now in sorted(changes):
        out += [document.lines.slice(at, first), now]
        at = end
    out.append(document.lines.slice(at, len(document.lines)))
    return b"".join(out)


@dataclass(frozen=True, slots=True, eq=False)
class _Shell:
    """A calendar of the file without its events, as the parts that go around those of one UID."""

    head: bytes
    zones: dict[str, bytes]
    """VTIMEZONEs by their TZID."""
    foot: bytes


@dataclass(frozen=True, slots=True)
class _Place:
    """An event of a file and what it stands in."""

    component: Component
    shell: _Shell | None
    """None for an event outside of any calendar."""


def _groups(document: Document) -> dict[EventUid, list[_Place]]:
    """The events by UID; each one without gets one from a digest of its bytes."""
    groups: dict[EventUid, list[_Place]] = {}
    nameless: dict[str, int] = {}
    shells = {root: _shell(root) for root in document.roots if root.name == "VCALENDAR"}
    for component, calendar in document.top():
        if component.name != "VEVENT":
            continue
        uid = next(component.texts("UID"), "").strip()
        if not uid:
            digest = sha256(component.data.rstrip()).hexdigest()[:32]
            nameless[digest] = nameless.get(digest, 0) + 1
            uid = f"{DERIVED_UID}{digest}-{nameless[digest]}"
        shell = shells[calendar] if calendar else None
        groups.setdefault(EventUid(uid), []).append(_Place(component, shell))
    return groups


def _shell(calendar: Component) -> _Shell:
    raws = calendar.lines.raws
    ending = _ending(calendar)
    head = [raws[calendar.first].removeprefix(BOM)]
    head += [raws[line.index] for line in calendar.properties() if line.name != "END"]
    zones: dict[str, bytes] = {}
    for child in calendar.children:
        if child.name == "VTIMEZONE":
            tzid = next(child.texts("TZID"), "").strip().strip('"')
            zones.setdefault(tzid, _ended(child.data, ending))
    foot = raws[calendar.last] if calendar.closed else b"END:VCALENDAR"
    return _Shell(b"".join(_ended(raw, ending) for raw in head), zones, _ended(foot, ending))


def _residue(document: Document) -> Iterator[Other]:
    for component, _ in document.top():
        if component.name not in ("VEVENT", "VTIMEZONE"):
            uid = next(component.texts("UID"), "").strip()
            yield Other(component.name, uid, "it is no event", component.first + 1)
    for index in document.strays:
        yield Other("", "", "the line belongs to no component", index + 1)


def _flags(uid: EventUid, places: list[_Place]) -> tuple[Flag, ...]:
    if not uid.startswith(DERIVED_UID):
        return ()
    return (Flag("no_uid", "The event has no UID; one was derived for it.", places[0].component.first + 1),)


def _frame(places: list[_Place]) -> bytes:
    """A calendar of the file's own lines around the components of one UID."""
    shells = list(dict.fromkeys(place.shell for place in places if place.shell))
    ending = _ending(places[0].component)
    bodies = [_ended(place.component.data, ending) for place in places]
    if not shells:
        head = fold("BEGIN:VCALENDAR", ending) + fold("VERSION:2.0", ending)
        return b"".join((head, *bodies, fold("END:VCALENDAR", ending)))
    zones: dict[str, bytes] = {}
    for tzid in _tzids(places):
        zone = next((shell.zones[tzid] for shell in shells if tzid in shell.zones), b"")
        zones.setdefault(tzid, zone)
    return b"".join((shells[0].head, *zones.values(), *bodies, shells[0].foot))


def _tzids(places: list[_Place]) -> Iterator[str]:
    for place in places:
        component = place.component
        for text in component.lines.texts[component.first : component.end]:
            if "TZID=" in text.upper():
                yield param(split_line(text)[1], "TZID").strip()


def _changes(
    document: Document, places: list[_Place], now: bytes | None, caps: Caps
) -> Iterator[tuple[int, int, bytes]]:
    """What stands now in the place of which lines of the file."""
    present = _named(parse(now, caps)) if now is not None else {}
    components = [place.component for place in places]
    for name, before in _numbered(components, Zones(document)):
        after = present.pop(name, b"")
        if _bare(after) != _bare(before.data):
            # Where the component ended without a line ending, at the very end, the new one does too.
            tail = line_tail(before.data) if after else b""
            yield before.first, before.end, _bare(after) + tail
    last = components[-1]
    ending = _ending(last)
    for added in present.values():
        start = b"" if line_tail(last.data) else ending
        yield last.end, last.end, start + _bare(added) + ending


def _named(document: Document) -> dict[tuple[str, int], bytes]:
    numbered = _numbered(list(events(document)), Zones(document))
    return {name: component.data for name, component in numbered}


def _numbered(components: list[Component], zones: Zones) -> Iterator[tuple[tuple[str, int], Component]]:
    """Components by their key, and by a number where several have one key."""
    seen: dict[str, int] = {}
    for component in components:
        key = component_key(component, zones)
        name = "unreadable " + next(component.texts("RECURRENCE-ID")) if key is None else key
        seen[name] = seen.get(name, 0) + 1
        yield (name, seen[name]), component


def _ended(data: bytes, ending: bytes) -> bytes:
    """The last lines of a text may lack their ending."""
    return data if line_tail(data) else data + ending


def _bare(data: bytes) -> bytes:
    return data.rstrip(b"\r\n")


def _ending(component: Component) -> bytes:
    return line_ending(component.lines.raws[component.first]) or b"\r\n"

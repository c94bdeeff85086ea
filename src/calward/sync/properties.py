"""The properties of one component in two versions over their base, settled group by group."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from calward.ical.values import BadValue, read_integer, read_utc
from calward.ical.zones import Zones
from calward.sync.lists import DATES, TEXTS, ItemKey, by_slot, by_text, settle_list
from calward.sync.people import settle_people
from calward.sync.settled import LEAVE, Change, Property
from calward.sync.whole import Part

PATTERN = ("DTSTART", "RRULE", "EXRULE")
"""Which slots there are, and so what an EXDATE or a RECURRENCE-ID names."""
TIME = (*PATTERN, "DTEND", "DUE", "DURATION")
"""When it is. Half of one side's and half of the other's would be a time that nobody chose."""
STANDING = ("STATUS", "COMPLETED", "PERCENT-COMPLETE")
"""How far a to-do is."""
UNITS = (TIME, STANDING)
BOOKKEEPING = frozenset({"DTSTAMP", "LAST-MODIFIED", "CREATED", "SEQUENCE"})
REPEATED = frozenset(
    {
        "ATTACH",
        "COMMENT",
        "CONFERENCE",
        "CONTACT",
        "IMAGE",
        "RELATED-TO",
        "REQUEST-STATUS",
        "STYLED-DESCRIPTION",
    }
)
"""Properties of which there may be many, each a thing of its own (RFC 5545 §3.8, RFC 7986 §5)."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The lines of one group: as both sides last had them, here, and at the server."""

    base: tuple[Property, ...]
    ours: tuple[Property, ...]
    theirs: tuple[Property, ...]


@dataclass(frozen=True, slots=True)
class Trio:
    """The three versions of one component, with what is needed to compare dates of theirs."""

    base: Part | None
    ours: Part
    theirs: Part
    zones: tuple[Zones, Zones, Zones]
    """In the same order."""
    own: Collection[str]
    not_listed: Mapping[str, Collection[str]]
    """By the name of a list, items that must not be in it."""

    def sides(self, *names: str) -> Sides:
        before = self.base.named(*names) if self.base else ()
        return Sides(before, self.ours.named(*names), self.theirs.named(*names))

    def groups(self) -> Iterator[tuple[str, ...]]:
        """The names of all properties of the live sides, those of one unit together."""
        names = dict.fromkeys([*self.theirs.properties, *self.ours.properties])
        for unit in UNITS:
            if any(name in names for name in unit):
                yield unit
        yield from ((name,) for name in names if not any(name in unit for unit in UNITS))


def settle(trio: Trio, names: tuple[str, ...]) -> Mapping[str, Change] | None:
    """What becomes of each of the server's properties of one group; None where both edits cannot stand."""
    sides = trio.sides(*names)
    if len(names) > 1:
        return _unit(trio, names, sides)
    (name,) = names
    change = _one(trio, name, sides)
    return None if change is None else {name: change}


def take_ours(trio: Trio, names: tuple[str, ...]) -> Mapping[str, Change]:
    """Our lines of one group in the place of the server's."""
    return {name: _put(trio.ours.named(name), trio.theirs.named(name)) for name in names}


def settle_quietly(sides: Sides) -> Change:
    """Lines that nobody decided: of the side that changed them, and the server's where both did."""
    here, before, there = (_texts(side) for side in (sides.ours, sides.base, sides.theirs))
    return LEAVE if here == before or there != before else _put(sides.ours, sides.theirs)


def _one(trio: Trio, name: str, sides: Sides) -> Change | None:
    if name == "ATTENDEE":
        return settle_people(sides.base, sides.ours, sides.theirs, trio.own)
    if name in DATES or name in TEXTS:
        keys = _item_keys(trio, name)
        return settle_list(sides.base, sides.ours, sides.theirs, keys, trio.not_listed.get(name, ()))
    if name in REPEATED:
        return _repeated(sides)
    if name in BOOKKEEPING:
        return _later(name, sides)
    if name.startswith("X-"):
        return settle_quietly(sides)
    found = _unit(trio, (name,), sides)
    return None if found is None else found[name]


def _unit(trio: Trio, names: Sequence[str], sides: Sides) -> Mapping[str, Change] | None:
    """All of one side, or of the other."""
    here, before, there = (said(side) for side in (sides.ours, sides.base, sides.theirs))
    if here in (before, there):
        return dict.fromkeys(names, LEAVE)
    if there != before:
        return None
    return take_ours(trio, tuple(names))


def said(properties: Sequence[Property]) -> Sequence[str]:
    """What some properties mean together."""
    return sorted(part for one in properties for part in one.said)


def _put(ours: Sequence[Property], theirs: Sequence[Property]) -> Change:
    """Our lines in the places of theirs, where they say something else."""
    both = list(zip(theirs, ours, strict=False))
    return Change(
        drop=tuple(theirs[len(both) :]),
        swap=tuple((old, new) for old, new in both if not _same(old, new)),
        add=tuple(ours[len(both) :]),
    )


def _same(old: Property, new: Property) -> bool:
    return old.said == new.said if old.said else old.line.text == new.line.text


def _repeated(sides: Sides) -> Change:
    """Each line is a thing of its own: what we added comes in and what we removed goes."""
    here, before, there = ({one.said for one in side} for side in (sides.ours, sides.base, sides.theirs))
    drop = tuple(one for one in sides.theirs if one.said in before - here)
    return Change(drop, (), tuple(one for one in sides.ours if one.said in here - before - there))


def _later(name: str, sides: Sides) -> Change:
    """The later of two moments or the higher of two numbers, unless we left it alone or they took it out."""
    if not sides.ours or _texts(sides.ours) == _texts(sides.base) or (sides.base and not sides.theirs):
        return LEAVE
    new = sides.ours[0]
    if not sides.theirs:
        return Change(add=(new,))
    old = sides.theirs[0]
    here, there = new.line.value, old.line.value
    newer = _number(here) > _number(there) if name == "SEQUENCE" else _moment(here) > _moment(there)
    return Change(swap=((old, new),)) if newer else LEAVE


def _number(text: str) -> int:
    try:
        return read_integer(text)
    except BadValue:
        return -1


def _moment(text: str) -> datetime:
    try:
        return read_utc(text)
    except BadValue:
        return datetime.min.replace(tzinfo=UTC)


def _item_keys(trio: Trio, name: str) -> tuple[ItemKey, ItemKey, ItemKey]:
    if name in TEXTS:
        return by_text, by_text, by_text
    base, ours, theirs = trio.zones
    return by_slot(base), by_slot(ours), by_slot(theirs)


def _texts(properties: Sequence[Property]) -> tuple[str, ...]:
    return tuple(one.line.text for one in properties)

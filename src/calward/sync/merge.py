"""Two versions of one calendar object over the version they both come from, made one again.

The result is the server's text with our changed lines put in: the order and every other byte are the server's.
It is decided per component (UID and RECURRENCE-ID) and property. Attendees, alarms and lists are sets; the
times of an event are one thing; what programs note by themselves takes the later of the two; an edit of meaning
beats a removal, whichever side it is on. Nobody is invited who is not invited on a live side, and nobody comes
back whom one side took off. What cannot be settled so is a ``Collision``: both versions are kept and shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from calward.ical.lines import param, scan, split_line
from calward.ical.meaning import meaning
from calward.ical.tree import Component, parse
from calward.ical.zone_names import named_zone
from calward.model.ids import EventUid, RecurrenceKey
from calward.sync.nested import settle_nested
from calward.sync.properties import Sides, Trio, settle, settle_quietly, take_ours
from calward.sync.series import answered_elsewhen, brought_back, inherited, torn, uninvited
from calward.sync.settled import Clash
from calward.sync.splice import Splice, carried, ending_of, nested_home, of_change, spliced
from calward.sync.whole import Name, Part, Whole, address, read_whole


@dataclass(frozen=True, slots=True)
class Taken:
    """What of ours went into the result: the properties and nested components of one component, by ``names``;
    no names mean the whole component, which was added or removed."""

    component: str
    uid: EventUid
    key: RecurrenceKey
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """Both versions in one. Where ``data`` is what the server has, there is nothing to send."""

    data: bytes
    taken: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class Collision:
    """Edits that exclude each other; there is at least one."""

    clashes: tuple[Clash, ...]


def merge(
    base: bytes, local: bytes, remote: bytes, own: Collection[str] = (), *, ours_stand: bool = False
) -> Merged | Collision:
    """Put what changed from ``base`` to ``local`` into ``remote``.

    With ``ours_stand`` our lines of a property stand where both changed it, as a person has said; only what
    cannot be decided property by property collides then.

    ``own`` are the mail addresses of the person whose calendar it is: their answer to an invitation is an edit,
    that of others is the server's to tell. Texts that are no single sound calendar are taken whole or not at
    all. Raises ``TooLarge`` over the caps of ``calward.ical.tree``.
    """
    own = frozenset(one.lower().removeprefix("mailto:") for one in own)
    before, here, there = (read_whole(data, own) for data in (base, local, remote))
    if before is None or here is None or there is None or _leaves_nothing(before, here, there):
        return _all_or_nothing(base, local, remote, own)
    pieces = [*_pieces(before, here, there, own, ours_stand=ours_stand)]
    clashes = tuple(clash for piece in pieces for clash in piece.clashes)
    if clashes:
        return Collision(clashes)
    data = spliced(there.document.lines, [splice for piece in pieces for splice in piece.splices])
    taken = tuple(
        Taken(*piece.name, tuple(dict.fromkeys(piece.taken)))
        for piece in pieces
        if piece.is_whole or piece.taken
    )
    return Merged(_with_zones(data, here, there), taken)


@dataclass(frozen=True, slots=True)
class _Piece:
    """What becomes of one component of the server's text."""

    name: Name
    splices: tuple[Splice, ...] = ()
    taken: tuple[str, ...] = ()
    clashes: tuple[Clash, ...] = ()
    is_whole: bool = False
    """It is our adding or our removing of all of it."""


_CALENDAR = Name("VCALENDAR", EventUid(""), RecurrenceKey(""))


def _pieces(
    before: Whole, here: Whole, there: Whole, own: Collection[str], *, ours_stand: bool
) -> Iterator[_Piece]:
    yield _calendar(before, here, there)
    yield from _timezones(before, here, there)
    for name in dict.fromkeys([*there.parts, *here.parts]):
        if name not in here.parts:
            yield _theirs_alone(name, before, here, there)
        elif name not in there.parts:
            yield _ours_alone(name, before, here, there)
        else:
            yield _both(name, before, here, there, own, ours_stand=ours_stand)


def _both(
    name: Name, before: Whole, here: Whole, there: Whole, own: Collection[str], *, ours_stand: bool
) -> _Piece:
    base = before.parts.get(name) or (inherited(before.parts.get(name.master)) if name.key else None)
    ours, theirs = here.parts[name], there.parts[name]
    not_listed = {"EXDATE": brought_back(name, before, here, there)}
    trio = Trio(base, ours, theirs, (before.zones, here.zones, there.zones), own, not_listed)
    clashes = [names for names in (torn(name, before, here, there), answered_elsewhen(trio)) if names]
    splices: list[Splice] = []
    taken: list[str] = []
    for names in trio.groups():
        settled = settle(trio, names)
        if settled is None and ours_stand:
            settled = take_ours(trio, names)
        if settled is None:
            clashes.append(tuple(one for one in names if _is_contested(trio, one)))
            continue
        for one, change in settled.items():
            if change:
                taken.append(one)
                splices += of_change(theirs.component, one, change)
    for one, splice in settle_nested(base.component if base else None, ours.component, theirs.component):
        taken.append(one)
        splices.append(splice)
    return _Piece(
        name, tuple(splices), tuple(taken), tuple(_clash(name, base, ours, theirs, names) for names in clashes)
    )


def _theirs_alone(name: Name, before: Whole, here: Whole, there: Whole) -> _Piece:
    """We removed it, or it is new there."""
    base, theirs = before.parts.get(name), there.parts[name]
    component = theirs.component
    if base and base.meaning == theirs.meaning:
        return _Piece(name, (Splice(component.first, component.end),), is_whole=True)
    gone = uninvited(name, before, here)
    off = [one.line.index for one in theirs.named("ATTENDEE") if address(one) in gone]
    return _Piece(name, tuple(Splice(index, index + 1) for index in off), ("ATTENDEE",) if off else ())


def _ours_alone(name: Name, before: Whole, here: Whole, there: Whole) -> _Piece:
    """They removed it, or it is new here."""
    base, ours, calendar = before.parts.get(name), here.parts[name], there.calendar.component
    if base and base.meaning == ours.meaning:
        return _Piece(name)
    gone = uninvited(name, before, there)
    off = [one for one in ours.named("ATTENDEE") if address(one) in gone]
    at = nested_home(calendar, name.component)
    new = carried(ours.component, ending_of(calendar), off)
    return _Piece(name, (Splice(at, at, new),), is_whole=True)


def _calendar(before: Whole, here: Whole, there: Whole) -> _Piece:
    """The calendar's own properties: nothing an event is about."""
    splices: list[Splice] = []
    taken: list[str] = []
    for name in dict.fromkeys([*there.calendar.properties, *here.calendar.properties]):
        sides = Sides(before.calendar.named(name), here.calendar.named(name), there.calendar.named(name))
        if change := settle_quietly(sides):
            taken.append(name)
            splices += of_change(there.calendar.component, name, change)
    return _Piece(_CALENDAR, tuple(splices), tuple(taken))


def _timezones(before: Whole, here: Whole, there: Whole) -> Iterator[_Piece]:
    """Definitions of zones that both have; of a zone the world knows, nobody's definition counts."""
    for tzid, ours in here.timezones.items():
        base, theirs = before.timezones.get(tzid), there.timezones.get(tzid)
        if theirs is None or named_zone(tzid) is not None or meaning(ours) == meaning(theirs):
            continue
        name = Name("VTIMEZONE", EventUid(""), RecurrenceKey(""))
        if base and meaning(base) == meaning(ours):
            continue
        if base and meaning(base) == meaning(theirs):
            new = carried(ours, ending_of(theirs))
            yield _Piece(name, (Splice(theirs.first, theirs.end, new),), is_whole=True)
        else:
            yield _Piece(name, clashes=(Clash(*name, (), _lines(base), _lines(ours), _lines(theirs)),))


def _with_zones(data: bytes, here: Whole, there: Whole) -> bytes:
    """With the definitions of zones that lines of ours brought in."""
    missing = here.timezones.keys() - there.timezones.keys()
    if not missing:
        return data
    used = {param(split_line(text)[1], "TZID").strip() for text in scan(data).texts if "TZID=" in text.upper()}
    document = parse(data)
    (calendar,) = document.roots
    at = nested_home(calendar, "VTIMEZONE")
    ending = ending_of(calendar)
    added = [carried(zone, ending) for tzid, zone in here.timezones.items() if tzid in missing and tzid in used]
    return spliced(document.lines, [Splice(at, at, b"".join(added))])


def _all_or_nothing(base: bytes, local: bytes, remote: bytes, own: Collection[str]) -> Merged | Collision:
    """What cannot be taken apart is one side's or the other's, where only one edited it."""
    here, before, there = (meaning(data, own) for data in (local, base, remote))
    if here in (before, there):
        return Merged(remote, ())
    if remote == base:
        return Merged(local, (Taken(*_CALENDAR, ()),))
    return Collision((Clash(*_CALENDAR, (), *(tuple(scan(data).texts) for data in (base, local, remote))),))


def _leaves_nothing(before: Whole, here: Whole, there: Whole) -> bool:
    """Each side removed what the other left alone, and an object of nothing is none."""
    live = {**here.parts, **there.parts}
    shared = here.parts.keys() & there.parts.keys()
    alone = {name: part.meaning for name, part in live.items() if name not in shared}
    left_alone = all(name in before.parts and before.parts[name].meaning == was for name, was in alone.items())
    return bool(here.parts and there.parts) and not shared and left_alone


def _is_contested(trio: Trio, name: str) -> bool:
    sides = trio.sides(name)
    return [one.said for one in sides.ours] != [one.said for one in sides.theirs]


def _clash(name: Name, base: Part | None, ours: Part, theirs: Part, names: tuple[str, ...]) -> Clash:
    return Clash(*name, names, *(_texts(part, names) for part in (base, ours, theirs)))


def _texts(part: Part | None, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one.line.text for one in part.named(*names)) if part else ()


def _lines(component: Component | None) -> tuple[str, ...]:
    return tuple(component.lines.texts[component.first : component.end]) if component else ()

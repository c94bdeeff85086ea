"""What the components of one series have to do with each other, where a merge takes some from either side.

An EXDATE and a RECURRENCE-ID name an occurrence by its slot in the pattern, so they mean something else once
the pattern is another. Who was taken off the series must not come back with an occurrence copied from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from calward.sync.people import answers
from calward.sync.properties import BOOKKEEPING, PATTERN, TIME, Trio, said
from calward.sync.whole import Name, Part, Whole, people

_NOT_INHERITED = frozenset({*TIME, *BOOKKEEPING, "EXDATE", "RDATE", "RECURRENCE-ID"})


def torn(name: Name, before: Whole, here: Whole, there: Whole) -> tuple[str, ...]:
    """The properties and occurrences that exclude each other where one side moved a series and the other
    changed single occurrences of it; empty where there are none. ``name`` is the master's."""
    base, ours, theirs = (whole.parts.get(name) for whole in (before, here, there))
    if base is None or ours is None or theirs is None or _pattern(ours) == _pattern(theirs):
        return ()
    for mover, other in ((ours, there), (theirs, here)):
        moved = _differing(base, mover, PATTERN)
        changed = _changed_occurrences(name, before, other)
        if moved and changed:
            return (*moved, *changed)
    return ()


def answered_elsewhen(trio: Trio) -> tuple[str, ...]:
    """The properties that exclude each other where one side moved an event and the other answered its
    invitation; empty where there are none.

    An answer is given to a time; a merge must not give it to another.
    """
    base, ours, theirs = trio.base, trio.ours, trio.theirs
    if base is None:
        return ()
    before = answers(base.named("ATTENDEE"), trio.own)
    for mover, other in ((ours, theirs), (theirs, ours)):
        moved = _differing(base, mover, TIME)
        now = answers(other.named("ATTENDEE"), trio.own)
        answered = any(now[who] != before[who] for who in now.keys() & before.keys())
        if moved and answered and not _differing(other, base, TIME):
            return (*moved, "ATTENDEE")
    return ()


def brought_back(name: Name, before: Whole, here: Whole, there: Whole) -> frozenset[str]:
    """Slots of a series that one side excluded (EXDATE) while the other edited the occurrence there. The edit
    stands, so these exclusions are dropped."""
    found: set[str] = set()
    for striker, editor in ((here, there), (there, here)):
        # Who did both to one slot said what they meant: then nothing is put right here.
        struck = striker.slots(name, "EXDATE") - before.slots(name, "EXDATE") - editor.slots(name, "EXDATE")
        found |= struck & _edited(name, before, editor) - _edited(name, before, striker)
    return frozenset(found)


def uninvited(name: Name, before: Whole, side: Whole) -> frozenset[str]:
    """The people whom a side took off the series, or off the whole object. No occurrence that the merge keeps
    may bring them back."""
    gone = people(list(before.parts.values())) - people(list(side.parts.values()))
    base, now = before.parts.get(name.master), side.parts.get(name.master)
    return gone | (people([base]) - people([now])) if base and now else gone


def inherited(master: Part | None) -> Part | None:
    """What an occurrence takes over from its series when it gets a component of its own: all but its times."""
    if master is None:
        return None
    taken = {name: found for name, found in master.properties.items() if name not in _NOT_INHERITED}
    return Part(master.component, taken, master.meaning)


def _pattern(part: Part) -> list[list[str]]:
    return [list(said(part.named(name))) for name in PATTERN]


def _differing(one: Part, other: Part, names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if said(one.named(name)) != said(other.named(name)))


def _changed_occurrences(master: Name, before: Whole, side: Whole) -> tuple[str, ...]:
    lists = tuple(one for one in ("EXDATE", "RDATE") if side.slots(master, one) != before.slots(master, one))
    own = _overrides(master, side) != _overrides(master, before)
    return (*lists, "RECURRENCE-ID") if own else lists


def _overrides(master: Name, whole: Whole) -> Mapping[Name, str]:
    return {
        name: part.meaning for name, part in whole.parts.items() if name != master and name.master == master
    }


def _edited(master: Name, before: Whole, side: Whole) -> frozenset[str]:
    """The keys of the overrides that a side added or changed."""
    was = _overrides(master, before)
    return frozenset(name.key for name, meant in _overrides(master, side).items() if was.get(name) != meant)

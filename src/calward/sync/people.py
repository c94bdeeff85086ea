"""Attendees of two versions over their base: a set by address, which a merge never makes wider.

Whoever one side removed stays removed. What both sides say of one person is settled parameter by parameter; the
answers of others, and what servers note about deliveries, are the server's to tell (RFC 6638 §3.2, §7.3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from calward.ical.lines import join_params
from calward.sync.settled import Change, New, Property
from calward.sync.whole import address


def settle_people(
    base: Sequence[Property], ours: Sequence[Property], theirs: Sequence[Property], own: Collection[str]
) -> Change | None:
    """What becomes of the server's ATTENDEE lines; None where both sides changed one person differently."""
    before, here, there = _by_address(base), _by_address(ours), _by_address(theirs)
    drop: list[Property] = []
    swap: list[tuple[Property, New]] = []
    for who, one in there.items():
        mine = here.get(who)
        if mine is None:
            if who in before:
                drop.append(one)
            continue
        settled = _settle_person(before.get(who), mine, one, is_own=who in own)
        if settled is None:
            return None
        if settled is not one:
            swap.append((one, settled))
    # One in the base who is no longer there was removed there, whatever we changed of them since.
    add = [one for who, one in here.items() if who not in there and who not in before]
    return Change(tuple(drop), tuple(swap), tuple(add))


def answers(properties: Sequence[Property], own: Collection[str]) -> Mapping[str, str]:
    """What a person answered, by each of their addresses that is invited."""
    found = _by_address(properties)
    return {who: _param(found[who], "PARTSTAT") for who in found.keys() & set(own)}


def _by_address(properties: Sequence[Property]) -> dict[str, Property]:
    """Of several lines about one person, the first."""
    found: dict[str, Property] = {}
    for one in properties:
        found.setdefault(address(one), one)
    return found


_DEFAULTS = {
    "ROLE": "REQ-PARTICIPANT",
    "CUTYPE": "INDIVIDUAL",
    "RSVP": "FALSE",
    "PARTSTAT": "NEEDS-ACTION",
}
_QUIET = frozenset({"CN", "SCHEDULE-STATUS"})
"""Where both sides changed these the server's stands: no decision of anybody is in them."""


def _settle_person(base: Property | None, ours: Property, theirs: Property, *, is_own: bool) -> New | None:
    """The line of one person: theirs itself, ours, or one made of both; None where they disagree."""
    names = dict.fromkeys(name for one in (theirs, ours) for name, _ in one.line.params)
    taken: list[str] = []
    is_theirs_old = True
    for name in names:
        before = _param(base, name) if base else _DEFAULTS.get(name, "")
        here, there = _param(ours, name), _param(theirs, name)
        is_theirs_old = is_theirs_old and there == before
        if here in (before, there):
            continue
        if there == before:
            taken.append(name)
        elif not (name in _QUIET or name.startswith("X-") or (name == "PARTSTAT" and not is_own)):
            return None
    if not taken:
        return theirs
    if is_theirs_old:
        return ours
    return _composed(ours, theirs, taken)


def _param(one: Property, name: str) -> str:
    """A parameter in one spelling, to be compared."""
    values = next((values for key, values in one.line.params if key == name), None)
    if values is None:
        return _DEFAULTS.get(name, "")
    return ",".join(values).upper() if name in _DEFAULTS else ",".join(values)


def _composed(ours: Property, theirs: Property, taken: Collection[str]) -> str:
    """Their line with the parameters ``taken`` as we have them."""
    mine = {name: values for name, values in reversed(ours.line.params) if name in taken}
    kept = {name: values for name, values in reversed(theirs.line.params) if name not in taken}
    # In their order, ours where theirs was, and what only we have at the end.
    order = dict.fromkeys([*(name for name, _ in theirs.line.params), *(name for name, _ in ours.line.params)])
    params = [(name, (kept | mine)[name]) for name in order if name in kept or name in mine]
    return f"{theirs.line.written}{join_params(params)}:{theirs.line.value}"

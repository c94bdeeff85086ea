"""Properties that are sets of items (EXDATE, CATEGORIES and their like), over however many lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from calward.ical.values import read_text
from calward.ical.zones import Zones
from calward.sync.settled import Change, New, Property
from calward.sync.whole import items, slot

DATES = frozenset({"EXDATE", "RDATE"})
TEXTS = frozenset({"CATEGORIES", "RESOURCES"})

ItemKey = Callable[[Property, str], str]
"""What an item of a line means: two spellings of one thing have one key."""


def by_slot(zones: Zones) -> ItemKey:
    """Dates, by the slot of the series that they name."""
    return lambda one, item: slot(item, one.line.params, zones)


def by_text(_: Property, item: str) -> str:
    """Texts, by what they say."""
    return read_text(item).strip()


def settle_list(
    base: Sequence[Property],
    ours: Sequence[Property],
    theirs: Sequence[Property],
    keys: tuple[ItemKey, ItemKey, ItemKey],
    without: Collection[str] = (),
) -> Change:
    """What becomes of the server's lines: what we added comes in and what we removed goes.

    ``without`` are items that must not be there in the end.
    """
    (of_base, of_ours, of_theirs) = keys
    before, here, there = _keys(base, of_base), _keys(ours, of_ours), _keys(theirs, of_theirs)
    gone = (before - here) | set(without)
    drop: list[Property] = []
    swap: list[tuple[Property, New]] = []
    for one in theirs:
        kept = _only(one, lambda key: key not in gone, of_theirs)
        if kept is None:
            drop.append(one)
        elif kept is not one:
            swap.append((one, kept))
    wanted = here - before - there - set(without)
    add: list[New] = []
    for one in ours:
        new = _only(one, wanted.__contains__, of_ours)
        if new is not None and _keys([one], of_ours) & wanted:
            add.append(new)
            wanted = wanted - _keys([one], of_ours)
    return Change(tuple(drop), tuple(swap), tuple(add))


def _keys(lines: Iterable[Property], key: ItemKey) -> frozenset[str]:
    return frozenset(key(one, item) for one in lines for item in items(one.line.value) if item.strip())


def _only(one: Property, wanted: Callable[[str], bool], key: ItemKey) -> New | None:
    """A line with only the items that are wanted: itself if these are all, None if there are none."""
    found = items(one.line.value)
    kept = [item for item in found if not item.strip() or wanted(key(one, item))]
    if len(kept) == len(found):
        return one
    if not any(item.strip() for item in kept):
        return None
    text = one.line.text
    return text[: len(text) - len(one.line.value)] + ",".join(kept)

"""What is nested in a component, alarms above all, settled as a set by what each one means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from calward.ical.meaning import property_meaning
from calward.ical.tree import Component
from calward.sync.splice import Splice, carried, ending_of, nested_home


def settle_nested(base: Component | None, ours: Component, theirs: Component) -> Iterator[tuple[str, Splice]]:
    """Splices of the server's text, each with the name of the nested component that it is about."""
    before = _children(base) if base else {}
    here, there = _children(ours), _children(theirs)
    ending = ending_of(theirs)
    for key, one in there.items():
        mine, old = here.get(key), before.get(key)
        if mine is None:
            if old is not None:
                yield one.name, Splice(one.first, one.end)
        elif old is not None and _bare(mine) != _bare(old) == _bare(one):
            # It means the same and has something else in it, such as when it was last put to sleep.
            yield one.name, Splice(one.first, one.end, carried(mine, ending))
    for key, one in here.items():
        if key not in there and key not in before:
            at = nested_home(theirs, one.name)
            yield one.name, Splice(at, at, carried(one, ending))


_UNMEANT = frozenset({"ACKNOWLEDGED", "UID", "RELATED-TO"})
"""What programs note on an alarm (RFC 9074); it is the same alarm with or without."""

_Key = tuple[str, tuple[str, ...], int]


def _children(component: Component) -> Mapping[_Key, Component]:
    """By what they mean, and by a number where two mean the same."""
    found: dict[_Key, Component] = {}
    seen: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for child in component.children:
        name, said = child.name, tuple(_said(child))
        seen[name, said] += 1
        found[name, said, seen[name, said]] = child
    return found


def _said(component: Component) -> list[str]:
    if component.name.startswith("X-"):
        return list(component.lines.texts[component.first : component.end])
    parts = [
        said for line in component.properties() if line.name not in _UNMEANT for said in property_meaning(line)
    ]
    parts += ["\n".join([child.name, *_said(child)]) for child in component.children]
    return sorted(parts)


def _bare(component: Component) -> bytes:
    return component.data.rstrip(b"\r\n")

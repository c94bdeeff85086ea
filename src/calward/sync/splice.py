"""Putting lines into a text at the places of others, so that every other byte stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calward.ical.lines import Lines, fold, line_ending, line_tail
from calward.ical.tree import Component
from calward.sync.settled import Change, New, Property


@dataclass(frozen=True, slots=True)
class Splice:
    """``new`` takes the place of the lines ``first`` up to but without ``end``, which may be none."""

    first: int
    end: int
    new: bytes = b""


def spliced(lines: Lines, splices: Iterable[Splice]) -> bytes:
    """The text with all of them done; none may overlap another. The empty lines after what goes stay."""
    kept: list[bytes] = []
    at = 0
    for one in sorted(splices, key=lambda splice: (splice.first, splice.end)):
        kept += [lines.slice(at, one.first), one.new]
        if one.end > one.first:
            tail = line_tail(lines.raws[one.end - 1])
            # A last line without an ending stays one, were it replaced.
            kept.append(tail[len(line_ending(tail)) :])
        at = one.end
    kept.append(lines.slice(at, len(lines)))
    return b"".join(kept)


def of_change(component: Component, name: str, change: Change) -> Iterator[Splice]:
    """A change of the lines called ``name`` of a component as splices of its text."""
    ending = ending_of(component)
    for one in change.drop:
        yield Splice(one.line.index, one.line.index + 1)
    for old, new in change.swap:
        yield Splice(old.line.index, old.line.index + 1, written(new, ending))
    if change.add:
        at = home(component, name)
        yield Splice(at, at, b"".join(written(new, ending) for new in change.add))


def home(component: Component, name: str) -> int:
    """Where a new line goes: after the last of its name, or where the component's own lines end."""
    named = [line.index for line in component.properties() if line.name == name]
    if named:
        return named[-1] + 1
    return component.children[0].first if component.children else component.last


def nested_home(component: Component, name: str) -> int:
    """Where a new nested component goes: after the last of its name, a first VTIMEZONE first, others last."""
    same = [child.end for child in component.children if child.name == name]
    if same:
        return same[-1]
    return component.children[0].first if name == "VTIMEZONE" and component.children else component.last


def written(new: New, ending: bytes) -> bytes:
    """One line with its ending: as it was written, unless its text breaks lines in another way."""
    if isinstance(new, str):
        return fold(new, ending)
    return _carried([new.raw], [new.line.text], ending)


def carried(component: Component, ending: bytes, without: Sequence[Property] = ()) -> bytes:
    """A component as it is written in its own text, less some lines of it, for a text that ends lines so."""
    left_out = {one.line.index for one in without}
    kept = [index for index in range(component.first, component.end) if index not in left_out]
    lines = component.lines
    return _carried([lines.raws[index] for index in kept], [lines.texts[index] for index in kept], ending)


def ending_of(component: Component) -> bytes:
    """How the lines of a component end."""
    return line_ending(component.lines.raws[component.first]) or b"\r\n"


def _carried(raws: Sequence[bytes], texts: Sequence[str], ending: bytes) -> bytes:
    """Each line as written where all its breaks are ``ending``, or else folded anew."""
    return b"".join(_line(raw, text, ending) for raw, text in zip(raws, texts, strict=True))


def _line(raw: bytes, text: str, ending: bytes) -> bytes:
    body = raw[: len(raw) - len(line_tail(raw))]
    rest = body.replace(ending, b"")
    alike = b"\r" not in rest and b"\n" not in rest and (ending == b"\r\n" or b"\r" not in body)
    # A lone CR is part of a value in one text and breaks the line in another.
    return body + ending if alike else fold(text.replace("\r", ""), ending)

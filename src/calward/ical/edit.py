"""Edits of a calendar object as data: single lines and components change, every other byte stays.

An edit names its component by the key of its place in the series (``calward.model.time.recurrence_key``;
empty for the master) and carries unfolded content lines without line ending. Edits are plain strings, so they
can be stored, shown to a person and applied later to bytes that others have changed in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, assert_never, get_args

from calward.errors import InvalidInput, NotFound
from calward.ical.find import find_component, sequence
from calward.ical.lines import fold, line_ending, line_tail, split_line
from calward.ical.text import check_line, format_utc
from calward.ical.tree import Component, Document, parse
from calward.model.ids import RecurrenceKey


@dataclass(frozen=True, slots=True)
class SetLine:
    """Put ``line`` in the place of the component's first property called ``name``, or add it."""

    key: RecurrenceKey
    name: str
    line: str


@dataclass(frozen=True, slots=True)
class AddLine:
    """Add ``line`` after the last property of its name, or where the component's own lines end."""

    key: RecurrenceKey
    line: str


@dataclass(frozen=True, slots=True)
class RemoveLines:
    """Remove all properties called ``name``; with ``text``, only those whose unfolded line equals it.

    That there is none is ``NotFound`` with ``text``, and no error without.
    """

    key: RecurrenceKey
    name: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class AddComponent:
    """Add a whole component, its lines separated by newlines, to the object.

    It goes after the last one of its kind; a first VTIMEZONE goes before all others, anything else last.
    """

    text: str


@dataclass(frozen=True, slots=True)
class RemoveComponent:
    """Remove a VEVENT with all that is in it."""

    key: RecurrenceKey


@dataclass(frozen=True, slots=True)
class SetSubcomponents:
    """Replace all components called ``name`` inside of a VEVENT (as VALARM) with these; none removes them."""

    key: RecurrenceKey
    name: str
    texts: tuple[str, ...]


Edit = SetLine | AddLine | RemoveLines | AddComponent | RemoveComponent | SetSubcomponents


def apply_edits(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Apply edits one after the other, each to what the one before it made.

    New lines are folded at 75 octets and end as the lines around them do. Raises ``NotFound`` where a
    component or a line to remove is missing, ``InvalidInput`` for a line or component that is none,
    ``TooLarge`` over the caps; the caller then still has its bytes.
    """
    for edit in edits:
        data = _apply(parse(data), edit)
    return data


def stamp(document: Document, key: RecurrenceKey, now: datetime, *, bump: bool) -> tuple[Edit, ...]:
    """The edits that date a change: DTSTAMP and LAST-MODIFIED, and one more in SEQUENCE if ``bump``.

    A change of time, recurrence or status wants the bump (RFC 5545 §3.8.7, RFC 5546 §2.1.4).
    """
    component = find_component(document, key)
    moment = format_utc(now)
    edits: list[Edit] = [
        SetLine(key, "DTSTAMP", f"DTSTAMP:{moment}"),
        SetLine(key, "LAST-MODIFIED", f"LAST-MODIFIED:{moment}"),
    ]
    if bump:
        edits.append(SetLine(key, "SEQUENCE", f"SEQUENCE:{sequence(component) + 1}"))
    return tuple(edits)


def edits_to_json(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Edits as JSON values, each with its kind under ``edit``."""
    return [{"edit": type(edit).__name__, **asdict(edit)} for edit in edits]


def edits_from_json(rows: Iterable[dict[str, Any]]) -> tuple[Edit, ...]:
    """The counterpart of ``edits_to_json``; ``InvalidInput`` for anything it cannot have made."""
    return tuple(_from_json(dict(row)) for row in rows)


_KINDS: dict[str, type[Edit]] = {kind.__name__: kind for kind in get_args(Edit)}


def _apply(document: Document, edit: Edit) -> bytes:
    match edit:
        case SetLine(key, name, line):
            _check_name(name, line)
            component = find_component(document, key)
            if own := _named(component, name):
                return _replace(component, own[0], line)
            return _insert(component, _lines_end(component), [line])
        case AddLine(key, line):
            component = find_component(document, key)
            own = _named(component, split_line(check_line(line))[0])
            return _insert(component, own[-1] + 1 if own else _lines_end(component), [line])
        case RemoveLines(key, name, text):
            component = find_component(document, key)
            gone = _named(component, name)
            if text is not None:
                gone = [index for index in gone if component.lines.texts[index] == text]
                if not gone:
                    raise NotFound(f"The event has no such {name.upper()} line any more; read it again.")
            return _without(document, {index: index + 1 for index in gone})
        case AddComponent(text):
            return _add_component(document, _block(text))
        case RemoveComponent(key):
            component = find_component(document, key)
            return _without(document, {component.first: component.end})
        case SetSubcomponents(key, name, texts):
            return _set_subcomponents(document, find_component(document, key), name.upper(), texts)
        case _:
            assert_never(edit)


def _replace(component: Component, index: int, line: str) -> bytes:
    lines = component.lines
    raw = lines.raws[index]
    tail = line_tail(raw)
    new = fold(line, line_ending(raw) or _ending(component))
    # The line's own end is kept, were it missing or followed by empty lines.
    new = new[: len(new) - len(line_tail(new))] + tail
    return lines.data[: lines.starts[index]] + new + lines.data[lines.starts[index + 1] :]


def _insert(component: Component, index: int, new: Sequence[str]) -> bytes:
    """Put lines before line ``index`` of the text."""
    lines = component.lines
    ending = _ending(component)
    at = lines.starts[index]
    before = lines.data[:at]
    if index and not line_ending(lines.raws[index - 1]):
        before += ending  # the text just stops
    return before + b"".join(fold(line, ending) for line in new) + lines.data[at:]


def _without(document: Document, gone: dict[int, int]) -> bytes:
    """The text without the lines from each key up to its value; empty lines after them stay."""
    lines = document.lines
    kept: list[bytes] = []
    at = 0
    for first, end in sorted(gone.items()):
        kept.append(lines.slice(at, first))
        raw = lines.raws[end - 1]
        kept.append(line_tail(raw)[len(line_ending(raw)) :])
        at = end
    kept.append(lines.slice(at, len(lines)))
    return b"".join(kept)


def _add_component(document: Document, block: list[str]) -> bytes:
    calendar = next((root for root in document.roots if root.name == "VCALENDAR"), None)
    if calendar is None:
        raise NotFound("The text has no VCALENDAR to add to.")
    name = block[0].partition(":")[2].upper()
    same = [child for child in calendar.children if child.name == name]
    if same:
        at = same[-1].end
    elif name == "VTIMEZONE" and calendar.children:
        at = calendar.children[0].first
    else:
        at = calendar.last
    return _insert(calendar, at, block)


def _set_subcomponents(document: Document, component: Component, name: str, texts: Sequence[str]) -> bytes:
    blocks = [line for text in texts for line in _block(text, name)]
    old = [child for child in component.children if child.name == name]
    at = old[0].first if old else component.last
    data = _insert(component, at, blocks) if blocks else document.data
    # What was put in stands before the old ones, so these are now that much further on.
    added = len(data) - len(document.data)
    lines = component.lines
    for child in reversed(old):
        first, end = lines.starts[child.first] + added, lines.starts[child.end] + added
        data = data[:first] + data[end:]
    return data


def _named(component: Component, name: str) -> list[int]:
    name = name.upper()
    return [line.index for line in component.properties() if line.name == name]


def _lines_end(component: Component) -> int:
    """Where a component's own lines end: before what is nested in it, or else before its END."""
    return component.children[0].first if component.children else component.last


def _ending(component: Component) -> bytes:
    return line_ending(component.lines.raws[component.first]) or b"\r\n"


def _check_name(name: str, line: str) -> None:
    if split_line(check_line(line))[0] != name.upper():
        raise InvalidInput(f"The line to set is not a {name.upper()} line.")


def _block(text: str, name: str | None = None) -> list[str]:
    """The lines of one whole component."""
    lines = [check_line(line) for line in text.rstrip("\n").split("\n")]
    roots = parse("\n".join(lines).encode()).roots
    whole = len(roots) == 1 and roots[0].end == len(lines) and all(part.closed for part in roots[0].walk())
    if not whole or (name and roots[0].name != name) or roots[0].first:
        raise InvalidInput(f"What is to be added is not one whole {name or 'component'}.")
    return lines


def _from_json(row: dict[str, Any]) -> Edit:
    kind = _KINDS.get(str(row.pop("edit", "")))
    if kind is None:
        raise InvalidInput("A stored edit is of a kind that is not known.")
    if not all(_fits(name, value) for name, value in row.items()):
        raise InvalidInput("A stored edit has a field that does not fit.")
    if "texts" in row:
        row["texts"] = tuple(row["texts"])
    try:
        return kind(**row)
    except TypeError as error:
        raise InvalidInput("A stored edit lacks a field, or has one that is not known.") from error


def _fits(name: str, value: object) -> bool:
    if name == "texts":
        return isinstance(value, (list, tuple)) and all(isinstance(text, str) for text in value)
    return isinstance(value, str) or (name == "text" and value is None)

"""The block ``reminder:`` in the text of a front matter: where each of its entries is, and what they say.

YAML tells what is where, and nothing is ever written out by it: it is composed only, which expands no alias.
What cannot be changed without touching something else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calward.errors import Unsupported
from calward.model.note import Block, is_text

KEY = "reminder"
YEAR = 366 * 24 * 3600
LONGEST = 500
"""Characters of one value."""

Node = Any
"""One of ruamel's, whose types do not name all that it has."""

_NUMBER = re.compile(r"[+-]?\d{1,9}")
_TRUTH = {"true": True, "false": False, "": False}
_NO_BLOCK = "has to be a block of lines below reminder: (due or calendar_event, offset, recurring, sent)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the block: where its line begins, and from where to where its value goes."""

    line: int
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where the block is in a text: from ``start`` to ``end``, which are whole lines; its lines are indented by
    ``indent``. ``entries`` are by name."""

    start: int
    end: int
    indent: str
    entries: Mapping[str, Entry] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a front matter is: the ``indent`` of its names, and the block, if there is one."""

    indent: str
    place: Place | None


def locate(text: str) -> Mapped:
    """Find the block in the text of a front matter. Raises ``Unsupported`` for what is no YAML that can be
    edited line by line."""
    root = _composed(text)
    if root is None:
        return Mapped("", None)
    if root.id != "mapping" or root.flow_style:
        raise Unsupported("The front matter of that note is no list of lines with names and values.")
    found = [(key, value) for key, value in root.value if key.value == KEY]
    indent = " " * root.start_mark.column
    if not found:
        return Mapped(indent, None)
    if len(found) > 1:
        raise Unsupported("The front matter of that note says reminder twice.")
    return Mapped(indent, _place(text, indent, *found[0]))


def said(place: Place) -> Block:
    """What the block says. Raises ``Unsupported`` for a value that is none of its kind."""
    return Block(
        due=_text(place, "due"),
        calendar_event=_text(place, "calendar_event"),
        offset=_number(place, "offset"),
        recurring=_truth(place, "recurring"),
        sent=_truth(place, "sent"),
    )


def line_end(text: str, index: int) -> int:
    """Where the line of a position ends, its newline included."""
    found = text.find("\n", index)
    return len(text) if found < 0 else found + 1


def _composed(text: str) -> Node:
    from ruamel.yaml import YAML  # few calls need it
    from ruamel.yaml.error import YAMLError

    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False  # A warning would put words of the note into a log.
    try:
        root: Node = yaml.compose(text)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 2}" if mark is not None else ""
        raise Unsupported(f"The front matter of that note is not valid YAML{where}.") from None
    except (RecursionError, ValueError):
        raise Unsupported("The front matter of that note cannot be read.") from None
    return root


def _place(text: str, indent: str, key: Node, value: Node) -> Place:
    start = _line_of(text, key)
    if value.id == "scalar" and not value.value and value.anchor is None:
        end = line_end(text, key.end_mark.index)
        return Place(start, end, f"{indent}  ")
    if value.id != "mapping" or value.flow_style or value.anchor is not None or not value.value:
        raise Unsupported(f"reminder {_NO_BLOCK}")
    entries: dict[str, Entry] = {}
    for name, one in value.value:
        plain = name.id == one.id == "scalar" and name.anchor is None and one.anchor is None
        if not plain or one.style in ("|", ">") or name.value == "<<" or name.value in entries:
            raise Unsupported(f"reminder {_NO_BLOCK}")
        begins, ends = one.start_mark.index, one.end_mark.index
        if not one.value and begins == ends:
            # Nothing is where the next thing begins, which may be lines below.
            begins = ends = text.index(":", name.end_mark.index) + 1
        entries[name.value] = Entry(_line_of(text, name), one.value.strip(), begins, ends)
    last = max(one.end for one in entries.values())
    return Place(start, line_end(text, last), " " * value.start_mark.column, entries)


def _line_of(text: str, key: Node) -> int:
    """Where the line begins on which a name is the first thing."""
    index: int = key.start_mark.index
    start = text.rfind("\n", 0, index) + 1
    if text[start:index].strip(" ") or key.style is not None or key.anchor is not None:
        raise Unsupported(f"reminder {_NO_BLOCK}")
    return start


def _text(place: Place, name: str) -> str | None:
    entry = place.entries.get(name)
    if entry is None or not entry.value:
        return None
    if len(entry.value) > LONGEST or not is_text(entry.value):
        raise Unsupported(f"reminder: {name} is too long, or not text of one line")
    return entry.value


def _number(place: Place, name: str) -> int:
    entry = place.entries.get(name)
    if entry is None or not entry.value:
        return 0
    if not _NUMBER.fullmatch(entry.value) or abs(int(entry.value)) > YEAR:
        raise Unsupported(f"reminder: {name} has to be a number of seconds, within a year")
    return int(entry.value)


def _truth(place: Place, name: str) -> bool:
    entry = place.entries.get(name)
    found = _TRUTH.get(entry.value.lower() if entry else "")
    if found is None:
        raise Unsupported(f"reminder: {name} has to be true or false")
    return found

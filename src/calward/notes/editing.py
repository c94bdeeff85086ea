"""The reminder of a note, read and written: bytes in, bytes out, and no byte changes but those of the block.

A value that stays is not written again, so that setting ``sent`` touches that one word. Where there is no front
matter, one is put before the text, with the line ends of the note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from calward.errors import Unsupported
from calward.model.note import Block
from calward.notes.front_matter import HEAD, body_of, find, newline_of
from calward.notes.yaml_block import KEY, Mapped, line_end, locate, said

_PLAIN = re.compile(r"\d[0-9T:+.Z-]*")
"""A moment, which needs no quotes."""
_HINT = KEY.encode()
Splice = tuple[int, int, str]


def read_block(head: bytes) -> Block | None:
    """What the first ``HEAD`` bytes of a note, or all of it, say of a reminder.

    Raises ``Unsupported`` and ``TooLarge`` for what cannot be read, and so never be marked as sent; what holds
    no such word at all is not looked into.
    """
    found = find(head)
    if found is None or _HINT not in head[found.start : found.end]:
        return None
    place = locate(_decoded(head[found.start : found.end])).place
    return said(place) if place is not None and place.entries else None


def with_block(data: bytes, block: Block) -> bytes:
    """The note with this reminder, in place of the one it may have. Raises ``Unsupported`` and ``TooLarge``."""
    _decoded(data)
    if b"\0" in data:
        raise Unsupported("That note is no text.")
    found = find(data)
    if found is None:
        start, newline = body_of(data), newline_of(data)
        lines = "---\n" + _written(block, "") + "---\n"
        return _checked(data[:start] + _encoded(lines, newline) + data[start:], block)
    text = _decoded(data[found.start : found.end])
    mapped = locate(text)
    splices = (
        _set(text, mapped, block) if mapped.place else [(len(text), len(text), _written(block, mapped.indent))]
    )
    return _checked(data[: found.start] + _spliced(text, splices, found.newline) + data[found.end :], block)


def without_block(data: bytes) -> bytes:
    """The note without its reminder; its front matter stays. Raises ``Unsupported`` and ``TooLarge``."""
    found = find(data)
    text = _decoded(data[found.start : found.end]) if found else ""
    place = locate(text).place if found and KEY in text else None
    if found is None or place is None:
        return data
    left = _spliced(text, [(place.start, place.end, "")], found.newline)
    return data[: found.start] + left + data[found.end :]


def _set(text: str, mapped: Mapped, block: Block) -> list[Splice]:
    place = mapped.place
    assert place is not None
    if not place.entries:
        return [(place.end, place.end, "".join(_lines(block, place.indent)))]
    was, after = said(place), place.end
    splices: list[Splice] = []
    for name, (old, new) in _values(was, block).items():
        entry = place.entries.get(name)
        if old == new:
            continue
        if entry is None:
            splices.append((after, after, f"{place.indent}{name}: {new}\n"))
        elif new is None:
            splices.append((entry.line, line_end(text, entry.end), ""))
        else:
            space = "" if entry.start < entry.end else " "
            splices.append((entry.start, entry.end, f"{space}{new}"))
    return splices


def _values(was: Block, now: Block) -> dict[str, tuple[str | None, str | None]]:
    old, new = (dict(_pairs(one)) for one in (was, now))
    return {name: (old.get(name), new.get(name)) for name in dict.fromkeys((*new, *old))}


def _pairs(block: Block) -> Iterator[tuple[str, str]]:
    """The entries of a block as YAML spells them."""
    if block.due is not None:
        yield "due", block.due if _PLAIN.fullmatch(block.due) else json.dumps(block.due, ensure_ascii=False)
    if block.calendar_event is not None:
        yield "calendar_event", json.dumps(block.calendar_event, ensure_ascii=False)
        yield "offset", str(block.offset)
    yield "recurring", str(block.recurring).lower()
    yield "sent", str(block.sent).lower()


def _lines(block: Block, indent: str) -> Iterator[str]:
    for name, value in _pairs(block):
        yield f"{indent}{name}: {value}\n"


def _written(block: Block, indent: str) -> str:
    return f"{indent}{KEY}:\n" + "".join(_lines(block, f"{indent}  "))


def _spliced(text: str, splices: list[Splice], newline: bytes) -> bytes:
    """The text with parts of it replaced; only what is new gets new line ends."""
    left, pieces = 0, []
    for start, end, new in sorted(splices, key=lambda one: one[:2]):
        pieces += [text[left:start].encode(), _encoded(new, newline)]
        left = end
    return b"".join((*pieces, text[left:].encode()))


def _checked(data: bytes, block: Block) -> bytes:
    """What was written reads as it was meant, or is not written."""
    if read_block(data[:HEAD]) != block:
        raise Unsupported("A reminder cannot be written into the front matter of that note.")
    return data


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unsupported("That note is not UTF-8, so nothing is written into it.") from None


def _encoded(text: str, newline: bytes) -> bytes:
    return text.encode().replace(b"\n", newline)

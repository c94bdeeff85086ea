"""Where words for a person are put: plain text, in colour on a terminal that wants it.

Renderings make lines of cells; how wide, which colour and what is safe to print is decided here, once. Every
cell may hold text from an event, so every one is stripped of control and direction characters on its way out.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

GAP = "  "
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a line. ``width`` pads it; ``style`` names a colour or weight as ``rich`` spells it."""

    text: str
    style: str = ""
    width: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Cells with a gap between; one without cells is empty. ``indent`` counts gaps."""

    cells: tuple[Cell, ...] = ()
    indent: int = 0


def line(*cells: Cell | str, indent: int = 0) -> Line:
    """A line of cells; a string is a plain one, and an empty one without a width is left out."""
    made = (Cell(one) if isinstance(one, str) else one for one in cells)
    return Line(tuple(cell for cell in made if cell.text or cell.width), indent)


BLANK = Line()


class Paper:
    """A stream to print on. Writing ends with a flush, so that a reader who went away is noticed here."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def put(self, lines: Iterable[Line]) -> None:
        """Print lines for a person."""
        if _wants_colour(self._stream):
            self._put_in_colour(lines)
        else:
            self._stream.writelines(_indent(one) + GAP.join(_padded(one)).rstrip() + "\n" for one in lines)
        self._stream.flush()

    def put_json(self, value: Any) -> None:
        """Print a value for a program, with what a terminal might obey spelled as ``\\u`` escapes."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        self._stream.write(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")
        self._stream.flush()

    def put_bytes(self, data: bytes) -> None:
        """Print a file's content as it is."""
        self._stream.buffer.write(data)
        self._stream.flush()

    def _put_in_colour(self, lines: Iterable[Line]) -> None:
        # rich takes a tenth of a second to import, which only a terminal needs.
        from rich.console import Console
        from rich.text import Text

        console = Console(file=self._stream, highlight=False, soft_wrap=True)
        for one in lines:
            text = Text(_indent(one))
            for place, (cell, words) in enumerate(zip(one.cells, _padded(one), strict=True)):
                text.append(GAP if place else "").append(words, cell.style or None)
            console.print(text)


def _wants_colour(stream: TextIO) -> bool:
    """See https://no-color.org: any value but an empty one says no."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _indent(one: Line) -> str:
    return GAP * one.indent if one.cells else ""


def _padded(one: Line) -> list[str]:
    # The module reaches pydantic, which help and usage errors can do without.
    from calward.operations.show import plain

    return [plain(cell.text).ljust(cell.width) for cell in one.cells]

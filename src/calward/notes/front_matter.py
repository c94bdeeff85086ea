"""Where the front matter of a note is: bytes in, positions out.

It is at the very beginning, after a byte order mark if there is one, between a line ``---`` and the next line
that is ``---`` or ``...``. A first line ``---`` that nothing closes is a rule across the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from calward.errors import TooLarge

BOM = b"\xef\xbb\xbf"
MOST = 64 * 1024
"""Bytes of front matter that are read: what is longer is no front matter that a person wrote."""
HEAD = MOST + 64
"""So much of a note holds all of its front matter, and the line that closes it."""

_OPENS = re.compile(rb"---[ \t]*\r?\n")
_CLOSES = re.compile(rb"^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """``start`` and ``end`` are of the text between the two lines; ``newline`` is how its lines end."""

    start: int
    end: int
    newline: bytes


def find(data: bytes) -> FrontMatter | None:
    """The front matter of a note, or of its first ``HEAD`` bytes. Raises ``TooLarge`` beyond ``MOST``."""
    opening = _OPENS.match(data, body_of(data))
    closing = _CLOSES.search(data, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    if closing.start() - opening.end() > MOST:
        raise TooLarge(f"The front matter of that note is longer than {MOST // 1024} KiB.")
    return FrontMatter(opening.end(), closing.start(), newline_of(opening[0]))


def body_of(data: bytes) -> int:
    """Where a note begins, after its byte order mark."""
    return len(BOM) if data.startswith(BOM) else 0


def newline_of(data: bytes) -> bytes:
    """How lines end here, by the first one."""
    first = data.find(b"\n")
    return b"\r\n" if data[max(0, first - 1) : first + 1] == b"\r\n" else b"\n"

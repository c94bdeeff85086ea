"""Text into tokens that remember where they stood.

A token is a run of digits, a run of letters (apostrophes inside included) or one mark. Quotes and brackets are
dropped: they never carry meaning about time. Linear in the text, which is cut at ``LONGEST_TEXT`` characters.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

LONGEST_TEXT = 2000
"""Characters of a text that are read."""

MOST_TOKENS = 400
"""Tokens that are read; more than that is no sentence."""

_PIECE = re.compile(r"\d+|[^\W\d_]+(?:['’´`][^\W\d_]+)*|[^\w\s]|_")
_SILENT = frozenset("\"'`´“”„«»()[]{}~*<>=’‘_")
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of text: ``norm`` is case-folded, ``glued`` says that no space stands before it."""

    norm: str
    start: int
    end: int
    glued: bool

    @property
    def is_number(self) -> bool:
        return self.norm.isdecimal()

    @property
    def is_word(self) -> bool:
        return self.norm[0].isalpha()


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut ``text`` into tokens; offsets are into ``text`` as given."""
    out: list[Token] = []
    last_end = -1
    for found in _PIECE.finditer(text[:LONGEST_TEXT]):
        piece, start, end = found.group(), found.start(), found.end()
        if piece in _SILENT:
            # An apostrophe right after a number counts minutes ("15'"); elsewhere quotes are silent.
            if not (piece in "'’" and out and out[-1].is_number and out[-1].end == start):
                continue
            piece = "'"
        norm = fold(piece)
        if norm.endswith("'s") and len(norm) > 2:
            out.append(Token(norm[:-2], start, end - 2, start == last_end))
            out.append(Token("'s", end - 2, end, True))
        else:
            out.append(Token(norm, start, end, start == last_end))
        last_end = end
        if len(out) >= MOST_TOKENS:
            break
    return tuple(out)


def ends_compound(dash: Token, token: Token) -> bool:
    """Whether a token hangs on the word before it by a dash ("check-in"); ``dash`` is the token before it."""
    return token.glued and dash.norm == "-" and dash.glued


def fold(piece: str) -> str:
    """Lower case, one kind of apostrophe and dash, digits of any script as ASCII."""
    if piece.isascii():
        return piece.lower()
    if piece.isdecimal():
        return "".join(str(unicodedata.digit(c)) for c in piece)
    if piece in _DASHES:
        return "-"
    return unicodedata.normalize("NFC", piece).casefold().replace("’", "'").replace("´", "'").replace("`", "'")

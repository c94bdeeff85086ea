"""The smallest readings of a text: words of the lexicon, numbers, figures and marks, each where it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from calward.language.conventions import Conventions
from calward.language.lexicon import Lexicon
from calward.language.numbers import NumberWords
from calward.language.shapes import full_year, shapes
from calward.language.tokens import Token, ends_compound
from calward.language.values import Number
from calward.language.zones import Said, written_name, written_offset

Atom = tuple[int, str, Any, float]

MARKS = {",": "comma", "-": "dash", "/": "slash", ".": "dot", "+": "plus", "@": "at", ";": "comma", "'": "tick"}

APOSTROPHES = ("'", "’", "‘")

MONEY = frozenset("$€£¥₹")
SMALL = frozenset({"in", "on", "at", "by", "for"})
"""Categories of small words, which tie a time to what stands before it."""

AMOUNTS = MONEY | {"%", "°"}
"""Marks before or after a figure that is no time."""


def split_compounds(tokens: Sequence[Token], words: Lexicon) -> tuple[Token, ...]:
    """Cut compounds in two where the language writes words together."""
    if not words.compounds:
        return tuple(tokens)
    out: list[Token] = []
    for token in tokens:
        parts = words.parts_of(token.norm) if token.is_word else None
        if parts is None or len(token.norm) != token.end - token.start:
            out.append(token)
            continue
        cut = token.start + len(parts[0])
        out.append(replace(token, norm=parts[0], end=cut))
        out.append(Token(parts[1], cut, token.end, True))
    return tuple(out)


def atoms(text: str, tokens: Sequence[Token], words: Lexicon, conventions: Conventions) -> list[list[Atom]]:
    """For each token the (end, category, value, weight) of what begins there."""
    readings = [_said(text, tokens, at, words) for at in range(len(tokens))]
    dashes = frozenset(at for at, token in enumerate(tokens) if token.norm == "-")
    ands = frozenset(
        at for at, found in enumerate(readings) if any(category == "and" for _, category, _ in found)
    )
    spelled = NumberWords(readings, dashes, ands)
    ends = {token.end: at + 1 for at, token in enumerate(tokens)}
    counted = words.listed("counted")
    out: list[list[Atom]] = []
    for at, token in enumerate(tokens):
        found: list[Atom] = []
        if token.is_number:
            found.extend(_figures(text, tokens, at, ends, conventions, readings))
        elif token.norm in MARKS and not _joins_number_words(readings, at):
            found.append((at + 1, MARKS[token.norm], token.norm, 0.0))
        found.extend(
            (end, category, value, 0.0)
            for end, category, value in readings[at]
            if category not in ("digit", "tens", "ordinal", "scale")
        )
        found.extend((end, category, value, 0.0) for end, category, value in spelled.at(at))
        found.extend(_zones(text, token, readings[at], ends))
        out.append([] if any(_counts(atom, tokens, counted) for atom in found) else found)
    return out


def _said(text: str, tokens: Sequence[Token], at: int, words: Lexicon) -> list[tuple[int, str, Any]]:
    """What the lexicon knows of a word, unless it is a name ("call Tom") or the end of one ("check-in")."""
    token = tokens[at]
    if at and text[token.start].isupper() and token.norm in words.listed("names"):
        return []
    readings = words.readings(tokens, at)
    if at > 1 and ends_compound(tokens[at - 1], token) and tokens[at - 2].is_word:
        return [reading for reading in readings if reading[1] not in SMALL]
    return readings


def _counts(atom: Atom, tokens: Sequence[Token], counted: frozenset[str]) -> bool:
    """Whether an ordinal counts streets or floors."""
    return atom[1] == "ord" and atom[0] < len(tokens) and tokens[atom[0]].norm in counted


def _joins_number_words(readings: Sequence[Sequence[tuple[int, str, Any]]], at: int) -> bool:
    """The dash of "twenty-seven" is no sign of a span."""
    if not 0 < at < len(readings) - 1:
        return False
    tens = any(category == "tens" for _, category, _ in readings[at - 1])
    return tens and any(category in ("digit", "ordinal") for _, category, _ in readings[at + 1])


def _figures(
    text: str,
    tokens: Sequence[Token],
    at: int,
    ends: dict[int, int],
    conventions: Conventions,
    readings: Sequence[Sequence[tuple[int, str, Any]]],
) -> list[Atom]:
    token = tokens[at]
    out: list[Atom] = []
    previous = tokens[at - 1] if at else None
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if (previous is not None and previous.norm in MONEY) or (
        following is not None and following.norm in AMOUNTS
    ):
        return out
    stands_alone = not (token.glued and previous is not None and previous.is_word)
    stands_alone = stands_alone or any(category == "fiscal" for _, category, _ in readings[at - 1])
    after_figures = at > 1 and token.glued and tokens[at - 1].glued and tokens[at - 2].is_number
    if after_figures and tokens[at - 1].norm in ".,:":
        return out
    if len(token.norm) <= 6:
        value = int(token.norm)
        if stands_alone or len(token.norm) <= 2:
            out.append((at + 1, "num", Number(value, len(token.norm)), 0.0))
        if len(token.norm) == 2 and text[: token.start].endswith(APOSTROPHES):
            # "May '27"
            return [(at + 1, "yearnum", Number(full_year(value, 2), 4), 0.3)]
        if len(token.norm) == 4 and 1000 <= value <= 2999 and stands_alone:
            # Further off it is rather a time of day: "1530".
            out.append((at + 1, "yearnum", Number(value, 4), 0.0 if 1900 <= value < 2100 else -0.8))
        out.extend(_ordinals(tokens, at, value, conventions, readings))
    second_of_pair = after_figures and tokens[at - 1].norm == "/" and not _begins_iso(text, token)
    if stands_alone and not second_of_pair:
        for end, category, shape, weight in shapes(text, token.start, conventions):
            if end in ends:
                out.append((ends[end], category, shape, weight))
    return out


def _zones(
    text: str, token: Token, readings: Sequence[tuple[int, str, Any]], ends: dict[int, int]
) -> list[Atom]:
    """ "UTC+2" and "Europe/Berlin"."""
    if not token.is_word:
        return []
    found: tuple[Said, int] | None = written_name(text, token.start)
    if any(category == "tz" and value == 0 for _, category, value in readings):
        found = written_offset(text, token.end)
    return [(ends[found[1]], "tz", found[0], 0.4)] if found and found[1] in ends else []


def _begins_iso(text: str, token: Token) -> bool:
    """Whether a date with the year first stands here: the second end of "2027-05-03/2027-05-05"."""
    return len(token.norm) == 4 and text[token.end : token.end + 1] == "-"


def _ordinals(
    tokens: Sequence[Token],
    at: int,
    value: int,
    conventions: Conventions,
    readings: Sequence[Sequence[tuple[int, str, Any]]],
) -> list[Atom]:
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or (not following.glued and following.norm != "st"):
        return []
    if any(category == "ordsuffix" for _, category, _ in readings[at + 1]):
        return [(at + 2, "ord", Number(value, len(tokens[at].norm)), 0.2)]
    if following.norm == "." and conventions.language != "en" and len(tokens[at].norm) <= 2:
        return [(at + 2, "ord", Number(value, len(tokens[at].norm)), 0.1)]
    return []

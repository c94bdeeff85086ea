"""Numbers in words: "twenty-four", "two thousand ten", "nineteen eighty six", "thirty first"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calward.language.values import Number

Reading = tuple[int, str, Any]
MOST_WORDS = 9


class NumberWords:
    """Composes the number words of one text; ``words[i]`` are the lexicon's readings at token i."""

    def __init__(
        self, words: Sequence[Sequence[Reading]], dashes: frozenset[int], ands: frozenset[int]
    ) -> None:
        self._words = words
        self._dashes = dashes
        self._ands = ands

    def at(self, start: int) -> list[tuple[int, str, Number]]:
        """(end, category, value) of the numbers that begin at ``start``: ``num``, ``ord`` or ``yearnum``."""
        out: dict[tuple[int, str], Number] = {}
        for end, value in self._upto(start, 99):
            out[end, "num"] = Number(value)
            out.update(self._scaled(start, end, value))
            out.update(self._year_pair(start, end, value))
        for end, value in self._of("ordinal", start):
            out[end, "ord"] = Number(value)
        for end, tens in self._of("tens", start):
            for last, unit in self._of("ordinal", self._skip(end, self._dashes)):
                if unit < 10:
                    out[last, "ord"] = Number(tens + unit)
        return [(end, category, number) for (end, category), number in out.items()]

    def _of(self, category: str, at: int) -> list[tuple[int, int]]:
        if at >= len(self._words):
            return []
        return [(end, int(value)) for end, found, value in self._words[at] if found == category]

    def _skip(self, at: int, marks: frozenset[int]) -> int:
        return at + 1 if at in marks else at

    def _upto(self, start: int, limit: int) -> list[tuple[int, int]]:
        """Plain numbers below a hundred."""
        out = self._of("digit", start)
        for end, tens in self._of("tens", start):
            out.append((end, tens))
            out.extend(
                (last, tens + unit)
                for last, unit in self._of("digit", self._skip(end, self._dashes))
                if unit < 10
            )
        return [(end, value) for end, value in out if value <= limit]

    def _scaled(self, start: int, end: int, value: int) -> dict[tuple[int, str], Number]:
        """As in "two hundred", "two thousand and ten"."""
        out: dict[tuple[int, str], Number] = {}
        for scale_end, scale in self._of("scale", self._skip(end, self._dashes)):
            total = value * scale
            out[scale_end, "num"] = Number(total)
            year = scale == 1000 and 1 <= value <= 2
            if year:
                out[scale_end, "yearnum"] = Number(total, 4)
            for rest_end, rest in self._upto(self._skip(scale_end, self._ands), 99):
                if rest_end - start <= MOST_WORDS:
                    out[rest_end, "num"] = Number(total + rest)
                    if year:
                        out[rest_end, "yearnum"] = Number(total + rest, 4)
        return out

    def _year_pair(self, _start: int, end: int, value: int) -> dict[tuple[int, str], Number]:
        """As in "nineteen eighty six", "twenty twenty"."""
        if not 11 <= value <= 20:
            return {}
        return {
            (last, "yearnum"): Number(value * 100 + rest, 4)
            for last, rest in self._upto(self._skip(end, self._dashes), 99)
            if rest >= 10
        }

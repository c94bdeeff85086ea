"""The words of a language, read from its one data file and kept.

The file's format is described in ``docs/language.md``. A phrase is one or more words; each stands for one or
more (category, value) pairs, which are the atoms the grammar combines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from calward.language.datafile import data_file
from calward.language.grains import Grain
from calward.language.tokens import Token, tokenize

LONGEST_TAG = 3
"""Letters of a language tag (ISO 639)."""

Meaning = tuple[str, Any]
FORGIVEN = ("month", "weekday", "today", "tonight")
"""Sections in whose words a slip is forgiven."""
SHORTEST_TYPO = 6
"""Letters a word needs before a slip in it is forgiven."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases by their first word, as (the other words, category, value)."""

    tag: str
    compounds: bool
    """Words may be written together ("Freitagabend")."""
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str, Any]]]
    forgiven: tuple[str, ...]
    """Words in which a slip is forgiven: months, weekdays and the like."""
    table: Mapping[str, Any]
    """The whole file, for the sections that are not about time."""

    def readings(self, tokens: Sequence[Token], at: int) -> list[tuple[int, str, Any]]:
        """(end, category, value) of every phrase that begins at token ``at``."""
        out: list[tuple[int, str, Any]] = []
        word = tokens[at].norm
        known = self.phrases.get(word)
        if known is None and tokens[at].is_word and len(word) >= SHORTEST_TYPO:
            meant = self.meant(word)
            known = self.phrases.get(meant) if meant else None
        for rest, category, value in known or ():
            end = at + 1 + len(rest)
            if not rest or (
                end <= len(tokens) and all(tokens[at + 1 + n].norm == w for n, w in enumerate(rest))
            ):
                out.append((end, category, value))
        return out

    def listed(self, name: str) -> frozenset[str]:
        """A list of words from the head of the file; empty where it has none."""
        return _listed(self.table["language"].get(name, ""))

    def meant(self, word: str) -> str | None:
        """The word of time that ``word`` is one slip away from, if there is one."""
        for right in self.forgiven:
            if right[0] == word[0] and abs(len(right) - len(word)) <= 1 and is_one_slip(word, right):
                return right
        return None

    def parts_of(self, word: str) -> tuple[str, str] | None:
        """The two words a compound is made of, where both are known."""
        if self.compounds and len(word) > 7 and word not in self.phrases:
            for cut in range(4, len(word) - 2):
                if word[:cut] in self.phrases and word[cut:] in self.phrases:
                    return word[:cut], word[cut:]
        return None


@lru_cache(maxsize=64)
def _listed(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split(",") if word.strip())


def is_one_slip(word: str, right: str) -> bool:
    """One letter missing, extra, wrong, or two neighbours swapped."""
    low = 0
    while low < len(word) and low < len(right) and word[low] == right[low]:
        low += 1
    a, b = word[low:], right[low:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language by its two or three letters; that of English where there is no file."""
    if language != "en" and language.isascii() and language.isalpha() and len(language) <= LONGEST_TAG:
        try:
            return read_lexicon(data_file(language))
        except FileNotFoundError:
            pass
    return read_lexicon(data_file("en"))


def read_lexicon(table: Mapping[str, Any]) -> Lexicon:
    """Read a language file. A section is a category; in ``words`` each key is a category of its own."""
    phrases: dict[str, list[tuple[tuple[str, ...], str, Any]]] = {}
    forgiven: set[str] = set()
    for section, entries in table["time"].items():
        for key, spelled in entries.items():
            category, value = (key, key) if section == "words" else (section, _value(section, key))
            for phrase in spelled.split(","):
                words = _words(phrase)
                if not words:
                    raise ValueError(f"an empty phrase under {section}.{key}")
                phrases.setdefault(words[0], []).append((words[1:], category, value))
                if section in FORGIVEN and len(words) == 1 and len(words[0]) >= SHORTEST_TYPO:
                    forgiven.add(words[0])
    head = table["language"]
    return Lexicon(head["tag"], head.get("compounds", False), phrases, tuple(sorted(forgiven)), table)


def _words(phrase: str) -> tuple[str, ...]:
    """The words of a phrase as the tokens of a text have them; "'s" is one of its own."""
    rest = phrase.strip().removeprefix("'s")
    ending = ("'s",) if len(rest) < len(phrase.strip()) else ()
    return ending + tuple(token.norm for token in tokenize(rest))


def _value(section: str, key: str) -> Any:
    if section in ("unit", "adverb", "biadverb"):
        return Grain[key.upper()]
    return int(key) if key.removeprefix("-").isdecimal() else key

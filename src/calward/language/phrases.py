"""Lists of phrases from a language file, found in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from calward.language.lexicon import lexicon
from calward.language.tokens import Token, tokenize

PhraseTable = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases by their first word, as the words after it, longest first."""


@lru_cache(maxsize=64)
def phrase_table(tag: str, section: str, name: str) -> PhraseTable:
    """One list of a language file."""
    spelled = lexicon(tag).table.get(section, {}).get(name, "")
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in spelled.split(","):
        words = tuple(token.norm for token in tokenize(phrase))
        if words:
            found.setdefault(words[0], []).append(words[1:])
    return {first: tuple(sorted(rests, key=len, reverse=True)) for first, rests in found.items()}


def match_at(table: PhraseTable, tokens: Sequence[Token], at: int) -> int:
    """Tokens of the longest phrase that begins at ``at``; 0 where none does."""
    if at >= len(tokens):
        return 0
    for rest in table.get(tokens[at].norm, ()):
        end = at + 1 + len(rest)
        if end <= len(tokens) and all(tokens[at + 1 + n].norm == word for n, word in enumerate(rest)):
            return end - at
    return 0


def match_ending(table: PhraseTable, tokens: Sequence[Token], end: int) -> int:
    """Tokens of the longest phrase that ends right before ``end``; 0 where none does."""
    for start in range(max(0, end - 6), end):
        if match_at(table, tokens, start) == end - start:
            return end - start
    return 0

"""Several wishes in one sentence, told apart only where each half carries a wish of its own."""

from __future__ import annotations

from collections.abc import Sequence

from calward.language.cues import ACTIONS, QUESTIONS, THINGS, find_cues
from calward.language.lexicon import Lexicon
from calward.language.phrases import match_at, phrase_table
from calward.language.tokens import Token

MOST_CLAUSES = 5


def split_clauses(text: str, tokens: Sequence[Token], words: Lexicon) -> tuple[str, ...]:
    """The clauses of a sentence. "Dinner with Ann and Bob" stays whole; "… and also book …" is two."""
    strong = phrase_table(words.tag, "clauses", "strong")
    weak = phrase_table(words.tag, "clauses", "weak")
    cues = find_cues(tokens, words)
    actions = {at for at, _, name in cues if name in ACTIONS}
    wishes = {at for at, _, name in cues if name in ACTIONS | QUESTIONS | THINGS}
    cuts: list[tuple[int, int]] = []
    start = at = 0
    while at < len(tokens) and len(cuts) < MOST_CLAUSES - 1:
        length = match_at(strong, tokens, at)
        firm = length > 0
        length = length or match_at(weak, tokens, at)
        before = any(start <= wish < at for wish in wishes)
        after = at + length
        follows = any(after <= wish for wish in wishes) if firm else after in actions
        if length and before and follows:
            cuts.append((at, after))
            start = after
        at += length or 1
    if not cuts:
        return (text,)
    bounds = [0, *(edge for cut in cuts for edge in cut), len(tokens)]
    pieces = [(bounds[n], bounds[n + 1]) for n in range(0, len(bounds), 2)]
    return tuple(text[tokens[a].start : tokens[b - 1].end] for a, b in pieces if b > a)

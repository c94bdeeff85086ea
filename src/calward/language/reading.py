"""Choosing among the readings of a text: those that say most with fewest words left over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from calward.language.atoms import atoms, split_compounds
from calward.language.chart import Chart, Edge, parse
from calward.language.conventions import Conventions
from calward.language.grammar import grammar
from calward.language.lexicon import Lexicon, lexicon
from calward.language.phrases import match_at, phrase_table
from calward.language.scene import Scene
from calward.language.tokens import Token, tokenize

TOPS = ("cycle", "span", "when", "date", "clock", "part", "lasting", "sized")
"""Categories a reading may have at the top."""

UNSAID = frozenset({"latent"})
"""Marks of readings that are only taken where nothing else is there and the text is nothing else."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text, its tokens and the chart over them."""

    text: str
    tokens: tuple[Token, ...]
    chart: Chart
    words: Lexicon
    scene: Scene

    @property
    def is_foreign(self) -> bool:
        """Whether the language asked for has no file, so that English words had to do. Figures are no words."""
        return self.scene.conventions.language != self.words.tag and any(token.is_word for token in self.tokens)

    def wording(self, edge: Edge) -> str:
        return self.text[self.tokens[edge.start].start : self.tokens[edge.end - 1].end]


JOINTS = frozenset({"and", "or", "but"})

TELLING = frozenset(
    {"num", "ord", "unit", "dir", "weekday", "month", "date", "clock", "when", "every", "except", "slash"}
)
"""Categories of words that say something of a time wherever they stand."""


def tells_more(parsed: Parsed, read: Sequence[Edge]) -> bool:
    """Whether tokens outside the edges that were read speak of time as well."""
    taken = {at for edge in read for at in range(edge.start, edge.end)}
    return any(not TELLING.isdisjoint(cell) for at, cell in enumerate(parsed.chart.cells) if at not in taken)


def parse_text(text: str, conventions: Conventions, now: datetime) -> Parsed:
    """Chart a text. ``now`` is a naive wall clock in the conventions' zone."""
    words = lexicon(conventions.language)
    tokens = split_compounds(tokenize(text), words)
    scene = Scene(now, conventions, speaks_of_the_past(tokens, words), half_of_day(tokens, words))
    chart = parse(grammar(), atoms(text, tokens, words, conventions), scene)
    return Parsed(text, tokens, chart, words, scene)


def speaks_of_the_past(tokens: Sequence[Token], words: Lexicon) -> bool:
    """Whether a verb of the sentence stands in the past tense."""
    past = words.listed("past")
    return any(token.norm in past for token in tokens)


def half_of_day(tokens: Sequence[Token], words: Lexicon) -> str | None:
    """The half of the day that dinner or an alarm clock belongs to, where the text speaks of such a thing."""
    said = {token.norm for token in tokens}
    halves = [half for half in ("morning", "evening") if said & words.listed(f"of_{half}")]
    return halves[0] if len(halves) == 1 else None


def best_edges(parsed: Parsed, sentence: bool = False) -> list[Edge]:
    """The disjoint edges that together read the most, in order. In a sentence a meal is no time of day."""
    edges = [edge for edge in parsed.chart.edges(*TOPS) if _may_stand(edge, parsed)]
    if sentence:
        edges = [edge for edge in edges if "meal" not in edge.value.marks]
    edges.sort(key=lambda edge: (edge.end, edge.start))
    ends = [edge.end for edge in edges]
    best: list[tuple[float, tuple[Edge, ...]]] = [(0.0, ())]
    for index, edge in enumerate(edges):
        before = best[bisect_right(ends, edge.start, 0, index)]
        taken = (before[0] + worth(edge), (*before[1], edge))
        best.append(max(best[-1], taken, key=lambda way: way[0]))
    return list(best[-1][1])


def worth(edge: Edge) -> float:
    """Words read count most, then few pieces, then the weight of the rules."""
    length = edge.end - edge.start
    return length * 2.0 - 1.2 + min(edge.weight, 3.0) * 0.4


def _may_stand(edge: Edge, parsed: Parsed) -> bool:
    """Whether a reading may be taken at all where it stands."""
    people = phrase_table(parsed.words.tag, "title", "people")
    if edge.start and match_at(people, parsed.tokens, edge.start - 1) and _may_be_name(edge.start, parsed):
        # "With April at 5"
        return False
    marks = edge.value.marks
    whole = edge.end - edge.start == len(parsed.tokens)
    if marks & {"bare_year", "latent"} and not whole:
        return False
    length = edge.end - edge.start
    shy = length == 1 and parsed.tokens[edge.start].norm in parsed.words.listed("shy")
    if shy and not whole and not _heads(edge, parsed):
        return False
    following = parsed.tokens[edge.end] if edge.end < len(parsed.tokens) else None
    if length <= 2 and following is not None and following.is_word:
        # "This may take longer": a month that is also a verb, with something after it to do.
        last = parsed.tokens[edge.end - 1].norm
        return last not in parsed.words.listed("verblike") or _goes_on(edge.end, parsed)
    return True


def _may_be_name(at: int, parsed: Parsed) -> bool:
    """Whether a word of time is somebody's name as well."""
    return "month" in parsed.chart.cells[at] or parsed.tokens[at].norm in parsed.words.listed("names")


def _goes_on(at: int, parsed: Parsed) -> bool:
    """Whether words of time follow; "or" and "and" alone are none: "this may or may not"."""
    cells = parsed.chart.cells
    joined = at + 1 < len(cells) and not JOINTS.isdisjoint(cells[at])
    return "date" in cells[at + 1] if joined else bool(cells[at])


def _heads(edge: Edge, parsed: Parsed) -> bool:
    """Whether a word stands before all others with a mark after it: "Sat - clean the garage"."""
    return edge.start == 0 and edge.end < len(parsed.tokens) and parsed.tokens[edge.end].norm in ":-,"

"""A bottom-up chart: atoms from the lexicon, combined by rules, all readings kept, work bounded.

Cells are filled from the last token to the first, so when an edge at ``i`` looks for what follows it,
everything to its right is complete. Every attempt of a rule counts as a step, and the steps of a text are
capped: a text that would cost more keeps what was found until then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_STEPS = 55_000
MOST_ALIKE = 4
"""Edges kept over the same tokens in the same category."""
LONGEST_EDGE = 40
"""Tokens an edge may cover."""

Action = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Edge:
    """A reading of the tokens from one position up to another. ``weight`` ranks readings of the same tokens."""

    start: int
    end: int
    category: str
    value: Any
    weight: float


@dataclass(frozen=True, slots=True)
class Production:
    """One flat pattern of categories and what to make of their values.

    ``slots`` says which argument each symbol is, so that left-out optional symbols arrive as None.
    """

    symbols: tuple[str, ...]
    slots: tuple[int, ...]
    arity: int
    action: Action
    weight: float
    category: str | None


Grammar = dict[str, list[Production]]
"""Productions by their first symbol."""


def compile_rules(rules: Sequence[Rule]) -> Grammar:
    """Expand optional symbols and alternatives into flat productions."""
    grammar: Grammar = {}
    for rule in rules:
        for pattern in rule.patterns:
            for symbols, slots in _expand(pattern.split()):
                production = Production(
                    symbols, slots, len(pattern.split()), rule.action, rule.weight, rule.category
                )
                grammar.setdefault(symbols[0], []).append(production)
    return grammar


@dataclass(frozen=True, slots=True)
class Rule:
    """Patterns of categories, with ``x?`` for optional and ``a|b`` for either, and the action they share.

    The action gets the context and one argument a symbol; it answers a value, or None where the parts do not
    fit. Its category is the one given here, else the ``category`` of the value it made.
    """

    patterns: tuple[str, ...]
    action: Action
    weight: float = 0.0
    category: str | None = None


@dataclass(slots=True)
class Chart:
    """All edges over one text."""

    size: int
    cells: list[dict[str, list[Edge]]] = field(default_factory=list)
    steps: int = 0

    @property
    def exhausted(self) -> bool:
        return self.steps >= MOST_STEPS

    def edges(self, *categories: str) -> list[Edge]:
        return [edge for cell in self.cells for category in categories for edge in cell.get(category, ())]


def parse(grammar: Grammar, atoms: Sequence[Sequence[tuple[int, str, Any, float]]], context: Any) -> Chart:
    """Fill a chart. ``atoms[i]`` lists (end, category, value, weight) of the readings that begin at token i."""
    size = len(atoms)
    chart = Chart(size, [{} for _ in range(size + 1)])
    cells = chart.cells
    for start in range(size - 1, -1, -1):
        cell = cells[start]
        agenda: list[Edge] = []
        for end, category, value, weight in atoms[start]:
            _add(cell, agenda, Edge(start, end, category, value, weight))
        at = 0
        while at < len(agenda):
            edge = agenda[at]
            at += 1
            for production in grammar.get(edge.category, ()):
                if chart.steps >= MOST_STEPS:
                    return chart
                chart.steps += 1
                symbols = production.symbols
                if len(symbols) > 1 and symbols[1] not in cells[edge.end]:
                    continue
                _match(chart, production, edge, context, cell, agenda)
    return chart


def _match(
    chart: Chart,
    production: Production,
    first: Edge,
    context: Any,
    cell: dict[str, list[Edge]],
    agenda: list[Edge],
) -> None:
    """Try every way to complete ``production`` after its first edge."""
    symbols, cells = production.symbols, chart.cells
    stack: list[tuple[int, tuple[Edge, ...]]] = [(1, (first,))]
    while stack:
        known, edges = stack.pop()
        if known < len(symbols):
            following = cells[edges[-1].end].get(symbols[known])
            if following:
                chart.steps += len(following)
                if chart.steps >= MOST_STEPS:
                    return
                stack.extend((known + 1, (*edges, edge)) for edge in following)
            continue
        end = edges[-1].end
        if end - first.start > LONGEST_EDGE:
            continue
        arguments: list[Any] = [None] * production.arity
        weight = production.weight
        for slot, edge in zip(production.slots, edges, strict=True):
            arguments[slot] = edge.value
            weight += edge.weight
        made = production.action(context, *arguments)
        if made is not None:
            _add(cell, agenda, Edge(first.start, end, production.category or made.category, made, weight))


def _add(cell: dict[str, list[Edge]], agenda: list[Edge], edge: Edge) -> None:
    """Keep an edge unless the same reading is there, or enough better ones are."""
    alike = cell.setdefault(edge.category, [])
    same_span = 0
    weakest = -1
    for index, known in enumerate(alike):
        if known.end == edge.end:
            if known.value == edge.value:
                if known.weight < edge.weight:
                    alike[index] = edge
                return
            same_span += 1
            if weakest < 0 or known.weight < alike[weakest].weight:
                weakest = index
    if same_span < MOST_ALIKE:
        alike.append(edge)
        agenda.append(edge)
    elif alike[weakest].weight < edge.weight:
        alike[weakest] = edge
        agenda.append(edge)


def _expand(symbols: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    out: list[tuple[tuple[str, ...], tuple[int, ...]]] = [((), ())]
    for slot, symbol in enumerate(symbols):
        optional = symbol.endswith("?")
        names = symbol.removesuffix("?").split("|")
        out = [
            extended
            for done, slots in out
            for extended in (
                *([(done, slots)] if optional else []),
                *(((*done, name), (*slots, slot)) for name in names),
            )
        ]
    return [(done, slots) for done, slots in out if done]

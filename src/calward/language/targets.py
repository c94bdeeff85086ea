"""A change names two times: the one the event has and the one it shall have."""

from __future__ import annotations

from dataclasses import replace

from calward.language.chart import Edge
from calward.language.gather import Gathered
from calward.language.grammar.merge import merge
from calward.language.grammar.spans import span_on
from calward.language.reading import Parsed, best_edges
from calward.language.values import Bound, Stretch, When

TO = frozenset({"to", "until", "for", "at", "by", "on"})
"""Categories of words that lead to the new time."""


def split_change(parsed: Parsed) -> tuple[Gathered | None, Gathered | None]:
    """(time of the event as it is, time it shall have)."""
    edges = best_edges(parsed, sentence=True)
    if not edges:
        return None, None
    if len(edges) == 1:
        return _one(parsed, edges[0])
    new = next((edge for edge in reversed(edges) if _leads_to(parsed, edge)), edges[-1])
    old = next((edge for edge in edges if edge is not new), None)
    return (_alone(old) if old else None), _alone(new)


def on_the_same_day(parsed: Parsed, old: Gathered | None, new: Gathered) -> Gathered:
    """An hour alone is that of the day said before: "move tomorrow's call to 4pm"."""
    if old is None or not isinstance(old.value, When) or old.value.days is None:
        return new
    day = When(days=old.value.days)
    value: When | Stretch | None = None
    match new.value:
        case When(days=None, at=None):
            value = merge(parsed.scene, day, new.value)
        case Stretch(bound=Bound.BETWEEN):
            value = span_on(parsed.scene, new.value, None, day)
    return replace(new, value=value) if value is not None else new


def _one(parsed: Parsed, edge: Edge) -> tuple[Gathered | None, Gathered | None]:
    """One stretch "from 3 to 4" is both; a single time after "to" is the new one, else the old one."""
    value = edge.value
    match value:
        case Stretch(bound=Bound.BETWEEN, first=When() as first, last=When() as last, whole_units=None):
            first, last = (replace(end, days=end.days or value.days) for end in (first, last))
            return Gathered(first, (edge,), ()), Gathered(last, (edge,), ())
        case Stretch(bound=Bound.BEFORE):
            return None, _alone(edge)
    return (None, _alone(edge)) if _leads_to(parsed, edge) else (_alone(edge), None)


def _leads_to(parsed: Parsed, edge: Edge) -> bool:
    """Whether the time begins with, or stands right after, a word that leads to it."""
    around = (at for at in (edge.start, edge.start - 1) if at >= 0)
    return any(TO.intersection(parsed.chart.cells[at]) for at in around)


def _alone(edge: Edge) -> Gathered:
    value = edge.value
    if isinstance(value, Stretch) and value.bound is Bound.BEFORE and value.last is not None:
        value = replace(value.last, days=value.last.days or value.days)
    return Gathered(value, (edge,), ())

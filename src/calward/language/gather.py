"""What a text says about time, put together from pieces that stand apart: "tomorrow … at 5 … for an hour"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calward.language.chart import Edge
from calward.language.grains import Grain
from calward.language.grammar.bounds import at_time
from calward.language.grammar.lengths import SIZED
from calward.language.grammar.merge import merge
from calward.language.grammar.spans import lasting, span_on
from calward.language.reading import Parsed, best_edges
from calward.language.resolve import resolve
from calward.language.values import Bound, Cycle, Length, Stretch, When

TimeValue = When | Stretch | Cycle


@dataclass(frozen=True, slots=True)
class Gathered:
    """One value and the edges it came from; ``spare`` are edges that speak of another time."""

    value: TimeValue | Length
    edges: tuple[Edge, ...]
    spare: tuple[Edge, ...]

    @property
    def read(self) -> int:
        """Tokens that were read."""
        return sum(edge.end - edge.start for edge in self.edges)


def gather(parsed: Parsed, sentence: bool = False) -> Gathered | None:
    """The time a text speaks of, or None where it speaks of none."""
    edges = sorted(best_edges(parsed, sentence), key=_importance)
    if not edges:
        return None
    value: TimeValue | Length = edges[0].value
    if edges[0].category == "sized":
        # "A 2-hour workshop" tells how long, and of no time.
        return None
    used, spare = [edges[0]], []
    for edge in edges[1:]:
        together = _together(parsed, value, edge.value)
        if together is None:
            if edge.category != "sized":
                spare.append(edge)
        else:
            value = together
            used.append(edge)
    return Gathered(value, tuple(sorted(used, key=lambda e: e.start)), tuple(spare))


def _sized(first: When, length: Length) -> TimeValue | None:
    """As in "a 2-hour workshop at noon", "a 3-day fair from Monday"; hours alone do not begin at midnight."""
    if first.clock is None and length.finest < Grain.DAY:
        return None
    return Stretch(Bound.LASTING, first, length=length, marks=first.marks)


def _importance(edge: Edge) -> tuple[int, int, float, int]:
    kind = {"cycle": 0, "span": 1, "lasting": 3, "sized": 4}.get(edge.category, 2)
    return kind, -(edge.end - edge.start), -edge.weight, edge.start


def _together(parsed: Parsed, first: TimeValue | Length, second: TimeValue | Length) -> TimeValue | None:
    scene = parsed.scene
    match first, second:
        case When(), When():
            merged = merge(scene, first, second)
            # A quarter and a date outside it are two things: "Q3 results on October 22".
            return merged if merged and resolve(merged, scene) else None
        case Stretch(), When():
            return span_on(scene, first, None, second)
        case When(), Length():
            return _sized(first, second) if second.marks >= SIZED else lasting(scene, first, None, second)
        case Stretch(bound=Bound.AFTER, first=When() as start), Length():
            return _sized(start, second)
        case Cycle(), When():
            if first.start is None and second.category == "date" and second.days is not None:
                return replace(first, start=second)
            return at_time(scene, first, None, second)
        case Cycle(), Length():
            return replace(first, length=second) if first.length is None else None
        case _:
            return None

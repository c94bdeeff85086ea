"""A date field in words: "next tuesday 3pm", "2026-03-04T15:00+01:00", "from 3 to 5 on friday"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from calward.language.chart import Edge
from calward.language.confidence import certainty
from calward.language.conventions import Conventions
from calward.language.grains import Grain
from calward.language.reading import Parsed, best_edges, parse_text
from calward.language.resolve import Resolved, resolve
from calward.language.shapes import iso_moment
from calward.language.tokens import LONGEST_TEXT
from calward.language.values import Stretch, When

MOST_ALTERNATIVES = 4


@dataclass(frozen=True, slots=True)
class MomentReading:
    """What a date field says.

    ``start`` and ``end`` are aware, in the zone that was said or else the conventions'; ``end`` is exclusive.
    ``start`` is None for "until Friday"; ``end`` is None for a point in time and for "from Friday on", which
    ``open_end`` tells apart. ``grain`` is how finely it was said: second, minute, hour, day, week, month,
    quarter, half, year, decade or century. ``notes`` name what was assumed; ``confidence`` runs from 0 to 1.
    """

    start: datetime | None
    end: datetime | None
    all_day: bool
    grain: str
    confidence: float
    open_end: bool = False
    notes: tuple[str, ...] = ()
    alternatives: tuple[MomentReading, ...] = ()


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A text that says no moment; ``reason`` is ``empty``, ``too_long`` or ``no_time``."""

    reason: str


def read_moment(text: str, conventions: Conventions, now: datetime) -> MomentReading | NotUnderstood:
    """Read a moment or stretch. ``now`` is aware, or naive and then in the conventions' zone.

    ISO 8601 and RFC 3339 are read exactly, an offset included; a date alone is all day. Never raises on text.
    """
    if not text.strip():
        return NotUnderstood("empty")
    if len(text) > LONGEST_TEXT:
        return NotUnderstood("too_long")
    local = wall_clock(now, conventions)
    if exact := iso_moment(text):
        return _exact(exact, conventions)
    parsed = parse_text(text, conventions, local)
    edges = [edge for edge in best_edges(parsed) if isinstance(edge.value, When | Stretch)]
    if not edges:
        return NotUnderstood("no_time")
    best = max(edges, key=lambda edge: edge.end - edge.start)
    readings = [
        reading
        for edge in _rivals(parsed, best)
        if (reading := read_edge(parsed, edge, conventions, len(edges) > 1))
    ]
    if not readings:
        return NotUnderstood("no_time")
    others = tuple(
        other for other in readings[1:] if (other.start, other.end) != (readings[0].start, readings[0].end)
    )
    return replace(readings[0], alternatives=others[:MOST_ALTERNATIVES])


def wall_clock(now: datetime, conventions: Conventions) -> datetime:
    """Now as a naive wall clock in the conventions' zone."""
    return now.astimezone(conventions.zone).replace(tzinfo=None) if now.tzinfo else now


def read_edge(parsed: Parsed, edge: Edge, conventions: Conventions, others: bool) -> MomentReading | None:
    """Resolve one reading of a text."""
    found = resolve(edge.value, parsed.scene)
    if found is None or (found.start is None and found.end is None):
        return None
    left_over = len(parsed.tokens) - (edge.end - edge.start)
    confidence = certainty(found, conventions, left_over, others)
    return MomentReading(
        start=_aware(found.start, found, conventions),
        end=_aware(found.end, found, conventions),
        all_day=found.all_day,
        grain=found.grain.word,
        confidence=confidence,
        open_end=found.open_end,
        notes=tuple(sorted(found.marks)),
    )


def _rivals(parsed: Parsed, best: Edge) -> list[Edge]:
    """The best reading and others of the same words, best first."""
    cell = parsed.chart.cells[best.start]
    same = [
        edge
        for edges in cell.values()
        for edge in edges
        if edge.end == best.end and isinstance(edge.value, When | Stretch) and edge != best
    ]
    same.sort(key=lambda edge: -edge.weight)
    return [best, *same[:MOST_ALTERNATIVES]]


def _exact(found: tuple[datetime, tzinfo | None, bool], conventions: Conventions) -> MomentReading:
    wall, offset, is_day = found
    start = wall.replace(tzinfo=offset or conventions.zone)
    if is_day:
        end = (wall + timedelta(days=1)).replace(tzinfo=conventions.zone) if wall.year < 9999 else None
        return MomentReading(start, end, True, Grain.DAY.word, 1.0)
    return MomentReading(start, None, False, Grain.SECOND.word if wall.second else Grain.MINUTE.word, 1.0)


def _aware(moment: datetime | None, found: Resolved, conventions: Conventions) -> datetime | None:
    """In the zone that was said, else the person's. A wall time in a gap takes the offset before it (RFC 5545
    §3.3.5)."""
    if moment is None:
        return None
    zone = found.zone or conventions.zone
    aware = moment.replace(tzinfo=zone)
    try:
        return aware.astimezone(UTC).astimezone(zone)
    except OverflowError:
        return aware

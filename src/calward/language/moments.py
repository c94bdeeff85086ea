"""A date field in words: "next tuesday 3pm", "2026-03-04T15:00+01:00", "from 3 to 5 on friday"."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from calward.language.confidence import certainty
from calward.language.conventions import Conventions
from calward.language.gather import Gathered, gather
from calward.language.grains import Grain, OutOfCalendar
from calward.language.moment import MomentReading, NotUnderstood
from calward.language.reading import Parsed, parse_text, tells_more
from calward.language.repeats import Repeat, resolve_cycle
from calward.language.resolve import after, resolve
from calward.language.shapes import iso_moment
from calward.language.tokens import LONGEST_TEXT
from calward.language.values import Cycle, Length, When

MOST_ALTERNATIVES = 4


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
    found = gather(parsed)
    if found is None:
        return NotUnderstood("no_time")
    reading = read_gathered(parsed, found)
    if reading is None:
        return NotUnderstood("no_time")
    return replace(reading, alternatives=_alternatives(parsed, found, reading))


def wall_clock(now: datetime, conventions: Conventions) -> datetime:
    """Now as a naive wall clock in the conventions' zone."""
    return now.astimezone(conventions.zone).replace(tzinfo=None) if now.tzinfo else now


def read_gathered(parsed: Parsed, found: Gathered) -> MomentReading | None:
    """Resolve what was gathered; a bare length is a moment that far from now ("a timer for 5 minutes")."""
    scene, value = parsed.scene, found.value
    left_over = len(parsed.tokens) - found.read
    time_left = tells_more(parsed, (*found.edges, *found.spare))
    if isinstance(value, Cycle):
        repeat = resolve_cycle(value, scene)
        return _repeating(repeat, parsed, found, left_over, time_left) if repeat else None
    if isinstance(value, Length):
        try:
            value = When(at=after(scene.now, value), grain=value.finest, marks=frozenset({"only_length"}))
        except OutOfCalendar:
            return None
    resolved = resolve(value, scene)
    if resolved is None or (resolved.start is None and resolved.end is None):
        return None
    zone = resolved.zone or scene.conventions.zone
    return MomentReading(
        start=aware(resolved.start, zone),
        end=aware(resolved.end, zone),
        all_day=resolved.all_day,
        grain=resolved.grain.word,
        confidence=certainty(resolved.marks, left_over, bool(found.spare), parsed.is_foreign, time_left),
        left_over=left_over,
        open_end=resolved.open_end,
        notes=tuple(sorted(resolved.marks)),
    )


def _repeating(
    repeat: Repeat, parsed: Parsed, found: Gathered, left_over: int, time_left: bool
) -> MomentReading:
    zone = parsed.scene.conventions.zone
    return MomentReading(
        start=aware(repeat.first, zone),
        end=aware(repeat.end, zone),
        all_day=repeat.all_day,
        grain=(Grain.DAY if repeat.all_day else Grain.MINUTE).word,
        confidence=certainty(repeat.marks, left_over, bool(found.spare), parsed.is_foreign, time_left),
        left_over=left_over,
        notes=tuple(sorted(repeat.marks)),
        rrule=repeat.rrule,
        start_said=repeat.start_said,
        exdates=tuple(moment for day in repeat.exdates if (moment := aware(day, zone))),
    )


def _alternatives(parsed: Parsed, found: Gathered, reading: MomentReading) -> tuple[MomentReading, ...]:
    """Other readings of the same words, best first, each once."""
    if len(found.edges) != 1 or reading.rrule is not None:
        return ()
    best = found.edges[0]
    same = [
        edge
        for category in ("when", "span", "date", "clock", "part")
        for edge in parsed.chart.cells[best.start].get(category, ())
        if edge.end == best.end and edge is not best
    ]
    out: list[MomentReading] = []
    for edge in sorted(same, key=lambda edge: -edge.weight):
        other = read_gathered(parsed, replace(found, value=edge.value))
        known = [(seen.start, seen.end) for seen in (reading, *out)]
        if other is not None and (other.start, other.end) not in known:
            out.append(replace(other, confidence=min(other.confidence, reading.confidence) / 2))
    return tuple(out[:MOST_ALTERNATIVES])


def _exact(found: tuple[datetime, tzinfo | None, bool], conventions: Conventions) -> MomentReading:
    wall, offset, is_day = found
    start = aware(wall, offset or conventions.zone)
    if is_day:
        end = aware(wall + timedelta(days=1), conventions.zone) if wall.year < 9999 else None
        return MomentReading(start, end, True, Grain.DAY.word, 1.0)
    return MomentReading(start, None, False, Grain.SECOND.word if wall.second else Grain.MINUTE.word, 1.0)


def aware(moment: datetime | None, zone: tzinfo) -> datetime | None:
    """A wall time in a zone: in a gap with the offset before it, in an overlap the first (RFC 5545 §3.3.5)."""
    if moment is None:
        return None
    try:
        return moment.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
    except OverflowError:
        return moment.replace(tzinfo=zone)

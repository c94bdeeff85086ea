"""Days and longer units next to another: the day after Christmas, the Friday before Easter, half of May."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from calward.language.chart import Rule
from calward.language.days import Days, DaySpan, Fixed, Weekday, Weekend, bygone, upcoming
from calward.language.grains import Grain, cycle
from calward.language.resolve import choose
from calward.language.scene import Scene
from calward.language.values import Number, Part, When


def _unit_beside(scene: Scene, _the: object, unit: Grain, side: str, base: When) -> When | None:
    """As in "the day after Christmas", "the week before Easter"."""
    span = _span(scene, base)
    if span is None or unit < Grain.DAY:
        return None
    nearest, step = (span[1] - timedelta(days=1), 1) if side == "after" else (span[0], -1)
    return When(days=Fixed(*cycle(nearest, step, unit, scene.conventions.week_start), unit))


def _weekday_beside(scene: Scene, _the: object, weekday: int, side: str, base: When) -> When | None:
    return _day_beside(scene, Weekday(weekday), side, base)


def _weekend_beside(scene: Scene, _the: object, _word: object, side: str, base: When) -> When | None:
    return _day_beside(scene, Weekend(), side, base)


def _part_beside(scene: Scene, _the: object, name: str, side: str, base: When) -> When | None:
    """As in "the night before Christmas", "the morning after New Year's Eve"."""
    day = _unit_beside(scene, None, Grain.DAY, side, base)
    return replace(day, part=Part(name)) if day else None


def _half_of(
    scene: Scene, _the: object, number: Number, _half: object, _of: object, whole: When
) -> When | None:
    """As in "the first half of May", "the second half of next year"."""
    span = _span(scene, whole)
    if span is None or whole.days is None or whole.days.grain < Grain.MONTH or number.value not in (1, 2):
        return None
    start, end = span
    middle = date(start.year, 7, 1) if whole.days.grain is Grain.YEAR else start + (end - start) / 2
    return When(days=Fixed(*((start, middle) if number.value == 1 else (middle, end)), Grain.MONTH))


def _day_beside(scene: Scene, days: Days, side: str, base: When) -> When | None:
    """The nearest span of ``days`` that lies wholly on one side of what ``base`` names."""
    span = _span(scene, base)
    if span is None:
        return None
    start, end = span
    if side == "after":
        found = next((near for near in upcoming(days, end) if near[0] >= end), None)
    else:
        found = next((near for near in bygone(days, start) if near[1] <= start), None)
    return When(days=Fixed(*found, days.grain)) if found else None


def _span(scene: Scene, base: When) -> DaySpan | None:
    chosen = choose(base.days, scene) if base.days is not None and base.category == "date" else None
    return chosen[0] if chosen else None


RULES = (
    Rule(("the unit after|before date",), _unit_beside, weight=0.4),
    Rule(
        ("unit after|before date",),
        lambda s, unit, side, base: _unit_beside(s, None, unit, side, base),
        weight=-0.3,
    ),
    Rule(("the? weekday after|before date",), _weekday_beside, weight=0.4),
    Rule(("the? weekend after|before date",), _weekend_beside, weight=0.4),
    Rule(("the? daypart after|before date",), _part_beside, weight=0.4),
    Rule(("the? ord half of date",), _half_of, weight=0.5),
)

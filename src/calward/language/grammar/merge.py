"""Putting two partial values together: "Friday" and "5pm", "tomorrow" and "morning", "March" and "2015"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from calward.language.days import (
    Both,
    DayOfMonth,
    Days,
    Fixed,
    MonthDay,
    Months,
    Nth,
    Weekday,
    WorkingDay,
    inside,
)
from calward.language.grains import Grain, cycle
from calward.language.scene import Scene
from calward.language.values import Clock, Part, When


def merge(scene: Scene, first: When, second: When) -> When | None:
    """Both together, in whichever order they came; None where they do not go together."""
    marks = first.marks | second.marks
    zone = first.zone or second.zone
    if first.at is not None or second.at is not None:
        return _with_moment(scene, first, second)
    if first.days is not None and second.days is not None:
        days = join_days(scene, first.days, second.days)
        if days is None:
            return None
    else:
        days = first.days or second.days
    if (first.clock and second.clock) or (first.part and second.part):
        return None
    clock, part = first.clock or second.clock, first.part or second.part
    if clock is not None and isinstance(days, Months):
        # Nobody names an hour of a month: "May 3 10am" is the 3rd at ten, not May at 3:10.
        return None
    if clock is not None and part is not None and not _fits(clock, part):
        return None
    return When(days, clock, part, zone=zone, marks=marks)


def _fits(clock: Clock, part: Part) -> bool:
    """An hour that was closed already must not contradict the part of day."""
    if part.name.endswith("morning") or part.name == "forenoon":
        return clock.hour <= 12
    return True


def _with_moment(scene: Scene, first: When, second: When) -> When | None:
    """As in "In seven days at 5pm", "today in one hour"."""
    moment, other = (first, second) if first.at is not None else (second, first)
    at = moment.at
    assert at is not None
    if other.at is not None:
        return None
    if moment.grain >= Grain.DAY and other.clock is not None and other.days is None:
        start, end = cycle(at.date(), 0, Grain.DAY)
        return When(
            Fixed(start, end, Grain.DAY),
            other.clock,
            other.part,
            zone=other.zone,
            marks=first.marks | second.marks,
        )
    if moment.grain >= Grain.DAY and other.part is not None and other.days is None:
        start, end = cycle(at.date(), 0, Grain.DAY)
        return When(Fixed(start, end, Grain.DAY), None, other.part, marks=first.marks | second.marks)
    if other.days is not None and other.clock is None and other.part is None:
        weeks, odd = divmod((at.date() - scene.today).days, 7)
        if isinstance(other.days, Fixed) and moment.grain is Grain.WEEK and not odd:
            # "Tomorrow in two weeks"
            away = timedelta(weeks=weeks)
            days = Fixed(other.days.start + away, other.days.end + away, Grain.DAY)
            return When(days) if other.days.grain is Grain.DAY else None
        if isinstance(other.days, Fixed):
            return moment if other.days.start <= at.date() < other.days.end else None
        if moment.grain is Grain.YEAR:
            start, end = cycle(at.date(), 0, Grain.YEAR)
            return When(Both(other.days, Fixed(start, end, Grain.YEAR)), marks=first.marks | second.marks)
        if isinstance(other.days, Weekday) and moment.grain in (Grain.WEEK, Grain.MONTH):
            start, end = cycle(at.date(), 0, Grain.WEEK)
            return When(Both(other.days, Fixed(start, end, Grain.WEEK)), marks=first.marks | second.marks)
    return None


def join_days(_scene: Scene, first: Days, second: Days) -> Days | None:
    """The days both speak of. The finer one is looked for inside the coarser one."""
    if first == second:
        return first
    inner, outer = (first, second) if first.grain <= second.grain else (second, first)
    if inner.grain is outer.grain:
        return _same_grain(inner, outer)
    if isinstance(inner, Fixed) and isinstance(outer, Fixed):
        return inner if outer.start <= inner.start and inner.end <= outer.end else None
    if isinstance(inner, Fixed):
        return None
    if isinstance(outer, Fixed) and not inside(inner, (outer.start, outer.end)):
        return None
    if isinstance(outer, Fixed) and isinstance(inner, Both | Nth) and isinstance(inner.outer, Fixed):
        return None
    if (
        isinstance(inner, DayOfMonth)
        and inner.day > 0
        and isinstance(outer, Months)
        and outer.grain is Grain.MONTH
    ):
        return MonthDay(outer.first, inner.day)
    return Both(inner, outer)


def _same_grain(first: Days, second: Days) -> Days | None:
    """Two names of one day: a weekday and a date. The date decides; the weekday helps to find the year."""
    for named, dated in ((first, second), (second, first)):
        if isinstance(named, Weekday | WorkingDay):
            if isinstance(dated, MonthDay | DayOfMonth):
                return Both(dated, named)
            if isinstance(dated, Fixed | Nth | Both):
                return dated if not isinstance(dated, Both) or isinstance(dated.inner, MonthDay) else None
        if isinstance(named, Fixed) and isinstance(dated, MonthDay):
            if inside(dated, (named.start, named.end)):
                return named
            return None
    if isinstance(first, Fixed) and isinstance(second, Fixed) and first.start == second.start:
        return first
    return None


def with_year(_scene: Scene, when: When, year: int) -> When | None:
    """A date without a year put into one."""
    days = when.days
    if days is None or isinstance(days, Fixed) or not 1 <= year <= 9990:
        return None
    start, end = cycle(date(year, 1, 1), 0, Grain.YEAR)
    if isinstance(days, Both) and isinstance(days.outer, Weekday):
        days = days.inner
    if isinstance(days, Weekday | DayOfMonth):
        return None
    year_span = Fixed(start, end, Grain.YEAR)
    if isinstance(days, Nth) and isinstance(days.outer, Months):
        days = Nth(days.number, days.inner, Both(days.outer, year_span))
        return replace(when, days=days)
    found = inside(days, (start, end))
    if len(found) == 1:
        return replace(when, days=Fixed(found[0][0], found[0][1], days.grain))
    starting = found or days.spans(year)
    return replace(when, days=Fixed(starting[0][0], starting[0][1], days.grain)) if starting else None

"""Units by their place in a longer one: the first Friday of October, the last week of 2027, the 35th day."""

from __future__ import annotations

from datetime import date, timedelta

from calward.language.chart import Rule
from calward.language.days import (
    DayOfMonth,
    DayOfYear,
    Days,
    Fixed,
    Months,
    Nth,
    Units,
    Weekday,
    Weekend,
    WeekOfYear,
    WorkingDay,
    inside,
)
from calward.language.feasts import Feast
from calward.language.grains import Grain, cycle
from calward.language.grammar.clocks import dated
from calward.language.grammar.merge import join_days
from calward.language.resolve import choose
from calward.language.scene import Scene
from calward.language.values import Number, When


def _nth(_scene: Scene, _the: object, number: Number, inner: Days, outer: When) -> When | None:
    if (
        outer.days is None
        or outer.days.grain <= inner.grain
        or number.value != number.whole
        or not number.value
    ):
        return None
    if isinstance(outer.days, Months) and abs(number.value) > 31:
        return None
    weeks = isinstance(inner, Units) and inner.grain is Grain.WEEK
    if weeks and isinstance(outer.days, Fixed) and outer.days.grain is Grain.YEAR:
        return _week_of_year(number.whole, outer.days.start.year)
    return When(days=Nth(number.whole, inner, outer.days))


def _week_of_year(number: int, year: int) -> When | None:
    """The weeks of a year as ISO 8601 counts them; a negative number counts from the last."""
    last = date(year, 12, 28).isocalendar().week
    span = WeekOfYear(number if number > 0 else last + 1 + number).of(year)
    return When(days=Fixed(*span, Grain.WEEK)) if span else None


def _nth_weekday(
    scene: Scene, _the: object, number: Number, weekday: int, link: object, outer: When
) -> When | None:
    return _nth(scene, None, number, Weekday(weekday), _running(scene, link, outer))


def _running(scene: Scene, link: object, outer: When) -> When:
    """ "In the month" is the running one; "of the month" may be the next, so that it is still to come."""
    if link != "in" or not isinstance(outer.days, Units):
        return outer
    span = cycle(scene.today, 0, outer.days.grain, outer.days.week_start)
    return When(days=Fixed(*span, outer.days.grain), marks=outer.marks)


def _nth_unit(
    scene: Scene, _the: object, number: Number, unit: Grain, link: object, outer: When
) -> When | None:
    outer = _running(scene, link, outer)
    if unit is Grain.DAY and isinstance(outer.days, Months | Fixed | Units) and outer.days.grain is Grain.MONTH:
        days = join_days(scene, DayOfMonth(number.whole), outer.days) if 1 <= number.value <= 31 else None
        return When(days=days) if days else None
    return (
        _nth(scene, None, number, Units(unit, scene.conventions.week_start), outer)
        if unit >= Grain.DAY
        else None
    )


def _ordinal_of(scene: Scene, _the: object, number: Number, _link: object, outer: When) -> When | None:
    """As in "20 of next month", "the 3rd of March 2027"."""
    if outer.days is None or outer.days.grain is not Grain.MONTH:
        return None
    return _nth_unit(scene, None, number, Grain.DAY, None, outer)


def _last_weekday(
    scene: Scene,
    _the: object,
    number: Number | None,
    _to: object,
    _the2: object,
    _l: object,
    weekday: int,
    _of: object,
    outer: When,
) -> When | None:
    return _nth(scene, None, Number(-(number.whole if number else 1)), Weekday(weekday), outer)


def _last_unit(
    scene: Scene,
    _the: object,
    number: Number | None,
    _to: object,
    _the2: object,
    _l: object,
    unit: Grain,
    _of: object,
    outer: When,
) -> When | None:
    inner = Units(unit, scene.conventions.week_start)
    return (
        _nth(scene, None, Number(-(number.whole if number else 1)), inner, outer) if unit >= Grain.DAY else None
    )


def _last_weekend(
    scene: Scene, _the: object, _last: object, _word: object, _of: object, outer: When
) -> When | None:
    return _nth(scene, None, Number(-1), Weekend(), outer)


def _nth_weekend(
    scene: Scene, _the: object, number: Number, _word: object, _of: object, outer: When
) -> When | None:
    return _nth(scene, None, number, Weekend(), outer)


def _nth_workday(
    scene: Scene, _the: object, number: Number | str, _word: object, _of: object, outer: When
) -> When | None:
    """As in "the first business day of next month", "the last working day of the month"."""
    return _nth(scene, None, number if isinstance(number, Number) else Number(-1), WorkingDay(), outer)


def _first_units(
    scene: Scene, _the: object, first: Number, few: Number | int, unit: Grain, _of: object, outer: When
) -> When | None:
    """As in "the first two weeks of June", "the first few days of May"."""
    count = few if isinstance(few, Number) else Number(few)
    return _some_units(scene, count, unit, outer, last=False) if first.value == 1 else None


def _last_units(
    scene: Scene, _the: object, _last: object, few: Number | int, unit: Grain, _of: object, outer: When
) -> When | None:
    """As in "the last 3 days of May", "the last few weeks of the year"."""
    count = few if isinstance(few, Number) else Number(few)
    return _some_units(scene, count, unit, outer, last=True)


def _some_units(scene: Scene, count: Number, unit: Grain, outer: When, *, last: bool) -> When | None:
    chosen = choose(outer.days, scene) if outer.days is not None and outer.category == "date" else None
    if chosen is None or unit < Grain.DAY or count.value != count.whole or count.value < 1:
        return None
    found = inside(Units(unit, scene.conventions.week_start), chosen[0])
    if count.whole >= len(found):
        return None
    few = found[-count.whole :] if last else found[: count.whole]
    return When(days=Fixed(few[0][0], few[-1][1], unit))


def _nth_after(
    scene: Scene, _the: object, number: Number, weekday: int, _after: object, base: When
) -> When | None:
    """As in "The third Tuesday after Christmas"."""
    chosen = choose(base.days, scene) if base.days else None
    if chosen is None:
        return None
    start = chosen[0][0]
    first = start + timedelta(days=(weekday - start.weekday()) % 7 or 7)
    return When(days=dated(first + timedelta(weeks=number.whole - 1))) if 1 <= number.value <= 52 else None


def _day_of_year(_scene: Scene, _the: object, number: Number, _day: object) -> When | None:
    return When(days=DayOfYear(number.whole)) if 32 <= number.value <= 366 else None


def _ordinal_unit(_scene: Scene, _the: object, number: Number, unit: Grain) -> When | None:
    """As in "The third quarter", "15th century"."""
    if unit is Grain.QUARTER and 1 <= number.value <= 4:
        return When(days=Months(number.whole * 3 - 2, Grain.QUARTER))
    if unit is Grain.CENTURY and 1 <= number.value <= 90:
        year = date((number.whole - 1) * 100 or 1, 1, 1)
        return When(days=Fixed(*cycle(year, 0, Grain.CENTURY), Grain.CENTURY))
    return None


def _day_of_feast(
    scene: Scene, _the: object, number: Number | str, unit: Grain, _of: object, feast: When
) -> When | None:
    """As in "the first day of Passover", "the last day of Ramadan"."""
    if not isinstance(feast.days, Feast) or unit is not Grain.DAY:
        return None
    chosen = choose(feast.days, scene)
    if chosen is None:
        return None
    start, end = chosen[0]
    day = start + timedelta(days=number.whole - 1) if isinstance(number, Number) else end - timedelta(days=1)
    return When(days=dated(day), marks=feast.marks) if start <= day < end else None


RULES = (
    Rule(("the? ord|num weekday|weekdays of|in date",), _nth_weekday, weight=0.3),
    Rule(("the? ord unit of|in|after date",), _nth_unit, weight=0.3),
    Rule(("the? ord|num of date",), _ordinal_of, weight=0.2),
    Rule(("the? ord? to? the? last_word weekday of|in date",), _last_weekday, weight=0.9),
    Rule(("the? ord? to? the? last_word unit of|in date",), _last_unit, weight=0.9),
    Rule(("the? last_word weekend of|in date",), _last_weekend, weight=0.4),
    Rule(("the? ord weekend of|in date",), _nth_weekend, weight=0.3),
    Rule(("the? ord|last_word workday of|in date",), _nth_workday, weight=0.5),
    Rule(("the? ord num|amount unit of|in date",), _first_units, weight=0.5),
    Rule(("the? last_word num|amount unit of|in date",), _last_units, weight=0.5),
    Rule(("the? ord weekday after date",), _nth_after, weight=0.3),
    Rule(("the? ord|last_word unit of date",), _day_of_feast, weight=0.5),
    Rule(("the? ord dayword",), _day_of_year),
    Rule(("the? ord unit",), _ordinal_unit),
)

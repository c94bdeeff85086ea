"""Units by their numbers: week 50, Q3, FY27, the 1990s."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from calward.language.chart import Rule
from calward.language.days import Fixed, Months, WeekOfYear
from calward.language.grains import Grain, cycle
from calward.language.grammar.periods import directed_unit, edge_unit, fixed
from calward.language.scene import Scene
from calward.language.shapes import full_year
from calward.language.values import Number, When


def _part_of_year(_scene: Scene, which: str, number: Number) -> When | None:
    """As in "Q3", "H2"."""
    if which == "q" and 1 <= number.value <= 4:
        return When(days=Months(number.whole * 3 - 2, Grain.QUARTER))
    if which == "h" and 1 <= number.value <= 2:
        return When(days=Months(number.whole * 6 - 5, Grain.HALF))
    return None


def _part_of_year_after(scene: Scene, number: Number, which: str) -> When | None:
    """As in "3Q"; "2h" are two hours."""
    return _part_of_year(scene, which, number) if which == "q" else None


def _fiscal(_scene: Scene, _word: object, when: When) -> When | None:
    """As in "fiscal year 2027", "fiscal Q1": read by the calendar, and asked, since companies differ."""
    if when.days is None or when.days.grain < Grain.QUARTER:
        return None
    return replace(when, marks=when.marks - {"bare_year"} | {"fiscal_year"})


def _fiscal_number(_scene: Scene, _word: object, number: Number) -> When | None:
    """As in "FY27"."""
    if number.digits != 2:
        return None
    span = cycle(date(full_year(number.whole, 2), 1, 1), 0, Grain.YEAR)
    return When(days=Fixed(*span, Grain.YEAR), marks=frozenset({"fiscal_year"}))


def _fiscal_away(scene: Scene, _the: object, which: str, word: object, unit: Grain) -> When | None:
    found = directed_unit(scene, None, which, unit)
    return _fiscal(scene, word, found) if found else None


def _fiscal_edge(scene: Scene, edge: str, _the: object, _word: object, unit: Grain) -> When | None:
    found = edge_unit(scene, edge, None, unit)
    return found.marked("fiscal_year") if found and unit >= Grain.QUARTER else None


def _decade(_scene: Scene, _the: object, number: Number, _s: object) -> When | None:
    if number.whole % 10 or (number.digits != 4 and (_the is None or number.digits != 2)):
        return None
    year = number.whole if number.digits == 4 else (number.whole + (2000 if number.whole < 30 else 1900))
    start, end = cycle(date(year, 1, 1), 0, Grain.DECADE)
    return When(days=Fixed(start, end, Grain.DECADE))


def _week_number(scene: Scene, unit: Grain, number: Number) -> When | None:
    if unit is not Grain.WEEK or not 1 <= number.value <= 53:
        return None
    week = WeekOfYear(number.whole)
    span = week.of(scene.today.year)
    return When(days=fixed(span, week), marks=frozenset({"week_of_year"})) if span else None


def _week_number_of(_scene: Scene, unit: Grain, number: Number, _of: object, year: When) -> When | None:
    if unit is not Grain.WEEK or not isinstance(year.days, Fixed) or year.days.grain is not Grain.YEAR:
        return None
    span = WeekOfYear(number.whole).of(year.days.start.year) if 1 <= number.value <= 53 else None
    return When(days=fixed(span, WeekOfYear(1))) if span else None


def _week_number_in(_scene: Scene, unit: Grain, number: Number, _comma: object, year: Number) -> When | None:
    """As in "week 3 2027"."""
    if unit is not Grain.WEEK or not 1 <= number.value <= 53:
        return None
    span = WeekOfYear(number.whole).of(year.whole)
    return When(days=fixed(span, WeekOfYear(1))) if span else None


RULES = (
    Rule(("part_of_year num",), _part_of_year),
    Rule(("the? num s_years",), _decade, weight=0.4),
    Rule(("in the? num s_years",), lambda s, _i, the, n, word: _decade(s, the, n, word), weight=0.5),
    Rule(("unit num",), _week_number),
    Rule(("unit num of date",), _week_number_of, weight=0.3),
    Rule(("unit num comma|slash? yearnum",), _week_number_in, weight=0.3),
    Rule(("yearnum unit num",), lambda s, year, unit, n: _week_number_in(s, unit, n, None, year), weight=0.3),
    Rule(("fiscal date",), _fiscal, weight=0.3),
    Rule(("fiscal num",), _fiscal_number, weight=0.1),
    Rule(("the? dir fiscal unit",), _fiscal_away, weight=0.3),
    Rule(("edge the? fiscal unit",), _fiscal_edge, weight=0.3),
    Rule(("num part_of_year",), _part_of_year_after, weight=0.1),
)

"""Days by their names and numbers: "Friday", "the 4th of July", "March 3 2015", "Tuesday the 19th", "Easter
2030"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from calward.language.chart import Rule
from calward.language.days import Both, DayOfMonth, Days, Fixed, MonthDay, Months, Moved, Weekday, Weekend
from calward.language.feasts import Feast
from calward.language.grains import Grain, cycle
from calward.language.grammar.clocks import hour, today
from calward.language.grammar.merge import merge, with_year
from calward.language.scene import Scene
from calward.language.shapes import full_year
from calward.language.values import Number, When

LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _today(scene: Scene, offset: int) -> When:
    return When(days=today(scene, offset))


def _weekday(_scene: Scene, weekday: int, _dot: object) -> When:
    return When(days=Weekday(weekday))


def _month(_scene: Scene, month: int, _dot: object) -> When:
    return When(days=Months(month), marks=frozenset({"bare_month"}))


def _month_day(_scene: Scene, month: int, _dot: object, _the: object, number: Number) -> When | None:
    if number.value != number.whole or not 1 <= number.value <= LONGEST_MONTH[month - 1] or number.digits > 2:
        return None
    return When(days=MonthDay(month, number.whole))


def _day_month(
    scene: Scene, _the: object, number: Number, _day: object, _link: object, month: int, _dot: object
) -> When | None:
    return _month_day(scene, month, None, None, number)


def _date_year(scene: Scene, when: When, _link: object, number: Number) -> When | None:
    return with_year(scene, replace(when, marks=when.marks - {"bare_month"}), number.whole)


def _year_date(scene: Scene, number: Number, _link: object, when: When) -> When | None:
    return _date_year(scene, when, None, number)


def _date_short_year(scene: Scene, when: When, _link: object, number: Number) -> When | None:
    """As in "3rd Feb 82", "15 April of 87", "14th April 15"."""
    if number.digits != 2 or not isinstance(when.days, MonthDay):
        return None
    found = with_year(scene, when, full_year(number.whole, 2))
    return found.marked("short_year") if found else None


def _era(scene: Scene, when: When, number: Number, _ad: object) -> When | None:
    return with_year(scene, when, number.whole) if isinstance(when.days, MonthDay) else None


def _comma_era(scene: Scene, when: When, _comma: object, number: Number, _ad: object) -> When | None:
    return _era(scene, when, number, None)


def _year(_scene: Scene, number: Number, _ad: object) -> When | None:
    if not 1 <= number.value <= 9990:
        return None
    start, end = cycle(date(number.whole, 1, 1), 0, Grain.YEAR)
    return When(days=Fixed(start, end, Grain.YEAR), marks=frozenset({"bare_year"}))


def _said_year(scene: Scene, _in: object, number: Number) -> When | None:
    found = _year(scene, number, None)
    return replace(found, marks=frozenset()) if found else None


def _day_of_month(_scene: Scene, _on: object, _the: object, number: Number) -> When | None:
    if not 1 <= number.value <= 31 or number.value != number.whole:
        return None
    return When(days=DayOfMonth(number.whole))


def _bare_ordinal(scene: Scene, number: Number) -> When | None:
    found = _day_of_month(scene, None, None, number)
    return found.marked("latent") if found else None


def _weekday_number(
    _scene: Scene, weekday: int, _dot: object, _c: object, _the: object, number: Number
) -> When | None:
    if not 1 <= number.value <= 31 or number.value != number.whole:
        return None
    return When(days=Both(DayOfMonth(number.whole), Weekday(weekday)))


def _weekday_bare(scene: Scene, weekday: int, number: Number) -> When | None:
    """As in "Monday 21": a number no hour of the afternoon would be said by."""
    return (
        _weekday_number(scene, weekday, None, None, None, number)
        if number.whole > 12 and number.digits == 2
        else None
    )


def _number_today(scene: Scene, *parts: object) -> When | None:
    """As in "9 tomorrow"."""
    number, offset = parts[-2], parts[-1]
    assert isinstance(number, Number)
    assert isinstance(offset, int)
    return _today_number(scene, number, offset)


def _today_number(scene: Scene, number: Number, offset: int) -> When | None:
    """As in "Tomorrow 3"."""
    clock = hour(number)
    return When(days=today(scene, offset), clock=clock) if clock and number.value else None


def _number_weekday(_scene: Scene, first: Number | int, second: Number | int) -> When | None:
    """As in "3 Friday": an hour, where no other reading is there."""
    number, weekday = (first, second) if isinstance(first, Number) else (second, first)
    if not isinstance(number, Number) or not isinstance(weekday, int) or not 1 <= number.value <= 12:
        return None
    clock = hour(number)
    return When(days=Weekday(weekday), clock=clock, marks=frozenset({"bare_hour"})) if clock else None


def _feast(scene: Scene, key: str) -> When | None:
    days = Feast(key, scene.conventions.region)
    marks = frozenset({"moon"}) if days.follows_the_moon else frozenset[str]()
    return When(days=days, marks=marks) if days.known else None


def _eve(scene: Scene, key: str, _word: object) -> When | None:
    """The day before a feast that has no name of its own, as in "Thanksgiving eve"."""
    found = _feast(scene, key)
    return replace(found, days=Moved(found.days, -1, Grain.DAY)) if found and found.days else None


def _both(scene: Scene, first: When, link: object, second: When) -> When | None:
    if link is None and isinstance(first.days, Weekday) and _is_by_name(scene, second.days):
        # "Samstag morgen" is its morning, not Saturday and tomorrow.
        return None
    found = merge(scene, first, second)
    return replace(found, marks=found.marks - {"bare_month", "bare_year", "latent"}) if found else None


def _is_by_name(scene: Scene, days: Days | None) -> bool:
    """Whether a day is today, tomorrow or yesterday."""
    if not isinstance(days, Fixed) or days.grain is not Grain.DAY:
        return False
    return abs((days.start - scene.today).days) <= 1


def _pass(_scene: Scene, word: object, when: When) -> When:
    """A word before a day; "at 5th" is rather a street."""
    return when if word == "at" else replace(when, marks=when.marks - {"latent"})


def _over(_scene: Scene, _in: object, when: When) -> When | None:
    """As in "over the weekend", "over Christmas"."""
    if (
        "latent" in when.marks
        or when.days is None
        or (when.days.grain is Grain.DAY and not isinstance(when.days, Feast))
    ):
        return None
    return when


def _whole(_scene: Scene, _word: object, when: When) -> When | None:
    """As in "all next week", "the whole of December"."""
    long = when.category == "date" and when.days is not None and when.days.grain > Grain.DAY
    return replace(when, marks=when.marks - {"latent", "bare_month"}) if long else None


def _all_day(_scene: Scene, _word: object, _link: object, when: When) -> When | None:
    return when if when.category == "date" else None


def _said_month(_scene: Scene, _in: object, _the: object, when: When) -> When | None:
    if "bare_month" in when.marks or "bare_year" in when.marks:
        return replace(when, marks=when.marks - {"bare_month", "bare_year"})
    return None


RULES = (
    Rule(("today",), _today, weight=0.3),
    Rule(("weekday dot?",), _weekday),
    Rule(("month dot?",), _month, weight=-0.1),
    Rule(("month dot|comma|dash|slash? the? ord|num",), _month_day),
    Rule(("the? ord|num dayword? of|dash|slash|dot? month dot?",), _day_month),
    Rule(("date of|in|comma|dash|slash? yearnum",), _date_year, weight=0.3),
    Rule(("date in year_of yearnum",), lambda s, w, _i, _y, n: _date_year(s, w, None, n), weight=0.3),
    Rule(("yearnum comma|dash|slash? date",), _year_date, weight=0.1),
    Rule(("date of|comma|dash? num",), _date_short_year, weight=-0.2),
    Rule(("date num ad",), _era, weight=0.4),
    Rule(("date comma num ad",), _comma_era, weight=0.4),
    Rule(("yearnum ad?",), _year, weight=-0.5),
    Rule(("in|year_of|since yearnum",), _said_year, weight=0.1),
    Rule(("in year_of yearnum",), lambda s, _i, y, n: _said_year(s, y, n)),
    Rule(("on the? ord|num", "on? the ord|num"), _day_of_month, weight=-0.3),
    Rule(("ord",), _bare_ordinal, weight=-0.8),
    Rule(("weekday dot? comma? the ord|num", "weekday dot? comma? the? ord"), _weekday_number),
    Rule(("weekday num",), _weekday_bare, weight=-0.1),
    Rule(("num today", "at num today"), _number_today),
    Rule(("today num",), lambda s, day, number: _today_number(s, number, day), weight=-0.1),
    Rule(("num weekday", "weekday num"), _number_weekday, weight=-0.9),
    Rule(("feast",), _feast, weight=0.2),
    Rule(("feast eve",), _eve, weight=0.3),
    Rule(("on|for|the|at|about|by date",), _pass, weight=0.1),
    Rule(("in the? date",), _said_month, weight=0.2),
    Rule(("in date",), _over),
    Rule(("allday comma|on|of? date",), _all_day, weight=0.1),
    Rule(("date comma? allday",), lambda s, when, _c, word: _all_day(s, word, None, when), weight=0.1),
    Rule(("whole date",), _whole, weight=0.2),
    Rule(("whole weekend",), lambda _s, _all, _word: When(days=Weekend()), weight=0.2),
    Rule(("date dot clock",), _both, weight=0.1),
    Rule(
        ("date comma? dotted",), lambda s, when, _c, clock: _both(s, when, None, When(clock=clock)), weight=0.1
    ),
    Rule(("date|clock|part|when comma|on|at|of|dash|in? date|clock|part|when",), _both, weight=0.1),
)

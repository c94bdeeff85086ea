"""What bounds a recurrence: when it starts and ends, how many times, at what hour, what is left out."""

from __future__ import annotations

from dataclasses import replace

from calward.language.chart import Rule
from calward.language.days import Both, DayOfMonth, Fixed, Weekday
from calward.language.grains import Grain
from calward.language.grammar.cycles import ALL_WEEK, MOST_TIMES, Weekdays, weekly
from calward.language.scene import Scene
from calward.language.values import Bound, Cycle, Length, Number, Stretch, When


def _times(_scene: Scene, cycle: Cycle, _for: object, number: Number, _word: object) -> Cycle | None:
    return _counted(cycle, number.whole)


def _times_word(_scene: Scene, cycle: Cycle, times: int) -> Cycle | None:
    return _counted(cycle, times) if times > 1 else None


def _counted(cycle: Cycle, count: int) -> Cycle | None:
    return replace(cycle, count=count) if cycle.count is None and 1 <= count <= MOST_TIMES else None


def _starting(_scene: Scene, cycle: Cycle, _comma: object, _word: object, when: When) -> Cycle | None:
    return replace(cycle, start=when) if cycle.start is None else None


def _starting_first(
    _scene: Scene, _word: object, _in: object, when: When, _comma: object, cycle: Cycle
) -> Cycle | None:
    return replace(cycle, start=when) if cycle.start is None else None


def _until(_scene: Scene, cycle: Cycle, _comma: object, _word: object, when: When) -> Cycle | None:
    if cycle.until is not None or cycle.lasting is not None or (isinstance(when.days, Weekday) and cycle.byday):
        return None
    return replace(cycle, until=when)


def _through(scene: Scene, cycle: Cycle, _comma: object, _word: object, when: When) -> Cycle | None:
    """As in "through December": to its last day."""
    return _until(scene, cycle, None, None, when.marked("whole"))


def _within(scene: Scene, cycle: Cycle, _in: object, when: When) -> Cycle | None:
    """As in "every day this week", "every Monday next month"."""
    days = when.days
    if cycle.start is not None or cycle.until is not None or cycle.freq > Grain.WEEK:
        return None
    if "week_of_year" in when.marks:
        return None
    if not isinstance(days, Fixed) or days.grain not in (Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR):
        return None
    start = replace(days, start=max(days.start, scene.today)) if scene.today < days.end else days
    return replace(cycle, start=replace(when, days=start), until=when.marked("whole"))


def _between(_scene: Scene, cycle: Cycle, _comma: object, span: Stretch) -> Cycle | None:
    """As in "from January to March": dates bound the series, times of day are those of each occurrence."""
    first, last = span.first, span.last
    if span.bound is not Bound.BETWEEN or first is None or last is None:
        return None
    if first.clock is not None and last.clock is not None and first.days is None and last.days is None:
        if cycle.clock is not None:
            return None
        # Every half hour "from 9 to 5": the hours of a day would have to be listed, so it is asked.
        marks = cycle.marks | (frozenset({"hours_of_day"}) if cycle.freq < Grain.DAY else frozenset())
        return replace(cycle, clock=first.clock, clock_end=last.clock, part=span.part, marks=marks)
    if first.clock is None and last.clock is None and first.days is not None and last.days is not None:
        if isinstance(first.days, Weekday) or cycle.start is not None or cycle.until is not None:
            return None
        return replace(cycle, start=first, until=last.marked("whole"))
    return None


def _lasting(_scene: Scene, cycle: Cycle, _for: object, length: Length) -> Cycle | None:
    """As in "for two months": that bounds a series; "for an hour" is the length of each occurrence."""
    if length.finest < Grain.DAY:
        return replace(cycle, length=length) if cycle.length is None else None
    return replace(cycle, lasting=length) if cycle.lasting is None and cycle.until is None else None


def _for_the_next(
    _scene: Scene, cycle: Cycle, _for: object, _the: object, which: str, length: Length
) -> Cycle | None:
    return _lasting(_scene, cycle, None, length) if which in ("next", "coming", "upcoming") else None


def _for_the_next_unit(
    scene: Scene, cycle: Cycle, _for: object, _the: object, which: str, unit: Grain
) -> Cycle | None:
    return _for_the_next(scene, cycle, None, None, which, Length(((1, unit),)))


def _next_few(_scene: Scene, _the: object, which: str, number: Number | int, days: Weekdays) -> Cycle | None:
    """As in "the next three Fridays"; the next three working days are a stretch."""
    count = number.whole if isinstance(number, Number) else number
    if which not in ("next", "coming", "upcoming") or not days.plural or len(days.days) > 2:
        return None
    return _counted(weekly(days), count * len(days.days)) if count > 1 else None


def at_time(_scene: Scene, cycle: Cycle, _link: object, when: When) -> Cycle | None:
    if cycle.clock is not None or cycle.freq < Grain.DAY:
        return None
    if when.days is not None or when.at is not None:
        return None
    if when.part is not None and cycle.part is not None:
        return None
    return replace(
        cycle, clock=when.clock, part=when.part or cycle.part, marks=cycle.marks | when.marks - {"latent"}
    )


def _at_first(scene: Scene, when: When, _link: object, cycle: Cycle) -> Cycle | None:
    return at_time(scene, cycle, None, when)


def _except_days(_scene: Scene, cycle: Cycle, _comma: object, _word: object, days: Weekdays) -> Cycle | None:
    """As in "every day except Sunday": the other days of the week."""
    if cycle.freq is Grain.DAY and cycle.interval == 1 and not cycle.byday:
        left = tuple((0, day) for day in ALL_WEEK if day not in days.days)
        return replace(cycle, freq=Grain.WEEK, byday=left, plain=False) if left else None
    if cycle.freq is Grain.WEEK and cycle.byday:
        left = tuple(pair for pair in cycle.byday if pair[1] not in days.days)
        return replace(cycle, byday=left) if left and left != cycle.byday else None
    return None


def _except_date(_scene: Scene, cycle: Cycle, _comma: object, _word: object, when: When) -> Cycle | None:
    if (
        when.days is None
        or when.days.grain is not Grain.DAY
        or isinstance(when.days, Weekday | DayOfMonth | Both)
    ):
        return None
    return replace(cycle, except_=(*cycle.except_, when)) if len(cycle.except_) < 20 else None


RULES = (
    Rule(("cycle comma? for? num times",), lambda s, cycle, _c, f, n, t: _times(s, cycle, f, n, t), weight=0.3),
    Rule(("cycle times_word",), _times_word, weight=0.3),
    Rule(("cycle comma? from|starting date",), _starting, weight=0.3),
    Rule(("from|starting in? date comma? cycle",), _starting_first, weight=0.4),
    Rule(("cycle comma? until|to|by date",), _until, weight=0.3),
    Rule(("cycle comma? through date",), _through, weight=0.5),
    Rule(("cycle comma|in|of? date",), _within, weight=0.1),
    Rule(("cycle comma? span",), _between, weight=0.3),
    Rule(("span comma|on? cycle",), lambda s, span, _c, cycle: _between(s, cycle, None, span), weight=0.3),
    Rule(("cycle for length",), _lasting, weight=0.3),
    Rule(("cycle for the? dir length",), _for_the_next, weight=0.5),
    Rule(("cycle for the? dir unit",), _for_the_next_unit, weight=0.5),
    Rule(("the? dir num|amount weekdaylist",), _next_few, weight=0.4),
    Rule(
        ("for|on the? dir num|amount weekdaylist",),
        lambda s, _f, t, w, n, d: _next_few(s, t, w, n, d),
        weight=0.4,
    ),
    Rule(("cycle comma|at|in|on? clock|part",), at_time, weight=0.3),
    Rule(("clock|part comma|on? cycle",), _at_first, weight=0.3),
    Rule(("cycle comma? except|but weekdaylist",), _except_days, weight=0.4),
    Rule(("cycle comma? except date",), _except_date, weight=0.3),
)

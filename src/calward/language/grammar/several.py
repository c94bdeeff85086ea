"""Several days or hours that recur together: "1st and 3rd Tuesday", "weekday mornings", "Mon-Fri 9-5"."""

from __future__ import annotations

from dataclasses import replace

from calward.language.chart import Rule
from calward.language.days import Both, DayOfMonth, Fixed, MonthDay, Weekday
from calward.language.grains import Grain
from calward.language.grammar.cycles import NthDays, Weekdays, placed, plain, weekly
from calward.language.scene import Scene
from calward.language.values import Bound, Cycle, Number, Part, Stretch, When

EACH_DAY = frozenset({"each_day"})
"""People may mean one stretch from the first morning to the last evening."""


def _more_days(_scene: Scene, first: Weekdays, _slash: object, last: Weekdays) -> Weekdays | None:
    """As in "Mon/Wed/Fri"."""
    if set(first.days) & set(last.days):
        return None
    return Weekdays(first.days + last.days, first.plural or last.plural)


def _three_days(_scene: Scene, days: Weekdays) -> Cycle | None:
    """As in "Mon/Wed/Fri at 7": three days and more that are named together come every week."""
    apart = any((a + 1) % 7 != b for a, b in zip(days.days, days.days[1:], strict=False))
    return replace(weekly(days), marks=EACH_DAY) if len(days.days) >= 3 and apart else None


def _parts(_scene: Scene, _on: object, days: Weekdays, name: str) -> Cycle:
    """As in "Sunday evenings", "on weekday mornings"."""
    return replace(weekly(days), part=Part(name))


def _every_other_part(_scene: Scene, _every: object, _other: object, name: str) -> Cycle:
    """As in "every other evening"."""
    return Cycle(Grain.DAY, interval=2, part=Part(name))


def _times(_scene: Scene, cycle: Cycle, _word: object, number: Number) -> Cycle | None:
    """As in "every Monday x10"."""
    return replace(cycle, count=number.whole) if cycle.count is None and 2 <= number.value <= 1000 else None


def _all_days(_scene: Scene, _all: object, days: Weekdays) -> Cycle | None:
    """As in "all Mondays"."""
    return weekly(days) if days.plural else None


def _every_nth(_scene: Scene, _every: object, nth: NthDays) -> Cycle | None:
    """As in "every 1st and 3rd Tuesday": of a month, since nobody counts weeks in two ways at once."""
    return placed(Cycle(Grain.MONTH, plain=True), nth) if _several(nth) else None


def _nth_of_unit(
    _scene: Scene, _the: object, nth: NthDays, _of: object, _the2: object, unit: Grain
) -> Cycle | None:
    """As in "1st and 3rd Tuesday of the month"."""
    cycle = plain(unit, 1) if _several(nth) and unit is Grain.MONTH else None
    return placed(cycle, nth) if cycle else None


def _several(nth: NthDays) -> bool:
    return len({number for number, _ in nth.pairs}) > 1


def _both(_scene: Scene, first: Cycle, _and: object, last: Cycle) -> Cycle | None:
    """As in "every Tuesday and every Thursday"."""
    weeks = first.freq is Grain.WEEK and bool(first.byday) and not set(first.byday) & set(last.byday)
    joined = replace(first, byday=first.byday + last.byday)
    return joined if weeks and replace(last, byday=joined.byday) == joined else None


def _times_over(_scene: Scene, times: int, cycle: Cycle) -> Cycle | None:
    """As in "once every two weeks"."""
    return cycle if times == 1 else None


def _hours_of_days(_scene: Scene, days: Stretch, _link: object, hours: Stretch) -> Cycle | None:
    """As in "Monday to Friday 9-5": those hours on each of the days."""
    each = _each_day(days)
    first, last = hours.first, hours.last
    if each is None or hours.bound is not Bound.BETWEEN or first is None or last is None:
        return None
    if first.clock is None or last.clock is None or first.days or last.days or hours.days:
        return None
    return replace(each, clock=first.clock, clock_end=last.clock, part=hours.part)


def _days_after_hours(scene: Scene, hours: Stretch, _link: object, days: Stretch) -> Cycle | None:
    return _hours_of_days(scene, days, None, hours)


def _hour_of_days(_scene: Scene, days: Stretch, _at: object, when: When) -> Cycle | None:
    """As in "Monday to Friday at 9"."""
    each = _each_day(days)
    weekdays = days.first is not None and isinstance(days.first.days, Weekday)
    return replace(each, clock=when.clock) if each and weekdays and when.clock else None


def _each_day(days: Stretch) -> Cycle | None:
    first, last = days.first, days.last
    if days.bound is not Bound.BETWEEN or first is None or last is None:
        return None
    plain_days = (Weekday, MonthDay, DayOfMonth, Fixed, Both)
    for end in (first, last):
        if end.category != "date" or not isinstance(end.days, plain_days) or end.days.grain is not Grain.DAY:
            return None
    return Cycle(Grain.DAY, start=first, until=last, marks=(first.marks | last.marks) | EACH_DAY)


def _numbered_times(_scene: Scene, number: Number, days: Weekdays) -> Cycle | None:
    """As in "6 Tuesdays"."""
    if not days.plural or len(days.days) > 1 or not 2 <= number.value <= 60:
        return None
    return replace(weekly(days), count=number.whole)


RULES = (
    Rule(("weekdaylist slash weekdaylist",), _more_days, category="weekdaylist"),
    Rule(("on? weekdaylist",), lambda s, _on, days: _three_days(s, days), weight=-0.3),
    Rule(("on? weekdaylist dayparts",), _parts, weight=0.4),
    Rule(("whole weekdaylist",), _all_days, weight=0.2),
    Rule(("every other daypart",), _every_other_part, weight=0.3),
    Rule(("cycle multiplied num",), _times, weight=0.3),
    Rule(("every nthdays",), _every_nth, weight=0.5),
    Rule(("the? nthdays of|in the unit",), _nth_of_unit, weight=0.5),
    Rule(("cycle and cycle",), _both, weight=0.4),
    Rule(("times_word cycle",), _times_over, weight=0.2),
    Rule(("num weekdaylist",), _numbered_times, weight=-0.2),
    Rule(("span comma? span",), _hours_of_days, weight=0.5),
    Rule(("span comma|on? span",), _days_after_hours, weight=0.5),
    Rule(("span comma|at? clock",), _hour_of_days, weight=0.3),
)

"""Recurrences: "every other Friday", "the first and last Monday of each month", "daily until March", "weekdays
at 9"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calward.language.chart import Rule
from calward.language.days import MonthDay, Months, Nth, Weekday
from calward.language.feasts import Feast, yearly_date
from calward.language.grains import Grain
from calward.language.scene import Scene
from calward.language.values import Cycle, Length, Number, Part, When

MOST_TIMES = 1000
ALL_WEEK = tuple(range(7))


@dataclass(frozen=True, slots=True)
class Weekdays:
    """Some weekdays. ``plural`` makes a recurrence of them by itself ("Tuesdays")."""

    days: tuple[int, ...]
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """Places in an order, such as first and last; negative counts from the end."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NthDays:
    """Weekdays by their place: the first and third Friday, or the last working instance of several."""

    pairs: tuple[tuple[int, int], ...]
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MonthDays:
    """Days of one month of the year."""

    month: int
    days: tuple[int, ...]


# --- what is repeated: lists of days


def _weekday(_scene: Scene, day: int, _dot: object) -> Weekdays:
    return Weekdays((day,))


def _weekdays(_scene: Scene, day: int) -> Weekdays:
    return Weekdays((day,), plural=True)


def _working(_scene: Scene, word: str) -> Weekdays:
    return Weekdays(tuple(range(5)), plural=word == "workdays")


def _weekend(_scene: Scene, word: str) -> Weekdays:
    return Weekdays((5, 6), plural=word == "weekends")


def _more_days(_scene: Scene, first: Weekdays, _c: object, _and: object, last: Weekdays) -> Weekdays | None:
    if set(first.days) & set(last.days):
        return None
    return Weekdays(first.days + last.days, first.plural or last.plural)


def _through(_scene: Scene, first: Weekdays, _to: object, last: Weekdays) -> Weekdays | None:
    if len(first.days) != 1 or len(last.days) != 1:
        return None
    count = (last.days[0] - first.days[0]) % 7 + 1
    days = tuple((first.days[0] + n) % 7 for n in range(count))
    return Weekdays(days, first.plural or last.plural)


def _place(_scene: Scene, _the: object, number: Number) -> Places | None:
    return Places((number.whole,)) if 1 <= number.value <= 366 else None


def _last(_scene: Scene, _the: object, number: Number | None, _to: object, _the2: object, _l: object) -> Places:
    return Places((-(number.whole if number else 1),))


def _more_places(_scene: Scene, first: Places, _c: object, _and: object, last: Places) -> Places | None:
    return Places(first.numbers + last.numbers) if not set(first.numbers) & set(last.numbers) else None


def _nth_days(_scene: Scene, places: Places, instance: object, days: Weekdays) -> NthDays:
    if instance is not None or len(days.days) == 5:
        return NthDays(tuple((0, day) for day in days.days), places.numbers)
    return NthDays(tuple((number, day) for day in days.days for number in places.numbers))


def _more_nth_days(_scene: Scene, first: NthDays, _c: object, _and: object, last: NthDays) -> NthDays | None:
    return NthDays(first.pairs + last.pairs) if not first.positions + last.positions else None


def _month_days(_scene: Scene, month: int, _on: object, _day: object, places: Places) -> MonthDays | None:
    return MonthDays(month, places.numbers) if all(1 <= n <= 31 for n in places.numbers) else None


def _days_of_month(_scene: Scene, places: Places, _of: object, month: int) -> MonthDays | None:
    return _month_days(_scene, month, None, None, places)


def _number_places(_scene: Scene, first: Number, _and: object, last: Number) -> Places | None:
    if not 1 <= first.value < last.value <= 31 or first.value != first.whole:
        return None
    return Places((first.whole, last.whole))


def _one_place(_scene: Scene, number: Number) -> Places | None:
    return Places((number.whole,)) if 1 <= number.value <= 31 and number.value == number.whole else None


# --- how often


def _every(_scene: Scene, _every: object, unit: Grain) -> Cycle | None:
    return plain(unit, 1)


def _every_other(_scene: Scene, _every: object, _other: object, unit: Grain) -> Cycle | None:
    return plain(unit, 2)


def _every_nth(_scene: Scene, _every: object, number: Number, unit: Grain) -> Cycle | None:
    return (
        plain(unit, number.whole) if 1 <= number.value <= MOST_TIMES and number.value == number.whole else None
    )


def _adverb(_scene: Scene, unit: Grain) -> Cycle | None:
    return plain(unit, 1)


def _biadverb(_scene: Scene, unit: Grain) -> Cycle | None:
    return plain(unit, 2)


def _once_a(_scene: Scene, times: int, _a: object, unit: Grain) -> Cycle | None:
    return plain(unit, 1) if times == 1 else None


def plain(unit: Grain, interval: int) -> Cycle | None:
    """A bare frequency; quarters are three months, decades ten years."""
    if unit is Grain.QUARTER:
        return Cycle(Grain.MONTH, interval * 3, plain=True)
    if unit is Grain.HALF:
        return Cycle(Grain.MONTH, interval * 6, plain=True)
    if unit is Grain.DECADE:
        return Cycle(Grain.YEAR, interval * 10, plain=True)
    return Cycle(unit, interval, plain=True) if unit in (*range(6), Grain.YEAR) else None


def weekly(days: Weekdays, interval: int = 1) -> Cycle:
    return Cycle(Grain.WEEK, interval, byday=tuple((0, day) for day in days.days))


def _every_days(_scene: Scene, _every: object, days: Weekdays) -> Cycle:
    return weekly(days)


def _every_other_days(_scene: Scene, _every: object, _other: object, days: Weekdays) -> Cycle:
    return weekly(days, 2)


def _every_nth_days(_scene: Scene, _every: object, number: Number, days: Weekdays) -> Cycle | None:
    if number.value == 1:
        # "Every first Monday" is that of each month; "every second" and "every third" count weeks.
        return Cycle(Grain.MONTH, byday=tuple((1, day) for day in days.days))
    return weekly(days, number.whole) if 1 <= number.value <= MOST_TIMES else None


def _other_plural(_scene: Scene, _other: object, days: Weekdays) -> Cycle | None:
    """As in "Alternate Fridays"."""
    return weekly(days, 2) if days.plural and _other == "alternate" else None


def _every_part(_scene: Scene, _every: object, name: str) -> Cycle:
    """As in "Every morning"."""
    return Cycle(Grain.DAY, part=Part(name))


def _every_length(_scene: Scene, _every: object, length: Length) -> Cycle | None:
    """As in "Every half hour", "every hour and a half"."""
    count, unit = length.amounts[0]
    whole = len(length.amounts) == 1 and count == int(count) and 1 <= count <= MOST_TIMES
    return plain(unit, int(count)) if whole and "working_days" not in length.marks else None


def _every_ordinal(_scene: Scene, _every: object, number: Number) -> Cycle | None:
    """As in "Every 15th"."""
    return placed(Cycle(Grain.MONTH, plain=True), Places((number.whole,))) if 1 <= number.value <= 31 else None


def _every_last(_scene: Scene, _every: object, _last: object, days: Weekdays) -> Cycle:
    """As in "Every last Friday": of the month."""
    return Cycle(Grain.MONTH, byday=tuple((-1, day) for day in days.days))


def _plural_days(_scene: Scene, _on: object, days: Weekdays) -> Cycle | None:
    return weekly(days) if days.plural else None


def _every_nth_of_unit(
    _scene: Scene, _every: object, nth: NthDays | Places, _day: object, _of: object, _the: object, unit: Grain
) -> Cycle | None:
    return placed(Cycle(unit, plain=True), nth)


def _nth_of_cycle(
    _scene: Scene, _on: object, nth: NthDays | Places, _day: object, _of: object, cycle: Cycle
) -> Cycle | None:
    return placed(cycle, nth)


def _cycle_on_nth(
    _scene: Scene, cycle: Cycle, _on: object, nth: NthDays | Places, _day: object
) -> Cycle | None:
    return placed(cycle, nth)


def _cycle_on_day_number(
    _scene: Scene, cycle: Cycle, _on: object, _the: object, _day: object, places: Places
) -> Cycle | None:
    return placed(cycle, places)


def placed(cycle: Cycle, nth: NthDays | Places) -> Cycle | None:
    """Put days into a plain frequency: the 4th of a month, the first Friday of a year, the fourth day of a
    week."""
    if not cycle.plain or cycle.freq not in (Grain.WEEK, Grain.MONTH, Grain.YEAR):
        return None
    if isinstance(nth, NthDays):
        if cycle.freq is Grain.WEEK:
            return None
        return replace(cycle, byday=nth.pairs, bysetpos=nth.positions, plain=False)
    if cycle.freq is Grain.WEEK:
        # Days of the week are counted from Sunday where they are numbered at all.
        days = tuple((0, (number + 5) % 7) for number in nth.numbers if 1 <= number <= 7)
        return replace(cycle, byday=days, plain=False) if days else None
    if cycle.freq is Grain.YEAR:
        return replace(cycle, byyearday=nth.numbers, plain=False)
    return replace(cycle, bymonthday=nth.numbers, plain=False) if max(nth.numbers) <= 31 else None


def _cycle_on_days(_scene: Scene, cycle: Cycle, _on: object, days: Weekdays) -> Cycle | None:
    """As in "weekly on Monday", "every day Monday to Friday"."""
    if cycle.plain and cycle.freq is Grain.DAY and cycle.interval == 1:
        return weekly(days)
    if not cycle.plain or cycle.freq not in (Grain.WEEK, Grain.MONTH, Grain.YEAR):
        return None
    return replace(cycle, byday=tuple((0, day) for day in days.days), plain=False)


def _cycle_at_edge(_scene: Scene, cycle: Cycle, _at: object, _the: object, word: str) -> Cycle | None:
    return _edge(cycle, word)


def _edge_of_cycle(_scene: Scene, _the: object, word: str, _of: object, cycle: Cycle) -> Cycle | None:
    return _edge(cycle, word)


def _edge(cycle: Cycle, word: str) -> Cycle | None:
    if not cycle.plain or cycle.freq is not Grain.MONTH:
        return None
    number = {"start": 1, "beginning_of": 1, "end": -1, "end_of": -1}.get(word)
    return replace(cycle, bymonthday=(number,), plain=False) if number else None


def _every_month_days(_scene: Scene, _every: object, days: MonthDays) -> Cycle:
    return Cycle(Grain.YEAR, bymonth=(days.month,), bymonthday=days.days)


def _cycle_on_month_days(_scene: Scene, cycle: Cycle, _on: object, days: MonthDays) -> Cycle | None:
    if not cycle.plain or cycle.freq is not Grain.YEAR:
        return None
    return replace(cycle, bymonth=(days.month,), bymonthday=days.days, plain=False)


def _every_date(scene: Scene, _every: object, when: When) -> Cycle | None:
    return _cycle_on_date(scene, Cycle(Grain.YEAR, plain=True), None, when)


def _cycle_on_date(_scene: Scene, cycle: Cycle, _on: object, when: When) -> Cycle | None:
    """A yearly date; of feasts those that have a rule RFC 5545 can write."""
    if not cycle.plain or cycle.freq is not Grain.YEAR or when.days is None:
        return None
    match yearly_date(when.days) if isinstance(when.days, Feast) else when.days:
        case MonthDay(month=month, day=day):
            return replace(cycle, bymonth=(month,), bymonthday=(day,), plain=False)
        case Nth(number=number, inner=Weekday(weekday=weekday), outer=outer) if isinstance(outer, Months):
            return replace(cycle, bymonth=(outer.first,), byday=((number, weekday),), plain=False)
        case Months(first=first, grain=Grain.MONTH):
            return replace(cycle, bymonth=(first,), plain=False)
        case _:
            return None


def _in_week(_scene: Scene, cycle: Cycle, _in: object, unit: Grain, places: Places) -> Cycle | None:
    if unit is not Grain.WEEK or not all(1 <= n <= 53 for n in places.numbers) or cycle.byweekno:
        return None
    if (cycle.plain and cycle.freq is Grain.YEAR) or (cycle.byday and cycle.freq in (Grain.WEEK, Grain.YEAR)):
        return replace(cycle, freq=Grain.YEAR, byweekno=places.numbers, plain=False)
    return None


def _in_month(_scene: Scene, cycle: Cycle, _in: object, month: int) -> Cycle | None:
    """As in "every day in January"."""
    if cycle.bymonth or cycle.freq not in (Grain.DAY, Grain.WEEK):
        return None
    return replace(cycle, bymonth=(month,), plain=False)


def _pass(_scene: Scene, _word: object, cycle: Cycle) -> Cycle:
    return cycle


PLACED = "nthdays|places"
RULES = (
    Rule(("weekday dot?",), _weekday, category="weekdaylist"),
    Rule(("weekdays",), _weekdays, category="weekdaylist"),
    Rule(("workday|workdays",), _working, category="weekdaylist"),
    Rule(("weekend|weekends",), _weekend, category="weekdaylist"),
    Rule(
        ("weekdaylist comma? and|or weekdaylist", "weekdaylist comma and? weekdaylist"),
        _more_days,
        category="weekdaylist",
    ),
    Rule(("weekdaylist to|dash weekdaylist",), _through, category="weekdaylist", weight=0.1),
    Rule(("the? ord",), _place, category="places"),
    Rule(("the? ord? to? the? last_word",), _last, category="places"),
    Rule(("places comma? and places", "places comma and? places"), _more_places, category="places"),
    Rule(("places instance? weekdaylist",), _nth_days, category="nthdays"),
    Rule(("nthdays comma? and nthdays",), _more_nth_days, category="nthdays"),
    Rule(("month on? dayword? places|numberplaces",), _month_days, category="monthdays"),
    Rule(("places of month",), _days_of_month, category="monthdays"),
    Rule(("num and num",), _number_places, category="numberplaces"),
    Rule(("num",), _one_place, category="numberplaces", weight=-0.1),
    Rule(("every unit",), _every, weight=0.2),
    Rule(("every other unit",), _every_other, weight=0.2),
    Rule(("every num|ord unit",), _every_nth, weight=0.2),
    Rule(("adverb",), _adverb),
    Rule(("biadverb",), _biadverb),
    Rule(("times_word a|every unit",), _once_a, weight=0.2),
    Rule(("every weekdaylist",), _every_days, weight=0.2),
    Rule(("every other weekdaylist",), _every_other_days, weight=0.3),
    Rule(("every num|ord weekdaylist",), _every_nth_days, weight=0.2),
    Rule(("every last_word weekdaylist",), _every_last, weight=0.3),
    Rule(("every daypart",), _every_part, weight=0.2),
    Rule(("every length",), _every_length),
    Rule(("every ord",), _every_ordinal, weight=-0.3),
    Rule(("alternate weekdaylist",), _other_plural, weight=0.2),
    Rule(("on? weekdaylist",), _plural_days, weight=0.1),
    Rule((f"every {PLACED} dayword? of|in the? unit",), _every_nth_of_unit, weight=0.5),
    Rule((f"on? {PLACED} dayword? of|in? cycle",), _nth_of_cycle, weight=0.5),
    Rule((f"cycle comma|on|at? {PLACED} dayword?",), _cycle_on_nth, weight=0.3),
    Rule(("cycle on the? dayword numberplaces",), _cycle_on_day_number, weight=0.3),
    Rule(("cycle comma|on|in|at? weekdaylist",), _cycle_on_days, weight=0.3),
    Rule(("cycle at|on the? beginning_of|end_of",), _cycle_at_edge, weight=0.3),
    Rule(("the? beginning_of|end_of of cycle",), _edge_of_cycle, weight=0.5),
    Rule(("edge cycle",), lambda s, word, cycle: _edge_of_cycle(s, None, word, None, cycle), weight=0.5),
    Rule(("every monthdays",), _every_month_days, weight=0.3),
    Rule(("cycle on? monthdays",), _cycle_on_month_days, weight=0.3),
    Rule(("every date",), _every_date, weight=0.3),
    Rule(("cycle on|in? date",), _cycle_on_date, weight=0.3),
    Rule(("cycle in|on unit numberplaces",), _in_week, weight=0.3),
    Rule(("cycle in month",), _in_month, weight=0.1),
    Rule(("on cycle",), _pass, weight=0.1),
)

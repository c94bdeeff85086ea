"""The date half of a rule: which days of a month, a year or a week-numbering year its BY parts name.

Follows the table of RFC 5545 §3.3.10 ("expand" and "limit") with what DTSTART fills in, and SKIP of RFC 7529
§4.1. Days are offsets from the first day of the period. An offset can lie one day outside it, where SKIP moved
a date that does not exist into the next or the previous period.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from calward.model.rule import Freq, Rule, Skip
from calward.recurrence.days import MONTH_STARTS, is_leap, month_span, week_of, week_year_start, year_start


@dataclass(frozen=True, slots=True)
class DateParts:
    """The BY parts that speak of days, and the day DTSTART names where they leave one open."""

    months: tuple[int, ...]
    month_days: frozenset[int]
    year_days: frozenset[int]
    week_nos: frozenset[int]
    weekdays: dict[int, frozenset[int]]
    """Weekday to the ordinals asked for; 0 means every one."""
    week_start: int
    skip: Skip
    start: date

    @property
    def limits(self) -> bool:
        """Whether any part at all speaks of days."""
        return bool(self.months or self.month_days or self.year_days or self.week_nos or self.weekdays)


def date_parts(rule: Rule, start: date) -> DateParts:
    """Ordinals in BYDAY count only where the RFC allows them: MONTHLY, and YEARLY without BYWEEKNO."""
    ordinals = rule.freq is Freq.MONTHLY or (rule.freq is Freq.YEARLY and not rule.by_week_no)
    weekdays: dict[int, set[int]] = {}
    for day in rule.by_day:
        weekdays.setdefault(day.weekday, set()).add(day.nth if ordinals else 0)
    return DateParts(
        months=rule.by_month,
        month_days=frozenset(rule.by_month_day),
        year_days=frozenset(rule.by_year_day),
        week_nos=frozenset(rule.by_week_no),
        weekdays={weekday: frozenset(nths) for weekday, nths in weekdays.items()},
        week_start=rule.week_start,
        skip=rule.skip,
        start=start,
    )


def days_of_month(parts: DateParts, length: int, first_weekday: int) -> list[int]:
    """Offsets in a month of ``length`` days that begins on ``first_weekday``, for FREQ=MONTHLY.

    BYMONTH is for the caller. BYYEARDAY and BYWEEKNO, which the RFC forbids here, are left to ``passes``.
    """
    if parts.month_days or not parts.weekdays:
        if not parts.month_days and (parts.year_days or parts.week_nos):
            return list(range(length))
        named = _resolve(parts.month_days or (parts.start.day,), length, parts.skip)
        return sorted(_of_weekday(parts, named, length, first_weekday))
    return sorted(_weekdays_in(parts, length, first_weekday))


def days_of_year(parts: DateParts, leap: bool, first_weekday: int) -> list[int]:
    """Offsets in a year, for FREQ=YEARLY without BYWEEKNO.

    BYMONTHDAY without BYMONTH takes DTSTART's month: were BYMONTH "missing, the appropriate … month would have
    been retrieved from the DTSTART property" (RFC 5545 §3.3.10).
    """
    starts = MONTH_STARTS[leap]
    length = starts[12]
    if parts.year_days:
        named = _resolve(parts.year_days, length, parts.skip)
        return sorted(_limited_year_days(parts, named, leap, first_weekday))
    if parts.month_days or not parts.weekdays:
        days: set[int] = set()
        for month in parts.months or (parts.start.month,):
            first, size = starts[month - 1], starts[month] - starts[month - 1]
            named = _resolve(parts.month_days or (parts.start.day,), size, parts.skip)
            if parts.months:
                named = _of_weekday(parts, named, size, first_weekday + first)
                days.update(first + offset for offset in named)
            else:
                days.update(_of_weekday(parts, {first + day for day in named}, length, first_weekday))
        return sorted(days)
    if parts.months:
        return sorted(
            starts[month - 1] + offset
            for month in parts.months
            for offset in _weekdays_in(
                parts, starts[month] - starts[month - 1], first_weekday + starts[month - 1]
            )
        )
    return sorted(_weekdays_in(parts, length, first_weekday))


def days_of_week_year(parts: DateParts, year: int) -> list[int]:
    """Offsets from the first day of week 1 of ``year``, for FREQ=YEARLY with BYWEEKNO.

    Without BYDAY, BYMONTHDAY or BYYEARDAY it is DTSTART's weekday in each of the weeks.
    """
    start = week_year_start(year, parts.week_start)
    weeks = (week_year_start(year + 1, parts.week_start) - start) // 7
    named = {number - 1 if number > 0 else weeks + number for number in parts.week_nos}
    weekdays: Iterable[int] = parts.weekdays
    if not parts.weekdays:
        weekdays = range(7) if parts.month_days or parts.year_days else (parts.start.weekday(),)
    into_week = sorted((weekday - parts.week_start) % 7 for weekday in weekdays)
    days = (week * 7 + day for week in sorted(named) if 0 <= week < weeks for day in into_week)
    return [day for day in days if _in_year_parts(parts, start + day)]


def passes(parts: DateParts, day: int) -> bool:
    """Whether a day is within every part, each read as a limit."""
    if parts.weekdays and day % 7 not in parts.weekdays:
        return False
    if not _in_year_parts(parts, day):
        return False
    if parts.week_nos:
        _, number, weeks = week_of(day, parts.week_start)
        return number in parts.week_nos or number - weeks - 1 in parts.week_nos
    return True


def any_day_passes(parts: DateParts) -> bool:
    """Whether there is such a day at all: 28 years hold every kind of year between every kind of neighbours."""
    return any(passes(parts, day) for day in range(year_start(1996), year_start(2024)))


def _in_year_parts(parts: DateParts, day: int) -> bool:
    if not (parts.months or parts.month_days or parts.year_days):
        return True
    named = date.fromordinal(day + 1)
    if parts.months and named.month not in parts.months:
        return False
    if parts.month_days:
        _, length = month_span(named.year, named.month)
        if named.day not in parts.month_days and named.day - length - 1 not in parts.month_days:
            return False
    if parts.year_days:
        number = day - year_start(named.year) + 1
        length = 365 + is_leap(named.year)
        return number in parts.year_days or number - length - 1 in parts.year_days
    return True


def _limited_year_days(parts: DateParts, days: Iterable[int], leap: bool, first_weekday: int) -> Iterator[int]:
    """BYMONTH, BYMONTHDAY and BYDAY as limits on days of the year."""
    starts = MONTH_STARTS[leap]
    for day in days:
        month = next((index for index in range(12, 0, -1) if starts[index - 1] <= day), 1)
        first, size = starts[month - 1], starts[month] - starts[month - 1]
        if parts.months and month not in parts.months:
            continue
        if parts.month_days and not {day - first + 1, day - first - size} & parts.month_days:
            continue
        if parts.months:
            yield from (first + it for it in _of_weekday(parts, (day - first,), size, first_weekday + first))
        else:
            yield from _of_weekday(parts, (day,), starts[12], first_weekday)


def _resolve(numbers: Iterable[int], length: int, skip: Skip) -> set[int]:
    """Ordinals, negative ones from the end, to offsets; SKIP says what a number beyond the length becomes."""
    days: set[int] = set()
    for number in numbers:
        offset = number - 1 if number > 0 else length + number
        if 0 <= offset < length:
            days.add(offset)
        elif skip is Skip.FORWARD:
            days.add(length if number > 0 else 0)
        elif skip is Skip.BACKWARD:
            days.add(length - 1 if number > 0 else -1)
    return days


def _of_weekday(parts: DateParts, days: Iterable[int], length: int, first_weekday: int) -> set[int]:
    """BYDAY as a limit."""
    if not parts.weekdays:
        return set(days)
    kept: set[int] = set()
    for day in days:
        nths = parts.weekdays.get((first_weekday + day) % 7, frozenset())
        if 0 in nths or day // 7 + 1 in nths or -((length - 1 - day) // 7 + 1) in nths:
            kept.add(day)
    return kept


def _weekdays_in(parts: DateParts, length: int, first_weekday: int) -> set[int]:
    """BYDAY as an expansion over a month or a year."""
    days: set[int] = set()
    for weekday, nths in parts.weekdays.items():
        every = range((weekday - first_weekday) % 7, length, 7)
        if 0 in nths:
            days.update(every)
            continue
        for nth in nths:
            if -len(every) <= nth <= len(every):
                days.add(every[nth - 1 if nth > 0 else nth])
    return days

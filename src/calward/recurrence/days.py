"""Days, months, years and weeks as whole numbers, so that the engine can skip by arithmetic.

Day 0 is Monday, 1 January of year 1 (proleptic Gregorian), so ``day % 7`` is the weekday with Monday = 0. A
moment is a number of wall-clock seconds since the midnight of day 0; no zone is known down here.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

DAY = 86_400
LAST_YEAR = 9999
"""RFC 5545 §3.3.4 has four digits for a year; nothing recurs after it."""

MONTH_STARTS = (
    (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365),
    (0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366),
)
"""Days of the year before each month, for common and leap years; the thirteenth is the length of the year."""


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def year_start(year: int) -> int:
    """The day number of 1 January."""
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400


END = year_start(LAST_YEAR + 1) * DAY
"""The first moment that no date can name."""


def year_of(day: int) -> int:
    """The year a day lies in, held within the years that have names."""
    return date.fromordinal(min(max(day, 0), END // DAY - 1) + 1).year


def month_span(year: int, month: int) -> tuple[int, int]:
    """The first day of a month and its length."""
    starts = MONTH_STARTS[is_leap(year)]
    return year_start(year) + starts[month - 1], starts[month] - starts[month - 1]


def week_year_start(year: int, week_start: int) -> int:
    """The first day of week 1: the first week with four days in the year (RFC 5545 §3.3.10, BYWEEKNO)."""
    first = year_start(year)
    into_week = (first - week_start) % 7
    return first - into_week if into_week <= 3 else first - into_week + 7


def week_of(day: int, week_start: int) -> tuple[int, int, int]:
    """The week-numbering year of a day, its week in it from 1, and how many weeks that year has."""
    year = year_of(day)
    start = week_year_start(year, week_start)
    if day < start:
        year -= 1
        start = week_year_start(year, week_start)
    end = week_year_start(year + 1, week_start)
    if day >= end:
        year += 1
        start, end = end, week_year_start(year + 1, week_start)
    return year, (day - start) // 7 + 1, (end - start) // 7


def to_moment(wall: datetime) -> int:
    """Seconds since day 0; fractions of a second are cut."""
    return (wall.toordinal() - 1) * DAY + wall.hour * 3600 + wall.minute * 60 + wall.second


def to_wall(moment: int) -> datetime:
    return _ORIGIN + timedelta(seconds=moment)


_ORIGIN = datetime(1, 1, 1)

"""Units of time, and arithmetic on the calendar that never leaves years 1 to 9999."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta
from enum import IntEnum

FIRST_YEAR, LAST_YEAR = 1, 9998


class Grain(IntEnum):
    """How finely something was said; smaller is finer."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    QUARTER = 6
    HALF = 7
    YEAR = 8
    DECADE = 9
    CENTURY = 10

    @property
    def word(self) -> str:
        return self.name.lower()


MONTHS = {
    Grain.MONTH: 1,
    Grain.QUARTER: 3,
    Grain.HALF: 6,
    Grain.YEAR: 12,
    Grain.DECADE: 120,
    Grain.CENTURY: 1200,
}
SECONDS = {Grain.SECOND: 1, Grain.MINUTE: 60, Grain.HOUR: 3600, Grain.DAY: 86400, Grain.WEEK: 604800}


class OutOfCalendar(ValueError):
    """The reading would leave the years a calendar knows; it is dropped."""


def shift(moment: datetime, count: float, grain: Grain) -> datetime:
    """``moment`` moved by ``count`` units on the wall clock; a month too short ends on its last day."""
    try:
        months = MONTHS.get(grain)
        if months is None:
            return moment + timedelta(seconds=count * SECONDS[grain])
        whole = int(count * months)
        rest = count * months - whole
        ordinal = moment.year * 12 + moment.month - 1 + whole
        year, month = divmod(ordinal, 12)
        if not FIRST_YEAR <= year <= LAST_YEAR:
            raise OutOfCalendar(year)
        day = min(moment.day, monthrange(year, month + 1)[1])
        return moment.replace(year=year, month=month + 1, day=day) + timedelta(days=round(rest * 30))
    except (OverflowError, ValueError) as error:
        raise OutOfCalendar(str(error)) from error


def shift_day(day: date, count: float, grain: Grain) -> date:
    return shift(datetime(day.year, day.month, day.day), count, grain).date()


def floor(day: date, grain: Grain, week_start: int = 0) -> date:
    """The first day of the week, month, quarter… that holds ``day``."""
    if grain <= Grain.DAY:
        return day
    if grain is Grain.WEEK:
        back = (day.weekday() - week_start) % 7
        return day - timedelta(days=back) if day.toordinal() > back else day
    if grain is Grain.MONTH:
        return day.replace(day=1)
    if grain is Grain.QUARTER:
        return date(day.year, day.month - (day.month - 1) % 3, 1)
    if grain is Grain.HALF:
        return date(day.year, 1 if day.month < 7 else 7, 1)
    years = {Grain.YEAR: 1, Grain.DECADE: 10, Grain.CENTURY: 100}[grain]
    return date(max(day.year - day.year % years, 1), 1, 1)


def cycle(day: date, count: int, grain: Grain, week_start: int = 0) -> tuple[date, date]:
    """The unit ``count`` away from the one that holds ``day``, as a half-open span of days."""
    start = shift_day(floor(day, grain, week_start), count, grain)
    return start, shift_day(start, 1, grain)

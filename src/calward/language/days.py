"""Sets of days: what "Friday", "March", "the 4th", "Easter" and their intersections mean before a year is
chosen.

A set answers one question: which half-open spans of days of yours begin in this year? Everything else (the next
one, the last one, those inside another span) follows from that. Sets are immutable and compare by value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Protocol

from calward.language.grains import FIRST_YEAR, LAST_YEAR, Grain, cycle, shift_day

DaySpan = tuple[date, date]
ONE_DAY = timedelta(days=1)

YEARS_AHEAD = 40
"""How far a match is looked for: 29 February on a given weekday comes once in 28 years, or 40 over 2100."""


class Days(Protocol):
    """A set of half-open spans of days, all of one grain."""

    @property
    def grain(self) -> Grain: ...

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        """Those that begin in ``year``, in order."""
        ...


def upcoming(days: Days, start: date, years: int = YEARS_AHEAD) -> Iterator[DaySpan]:
    """Spans that end after ``start``, in order, from at most ``years`` years."""
    first = max(FIRST_YEAR, start.year - (1 if days.grain > Grain.DAY else 0))
    for year in range(first, min(LAST_YEAR, start.year + years) + 1):
        for span in days.spans(year):
            if span[1] > start:
                yield span


def bygone(days: Days, end: date, years: int = YEARS_AHEAD) -> Iterator[DaySpan]:
    """Spans that begin before ``end``, latest first, from at most ``years`` years."""
    for year in range(min(end.year, LAST_YEAR), max(FIRST_YEAR, end.year - years) - 1, -1):
        for span in reversed(days.spans(year)):
            if span[0] < end:
                yield span


def inside(days: Days, outer: DaySpan) -> tuple[DaySpan, ...]:
    """Spans of ``days`` that lie wholly within ``outer``."""
    last = (outer[1] - ONE_DAY).year
    return tuple(
        span
        for year in range(outer[0].year, min(last, outer[0].year + YEARS_AHEAD * 3) + 1)
        for span in days.spans(year)
        if span[0] >= outer[0] and span[1] <= outer[1]
    )


@dataclass(frozen=True, slots=True)
class Fixed:
    """One span that is known already: "tomorrow", "next week", "2015"."""

    start: date
    end: date
    grain: Grain

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        return ((self.start, self.end),) if self.start.year == year else ()


@dataclass(frozen=True, slots=True)
class Weekday:
    """Every Monday (0) … Sunday (6)."""

    weekday: int
    grain: Grain = Grain.DAY

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        return _weekdays(self.weekday, year)


@lru_cache(maxsize=512)
def _weekdays(weekday: int, year: int) -> tuple[DaySpan, ...]:
    first = date(year, 1, 1)
    day = first + timedelta(days=(weekday - first.weekday()) % 7)
    count = 53 if (day + timedelta(weeks=52)).year == year else 52
    return tuple((day + timedelta(weeks=n), day + timedelta(weeks=n, days=1)) for n in range(count))


@dataclass(frozen=True, slots=True)
class WorkingDay:
    """Every Monday to Friday."""

    grain: Grain = Grain.DAY

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        return tuple(sorted(span for weekday in range(5) for span in _weekdays(weekday, year)))


@dataclass(frozen=True, slots=True)
class Weekend:
    """Every Saturday and Sunday together."""

    grain: Grain = Grain.WEEK

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        return tuple((saturday, saturday + timedelta(days=2)) for saturday, _ in _weekdays(5, year))


@dataclass(frozen=True, slots=True)
class DayOfMonth:
    """The 4th of every month that has one; negative counts from the end."""

    day: int
    grain: Grain = Grain.DAY

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        found = (day_in(year, month, self.day) for month in range(1, 13))
        return tuple((day, day + ONE_DAY) for day in found if day)


@dataclass(frozen=True, slots=True)
class MonthDay:
    """4 July of every year; 29 February only where there is one."""

    month: int
    day: int
    grain: Grain = Grain.DAY

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        day = day_in(year, self.month, self.day)
        return ((day, day + ONE_DAY),) if day else ()


@dataclass(frozen=True, slots=True)
class Months:
    """``length`` months from ``first`` of every year: March, the third quarter, the second half."""

    first: int
    grain: Grain = Grain.MONTH

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        return (cycle(date(year, self.first, 1), 0, self.grain),)


@dataclass(frozen=True, slots=True)
class Season:
    """Between an equinox and a solstice of the northern half, by the calendar dates people use."""

    number: int
    grain: Grain = Grain.QUARTER

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        starts = ((3, 20), (6, 21), (9, 23), (12, 21))
        month, day = starts[self.number]
        after, on = starts[(self.number + 1) % 4]
        return ((date(year, month, day), date(year + (after < month), after, on)),)


@dataclass(frozen=True, slots=True)
class DayOfYear:
    """The 35th day of every year."""

    number: int
    grain: Grain = Grain.DAY

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        day = date(year, 1, 1) + timedelta(days=self.number - 1)
        return ((day, day + ONE_DAY),) if day.year == year else ()


@dataclass(frozen=True, slots=True)
class WeekOfYear:
    """Week N of every year as ISO 8601 counts; begins in the year before where it must."""

    number: int
    grain: Grain = Grain.WEEK

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        out = []
        for of_year in (year, year + 1):
            try:
                monday = date.fromisocalendar(of_year, self.number, 1)
            except ValueError:
                continue
            if monday.year == year:
                out.append((monday, monday + timedelta(days=7)))
        return tuple(out)

    def of(self, year: int) -> DaySpan | None:
        """The one that ISO 8601 counts to ``year``."""
        try:
            monday = date.fromisocalendar(year, self.number, 1)
        except ValueError:
            return None
        return monday, monday + timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Units:
    """Every week, month, quarter… there is."""

    grain: Grain
    week_start: int = 0

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        out = []
        start, end = cycle(date(year, 1, 1), 0, self.grain, self.week_start)
        while start.year <= year:
            if start.year == year:
                out.append((start, end))
            start, end = cycle(end, 0, self.grain, self.week_start)
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Both:
    """Spans of ``inner`` that lie within a span of ``outer``: "Friday" and "the 13th", "March" and "2015"."""

    inner: Days
    outer: Days

    @property
    def grain(self) -> Grain:
        return self.inner.grain

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        if self.outer.grain <= Grain.DAY:
            held = set(self.outer.spans(year))
            return tuple(span for span in self.inner.spans(year) if span in held)
        outers = (
            [*self.outer.spans(year - 1), *self.outer.spans(year)]
            if year > FIRST_YEAR
            else self.outer.spans(year)
        )
        return tuple(span for outer in outers for span in inside(self.inner, outer) if span[0].year == year)


@dataclass(frozen=True, slots=True)
class Nth:
    """The nth span of ``inner`` in each span of ``outer``; negative counts from the end."""

    number: int
    inner: Days
    outer: Days

    @property
    def grain(self) -> Grain:
        return self.inner.grain

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        out = []
        for outer in (*self.outer.spans(year - 1), *self.outer.spans(year)) if year > FIRST_YEAR else ():
            found = inside(self.inner, outer)
            index = self.number - 1 if self.number > 0 else len(found) + self.number
            if 0 <= index < len(found) and found[index][0].year == year:
                out.append(found[index])
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Moved:
    """Every span of ``days`` moved by ``count`` units, as one day each: "two days before Easter"."""

    days: Days
    count: int
    unit: Grain
    grain: Grain = Grain.DAY

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        out = []
        for base in range(max(FIRST_YEAR, year - 2), min(LAST_YEAR, year + 2) + 1):
            for start, end in self.days.spans(base):
                day = shift_day(
                    end if self.count > 0 and end - start > ONE_DAY else start, self.count, self.unit
                )
                if day.year == year:
                    out.append((day, day + ONE_DAY))
        return tuple(out)


def day_in(year: int, month: int, day: int) -> date | None:
    """A date, or None where the month is too short; a negative day counts from the end of the month."""
    try:
        if day > 0:
            return date(year, month, day)
        _, end = cycle(date(year, month, 1), 0, Grain.MONTH)
        found = end + timedelta(days=day)
        return found if found.month == month else None
    except ValueError:
        return None

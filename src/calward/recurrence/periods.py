"""Walking by calendar periods: FREQ=MONTHLY and FREQ=YEARLY.

A month is one of 28 shapes (its length and first weekday), a year one of 14, so what a rule names in a period
is worked out once a shape and then only added to the period's start.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from calward.recurrence.byparts import DateParts, days_of_month, days_of_week_year, days_of_year, passes
from calward.recurrence.days import (
    DAY,
    LAST_YEAR,
    is_leap,
    month_span,
    week_of,
    week_year_start,
    year_of,
    year_start,
)
from calward.recurrence.walk import LARGE, Times

SAMPLE_YEARS = range(1996, 2024)
"""28 years hold every kind of year between every kind of neighbours."""


@dataclass(slots=True)
class Periods(ABC):
    """A rule's walk over numbered periods, ``interval`` apart, from the one that holds DTSTART."""

    parts: DateParts
    times: Times
    interval: int
    _shapes: dict[Hashable, tuple[int, ...] | None] = field(default_factory=dict, init=False, repr=False)

    @property
    def cost(self) -> int:
        return 1

    def batches(self, first: int, last: int) -> Iterator[Sequence[int]]:
        latest = -1
        for period in self._numbers(first // DAY):
            start, shape = self._shape(period)
            base = start * DAY
            if base - DAY > last:
                return
            if shape not in self._shapes:
                self._shapes[shape] = self._moments(period)
            moments = self._shapes[shape]
            if moments is None:
                yield from (self.times.on([start + day]) for day in self._days(period))
                continue
            batch = [base + moment for moment in moments]
            if batch:
                if batch[0] <= latest:  # SKIP moved a date onto one that was there anyway
                    batch = [moment for moment in batch if moment > latest]
                latest = max(latest, base + moments[-1])
            yield batch

    def never(self) -> bool:
        return not any(self.times.on(self._days(period)) for period in self._samples())

    def _moments(self, period: int) -> tuple[int, ...] | None:
        days = self._days(period)
        if not self.times.positions and len(days) * len(self.times.seconds) > LARGE:
            return None
        return tuple(self.times.on(days))

    def _from(self, origin: int, earliest: int) -> int:
        """The last period of this rule that is not after ``earliest``, or the first one."""
        return origin + max(0, (earliest - origin) // self.interval) * self.interval

    @abstractmethod
    def _numbers(self, first_day: int) -> Iterator[int]:
        """The rule's periods, from the one before that of ``first_day`` (SKIP can move a date by one)."""

    @abstractmethod
    def _shape(self, period: int) -> tuple[int, Hashable]:
        """The first day of a period, and what it shares with all periods that are alike."""

    @abstractmethod
    def _days(self, period: int) -> list[int]:
        """The days a rule names in a period, from its first day."""

    @abstractmethod
    def _samples(self) -> Iterator[int]:
        """Periods of every shape that the rule could ever meet."""


class Years(Periods):
    """FREQ=YEARLY."""

    __slots__ = ()

    def _numbers(self, first_day: int) -> Iterator[int]:
        first = self._from(self.parts.start.year, year_of(first_day) - 1)
        return iter(range(first, LAST_YEAR + 1, self.interval))

    def _shape(self, period: int) -> tuple[int, Hashable]:
        start = year_start(period)
        return start, (is_leap(period), start % 7)

    def _days(self, period: int) -> list[int]:
        return days_of_year(self.parts, is_leap(period), year_start(period) % 7)

    def _samples(self) -> Iterator[int]:
        return iter(SAMPLE_YEARS)


class WeekYears(Periods):
    """FREQ=YEARLY with BYWEEKNO: the years that weeks are counted in; INTERVAL and BYSETPOS go by them."""

    __slots__ = ()

    def _numbers(self, first_day: int) -> Iterator[int]:
        origin, _, _ = week_of(self.parts.start.toordinal() - 1, self.parts.week_start)
        first = self._from(origin, year_of(first_day) - 2)
        return iter(range(first, LAST_YEAR + 1, self.interval))

    def _shape(self, period: int) -> tuple[int, Hashable]:
        alike = (year_start(period) % 7, is_leap(period - 1), is_leap(period), is_leap(period + 1))
        return week_year_start(period, self.parts.week_start), alike

    def _days(self, period: int) -> list[int]:
        return days_of_week_year(self.parts, period)

    def _samples(self) -> Iterator[int]:
        return iter(SAMPLE_YEARS)


class Months(Periods):
    """FREQ=MONTHLY; months are numbered ``year * 12 + month - 1``."""

    __slots__ = ()

    @property
    def cost(self) -> int:
        return 31 if self._uneven else 1

    def _numbers(self, first_day: int) -> Iterator[int]:
        origin = self.parts.start.year * 12 + self.parts.start.month - 1
        first = self._from(origin, year_of(first_day) * 12 - 1)
        numbers = range(first, (LAST_YEAR + 1) * 12, self.interval)
        if not self.parts.months:
            return iter(numbers)
        met = {number % 12 + 1 for number in numbers[:12]}
        if not met & set(self.parts.months):
            return iter(())
        return (number for number in numbers if number % 12 + 1 in self.parts.months)

    def _shape(self, period: int) -> tuple[int, Hashable]:
        start, length = month_span(period // 12, period % 12 + 1)
        return start, period if self._uneven else (length, start % 7)

    def _days(self, period: int) -> list[int]:
        start, length = month_span(period // 12, period % 12 + 1)
        days = days_of_month(self.parts, length, start % 7)
        if self._uneven:
            days = [day for day in days if passes(self.parts, start + day)]
        return days

    @property
    def _uneven(self) -> bool:
        """Limits that the RFC forbids here, and that differ from one month to the next of its shape."""
        return bool(self.parts.year_days or self.parts.week_nos)

    def _samples(self) -> Iterator[int]:
        months = self.parts.months or range(1, 13)
        return (year * 12 + month - 1 for year in SAMPLE_YEARS for month in months)

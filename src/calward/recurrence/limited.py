"""Walking with limits: days or weeks tested one by one, and clock time within the days that pass.

Rules finer than DAILY that have limits, and DAILY or WEEKLY rules with limits no coarser rule can say, come
here. Every test is a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import gcd

from calward.recurrence.byparts import DateParts, any_day_passes, passes
from calward.recurrence.days import DAY, END, month_span
from calward.recurrence.walk import Steps, Times

HOUR = 3600


@dataclass(frozen=True, slots=True)
class Limited:
    """Days, or weeks of days, ``step`` days apart from ``origin``, each day only where it passes ``parts``."""

    parts: DateParts
    times: Times
    origin: int
    step: int
    days: tuple[int, ...] = (0,)
    """Offsets of the days of one period."""

    @property
    def cost(self) -> int:
        return len(self.days)

    def batches(self, first: int, last: int) -> Iterator[Sequence[int]]:
        base = self.origin + max(0, (first // DAY - self.origin) // self.step) * self.step
        while base * DAY <= last:
            yield self.times.on([base + day for day in self.days if passes(self.parts, base + day)])
            base += self.step
            if self.days == (0,) and base * DAY <= last:
                ahead = _next_month_asked(self.parts, base)
                base += -((base - ahead) // self.step) * self.step

    def never(self) -> bool:
        met = {(self.origin + day) % 7 for day in range(0, 7 * gcd(self.step, 7), gcd(self.step, 7))}
        missed = self.parts.weekdays and self.days == (0,) and not met & set(self.parts.weekdays)
        return bool(missed) or not self.times.seconds or not any_day_passes(self.parts)


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Hours, minutes or seconds, ``step`` seconds apart from ``origin``, where day and clock allow them."""

    parts: DateParts
    origin: int
    step: int
    hours: tuple[int, ...]
    within: tuple[int, ...]
    """The units within an hour that are allowed, in seconds from its start."""
    offsets: tuple[int, ...]
    """What one unit expands to, BYSETPOS applied."""
    budget: Steps

    @property
    def cost(self) -> int:
        return 1

    def batches(self, first: int, last: int) -> Iterator[Sequence[int]]:
        return self._strides(first, last) if self.step >= DAY else self._hours(first, last)

    def never(self) -> bool:
        if not self.offsets or not any_day_passes(self.parts):
            return True
        met = gcd(self.step, DAY)
        return not any(
            (hour * HOUR + unit - self.origin) % met == 0 for hour in self.hours for unit in self.within
        )

    def _strides(self, first: int, last: int) -> Iterator[Sequence[int]]:
        """A day or more apart: look at each unit."""
        hours, within = set(self.hours), set(self.within)
        start = self.origin + max(0, (first - self.origin) // self.step) * self.step
        for unit in range(start, min(last + 1, END), self.step):
            asked = unit % DAY // HOUR in hours and unit % HOUR in within
            yield (
                [unit + offset for offset in self.offsets] if asked and passes(self.parts, unit // DAY) else ()
            )

    def _hours(self, first: int, last: int) -> Iterator[Sequence[int]]:
        """Less than a day apart: look at each hour of each day that passes."""
        within = frozenset(self.within)
        day = first // DAY
        while day * DAY <= last:
            if passes(self.parts, day):
                for hour in self.hours:
                    start = day * DAY + hour * HOUR
                    if start + HOUR > first:
                        yield self._in_hour(start, within)
                day += 1
            else:
                yield ()
                day = _next_month_asked(self.parts, day + 1)

    def _in_hour(self, start: int, within: frozenset[int]) -> Sequence[int]:
        units = range((self.origin - start) % self.step, HOUR, self.step)
        if len(units) <= len(self.within):
            kept = [unit for unit in units if unit in within]
            self.budget.left -= len(units) - len(kept)
        else:
            kept = [unit for unit in self.within if (start + unit - self.origin) % self.step == 0]
            self.budget.left -= len(self.within) - len(kept)
        return [start + unit + offset for unit in kept for offset in self.offsets]


def _next_month_asked(parts: DateParts, day: int) -> int:
    """``day`` itself, or the first day of the next month that BYMONTH names."""
    if not parts.months or day * DAY >= END:
        return day
    year, month = _month_of(day)
    if month in parts.months:
        return day
    later = next((asked for asked in parts.months if asked > month), parts.months[0] + 12)
    start, _ = month_span(year + later // 13, (later - 1) % 12 + 1)
    return start


def _month_of(day: int) -> tuple[int, int]:
    named = date.fromordinal(day + 1)
    return named.year, named.month

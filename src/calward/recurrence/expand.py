"""The engine: the moments of one rule from one start, in a window, on wall-clock time.

Pure arithmetic on naive times; zones are for ``series``. The work is bounded by a number of steps that is
counted, not timed: a step is a period or a unit looked at, or a moment found in the window.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product

from calward.model.rule import Freq, Rule, Skip, WeekdayNum
from calward.recurrence.byparts import date_parts
from calward.recurrence.days import DAY, END, to_moment, to_wall
from calward.recurrence.limited import HOUR, Clockwork, Limited
from calward.recurrence.periods import Months, WeekYears, Years
from calward.recurrence.rule import RuleError
from calward.recurrence.steady import Steady
from calward.recurrence.walk import Steps, Times, Walk

STEPS = 20_000
"""How much one rule may ask for in one window."""


@dataclass(frozen=True, slots=True)
class Walls:
    """Wall-clock times in order; ``partial`` when the steps ran out before the window did."""

    moments: tuple[datetime, ...]
    partial: bool = False
    spent: int = 0
    """Steps it took."""


def expand_rule(
    rule: Rule,
    start: datetime,
    first: datetime,
    before: datetime,
    *,
    until: datetime | None = None,
    all_day: bool = False,
    with_start: bool = True,
    steps: int = STEPS,
) -> Walls:
    """The times of ``rule`` from DTSTART ``start`` that lie in ``first <= time < before``; all are naive.

    ``until`` is UNTIL on the wall clock of ``start``, inclusive (``rule.until`` itself may be in UTC).
    ``all_day``: DTSTART is a date, so BYHOUR, BYMINUTE and BYSECOND are ignored (RFC 5545 §3.3.10).
    ``with_start``: DTSTART is the first of the set and of COUNT even where it does not match the rule; without
    it, the rule's own times alone.
    Raises ``RuleError`` for a rule of another calendar scale.
    """
    if not rule.supported:
        raise RuleError(f"recurrence in the calendar scale {rule.rscale} is not supported")
    begin = to_moment(start)
    budget = Steps(steps)
    walk = _walk(_of_days(rule) if all_day else rule, start, budget)
    last = min(to_moment(before), END) - 1
    if until is not None:
        last = min(last, to_moment(until))
    earliest = max(begin, to_moment(first))
    count = rule.count
    if count is not None and with_start and not _is_met(walk, begin):
        count -= 1
    moments, partial = _collect(walk, begin, earliest, last, count, budget)
    if with_start and to_moment(first) <= begin < to_moment(before) and (not moments or moments[0] != begin):
        moments.insert(0, begin)
    return Walls(tuple(map(to_wall, moments)), partial, steps - max(budget.left, 0))


def last_time(
    rule: Rule, start: datetime, *, until: datetime | None = None, all_day: bool = False, steps: int = STEPS
) -> datetime | None:
    """A time that nothing of ``rule`` comes after: exact for COUNT, UNTIL itself otherwise.

    None for a rule without end, and for a COUNT that takes more than ``steps`` to follow.
    """
    if rule.count is None:
        return None if until is None else max(until, start)
    walls = expand_rule(rule, start, start, _LAST, until=until, all_day=all_day, steps=steps)
    return None if walls.partial else walls.moments[-1]


_LAST = to_wall(END - DAY)


def _collect(
    walk: Walk, begin: int, earliest: int, last: int, count: int | None, budget: Steps
) -> tuple[list[int], bool]:
    """The moments from ``earliest`` to ``last``, the first ``count`` from ``begin`` on."""
    found: list[int] = []
    walked_from = earliest
    if count is not None:
        if count <= 0:
            return found, False
        if isinstance(walk, Steady):
            last = min(last, walk.nth(begin, count))
            count = None
        else:
            walked_from = begin
    if last < earliest:
        return found, False
    met, empty = False, 0
    for batch in walk.batches(walked_from, last):
        low, high = bisect_left(batch, walked_from), bisect_right(batch, last)
        if count is not None:
            high = min(high, low + count)
            count -= high - low
        low = max(low, bisect_left(batch, earliest))
        budget.left -= walk.cost + max(0, high - low)
        if budget.left < 0:
            found.extend(batch[low : max(low, high + budget.left)])
            return found, True
        found.extend(batch[low:high])
        if count == 0:
            break
        met = met or bool(batch)
        empty += not met
        if empty == _PATIENCE and walk.never():
            break
    return found, False


_PATIENCE = 64
"""Empty batches at the start after which it is worth asking whether the rule can match at all."""


def _is_met(walk: Walk, begin: int) -> bool:
    """Whether DTSTART is a moment of the rule itself."""
    for batch in walk.batches(begin, begin):
        at = bisect_left(batch, begin)
        if at < len(batch):
            return batch[at] == begin
    return False


def _of_days(rule: Rule) -> Rule:
    """The rule as an all-day event takes it: no times of day; hours and finer only where they meet midnight."""
    clock = (0,) if rule.freq.within_day else ()
    return replace(rule, by_hour=clock, by_minute=clock, by_second=clock)


def _walk(rule: Rule, start: datetime, budget: Steps) -> Walk:
    if rule.freq.within_day:
        return _walk_clock(rule, start, budget)
    times = Times(_clock(rule.by_hour or (start.hour,), *_minutes_and_seconds(rule, start)), rule.by_set_pos)
    if rule.freq is Freq.DAILY:
        return _walk_days(rule, start, times)
    if rule.freq is Freq.WEEKLY:
        return _walk_weeks(rule, start, times)
    parts = date_parts(rule, start.date())
    if rule.freq is Freq.MONTHLY:
        return Months(parts, times, rule.interval)
    return (WeekYears if rule.by_week_no else Years)(parts, times, rule.interval)


def _walk_days(rule: Rule, start: datetime, times: Times) -> Walk:
    """Most limited daily rules say what a weekly or monthly rule says, which is walked faster."""
    times = Times(tuple(times.on([0])))
    parts = date_parts(rule, start.date())
    today = to_moment(start) // DAY
    if not parts.limits:
        return Steady(today * DAY, rule.interval * DAY, times.seconds)
    if rule.interval == 1 and not (parts.year_days or parts.week_nos):
        if not (parts.months or parts.month_days):
            return Steady((today - today % 7) * DAY, 7 * DAY, tuple(times.on(sorted(parts.weekdays))))
        weekdays = parts.weekdays or (() if parts.month_days else range(7))
        every = tuple(WeekdayNum(0, weekday) for weekday in weekdays)
        by_months = replace(rule, freq=Freq.MONTHLY, by_day=every, skip=Skip.OMIT)
        return Months(date_parts(by_months, start.date()), times, 1)
    return Limited(parts, times, today, rule.interval)


def _walk_weeks(rule: Rule, start: datetime, times: Times) -> Walk:
    today = to_moment(start) // DAY
    week = today - (today - rule.week_start) % 7
    limited = rule.by_month_day or rule.by_year_day or rule.by_week_no
    weekdays = {day.weekday for day in rule.by_day} or (range(7) if limited else {today % 7})
    days = tuple(sorted((weekday - rule.week_start) % 7 for weekday in weekdays))
    if limited or rule.by_month:
        return Limited(date_parts(rule, start.date()), times, week, 7 * rule.interval, days)
    return Steady(week * DAY, 7 * rule.interval * DAY, tuple(times.on(days)))


def _walk_clock(rule: Rule, start: datetime, budget: Steps) -> Walk:
    unit = _UNITS[rule.freq]
    minutes, seconds = _minutes_and_seconds(rule, start)
    within: tuple[int, ...] = (0,)
    expanded: tuple[int, ...] = (0,)
    if rule.freq is Freq.HOURLY:
        expanded = _clock((0,), minutes, seconds)
    elif rule.freq is Freq.MINUTELY:
        within, expanded = _clock((0,), rule.by_minute or range(60), (0,)), seconds
    else:
        within = _clock((0,), rule.by_minute or range(60), _leapless(rule.by_second) or range(60))
    offsets = tuple(Times(expanded, rule.by_set_pos).on([0]))
    parts = date_parts(rule, start.date())
    origin = to_moment(start) // unit * unit
    step = rule.interval * unit
    if not (parts.limits or rule.by_hour or len(within) < HOUR // unit):
        return Steady(origin, step, offsets)
    return Clockwork(parts, origin, step, rule.by_hour or tuple(range(24)), within, offsets, budget)


_UNITS = {Freq.HOURLY: 3600, Freq.MINUTELY: 60, Freq.SECONDLY: 1}


def _minutes_and_seconds(rule: Rule, start: datetime) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return rule.by_minute or (start.minute,), _leapless(rule.by_second) or (start.second,)


def _leapless(seconds: tuple[int, ...]) -> tuple[int, ...]:
    """A leap second is read as the second before it (RFC 5545 §3.3.12)."""
    return tuple(sorted({min(second, 59) for second in seconds}))


def _clock(hours: Iterable[int], minutes: Iterable[int], seconds: Iterable[int]) -> tuple[int, ...]:
    return tuple(h * 3600 + m * 60 + s for h, m, s in product(hours, minutes, seconds))

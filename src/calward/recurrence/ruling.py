"""What becomes of a rule when its series is moved, cut in two, or given a new one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from calward.errors import InvalidInput, Unsupported
from calward.model.rule import Freq, Rule, Skip, WeekdayNum
from calward.model.time import CalTime, TimeKind
from calward.recurrence.days import month_span
from calward.recurrence.expand import STEPS, expand_rule
from calward.recurrence.lengths import LAST, add, naive_utc
from calward.recurrence.members import until_wall
from calward.recurrence.moving import Move
from calward.recurrence.rule import parse_rule

_SECOND = timedelta(seconds=1)


def new_rule(text: str, start: CalTime, viewer: tzinfo) -> tuple[Rule, CalTime]:
    """A rule a person gave, its UNTIL in the form that DTSTART wants, and its first start from ``start`` on.

    Raises ``InvalidInput`` for one that makes no sense or never happens, ``Unsupported`` for another calendar.
    """
    rule = parse_rule(text)
    if not rule.supported:
        raise Unsupported("A series can only be given a rule of the Gregorian calendar.")
    until = until_wall(rule, start, viewer)
    if until is not None:
        rule = replace(rule, until=until_at(until, start, viewer))
    walls = expand_rule(
        replace(rule, count=1),
        start.wall,
        start.wall,
        LAST,
        until=until,
        all_day=start.is_date,
        with_start=False,
    )
    if not walls.moments:
        raise InvalidInput("The recurrence would never happen.")
    return rule, start.at(walls.moments[0])


def until_at(wall: datetime, start: CalTime, viewer: tzinfo) -> CalTime:
    """An UNTIL at ``wall`` in the form the RFC wants beside this DTSTART (RFC 5545 §3.3.10)."""
    if start.is_date:
        return CalTime.of_date(wall)
    if start.kind is TimeKind.FLOATING:
        return CalTime.floating(wall)
    return CalTime(TimeKind.UTC, naive_utc(start.at(wall), viewer), UTC)


def moved_rule(rule: Rule, move: Move) -> Rule:
    """The rule of a series that moves. Raises ``Unsupported`` where its days cannot move along."""
    start, viewer = move.old, move.viewer
    moved = rule
    until = until_wall(rule, start, viewer)
    if until is not None and rule.until is not None:
        if rule.until.is_date and not move.like.is_date:
            moved = replace(moved, until=CalTime.of_date(add(rule.until.wall, timedelta(days=move.days))))
        else:
            moved = replace(moved, until=until_at(add(until, move.delta), move.like, viewer))
    moved = _clock_moved(moved, move)
    if move.days:
        moved = _days_moved(moved, start.wall, add(start.wall, move.delta))
    first = move.of(start)
    if _meets(rule, start) and not _meets(moved, first):
        raise Unsupported(_NOT_ALONG)
    return moved


def before(rule: Rule, start: CalTime, cut: CalTime, viewer: tzinfo) -> Rule:
    """The rule as it ends before ``cut``, a start of the series after its first (its original time)."""
    if rule.count is not None:
        return replace(rule, count=_met_before(rule, start, cut, viewer))
    step = timedelta(days=1) if start.is_date else _SECOND
    last = cut.wall - step
    until = until_wall(rule, start, viewer)
    if until is not None and until <= last:
        return rule
    return replace(rule, until=until_at(last, start, viewer))


def since(rule: Rule, start: CalTime, cut: CalTime, viewer: tzinfo) -> Rule | None:
    """The rule as it goes on with ``cut`` for its DTSTART; None where nothing of it is left.

    What the rule took from DTSTART is written into it where ``cut`` would say something else.
    """
    if rule.count is not None:
        left = rule.count - _met_before(rule, start, cut, viewer)
        rule = replace(rule, count=max(left, 1))
        if left < 1:
            return None
    until = until_wall(rule, start, viewer)
    if until is not None and until < cut.wall:
        return None
    if rule.skip is not Skip.OMIT and not (
        rule.by_month_day or rule.by_day or rule.by_year_day or rule.by_week_no
    ):
        rule = replace(rule, by_month_day=(start.wall.day,))
        if rule.freq is Freq.YEARLY and not rule.by_month:
            rule = replace(rule, by_month=(start.wall.month,))
    return rule


_NOT_ALONG = "The rule of this series cannot be moved to these days; give the new recurrence with the new time."


def _meets(rule: Rule, start: CalTime) -> bool:
    at = start.wall
    free = replace(rule, count=None, until=None)
    return expand_rule(free, at, at, at + _SECOND, all_day=start.is_date, with_start=False).moments == (at,)


def _met_before(rule: Rule, start: CalTime, cut: CalTime, viewer: tzinfo) -> int:
    """How many of its COUNT a rule has used up before ``cut``; DTSTART is one."""
    walls = expand_rule(
        rule,
        start.wall,
        start.wall,
        cut.wall,
        until=until_wall(rule, start, viewer),
        all_day=start.is_date,
        steps=_FAR,
    )
    if walls.partial:
        raise Unsupported("The series is too long to be cut there.")
    return len(walls.moments)


_FAR = 10 * STEPS


def _clock_moved(rule: Rule, move: Move) -> Rule:
    """BYHOUR, BYMINUTE and BYSECOND: none for dates; a single one becomes the new start's."""
    if move.like.is_date:
        return replace(rule, by_hour=(), by_minute=(), by_second=())
    if not move.delta % timedelta(days=1):
        return rule
    old, new = move.old.wall, add(move.old.wall, move.delta)
    return replace(
        rule,
        by_hour=_one_moved(rule.by_hour, old.hour, new.hour),
        by_minute=_one_moved(rule.by_minute, old.minute, new.minute),
        by_second=_one_moved(rule.by_second, old.second, new.second),
    )


def _one_moved(given: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    if not given or old == new:
        return given
    if given == (old,):
        return (new,)
    raise Unsupported(_NOT_ALONG)


def _days_moved(rule: Rule, old: datetime, new: datetime) -> Rule:
    """The days that a rule names, for a series whose first start goes from ``old`` to another day."""
    days = (new.date() - old.date()).days
    if not (rule.by_day or rule.by_month_day or rule.by_year_day or rule.by_week_no or rule.by_month):
        return rule
    if rule.freq not in (Freq.MONTHLY, Freq.YEARLY):
        if rule.by_month or rule.by_month_day or rule.by_year_day or rule.by_week_no:
            raise Unsupported(_NOT_ALONG)
        # With INTERVAL it matters which days share a week, so the weeks turn with the days.
        turned = replace(rule, by_day=_turned(rule.by_day, days))
        weekly = rule.freq is Freq.WEEKLY and rule.interval > 1
        return replace(turned, week_start=(rule.week_start + days) % 7) if weekly else turned
    if rule.by_set_pos or rule.by_year_day or rule.by_week_no or (rule.by_day and rule.by_month_day):
        raise Unsupported(_NOT_ALONG)
    if rule.by_month and rule.by_month != (old.month,) and (old.year, old.month) != (new.year, new.month):
        raise Unsupported(_NOT_ALONG)
    if rule.by_month == (old.month,):
        rule = replace(rule, by_month=(new.month,))
    if rule.by_month_day:
        return replace(rule, by_month_day=(_day_number(rule.by_month_day, old, new),))
    if all(not day.nth for day in rule.by_day):
        return replace(rule, by_day=_turned(rule.by_day, days))
    return replace(rule, by_day=(_nth_day(rule, old, new),))


def _turned(by_day: tuple[WeekdayNum, ...], days: int) -> tuple[WeekdayNum, ...]:
    return tuple(sorted(replace(day, weekday=(day.weekday + days) % 7) for day in by_day))


def _day_number(numbers: tuple[int, ...], old: datetime, new: datetime) -> int:
    """BYMONTHDAY of the new date, counted from the end of the month if the old one was."""
    if numbers == (old.day,):
        return new.day
    if numbers == (old.day - _length(old) - 1,):
        return new.day - _length(new) - 1
    raise Unsupported(_NOT_ALONG)


def _nth_day(rule: Rule, old: datetime, new: datetime) -> WeekdayNum:
    """BYDAY of the new date, counted within its month from the end the old one was counted from."""
    if len(rule.by_day) != 1 or (rule.freq is Freq.YEARLY and not rule.by_month):
        raise Unsupported(_NOT_ALONG)
    (day,) = rule.by_day
    if day != WeekdayNum(_nth(old, day.nth), old.weekday()):
        raise Unsupported(_NOT_ALONG)
    return WeekdayNum(_nth(new, day.nth), new.weekday())


def _nth(at: datetime, sign: int) -> int:
    return (at.day - 1) // 7 + 1 if sign > 0 else -((_length(at) - at.day) // 7 + 1)


def _length(at: datetime) -> int:
    return month_span(at.year, at.month)[1]

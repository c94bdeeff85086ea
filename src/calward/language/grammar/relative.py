"""Moments counted from another: "in two hours", "three days ago", "a week after Easter", "the next three
weeks"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice

from calward.language.chart import Rule
from calward.language.days import DayOfMonth, Days, Fixed, Moved, Weekday, WorkingDay, bygone, upcoming
from calward.language.grains import Grain, OutOfCalendar, cycle, floor, shift_day
from calward.language.grammar.clocks import dated
from calward.language.grammar.lengths import clocked_length
from calward.language.hours import midnight
from calward.language.resolve import after, choose, resolve
from calward.language.scene import Scene
from calward.language.values import Bound, Clock, Length, Number, Stretch, When

WHOLE = frozenset({"whole_units"})
"""People differ on whether "the next two weeks" begin today or with the next week."""


def _in(scene: Scene, _in: object, length: Length) -> When | None:
    return from_now(scene, length)


def _in_clocked(scene: Scene, word: object, said: When, unit: Grain) -> When | None:
    """As in "in 1:30 hours"."""
    length = clocked_length(scene, word, said, unit)
    return from_now(scene, length) if length else None


def _in_number(scene: Scene, _in: object, number: Number) -> When | None:
    """As in "In 15": minutes, where nothing else was said."""
    if not 1 <= number.value <= 59 or number.digits != 2:
        return None
    found = from_now(scene, Length(((number.value, Grain.MINUTE),)))
    return found.marked("latent") if found else None


def _hence(scene: Scene, _in: object, length: Length, _word: object) -> When | None:
    return from_now(scene, length)


def _ago(scene: Scene, length: Length, _word: object) -> When | None:
    return from_now(scene, length.negative())


def _minus(scene: Scene, _dash: object, length: Length) -> When | None:
    found = from_now(scene, length.negative())
    return found.marked("signed") if found else None


def from_now(scene: Scene, length: Length) -> When | None:
    """Now moved by a length, as exact as the length was said."""
    if "working_days" in length.marks:
        return _working_days(scene, scene.now, length)
    try:
        moved = elapsed(scene, length) if length.largest < Grain.DAY else after(scene.now, length)
    except (OutOfCalendar, OverflowError):
        return None
    unit = length.finest
    if unit is Grain.DAY:
        moved = moved.replace(minute=0, second=0, microsecond=0)
    elif unit > Grain.DAY:
        start, end = cycle(moved.date(), 0, Grain.DAY)
        return When(Fixed(start, end, Grain.DAY), at=midnight(start), grain=unit, marks=length.marks)
    elif unit is Grain.HOUR:
        moved = moved.replace(second=0, microsecond=0)
    return When(at=moved.replace(microsecond=0), grain=unit, marks=length.marks)


def elapsed(scene: Scene, length: Length) -> datetime:
    """Now and hours or minutes of real time, so that a change of the clocks in between does not count."""
    zone = scene.conventions.zone
    there = after(scene.now.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None), length)
    return there.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)


def _working_days(_scene: Scene, start: datetime, length: Length) -> When | None:
    count = int(length.amounts[0][0])
    if not 0 < abs(count) <= 400:
        return None
    if count > 0:
        spans = list(islice(upcoming(WorkingDay(), start.date() + timedelta(days=1)), count))
    else:
        spans = list(islice(bygone(WorkingDay(), start.date()), -count))
    return When(days=dated(spans[-1][0])) if len(spans) == abs(count) else None


def _after(scene: Scene, length: Length, _word: object, base: When) -> When | None:
    return _moved(scene, base, length)


def _before(scene: Scene, length: Length, _word: object, base: When) -> When | None:
    return _moved(scene, base, length.negative())


def _plus(scene: Scene, base: When, _plus: object, length: Length) -> When | None:
    return _moved(scene, base, length)


def _less(scene: Scene, base: When, _minus: object, length: Length) -> When | None:
    return _moved(scene, base, length.negative())


def _moved(scene: Scene, base: When, length: Length) -> When | None:
    """A base moved by a length; a day that is not fixed yet stays a set of days."""
    if "working_days" in length.marks:
        return _working_days_from(scene, base, length)
    if base.days is not None and base.clock is None and base.at is None and length.finest >= Grain.DAY:
        days: Days = base.days
        if base.part is not None:
            return None
        if isinstance(days, Weekday | WorkingDay | DayOfMonth):
            # Moved by weeks, all Fridays are all Fridays again: the one that is meant comes first.
            chosen = choose(days, scene)
            if chosen is None:
                return None
            days = Fixed(*chosen[0], Grain.DAY)
        for count, unit in length.amounts:
            if count != int(count) or abs(count) > 4000:
                return None
            days = _moved_days(scene, days, int(count), unit)
        return When(days=days, marks=base.marks - {"bare_year"})
    found = resolve(base, scene)
    if found is None or found.start is None:
        return None
    try:
        return When(
            at=after(found.start, length), grain=length.finest, zone=base.zone, marks=base.marks | length.marks
        )
    except OutOfCalendar:
        return None


def _working_days_from(scene: Scene, base: When, length: Length) -> When | None:
    """As in "5 business days from now", "two working days before Christmas"."""
    found = resolve(base, scene)
    return _working_days(scene, found.start, length) if found and found.start and not base.clock else None


def _moved_days(_scene: Scene, days: Days, count: int, unit: Grain) -> Days:
    if isinstance(days, Fixed):
        try:
            start, end = cycle(after(midnight(days.start), Length(((count, unit),))).date(), 0, Grain.DAY)
        except OutOfCalendar:
            return days
        return Fixed(start, end, Grain.DAY)
    return Moved(days, count, unit)


def _weekdays_hence(scene: Scene, number: Number | int, weekday: int, _word: object) -> When | None:
    """As in "Three Fridays from now"."""
    return _count_weekdays(scene, number, weekday, 1)


def _weekdays_ago(scene: Scene, number: Number | int, weekday: int, _word: object) -> When | None:
    return _count_weekdays(scene, number, weekday, -1)


def _count_weekdays(scene: Scene, number: Number | int, weekday: int, sign: int) -> When | None:
    count = number.whole if isinstance(number, Number) else number
    if not 1 <= count <= 500:
        return None
    if sign > 0:
        found = list(islice(upcoming(Weekday(weekday), scene.today + timedelta(days=1)), count))
    else:
        found = list(islice(bygone(Weekday(weekday), scene.today), count))
    return When(days=dated(found[-1][0])) if len(found) == count else None


def _now(scene: Scene, _word: object) -> When:
    return When(at=scene.now.replace(microsecond=0), grain=Grain.SECOND, marks=frozenset({"now"}))


def _week_on(scene: Scene, length: Length, _on: object, base: When) -> When | None:
    """As in "A week on Friday", "two weeks on Friday", "a week tomorrow", "a fortnight today"."""
    days = base.days
    one_day = isinstance(days, Weekday) or (isinstance(days, Fixed) and days.grain is Grain.DAY)
    weeks = length.finest is Grain.WEEK and one_day and base.category == "date"
    found = _moved(scene, base, length) if weeks else None
    return found.marked("week_later") if found else None


def _bare_week_on(scene: Scene, unit: Grain, _on: object, base: When) -> When | None:
    """As in "week on Tuesday"."""
    return _week_on(scene, Length(((1, unit),)), None, base)


def _fortnight_later(scene: Scene, base: When, _word: object) -> When | None:
    """As in "Tuesday fortnight"."""
    return _week_on(scene, Length(((2, Grain.WEEK),)), None, base)


def _next_units(scene: Scene, _the: object, which: str, length: Length) -> Stretch | When | None:
    """As in "The next three weeks": whole units from the next one on."""
    if len(length.amounts) != 1:
        return _span_of_length(scene, which, length)
    count, unit = length.amounts[0]
    if which == "this" or count != int(count) or not 1 <= count <= 4000:
        return None
    if "working_days" in length.marks:
        return _next_working_days(scene, which, int(count))
    if which == "upcoming" and unit >= Grain.DAY:
        return _unit_ahead(scene, int(count), unit)
    sign = -1 if which == "last" else 1
    if unit >= Grain.DAY:
        week_start = scene.conventions.week_start
        first = floor(scene.today, unit, week_start)
        try:
            near = cycle(first, 1 if sign > 0 else 0, unit, week_start)[0]
            far = cycle(near, sign * int(count), unit, week_start)[0]
        except OutOfCalendar:
            return None
        start, end = (near, far) if sign > 0 else (far, near)
        return Stretch(
            Bound.BETWEEN,
            When(at=midnight(start), grain=unit),
            When(at=midnight(end), grain=unit),
            whole_units=unit,
            marks=WHOLE,
        )
    step = {
        Grain.SECOND: timedelta(seconds=1),
        Grain.MINUTE: timedelta(minutes=1),
        Grain.HOUR: timedelta(hours=1),
    }[unit]
    edge = _floored(scene.now, unit) + (step if sign > 0 else timedelta())
    other = edge + sign * int(count) * step
    start_at, end_at = min(edge, other), max(edge, other)
    return Stretch(
        Bound.BETWEEN, When(at=start_at, grain=unit), When(at=end_at, grain=unit), whole_units=unit, marks=WHOLE
    )


def _unit_ahead(scene: Scene, count: int, unit: Grain) -> When | None:
    """As in "Upcoming two weeks": read as the unit that many ahead; people differ, so it is marked."""
    try:
        start, end = cycle(scene.today, count, unit, scene.conventions.week_start)
    except OutOfCalendar:
        return None
    return When(days=Fixed(start, end, unit), marks=frozenset({"upcoming_units"}))


def _units_next(scene: Scene, _the: object, number: Number, which: str, unit: Grain) -> Stretch | When | None:
    """As in "The five coming minutes", "13 last days"."""
    return _next_units(scene, None, which, Length(((number.value, unit),)))


def _next_moment(scene: Scene, _in: object, _the: object, which: str, unit: Grain) -> Stretch | When | None:
    """As in "the next hour", "within the last minute"."""
    return _next_units(scene, None, which, Length(((1, unit),))) if unit < Grain.DAY else None


def _same_time(scene: Scene, _word: object, _comma: object, when: When) -> When | None:
    """As in "this time tomorrow", "the same time next week"."""
    chosen = choose(when.days, scene) if when.days is not None and when.category == "date" else None
    if when.days is None or chosen is None:
        return None
    start, unit = chosen[0][0], when.days.grain
    if unit is Grain.WEEK and isinstance(when.days, Fixed):
        start = scene.today + (start - floor(scene.today, unit, scene.conventions.week_start))
    elif unit in (Grain.MONTH, Grain.YEAR) and isinstance(when.days, Fixed):
        first = floor(scene.today, unit)
        start = shift_day(scene.today, (start.year - first.year) * 12 + start.month - first.month, Grain.MONTH)
    elif unit is not Grain.DAY:
        return None
    clock = Clock(scene.now.hour, scene.now.minute, grain=Grain.MINUTE)
    return When(days=dated(start), clock=clock, marks=when.marks - {"loose_unit"})


def _at_same_time(scene: Scene, when: When, _comma: object, _word: object) -> When | None:
    """As in "tomorrow at the same time"."""
    return (
        _same_time(scene, None, None, when) if when.days is not None and when.days.grain is Grain.DAY else None
    )


def _span_of_length(scene: Scene, which: str, length: Length) -> Stretch | None:
    now = midnight(scene.today) if length.finest >= Grain.DAY else scene.now
    try:
        if which == "last":
            return Stretch(Bound.BETWEEN, When(at=after(now, length.negative())), When(at=now))
        return Stretch(Bound.BETWEEN, When(at=now), When(at=after(now, length)))
    except OutOfCalendar:
        return None


def _ago_from(scene: Scene, length: Length, _ago: object, base: When) -> When | None:
    """As in "a year ago today"."""
    return _moved(scene, base, length.negative()) if isinstance(base.days, Fixed) else None


def _next_working_days(scene: Scene, which: str, count: int) -> Stretch | None:
    if which == "last":
        spans = list(islice(bygone(WorkingDay(), scene.today), count))[::-1]
    else:
        spans = list(islice(upcoming(WorkingDay(), scene.today + timedelta(days=1)), count))
    if len(spans) != count:
        return None
    first, last = midnight(spans[0][0]), midnight(spans[-1][1])
    return Stretch(Bound.BETWEEN, When(at=first), When(at=last), whole_units=Grain.DAY)


def _floored(moment: datetime, unit: Grain) -> datetime:
    moment = moment.replace(microsecond=0)
    if unit >= Grain.MINUTE:
        moment = moment.replace(second=0)
    return moment.replace(minute=0) if unit >= Grain.HOUR else moment


RULES = (
    Rule(("in|within|after length",), _in, weight=0.2),
    Rule(("in num",), _in_number, weight=-0.5),
    Rule(("in clock unit",), _in_clocked, weight=0.3),
    Rule(("in? length hence",), _hence, weight=0.2),
    Rule(("length ago",), _ago, weight=0.2),
    Rule(("ago_before length",), lambda scene, _word, length: _ago(scene, length, None), weight=0.3),
    Rule(("plus length",), _in, weight=0.1),
    Rule(("dash|minus length",), _minus, weight=-0.6),
    Rule(("length after|from|since date|when|clock",), _after, weight=0.3),
    Rule(
        ("in length after|from date|when|clock",), lambda s, _i, n, w, base: _after(s, n, w, base), weight=0.5
    ),
    Rule(("length before date|when|clock",), _before, weight=0.3),
    Rule(("date|when|clock plus length",), _plus, weight=0.3),
    Rule(("date|when|clock dash|minus length",), _less, weight=0.1),
    Rule(("num|amount weekday|weekdays hence",), _weekdays_hence, weight=0.3),
    Rule(("num|amount weekday|weekdays ago",), _weekdays_ago, weight=0.3),
    Rule(("now",), _now),
    Rule(("length on date",), _week_on, weight=0.2),
    Rule(("length date",), lambda s, length, base: _week_on(s, length, None, base), weight=0.2),
    Rule(("unit on date",), _bare_week_on, weight=0.1),
    Rule(("length ago date",), _ago_from, weight=0.4),
    Rule(("date fortnight",), _fortnight_later, weight=0.2),
    Rule(("today_to",), _now),
    Rule(("the? dir length",), _next_units, weight=0.2),
    Rule(("in|within|for the? dir length",), lambda s, _i, t, w, n: _next_units(s, t, w, n), weight=0.4),
    Rule(("a unit after",), lambda s, _a, unit, _w: from_now(s, Length(((1, unit),))), weight=-0.3),
    Rule(("the? num dir unit",), _units_next, weight=0.2),
    Rule(("in|within|for? the? dir unit",), _next_moment, weight=0.2),
    Rule(("same_time comma? date",), _same_time, weight=0.4),
    Rule(("date comma? same_time",), _at_same_time, weight=0.4),
)

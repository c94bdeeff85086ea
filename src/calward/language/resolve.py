"""Partial values into moments: one day chosen, one time of day settled, both ends of a span put in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from calward.language.days import Both, Days, DaySpan, Fixed, MonthDay, Months, Weekday, bygone, upcoming
from calward.language.grains import Grain, OutOfCalendar, shift
from calward.language.hours import at_clock, by_part, hour_mark, is_plain, midnight, settle
from calward.language.scene import Scene
from calward.language.values import NO_MARKS, Bound, Clock, Length, Stretch, When

RECENT = timedelta(days=14)
"""A weekday with a date may lie this far back before the next year that fits is taken."""

FAR_AHEAD = timedelta(days=270)
"""A date without a year that lies further ahead than this may have been meant for the year that is passing."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A half-open stretch of wall-clock time. A missing start means "until", a missing end is a point or
    "from".

    ``zone`` is the zone that was said; None means the person's own. ``open_end`` tells "from 2 pm" from "2 pm".
    """

    start: datetime | None
    end: datetime | None
    grain: Grain
    all_day: bool = False
    zone: tzinfo | None = None
    open_end: bool = False
    marks: frozenset[str] = NO_MARKS


def resolve(value: When | Stretch, scene: Scene) -> Resolved | None:
    """The moment or stretch that is meant, or None where it lies outside the calendar."""
    try:
        return _when(value, scene) if isinstance(value, When) else _stretch(value, scene)
    except (OutOfCalendar, OverflowError):
        return None


def choose(days: Days, scene: Scene, clock: Clock | None = None) -> tuple[DaySpan, frozenset[str]] | None:
    """The span of ``days`` that is meant, and what was assumed."""
    if isinstance(days, Fixed):
        return (days.start, days.end), NO_MARKS
    if isinstance(days, Both) and isinstance(days.inner, MonthDay) and isinstance(days.outer, Weekday):
        return _dated_weekday(days, scene)
    if scene.backward:
        found = next(bygone(days, scene.today), None)
        return (found, NO_MARKS) if found else None
    for span in upcoming(days, scene.today):
        if span[0] == scene.today and isinstance(days, Weekday):
            # "Friday", said on a Friday, is a week away unless a time still to come was named.
            if clock is None or at_clock(span[0], settle(clock, span[0], scene)) <= scene.now:
                continue
            return span, frozenset({"today_by_name"})
        far = isinstance(days, MonthDay) and span[0] - scene.today > FAR_AHEAD
        return span, frozenset({"far_ahead"}) if far else NO_MARKS
    found = next(bygone(days, scene.today), None)
    return (found, NO_MARKS) if found else None


def _dated_weekday(days: Both, scene: Scene) -> tuple[DaySpan, frozenset[str]] | None:
    """A weekday and a date that must agree: the year in which they do, else the date as it stands."""
    recent = scene.today - RECENT
    for span in upcoming(days, recent, years=2):
        return span, NO_MARKS
    plain = choose(days.inner, scene)
    return (plain[0], plain[1] | {"weekday_differs"}) if plain else None


def _when(value: When, scene: Scene) -> Resolved | None:
    if value.at is not None:
        return Resolved(value.at, None, _finer(value.grain), zone=value.zone, marks=value.marks)
    if value.days is None:
        return _today_or_next(value, scene)
    chosen = choose(value.days, scene, value.clock)
    if chosen is None:
        return None
    (start, end), marks = chosen
    marks |= value.marks
    if value.clock is not None:
        if end - start > timedelta(days=1):
            marks |= {"day_left_open"}
        clock = settle(value.clock, start, scene, value.part.name if value.part else None)
        marks |= hour_mark(clock, value.clock, value.part, scene.conventions)
        return Resolved(at_clock(start, clock), None, clock.grain, zone=value.zone, marks=marks)
    if value.part is not None:
        hours = scene.conventions.part(value.part.name)
        if hours is None:
            return None
        first, last = (midnight(start) + timedelta(hours=hour) for hour in hours)
        return Resolved(first, last, Grain.HOUR, zone=value.zone, marks=marks | {"part_of_day"})
    if end - start > timedelta(days=1):
        marks |= {"long_unit"} | ({"week_long"} if value.days.grain is Grain.WEEK else set())
    return Resolved(midnight(start), midnight(end), value.days.grain, all_day=True, marks=marks)


def _today_or_next(value: When, scene: Scene) -> Resolved | None:
    """A time or part of day without a day: the next one, or the last one where the past is meant."""
    day = scene.today
    if value.clock is not None:
        clock = settle(value.clock, None, scene, value.part.name if value.part else None)
        start = at_clock(day, clock)
        marks = value.marks | hour_mark(clock, value.clock, value.part, scene.conventions) | {"no_day"}
        if start < scene.now and not scene.backward:
            start = at_clock(day + timedelta(days=1), clock)
            marks |= {"rolled_over"}
        elif start > scene.now and scene.backward:
            start -= timedelta(days=1)
        return Resolved(start, None, clock.grain, zone=value.zone, marks=marks)
    hours = scene.conventions.part(value.part.name) if value.part else None
    if hours is None:
        return None
    if midnight(day) + timedelta(hours=hours[1]) <= scene.now and not scene.backward:
        day += timedelta(days=1)
    first, last = (midnight(day) + timedelta(hours=hour) for hour in hours)
    return Resolved(first, last, Grain.HOUR, zone=value.zone, marks=value.marks | {"part_of_day", "no_day"})


def _finer(grain: Grain) -> Grain:
    """How exact it was: "In three days" is good to the hour, "in two hours" to the minute, "in a month" to the
    day."""
    return {Grain.MINUTE: Grain.SECOND, Grain.HOUR: Grain.MINUTE, Grain.DAY: Grain.HOUR}.get(
        grain, Grain.SECOND if grain is Grain.SECOND else Grain.DAY
    )


def _stretch(value: Stretch, scene: Scene) -> Resolved | None:
    match value.bound:
        case Bound.AFTER:
            return _after(value, scene)
        case Bound.BEFORE:
            return _before(value, scene)
        case Bound.LASTING:
            return _lasting(value, scene)
        case Bound.BETWEEN:
            return _between(value, scene)


def _on(end: When | None, value: Stretch) -> When | None:
    """An end of a span, with the day and part of day that were said for both."""
    if end is None or end.at is not None:
        return end
    return replace(end, days=end.days or value.days, part=end.part or (value.part if end.clock else None))


def _after(value: Stretch, scene: Scene) -> Resolved | None:
    first = _on(value.first, value)
    if "looks_back" in value.marks:
        scene = replace(scene, past=True)
    found = resolve(first, scene) if first else None
    if found is None:
        return None
    long = found.all_day and found.end is not None and found.start is not None
    long = long and found.end - found.start > timedelta(days=1)  # type: ignore[operator]
    later = long and "since" not in value.marks
    start = found.end if later else found.start
    if found.all_day and found.grain > Grain.DAY and "from" in value.marks:
        # "From October" names the month as much as what follows it: both ends are given.
        return replace(found, open_end=True, marks=found.marks | value.marks)
    return replace(
        found,
        start=start,
        end=None,
        open_end=True,
        zone=found.zone or value.zone,
        marks=found.marks | value.marks,
    )


def _before(value: Stretch, scene: Scene) -> Resolved | None:
    last = _on(value.last, value)
    found = resolve(last, scene) if last else None
    if found is None:
        return None
    # "Before the end of May" runs up to the end, not to where the last days begin.
    whole = ("until" in value.marks and "opening" not in found.marks) or "closing" in found.marks
    end = found.end if found.all_day and whole else found.start
    marks = found.marks | value.marks
    if "until" not in marks:
        marks |= {"before"}
    return replace(found, start=None, end=end, zone=found.zone or value.zone, marks=marks)


def _lasting(value: Stretch, scene: Scene) -> Resolved | None:
    first = _on(value.first, value)
    found = resolve(first, scene) if first else None
    if found is None or found.start is None or value.length is None:
        return None
    end = after(found.start, value.length)
    whole = found.all_day and value.length.finest >= Grain.DAY
    grain = found.grain if whole or not found.all_day else value.length.finest
    return replace(
        found,
        end=end,
        all_day=whole,
        grain=grain,
        zone=found.zone or value.zone,
        marks=found.marks | value.marks,
    )


def after(start: datetime, length: Length) -> datetime:
    """``start`` plus a length, larger units first."""
    for count, grain in length.amounts:
        start = shift(start, count, grain)
    return start


def _between(value: Stretch, scene: Scene) -> Resolved | None:
    first, last = _on(value.first, value), _on(value.last, value)
    if first is None or last is None:
        return None
    if first.clock is not None and last.clock is not None:
        first, last = _same_day(first, last, scene)
        if first.days is None and last.days is None and first.at is None:
            first = _under_way(first, last, scene)
    begun = _begin(first, last, scene)
    if begun is None or begun.start is None:
        return None
    ended = _end_after(begun, first, last, scene)
    if ended is None:
        return None
    end = ended.end if ended.all_day or ended.end is not None else ended.start
    if "opening" in ended.marks:
        # "To the beginning of June" ends where June begins.
        end = ended.start
    if end is None or end < begun.start:
        return None
    marks = begun.marks | ended.marks | value.marks
    whole = value.whole_units is not None and value.whole_units >= Grain.DAY
    all_day = whole or (begun.all_day and ended.all_day)
    return Resolved(
        begun.start,
        end,
        min(begun.grain, ended.grain),
        all_day,
        begun.zone or ended.zone or value.zone,
        marks=marks,
    )


def _under_way(first: When, last: When, scene: Scene) -> When:
    """Times of day without a day are today's as long as the stretch has not ended."""
    assert first.clock is not None
    assert last.clock is not None
    begin, end = at_clock(scene.today, first.clock), at_clock(scene.today, last.clock)
    if begin <= scene.now < end:
        return replace(first, days=Fixed(scene.today, scene.today + timedelta(days=1), Grain.DAY))
    return first


def _begin(first: When, last: When, scene: Scene) -> Resolved | None:
    """The first end. A stretch that is under way has begun already: "May to March", said in autumn."""
    if last.at is not None and last.at <= scene.now:
        return resolve(first, replace(scene, past=True))
    begun = resolve(first, scene)
    if begun is None or begun.start is None or not isinstance(last.days, MonthDay | Months):
        return begun
    if first.days is None or isinstance(first.days, Fixed | Weekday):
        return begun
    ended = resolve(last, scene) if last.days is not None else None
    if ended is not None and ended.start is not None and ended.start < begun.start:
        earlier = resolve(first, replace(scene, past=True))
        if earlier is not None and earlier.start is not None and earlier.start <= ended.start:
            return earlier
    return begun


def _end_after(begun: Resolved, first: When, last: When, scene: Scene) -> Resolved | None:
    """The second end, looked for from the first one on."""
    assert begun.start is not None
    if last.at is not None or (isinstance(last.days, Fixed) and last.days is not first.days):
        return resolve(last, scene)
    if last.days is None and last.clock is not None:
        clock = settle(last.clock, begun.start.date(), scene, last.part.name if last.part else None)
        end = at_clock(begun.start.date(), clock)
        if end <= begun.start:
            end += timedelta(days=1)
        return Resolved(end, None, clock.grain, zone=last.zone, marks=last.marks)
    if last.days is None or last.days == first.days:
        day = begun.start.date()
        fixed = Fixed(day, day + timedelta(days=1), Grain.DAY) if last.clock or last.part else last.days
        found = resolve(replace(last, days=fixed), scene)
        if found and found.start and found.start <= begun.start and last.clock:
            return replace(found, start=found.start + timedelta(days=1))
        return found
    return resolve(last, scene.seen_from(begun.start))


def _same_day(first: When, last: When, scene: Scene) -> tuple[When, When]:
    """Both ends settled. A day said with the second is that of both, as in "10 to 12 tomorrow", unless the
    stretch then ran backwards, as "10pm to 2am tomorrow" does."""
    if first.days is not None and last.days is not None and first.days != last.days:
        return _own_half(first, scene), _own_half(last, scene)
    if first.days is None and first.at is None and last.days is not None:
        a, b = _same_half(replace(first, days=last.days), last, scene)
        if a.clock is not None and b.clock is not None and a.clock.minutes < b.clock.minutes:
            return a, b
    return _same_half(first, last, scene)


def _own_half(end: When, scene: Scene) -> When:
    """One end of a stretch over several days, settled by itself."""
    assert end.clock is not None
    said = end.clock
    clock = settle(said, date.max, scene, end.part.name if end.part else None)
    return replace(
        end,
        clock=clock,
        part=None,
        marks=end.marks | hour_mark(clock, said, end.part, scene.conventions),
    )


def _settle_start(start: Clock, end: Clock, day: date | None, scene: Scene) -> Clock:
    """The half of the day a stretch begins in: "9 to 5" said at ten is not the night."""
    said = settle(start, day, scene)
    moved_on = said.hour >= 12 > start.hour >= scene.conventions.first_morning_hour
    if moved_on and end.open and end.closed().minutes < start.closed().minutes:
        return start.closed()
    return said


def _same_half(first: When, last: When, scene: Scene) -> tuple[When, When]:
    """Settle am and pm of two ends together: "3 to 5pm", "8am - 3", "11 to 2"."""
    a, b = first.clock, last.clock
    assert a is not None
    assert b is not None
    if last.part is not None:
        b = by_part(b, last.part.name)
    if part := first.part or last.part:
        said, a = a, by_part(a, part.name)
        if said.open and said.closed().minutes < b.minutes <= a.minutes:
            # "11 to 1 in the afternoon": the part of the day is that of the end.
            a = said.closed()
    if a.open and not b.open:
        ways = [way for way in (a.closed(), a.flipped()) if way.minutes < b.minutes]
        a = max(ways, key=lambda way: way.minutes, default=settle(a, None, scene))
    elif a.open:
        day = choose(first.days, scene) if first.days else None
        said, customs = a, scene.conventions
        a = _settle_start(said, b, day[0][0] if day else None, scene)
        if not customs.bare_hours_are_settled and not (is_plain(said, customs) and a.hour == said.hour):
            first = first.marked("bare_hour")
    if b.open:
        ways = [way for way in (b.closed(), b.flipped()) if way.minutes > a.minutes]
        b = min(ways, key=lambda way: way.minutes, default=b.closed())
    return replace(first, clock=a, part=None), replace(last, clock=b, part=None)

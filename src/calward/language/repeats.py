"""Recurrences that were understood, as RRULE text (RFC 5545 §3.3.10) with a first occurrence, bounds and
exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from calward.language.days import (
    Both,
    DayOfMonth,
    DayOfYear,
    Days,
    Fixed,
    MonthDay,
    Months,
    Nth,
    Units,
    Weekday,
    WorkingDay,
    upcoming,
)
from calward.language.grains import Grain, OutOfCalendar
from calward.language.hours import at_clock, hour_mark, midnight, settle
from calward.language.resolve import after, choose, resolve
from calward.language.scene import Scene
from calward.language.values import NO_MARKS, Bound, Clock, Cycle, Stretch, When

FREQUENCIES = {
    Grain.SECOND: "SECONDLY",
    Grain.MINUTE: "MINUTELY",
    Grain.HOUR: "HOURLY",
    Grain.DAY: "DAILY",
    Grain.WEEK: "WEEKLY",
    Grain.MONTH: "MONTHLY",
    Grain.YEAR: "YEARLY",
}
WORKING_DAYS = 5
WEEKDAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Repeat:
    """A resolved recurrence on the wall clock.

    ``rrule`` has no prefix. ``first`` is the first occurrence; ``start_said`` tells whether a start or a time
    of day was said, so that ``first`` is more than the next day that fits. ``end`` is where the first
    occurrence ends.
    """

    rrule: str
    first: datetime
    end: datetime | None
    all_day: bool
    start_said: bool
    exdates: tuple[datetime, ...] = ()
    marks: frozenset[str] = NO_MARKS


def resolve_cycle(cycle: Cycle, scene: Scene) -> Repeat | None:
    """Settle when a recurrence begins and ends, or None where that lies outside the calendar."""
    try:
        return _resolve(cycle, scene)
    except (OutOfCalendar, OverflowError):
        return None


def _resolve(cycle: Cycle, scene: Scene) -> Repeat | None:
    start = scene.today
    if cycle.start is not None and cycle.start.days is not None:
        chosen = choose(cycle.start.days, scene)
        start = chosen[0][0] if chosen else start
    first_day = _first_day(cycle, start, scene)
    if first_day is None:
        return None
    marks = cycle.marks
    clock = cycle.clock
    end: datetime | None = None
    if clock is None and cycle.part is not None:
        hours = scene.conventions.part(cycle.part.name)
        clock = Clock(hours[0]) if hours else None
        end = midnight(first_day) + timedelta(hours=hours[1]) if hours else None
        marks |= {"part_of_day"}
    elif clock is not None:
        said = cycle.part is not None or (cycle.clock_end is not None and not cycle.clock_end.open)
        open_clock = clock
        clock, end = _clocks(cycle, clock, first_day, scene)
        if not said:
            marks |= hour_mark(clock, open_clock, None, scene.conventions)
    first = at_clock(first_day, clock) if clock else midnight(first_day)
    if clock is not None and cycle.start is None and first < scene.now:
        later = _first_day(cycle, first_day + timedelta(days=1), scene)
        if later is not None:
            end = end + (at_clock(later, clock) - first) if end else None
            first = at_clock(later, clock)
    if cycle.length is not None:
        end = after(first, cycle.length)
    until = _until(cycle, first if cycle.start else scene.now, scene)
    return Repeat(
        rrule=rule_text(cycle, until, timed=clock is not None),
        first=first,
        end=end,
        all_day=clock is None and cycle.freq >= Grain.DAY,
        start_said=cycle.start is not None or clock is not None,
        exdates=_exdates(cycle, first, scene),
        marks=marks,
    )


def rule_text(cycle: Cycle, until: date | None, timed: bool) -> str:
    """RRULE text; UNTIL of a timed series is the end of its day on the wall clock."""
    parts = [f"FREQ={FREQUENCIES[cycle.freq]}"]
    if cycle.interval != 1:
        parts.append(f"INTERVAL={cycle.interval}")
    for name, numbers in (
        ("BYMONTH", cycle.bymonth),
        ("BYWEEKNO", cycle.byweekno),
        ("BYYEARDAY", cycle.byyearday),
        ("BYMONTHDAY", cycle.bymonthday),
    ):
        if numbers:
            parts.append(f"{name}={','.join(map(str, numbers))}")
    if cycle.byday:
        days = (f"{number or ''}{WEEKDAY_CODES[day]}" for number, day in cycle.byday)
        parts.append(f"BYDAY={','.join(days)}")
    if cycle.bysetpos:
        parts.append(f"BYSETPOS={','.join(map(str, cycle.bysetpos))}")
    if cycle.count is not None:
        parts.append(f"COUNT={cycle.count}")
    elif until is not None:
        parts.append(f"UNTIL={until:%Y%m%d}" + ("T235959" if timed else ""))
    return ";".join(parts)


def _clocks(cycle: Cycle, clock: Clock, day: date, scene: Scene) -> tuple[Clock, datetime | None]:
    """The time of day of each occurrence and the end of the first; what hour it is now says nothing of it."""
    scene = scene.seen_from(midnight(scene.today))
    if cycle.clock_end is not None:
        fixed = Fixed(day, day + timedelta(days=1), Grain.DAY)
        ends = When(clock=clock), When(clock=cycle.clock_end)
        found = resolve(Stretch(Bound.BETWEEN, *ends, days=fixed, part=cycle.part), scene)
        if found and found.start and found.end:
            return Clock(found.start.hour, found.start.minute, 0, Grain.MINUTE), found.end
    return settle(clock, day, scene, cycle.part.name if cycle.part else None), None


def _until(cycle: Cycle, start: datetime, scene: Scene) -> date | None:
    if cycle.lasting is not None:
        return after(start, cycle.lasting).date()
    if cycle.until is None or cycle.until.days is None:
        return None
    chosen = choose(cycle.until.days, scene.seen_from(start))
    if chosen is None:
        return None
    # "Until June" ends where June begins, "through June" and "until the end of June" where it ends.
    whole = not cycle.until.marks.isdisjoint({"whole", "closing"})
    return chosen[0][1] - timedelta(days=1) if whole else chosen[0][0]


def _exdates(cycle: Cycle, first: datetime, scene: Scene) -> tuple[datetime, ...]:
    found = (choose(when.days, scene.seen_from(first)) for when in cycle.except_ if when.days)
    return tuple(datetime.combine(chosen[0][0], first.time()) for chosen in found if chosen)


def _first_day(cycle: Cycle, start: date, _scene: Scene) -> date | None:
    """The first day from ``start`` on that the rule falls on."""
    sets = list(_day_sets(cycle))
    if not sets:
        return start
    firsts = (next((span[0] for span in upcoming(days, start) if span[0] >= start), None) for days in sets)
    return min((day for day in firsts if day is not None), default=None)


def _day_sets(cycle: Cycle) -> list[Days]:
    """Sets of days that together are those of a rule; none for a bare frequency."""
    outer: Days = Units(Grain.MONTH) if cycle.freq is Grain.MONTH else Units(Grain.YEAR)
    if cycle.bymonth:
        outer = Months(cycle.bymonth[0])
    if cycle.bymonthday:
        if cycle.bymonth:
            return [MonthDay(month, day) for month in cycle.bymonth for day in cycle.bymonthday]
        return [DayOfMonth(day) for day in cycle.bymonthday]
    if cycle.byday and cycle.bysetpos and len(cycle.byday) == WORKING_DAYS:
        return [Nth(position, WorkingDay(), outer) for position in cycle.bysetpos]
    if cycle.byday:
        every = [Both(Weekday(day), outer) if cycle.bymonth else Weekday(day) for _, day in cycle.byday]
        return [
            Nth(number, Weekday(day), outer) if number else days
            for days, (number, day) in zip(every, cycle.byday, strict=True)
        ]
    if cycle.byyearday:
        return [DayOfYear(day) for day in cycle.byyearday if day > 0]
    return [outer] if cycle.bymonth else []

"""When an object's occurrences begin and end, and how long the longest is.

A store keeps these beside the object, and then knows without expanding it whether it can matter in a window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from calward.model.event import Event, Period
from calward.model.rule import Rule
from calward.model.time import CalTime
from calward.recurrence.expand import STEPS, last_time
from calward.recurrence.lengths import add, length_of, naive_utc
from calward.recurrence.members import read_rule, until_wall
from calward.recurrence.slots import wall_in_series


@dataclass(frozen=True, slots=True)
class Bounds:
    """Aware moments in UTC. No occurrence lies outside; the first and the last may lie further in."""

    first_start: datetime
    last_end: datetime | None
    """None: without end, or too far to follow."""
    longest: timedelta
    """Of one occurrence, in real time, in any zone."""


def bounds(events: Sequence[Event], viewer: tzinfo, *, steps: int = STEPS) -> Bounds | None:
    """The bounds of the components of one object; None where none of them has a start.

    Dates and floating times are taken in ``viewer``'s zone; another viewer's can be up to 26 hours away.
    """
    starts: list[CalTime] = []
    ends: list[CalTime] = []
    longest = timedelta()
    endless = False
    master = next((event for event in events if event.recurrence_id is None), None)
    for event in events:
        start = event.start or event.recurrence_id
        if start is None:
            continue
        starts.append(start)
        ends.append(start)
        longest = max(longest, length_of(event, viewer).longest(start))
    if not starts:
        return None
    if master is not None and master.start is not None:
        for rdate in master.rdates:
            time = rdate.start if isinstance(rdate, Period) else rdate
            starts.append(time)
            ends.append(time)
            if isinstance(rdate, Period):
                longest = max(longest, naive_utc(rdate.end, viewer) - naive_utc(time, viewer))
        for last in _lasts(master, master.start, viewer, steps):
            endless = endless or last is None
            ends.extend(_moved(last, events, viewer) if last is not None else ())
    first = min(naive_utc(time, viewer) for time in starts)
    last_end = (
        None if endless else add(max(naive_utc(time, viewer) for time in ends), longest).replace(tzinfo=UTC)
    )
    return Bounds(first.replace(tzinfo=UTC), last_end, longest)


def _lasts(master: Event, start: CalTime, viewer: tzinfo, steps: int) -> Iterator[CalTime | None]:
    """For each rule a time it does not go beyond, or None."""
    for text in master.rrules:
        rule = read_rule(text)
        if isinstance(rule, Rule):
            until = until_wall(rule, start, viewer)
            last = last_time(rule, start.wall, until=until, all_day=start.is_date, steps=steps)
            yield None if last is None else start.at(last)


def _moved(last: CalTime, events: Sequence[Event], viewer: tzinfo) -> Iterator[CalTime]:
    """Where the last occurrence can be, as it is and as overrides of this and future move it."""
    yield last
    for event in events:
        if event.this_and_future and event.start is not None and event.recurrence_id is not None:
            shift = event.start.wall - wall_in_series(event.recurrence_id, event.start, viewer)
            yield event.start.at(add(wall_in_series(last, event.start, viewer), shift))

"""Where an occurrence went: the one that goes on with it after its series was edited.

An occurrence is named by its original start, and an edit of a whole series may give every one of them another.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from calward.model.event import Event, Occurrence
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, Span
from calward.recurrence.series import expand

AROUND = timedelta(days=40)
"""How far an occurrence is looked for from where it was: more than a month, so that monthly ones are found."""
FAR = timedelta(days=800)
"""The same for its neighbours, where it is alone in that."""
SHORT_DAY = timedelta(hours=23)
"""A day on which the clocks are put forward."""
EARLIEST, LATEST = datetime(4, 1, 1, tzinfo=UTC), datetime(9990, 1, 1, tzinfo=UTC)


def successor(
    events: Sequence[Event], key: RecurrenceKey, was: datetime, viewer: ZoneInfo
) -> Occurrence | None:
    """The occurrence ``key`` of an object, which was at ``was`` originally, or the one that took its place.

    In order: the one of that name; for an event that does not recur (any more) its only one, if that is where
    this one was or it always was the only one; in a series whose times were changed, the one on the same day,
    else the nearest, if it is nearer than half of the way to its neighbours. A single occurrence that was
    deleted is so far from those beside it that nothing takes its place: None.
    """
    if all(event.start is None for event in events):
        return None
    found = _around(events, was, key, AROUND, viewer)
    for one in found:
        if one.key == key:
            return one
    if not _is_series(events):
        start = next(event.start for event in events if event.start)
        only = _around(events, start.instant(viewer), key, AROUND, viewer)
        return only[0] if only and (not key or only[0].start.instant(viewer) == was) else None
    if not key:
        return min(found, key=lambda one: _distance(one.original, was, viewer), default=None)
    if not found:
        return None
    gap = _gap(found, viewer) or _gap(_around(events, was, key, FAR, viewer), viewer)
    day = was.astimezone(viewer).date()
    same_day = [one for one in found if one.original.instant(viewer).astimezone(viewer).date() == day]
    if len(same_day) == 1 and (gap is None or gap >= SHORT_DAY):
        return same_day[0]
    nearest = min(found, key=lambda one: _distance(one.original, was, viewer))
    return nearest if gap is not None and 2 * _distance(nearest.original, was, viewer) < gap else None


def _around(
    events: Sequence[Event], was: datetime, key: RecurrenceKey, reach: timedelta, viewer: ZoneInfo
) -> tuple[Occurrence, ...]:
    """The occurrences near where it was, and wherever an override put it."""
    moved = [event.start.instant(viewer) for event in events if key and event.key == key and event.start]
    found: dict[RecurrenceKey, Occurrence] = {}
    for moment in (was, *moved):
        middle = min(max(moment, EARLIEST), LATEST)
        for one in expand(events, Span(middle - reach, middle + reach), viewer).occurrences:
            found[one.key] = one
    return tuple(found.values())


def _is_series(events: Sequence[Event]) -> bool:
    return len(events) > 1 or any(event.recurs or event.recurrence_id is not None for event in events)


def _gap(found: Sequence[Occurrence], viewer: ZoneInfo) -> timedelta | None:
    """The shortest way from one original start to the next; None where there is but one."""
    starts = sorted(one.original.instant(viewer) for one in found)
    return min((later - sooner for sooner, later in pairwise(starts)), default=None)


def _distance(time: CalTime, was: datetime, viewer: ZoneInfo) -> timedelta:
    return abs(time.instant(viewer) - was)

"""How long an event lasts, and so where each of its occurrences ends (RFC 5545 §3.8.2.2, §3.8.2.5, §3.8.5.3).

DTEND gives every occurrence of a timed event the same exact duration; days, whether of DURATION or between two
dates, are nominal: they end at the same time of day, and DST may stretch them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from calward.model.event import Event
from calward.model.time import CalTime, TimeKind

STRETCH = timedelta(hours=2)
"""No real zone makes a stretch of days longer than its days by more than this."""


FIRST = datetime(2, 1, 1)
LAST = datetime(9999, 12, 29)


@dataclass(frozen=True, slots=True)
class Length:
    """Nominal ``days``, then ``exact`` real time; neither is negative. ``end`` is DTEND where it has a zone."""

    days: int = 0
    exact: timedelta = timedelta()
    end: CalTime | None = None

    def longest(self, start: CalTime) -> timedelta:
        """In real time, in any zone, at most, for what begins in the form of ``start``."""
        whole = timedelta(days=self.days) + self.exact
        return whole + STRETCH if self.days or (self.exact and start.zone is None) else whole

    def after(self, start: CalTime, instant: datetime, viewer: tzinfo) -> tuple[CalTime, datetime]:
        """The end of an occurrence at ``start``, and its moment; ``instant`` is the start's (naive UTC)."""
        if self.days:
            start = start.at(add(start.wall, timedelta(days=self.days)))
            instant = naive_utc(start, viewer)
        if not self.exact:
            return (start, instant) if self.end is None else (_in_zone(instant, self.end), instant)
        if start.zone is None:
            end = start.at(add(start.wall, self.exact))
            return end, max(naive_utc(end, viewer), instant)
        later = add(instant, self.exact)
        if self.end is not None:
            return _in_zone(later, self.end), later
        if start.kind is TimeKind.UTC:
            return start.at(later), later
        return _in_zone(later, start), later


def length_of(event: Event, viewer: tzinfo) -> Length:
    """The length of every occurrence that ``event`` describes; a start without an end lasts a day or no time.

    An end before its start counts as no time at all. An end of another value type than the start is read on the
    wall clock, and a part of a day makes an all-day event a day longer.
    """
    start = event.start
    if start is None:
        return Length()
    if event.duration is not None:
        days, exact = event.duration.days, timedelta(seconds=event.duration.seconds)
        if days < 0 or exact < timedelta():
            return Length()
        return Length(days=_whole_days(timedelta(days=days) + exact)) if start.is_date else Length(days, exact)
    if event.end is None:
        return Length(days=1) if start.is_date else Length()
    return length_between(start, event.end, viewer)


def length_between(start: CalTime, end: CalTime, viewer: tzinfo) -> Length:
    """The length of what begins and ends there."""
    if start.is_date:
        return Length(days=_whole_days(max(end.wall - start.wall, timedelta())))
    if end.is_date or not (start.zone and end.zone):
        return Length(exact=max(end.wall - start.wall, timedelta()))
    exact = max(end.instant(viewer) - start.instant(viewer), timedelta())
    return Length(exact=exact, end=None if end.zone is start.zone else end)


def _whole_days(span: timedelta) -> int:
    return -(-span // timedelta(days=1))


def naive_utc(time: CalTime, viewer: tzinfo) -> datetime:
    """The moment in UTC as a naive time, which is quicker to count with."""
    if time.kind is TimeKind.UTC:
        return time.wall
    offset = time.wall.replace(tzinfo=time.zone or viewer).utcoffset()
    return time.wall - offset if offset else time.wall


def add(wall: datetime, span: timedelta) -> datetime:
    """``wall + span``, held within the years that every zone can convert."""
    try:
        return min(max(wall + span, FIRST), LAST)
    except OverflowError:
        return LAST if span > timedelta() else FIRST


def _in_zone(instant: datetime, like: CalTime) -> CalTime:
    return like.at(instant.replace(tzinfo=UTC).astimezone(like.zone).replace(tzinfo=None))

"""Calendar time as RFC 5545 knows it: a date, or a wall-clock time that is UTC, zoned or floating.

A wall-clock time becomes an instant only through a zone. ``zoneinfo`` with fold 0 gives the rules this house
follows: a time in a DST gap is read with the offset before the gap, one in an overlap is the first of the two
(RFC 5545 §3.3.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum

from calward.model.ids import RecurrenceKey


class TimeKind(StrEnum):
    """The forms of RFC 5545 §3.3.4 and §3.3.5."""

    DATE = "date"
    FLOATING = "floating"
    ZONED = "zoned"
    UTC = "utc"


@dataclass(frozen=True, slots=True)
class CalTime:
    """One DATE or DATE-TIME value.

    ``wall`` is naive; for a DATE it is that day's midnight. ``zone`` is set for ZONED values whose TZID is
    known and for UTC (``datetime.UTC``), else None. ``tzid`` is the TZID parameter as written.
    A ZONED value with no zone has an unknown TZID: the event that holds it is flagged, and the viewer's zone
    stands in, never silently.
    """

    kind: TimeKind
    wall: datetime
    zone: tzinfo | None = None
    tzid: str | None = None

    def __post_init__(self) -> None:
        if self.wall.tzinfo is not None:
            raise ValueError("CalTime.wall is a naive wall-clock time")

    @property
    def is_date(self) -> bool:
        return self.kind is TimeKind.DATE

    def instant(self, viewer: tzinfo) -> datetime:
        """The moment in UTC; dates and floating times take the viewer's zone (a date is its local midnight)."""
        return self.wall.replace(tzinfo=self.zone or viewer).astimezone(UTC)

    def at(self, wall: datetime) -> CalTime:
        """The same form and zone at another wall-clock time."""
        return CalTime(self.kind, wall, self.zone, self.tzid)

    @classmethod
    def of_date(cls, day: date) -> CalTime:
        return cls(TimeKind.DATE, datetime(day.year, day.month, day.day))

    @classmethod
    def of_utc(cls, moment: datetime) -> CalTime:
        """From an aware moment in any zone."""
        return cls(TimeKind.UTC, moment.astimezone(UTC).replace(tzinfo=None), UTC)

    @classmethod
    def of_zone(cls, wall: datetime, zone: tzinfo, tzid: str) -> CalTime:
        return cls(TimeKind.ZONED, wall, zone, tzid)

    @classmethod
    def floating(cls, wall: datetime) -> CalTime:
        return cls(TimeKind.FLOATING, wall)


def recurrence_key(time: CalTime) -> RecurrenceKey:
    """The canonical name of an occurrence by its original start.

    A DATE is ``20260301``; a floating or unresolved time ``20260301T090000``; a zoned or UTC time is named by
    its UTC instant, ``20260301T080000Z``, so that clients that write RECURRENCE-ID in either form agree.
    """
    wall = time.wall
    if time.is_date:
        return RecurrenceKey(f"{wall.year:04}{wall.month:02}{wall.day:02}")
    if time.zone is None:
        return RecurrenceKey(_compact(wall))
    return instant_key(time.instant(UTC))


def instant_key(moment: datetime) -> RecurrenceKey:
    """The same for a zoned or UTC time whose moment, in UTC, is known."""
    return RecurrenceKey(_compact(moment) + "Z")


def _compact(at: datetime) -> str:
    """Spelled out, since ``strftime`` takes five times as long and every occurrence is named."""
    return f"{at.year:04}{at.month:02}{at.day:02}T{at.hour:02}{at.minute:02}{at.second:02}"


@dataclass(frozen=True, slots=True)
class Duration:
    """RFC 5545 §3.3.6: nominal days (which DST may stretch) and exact seconds. Both may be negative."""

    days: int = 0
    seconds: int = 0

    def after(self, start: CalTime, viewer: tzinfo) -> CalTime:
        """``start`` plus this duration: days on the wall clock, seconds in real time."""
        day = start.at(start.wall + timedelta(days=self.days))
        if not self.seconds:
            return day
        zone = start.zone or viewer
        if start.is_date or start.kind is TimeKind.FLOATING:
            return day.at(day.wall + timedelta(seconds=self.seconds))
        exact = day.instant(viewer) + timedelta(seconds=self.seconds)
        return day.at(exact.astimezone(zone).replace(tzinfo=None))


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of real time, ``start <= t < end``; both ends aware."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise ValueError("a span has aware ends")

    def overlaps(self, other: Span) -> bool:
        """An empty span overlaps what contains its moment."""
        if self.start == self.end:
            return other.start <= self.start < other.end
        if other.start == other.end:
            return self.start <= other.start < self.end
        return self.start < other.end and other.start < self.end

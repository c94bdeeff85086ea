"""Placing starts in real time: where an occurrence begins and ends, and whether it is in the window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from calward.model.event import Event, Occurrence, Period
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, Span, TimeKind
from calward.recurrence.calm import calm_around
from calward.recurrence.lengths import LAST, Length, add, length_of, naive_utc

MARGIN = timedelta(days=2)
"""Wall clock and UTC differ by less; so do the two sides of the widest gap (a day, in Apia)."""

Placed = tuple[datetime, Occurrence]
"""An occurrence and its start in naive UTC."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The window, in naive UTC, and the zone of who looks."""

    start: datetime
    end: datetime
    viewer: tzinfo

    @classmethod
    def of(cls, window: Span, viewer: tzinfo) -> Sight:
        start, end = (it.astimezone(UTC).replace(tzinfo=None) for it in (window.start, window.end))
        return cls(start, end, viewer)

    def walls(self, longest: timedelta, shift: timedelta) -> tuple[datetime, datetime]:
        """The wall-clock times between which a start, moved by ``shift``, can reach into the window."""
        return add(add(self.start, -shift - MARGIN), -longest), add(self.end, MARGIN - shift)

    def place(self, original: CalTime, start: CalTime, length: Length, key: RecurrenceKey) -> Placed | None:
        """The occurrence that begins at ``start``, if it overlaps the window."""
        instant = naive_utc(start, self.viewer)
        end, finish = length.after(start, instant, self.viewer)
        if not self._shows(instant, finish):
            return None
        return instant, Occurrence(original, _real(start, instant), end, key)

    def place_walls(
        self, starts: Iterable[tuple[datetime, datetime]], like: CalTime, length: Length, key: RecurrenceKey
    ) -> Iterator[Placed]:
        """The same for many starts (slot and wall) that are where they were, in the form of ``like``."""
        kind, zone, tzid = like.kind, like.zone, like.tzid
        span = timedelta(days=length.days) + length.exact
        calm = None
        for _, wall in starts:
            if calm is None or not calm.first <= wall < calm.before:
                calm = calm_around(zone or self.viewer, wall)
            if calm is None or length.end is not None or wall >= LAST - span or wall + span >= calm.before:
                start = like.at(wall)
                if placed := self.place(start, start, length, key):
                    yield placed
                continue
            # On calm days nominal and exact time are the same, and so are both ends' offsets.
            instant = wall - calm.offset
            if instant < self.end and (instant + span > self.start if span else instant >= self.start):
                start = CalTime(kind, wall, zone, tzid)
                end = CalTime(kind, wall + span, zone, tzid) if span else start
                yield instant, Occurrence(start, start, end, key)

    def place_period(self, original: CalTime, period: Period, key: RecurrenceKey) -> Placed | None:
        """The occurrence that an RDATE period describes."""
        instant, finish = (naive_utc(time, self.viewer) for time in (period.start, period.end))
        if not self._shows(instant, finish):
            return None
        return instant, Occurrence(original, _real(period.start, instant), period.end, key)

    def place_override(self, event: Event, original: CalTime | None) -> Placed | None:
        """The one occurrence that an override describes; one without a start keeps its original time."""
        if original is None or event.status == "CANCELLED":
            return None
        return self.place(original, event.start or original, length_of(event, self.viewer), event.key)

    def _shows(self, instant: datetime, finish: datetime) -> bool:
        """What takes no time is in the window that holds its moment."""
        if finish > instant:
            return instant < self.end and self.start < finish
        return self.start <= instant < self.end


def _real(start: CalTime, instant: datetime) -> CalTime:
    """``start`` as clocks show it: a time in a DST gap moves behind the gap."""
    if start.zone is None or start.kind is TimeKind.UTC:
        return start
    after = start.wall.replace(tzinfo=start.zone, fold=1).utcoffset()
    before = start.wall - instant
    return start if after is None or after <= before else start.at(start.wall + (after - before))

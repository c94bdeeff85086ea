"""Stretches of a series: the parts that one component each describes.

The master describes all of it, up to the first override of this and future (RANGE=THISANDFUTURE, RFC 5545
§3.2.13), which describes what follows up to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from calward.model.event import Event
from calward.model.time import CalTime
from calward.recurrence.lengths import FIRST, LAST, add
from calward.recurrence.slots import slot_of, wall_in_series


@dataclass(frozen=True, slots=True)
class Stretch:
    event: Event
    start: CalTime
    since: datetime
    """Slot of the first occurrence it describes."""
    until: datetime
    """Slot of the first after them."""
    shift: timedelta
    """How far it moved its occurrences on the wall clock (RFC 5545 §3.8.4.4)."""

    @property
    def whole(self) -> bool:
        """Whether nothing but the master describes the series."""
        return self.since == FIRST and self.until == LAST

    def moved(self, original: CalTime, viewer: tzinfo) -> CalTime:
        """Where the occurrence is that the series has at ``original``."""
        if not self.event.this_and_future:
            return original
        return self.start.at(add(wall_in_series(original, self.start, viewer), self.shift))


def stretches(master: Event, start: CalTime, events: Sequence[Event], viewer: tzinfo) -> list[Stretch]:
    """The master, then the overrides of this and future in the order of what they change."""
    ranged = sorted(
        (slot_of(event.recurrence_id, start, viewer), index)
        for index, event in enumerate(events)
        if event.recurrence_id is not None and event.this_and_future
    )
    until = [*(since for since, _ in ranged), LAST]
    found = [Stretch(master, start, FIRST, until[0], timedelta())]
    for (since, index), before in zip(ranged, until[1:], strict=True):
        event = events[index]
        if event.recurrence_id is not None:
            moved = event.start or event.recurrence_id
            shift = moved.wall - wall_in_series(event.recurrence_id, moved, viewer)
            found.append(Stretch(event, moved, since, before, shift))
    return found

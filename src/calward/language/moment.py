"""What a date field was understood to say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class MomentReading:
    """What a date field says.

    ``start`` and ``end`` are aware, in the zone that was said or else the conventions'; ``end`` is exclusive.
    ``start`` is None for "until Friday"; ``end`` is None for a point in time and for "from Friday on", which
    ``open_end`` tells apart. ``grain`` is how finely it was said: second, minute, hour, day, week, month,
    quarter, half, year, decade or century. ``notes`` name what was assumed; ``confidence`` runs from 0 to 1.
    """

    start: datetime | None
    end: datetime | None
    all_day: bool
    grain: str
    confidence: float
    open_end: bool = False
    rrule: str | None = None
    """RFC 5545 RRULE text without prefix, where it recurs; ``start`` and ``end`` are then its first occurrence.
    """
    start_said: bool = True
    """For a recurrence: whether a start or a time of day was said, or ``start`` is just the next day that fits.
    """
    exdates: tuple[datetime, ...] = ()
    notes: tuple[str, ...] = ()
    left_over: int = 0
    """How many words of the text no moment accounts for."""
    alternatives: tuple[MomentReading, ...] = ()

    @property
    def is_one_day(self) -> bool:
        return (
            self.all_day
            and self.start is not None
            and self.end is not None
            and (self.end - self.start).days <= 1
        )


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A text that says no moment; ``reason`` is ``empty``, ``too_long`` or ``no_time``."""

    reason: str

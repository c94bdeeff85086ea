"""Slots: what makes an EXDATE or a RECURRENCE-ID mean an occurrence, whatever form it is written in.

A slot is a naive time: the UTC moment for a series in a known zone, the wall time for one that floats or is of
dates. RFC 5545 wants the form of DTSTART (§3.8.4.4, §3.8.5.1), but clients write UTC for zoned, a date for a
time and a time for a date, and mean the occurrence there.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from calward.model.time import CalTime
from calward.recurrence.lengths import naive_utc


def slot_of(time: CalTime, start: CalTime, viewer: tzinfo) -> datetime:
    """The slot of ``time`` in a series from ``start``; a bare date stands for DTSTART's time on it."""
    if start.zone is not None and time.zone is not None:
        return naive_utc(time, viewer)
    wall = wall_in_series(time, start, viewer)
    return wall if start.zone is None else naive_utc(start.at(wall), viewer)


def wall_in_series(time: CalTime, start: CalTime, viewer: tzinfo) -> datetime:
    """Where ``time`` lies on the wall clock that the series is expanded on."""
    if start.is_date:
        return time.wall.replace(hour=0, minute=0, second=0)
    if time.is_date:
        return datetime.combine(time.wall.date(), start.wall.time())
    if time.zone is None or time.zone is start.zone:
        return time.wall
    instant = naive_utc(time, viewer).replace(tzinfo=UTC)
    return instant.astimezone(start.zone or viewer).replace(tzinfo=None)

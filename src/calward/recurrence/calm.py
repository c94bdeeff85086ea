"""Calm stretches of a zone: days on end with one offset from UTC, within which conversion is mere addition.

Asking a zone for its offset is what takes most of the time of an expansion, and nearly every day is calm. On
the others (a change of clocks, a skipped day) the zone itself is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

from calward.recurrence.lengths import FIRST, LAST


@dataclass(frozen=True, slots=True)
class Calm:
    """Wall-clock times ``first <= wall < before`` of one zone, all real and ``offset`` ahead of UTC."""

    first: datetime
    before: datetime
    offset: timedelta


def calm_around(zone: tzinfo, wall: datetime) -> Calm | None:
    """The calm stretch of its year that ``wall`` lies in; None on a day that is not calm."""
    return next((calm for calm in _calm_in(zone, wall.year) if calm.first <= wall < calm.before), None)


@lru_cache(maxsize=1024)
def _calm_in(zone: tzinfo, year: int) -> tuple[Calm, ...]:
    """A day is calm if the next midnight has its own midnight's offset, read with fold 0 as everywhere."""
    if not FIRST.year <= year < LAST.year:
        return ()
    found: list[Calm] = []
    midnight = datetime(year, 1, 1)
    offset = _offset(zone, midnight)
    first = midnight
    while midnight.year == year:
        after = midnight + _DAY
        offset_after = _offset(zone, after)
        if offset_after != offset:
            if first < midnight:
                found.append(Calm(first, midnight, offset))
            first, offset = after, offset_after
        midnight = after
    if first < midnight:
        found.append(Calm(first, midnight, offset))
    return tuple(found)


_DAY = timedelta(days=1)


def _offset(zone: tzinfo, wall: datetime) -> timedelta:
    return wall.replace(tzinfo=zone).utcoffset() or timedelta()

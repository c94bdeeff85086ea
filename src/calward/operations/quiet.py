"""Quiet hours: a part of each day, on the wall clock, in which a channel wants no messages."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


def quiet_until(now: datetime, begins: str, ends: str, zone: ZoneInfo) -> datetime | None:
    """When quiet hours end that hold now (aware, in UTC); None where none do. ``begins`` and ``ends`` are
    ``HH:MM``; an end before the beginning is the next day's."""
    first, last = time.fromisoformat(begins), time.fromisoformat(ends)
    local = now.astimezone(zone)
    clock = local.time()
    quiet = first <= clock < last if first < last else clock >= first or clock < last
    if not quiet:
        return None
    tomorrow = first > last and clock >= first
    day = local.date() + timedelta(days=tomorrow)
    moments = (datetime.combine(day, last, zone).replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    # An hour that comes twice in autumn ends twice.
    return next((moment for moment in moments if moment > now), None)

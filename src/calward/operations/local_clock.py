"""Moments as one zone's clocks show them: ISO 8601 text with offset.

A list of a week says a thousand of them. Asking a zone for its offset and writing that down takes most of the
time, and nearly all days between two changes of clocks have the same: what was found for one serves the next.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from calward.recurrence.calm import calm_around


class LocalClock:
    """The clocks of one zone."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone
        self._first = self._before = 0
        self._ahead = 0
        self._offset = ""

    def at(self, epoch: int) -> tuple[datetime, str]:
        """What they show at a moment, in seconds since 1970 UTC: naive, and as text with the offset."""
        if not self._first <= epoch < self._before:
            moment = datetime.fromtimestamp(epoch, self._zone)
            wall, text = moment.replace(tzinfo=None, fold=0), moment.isoformat()
            self._remember(wall, text)
            return wall, text
        wall = _EPOCH + timedelta(seconds=epoch + self._ahead)
        return wall, wall.isoformat() + self._offset

    def _remember(self, wall: datetime, text: str) -> None:
        """The calm days around a wall-clock time, in which its offset is the one of all."""
        if calm := calm_around(self._zone, wall):
            self._ahead = calm.offset // _SECOND
            self._first, self._before = (
                (it - _EPOCH) // _SECOND - self._ahead for it in (calm.first, calm.before)
            )
            self._offset = text.removeprefix(wall.isoformat())


_EPOCH = datetime(1970, 1, 1)
_SECOND = timedelta(seconds=1)

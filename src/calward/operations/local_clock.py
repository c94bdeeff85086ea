"""Moments as one zone's clocks show them: ISO 8601 text with offset.

The list of a week has a thousand of them, and asking the zone for its offset and formatting dates takes most of
the time. Nearly all days between two changes of the clocks have the same offset, so what was found for one day
serves the next, and a moment is put together from a day, a time of day and the offset.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from calward.recurrence.calm import calm_around


class LocalClock:
    """The clocks of one zone."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone
        self._first = self._before = 0
        self._ahead = 0
        self._offset = ""

    def at(self, epoch: int) -> tuple[int, str]:
        """What they show at a moment, in seconds since 1970 UTC: the weekday, 0 for Monday, and the text."""
        if not self._first <= epoch < self._before:
            moment = datetime.fromtimestamp(epoch, self._zone)
            text = moment.isoformat()
            self._remember(moment.replace(tzinfo=None, fold=0), text)
            return moment.weekday(), text
        day, second = divmod(epoch + self._ahead, _DAY)
        return (day + _THURSDAY) % 7, _day_text(day) + _time_text(second) + self._offset

    def _remember(self, wall: datetime, text: str) -> None:
        """The calm days around a wall-clock time, in which its offset is the one of all."""
        if calm := calm_around(self._zone, wall):
            self._ahead = calm.offset // _SECOND
            self._first, self._before = (
                (it - _EPOCH) // _SECOND - self._ahead for it in (calm.first, calm.before)
            )
            self._offset = text.removeprefix(wall.isoformat())


def wall_text(wall: int) -> str:
    """ISO 8601 without an offset for what a clock shows, in seconds since it showed the start of 1970."""
    day, second = divmod(wall, _DAY)
    return _day_text(day) + _time_text(second)


_EPOCH = datetime(1970, 1, 1)
_THURSDAY = _EPOCH.weekday()
_SECOND = timedelta(seconds=1)
_DAY = 24 * 3600


@lru_cache(maxsize=4096)
def _day_text(day: int) -> str:
    """``day`` counts from 1970-01-01."""
    return date.fromordinal(_EPOCH.toordinal() + day).isoformat()


@lru_cache(maxsize=4096)
def _time_text(second: int) -> str:
    return f"T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"

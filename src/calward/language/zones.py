"""Zones as they are written beside a time: offsets ("UTC+2", "GMT-05:30") and names of the tz database."""

from __future__ import annotations

import re
from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_OFFSET = re.compile(r" ?([+\-−])(\d{1,2})(?::?([0-5]\d))?(?![\d:])")
_NAME = re.compile(r"([A-Za-z]{4,10})/([A-Za-z_-]{3,20}(?:/[A-Za-z_-]{3,20})?)(?![\w/])")
AREAS = frozenset({"Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"})
"""What names of the tz database begin with; no other text is looked up there."""

FARTHEST = 14 * 60
"""Minutes from UTC that a zone has at most."""


Said = int | str | tzinfo
"""A zone as minutes from UTC, as a name of the tz database, or known already."""


def written_offset(text: str, at: int) -> tuple[tzinfo, int] | None:
    """The offset from UTC that is written at ``at``, right after "UTC" or "GMT", and where it ends.

    The sign stands close to its figures: "3pm GMT - 5" goes on to five o'clock.
    """
    found = _OFFSET.match(text, at)
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3] or 0)
    if minutes > FARTHEST:
        return None
    return timezone(timedelta(minutes=minutes if found[1] == "+" else -minutes)), found.end()


def written_name(text: str, at: int) -> tuple[str, int] | None:
    """The name of the tz database written at ``at`` ("Europe/Berlin"), and where it ends."""
    found = _NAME.match(text, at)
    if found is None or found[1].capitalize() not in AREAS:
        return None
    for name in (found[0], found[0].title()):
        if isinstance(zone_of(name), ZoneInfo):
            return name, found.end()
    return None


def zone_of(said: Said) -> tzinfo | None:
    """The zone that was said; None where its name is not known here."""
    if isinstance(said, tzinfo):
        return said
    if isinstance(said, int):
        return timezone(timedelta(minutes=said))
    try:
        return ZoneInfo(said)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None

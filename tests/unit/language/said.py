"""What a text is read as, in few letters, with Wednesday 18 November 2026, 10:00, as now."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import read_moment

NOW = datetime(2026, 11, 18, 10)
CUSTOMS = Conventions.for_locale("en-US", ZoneInfo("UTC"))


def read(text: str) -> MomentReading:
    found = read_moment(text, CUSTOMS, NOW)
    assert isinstance(found, MomentReading), text
    return found


def told(found: MomentReading) -> str:
    """Start and end, days as dates, the rest to the minute."""
    form = "%m-%d" if found.all_day else "%m-%d %H:%M"
    ends = ("" if end is None else end.strftime(form) for end in (found.start, found.end))
    return " > ".join(ends).removesuffix(" > ")

"""One row in, one row out: the form in which the engine is scored and tried in bulk."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from calward.language.conventions import Conventions
from calward.language.moments import MomentReading, read_moment


def answer(row: dict[str, Any]) -> dict[str, Any]:
    """Answer ``{id, text, now, zone, locale, task}`` with ``{id, start, end, all_day, rrule, intent, title,
    confidence}``."""
    conventions = Conventions.for_locale(row.get("locale") or "en", ZoneInfo(row.get("zone") or "UTC"))
    now = datetime.fromisoformat(row["now"])
    out: dict[str, Any] = {
        "id": row["id"],
        "start": None,
        "end": None,
        "all_day": False,
        "rrule": None,
        "intent": None,
        "title": None,
        "confidence": 0.0,
    }
    found = read_moment(row["text"] or "", conventions, now)
    if isinstance(found, MomentReading):
        out.update(
            start=_wall(found.start) if found.start_said else None,
            end=_wall(found.end) if found.start_said else None,
            all_day=found.all_day,
            rrule=found.rrule,
            confidence=found.confidence,
        )
    return out


def _wall(moment: datetime | None) -> str | None:
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") if moment else None

"""One row in, one row out: the form in which the engine is scored and tried in bulk."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import read_moment
from calward.language.understand import understand


def answer(row: dict[str, Any]) -> dict[str, Any]:
    """Answer ``{id, text, now, zone, locale, task}``.

    The answer has id, start, end, all_day, rrule, intent, title and confidence; moments are wall-clock ISO 8601
    in the zone that was said or else the row's. ``task`` "time" reads a date field, "sentence" a whole
    utterance.
    """
    conventions = Conventions.for_locale(row.get("locale") or "en", ZoneInfo(row.get("zone") or "UTC"))
    now = datetime.fromisoformat(row["now"])
    text = row["text"] or ""
    if row.get("task") == "sentence":
        reading = understand(text, conventions, now).readings[0]
        when = reading.new_when or reading.when
        return {
            **_times(row["id"], when),
            "intent": reading.intent.value,
            "title": reading.title or None,
            "confidence": reading.confidence,
        }
    found = read_moment(text, conventions, now)
    return _times(row["id"], found if isinstance(found, MomentReading) else None)


def _times(row_id: object, found: MomentReading | None) -> dict[str, Any]:
    said = found is not None and found.start_said
    return {
        "id": row_id,
        "start": _wall(found.start) if found and said else None,
        "end": _wall(found.end) if found and said else None,
        "all_day": bool(found and found.all_day),
        "rrule": found.rrule if found else None,
        "intent": None,
        "title": None,
        "confidence": found.confidence if found else 0.0,
    }


def _wall(moment: datetime | None) -> str | None:
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") if moment else None

"""Property values as the house's nouns (RFC 5545 §3.3), read tolerantly.

Every reader takes raw text and raises ``BadValue`` for what it cannot read; ``calward.ical.reading`` turns
that into a flag on the event. Recurrence rules stay text: ``calward.recurrence`` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import islice

from calward.ical.lines import Params, param
from calward.model.event import Attendee, Period
from calward.model.time import CalTime, Duration, TimeKind

ZoneOf = Callable[[str], tzinfo | None]
"""Resolves a TZID as written; None where it is unknown."""

MAX_ITEMS = 20_000
"""Of one list."""
LONGEST = timedelta(days=36_600)
"""The longest duration taken for one: a hundred years."""


class BadValue(ValueError):
    """A value that cannot be read; says what it should have been and repeats nothing of it."""


def read_time(text: str, tzid: str, zone_of: ZoneOf, declared: str = "") -> CalTime:
    """A DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5), by its own form rather than by its VALUE parameter.

    Also taken: ISO 8601 with separators and offsets, missing seconds, a leap second (as 59), 24:00. Under
    VALUE=DATE a midnight is a DATE; another time of day stays one. Years 2 to 9998, so that every zone can
    convert them.
    """
    wall, form = _wall(text)
    if form == "Z":
        return CalTime(TimeKind.UTC, wall, UTC)
    if form == "D" or (declared == "DATE" and wall.hour == wall.minute == wall.second == 0):
        return CalTime(TimeKind.DATE, wall)
    if tzid:
        return CalTime(TimeKind.ZONED, wall, zone_of(tzid), tzid)
    return CalTime(TimeKind.FLOATING, wall)


def read_times(text: str, params: Params, zone_of: ZoneOf) -> list[CalTime | Period | BadValue]:
    """A list of them, or of PERIODs, as in RDATE and EXDATE; what cannot be read stands in it as its error."""
    if text.count(",") >= MAX_ITEMS:
        return [BadValue(f"a list of at most {MAX_ITEMS} times")]
    tzid = param(params, "TZID")
    declared = param(params, "VALUE").upper()
    found: list[CalTime | Period | BadValue] = []
    for one in text.split(","):
        try:
            if "/" in one:
                found.append(read_period(one, tzid, zone_of))
            elif one.strip():
                found.append(read_time(one, tzid, zone_of, declared))
        except BadValue as error:
            found.append(error)
    return found


def read_period(text: str, tzid: str, zone_of: ZoneOf) -> Period:
    """A PERIOD with an end or a duration (RFC 5545 §3.3.9)."""
    first, _, second = text.partition("/")
    start = read_time(first, tzid, zone_of)
    if second.strip()[:1] in ("P", "+", "-", "p"):
        try:
            return Period(start, read_duration(second).after(start, UTC))
        except OverflowError as error:
            raise BadValue("a period that ends within the calendar") from error
    return Period(start, read_time(second, tzid, zone_of))


def read_utc(text: str) -> datetime:
    """An aware moment, for CREATED and its like, which are UTC whether they say so or not."""
    return _wall(text)[0].replace(tzinfo=UTC)


@lru_cache(maxsize=512)
def read_duration(text: str) -> Duration:
    """A DURATION (RFC 5545 §3.3.6); weeks may stand beside days, as many programs write them."""
    found = _DURATION.fullmatch(text.strip().upper()) if len(text) < 64 else None
    if found is None or not any(found.groups()[1:]):
        raise BadValue("a duration such as PT15M or P1D")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:])
    days += 7 * weeks
    seconds += 3600 * hours + 60 * minutes
    if days * 86400 + seconds > LONGEST.total_seconds():
        raise BadValue("a duration of at most a hundred years")
    return Duration(-days, -seconds) if found[1] == "-" else Duration(days, seconds)


def read_integer(text: str) -> int:
    """An INTEGER of at most nine digits (RFC 5545 §3.3.8)."""
    if not _INTEGER.fullmatch(text.strip()):
        raise BadValue("a whole number")
    return int(text)


def read_offset(text: str) -> timedelta:
    """A UTC-OFFSET under a day, east positive (RFC 5545 §3.3.14)."""
    found = _OFFSET.fullmatch(text.strip())
    if found is None:
        raise BadValue("an offset such as +0100")
    hours, minutes, seconds = int(found[2]), int(found[3] or 0), int(found[4] or 0)
    if hours > 23 or minutes > 59 or seconds > 59:
        raise BadValue("an offset of less than a day")
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -offset if found[1] == "-" else offset


def read_text(text: str) -> str:
    """TEXT unescaped (RFC 5545 §3.3.11), without control characters other than tab and newline."""
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    return text if text.isprintable() else text.translate(_CONTROLS)


def read_texts(text: str) -> tuple[str, ...]:
    """A list of TEXT, as in CATEGORIES; empty ones, and those after a great many, are left out."""
    found = (read_text(item[0]).strip() for item in islice(_LIST_ITEM.finditer(text), MAX_ITEMS))
    return tuple(item for item in found if item)


def read_attendee(params: Params, text: str) -> Attendee:
    """A CAL-ADDRESS with its parameters (RFC 5545 §3.3.3, §3.8.4.1)."""
    found = {name: values[0] for name, values in reversed(params)}
    return Attendee(
        address=read_text(text).strip(),
        name=read_text(found.get("CN", "")),
        role=found.get("ROLE", "").upper() or "REQ-PARTICIPANT",
        partstat=found.get("PARTSTAT", "").upper() or "NEEDS-ACTION",
        cutype=found.get("CUTYPE", "").upper() or "INDIVIDUAL",
        rsvp=found.get("RSVP", "").upper() == "TRUE",
        agent=found.get("SCHEDULE-AGENT", "").upper(),
    )


_DURATION = re.compile(
    r"([+-]?)P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?", re.ASCII
)
_INTEGER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_OFFSET = re.compile(r"([+-]?)(\d\d):?(\d\d)?:?(\d\d)?", re.ASCII)
_MOMENT = re.compile(
    r"\s*(\d{4})-?(\d\d)-?(\d\d)"
    r"(?:[Tt ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?\s*([Zz]|[+-]\d\d:?\d\d)?)?\s*",
    re.ASCII,
)
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_LIST_ITEM = re.compile(r"(?:\\.|[^\\,]|\\\Z)+", re.DOTALL)
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)])


def _wall(text: str) -> tuple[datetime, str]:
    """Naive wall-clock time, and Z for UTC, D for a date, or nothing."""
    size = len(text)
    if 15 <= size <= 16 and text[8] == "T":
        # fromisoformat also knows week dates, so all must be digits but the T and the Z.
        form = text[15:]
        if form in ("", "Z") and (text[:8] + text[9:15]).isdigit():
            try:
                return _checked(datetime.fromisoformat(text[:15])), form
            except ValueError:
                pass
    try:
        return _odd_wall(text)
    except (ValueError, OverflowError) as error:
        raise BadValue("a date or time that exists, such as 20260301T090000") from error


def _odd_wall(text: str) -> tuple[datetime, str]:
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError
    day = datetime(int(found[1]), int(found[2]), int(found[3]))
    if found[4] is None:
        return _checked(day), "D"
    hour, minute = int(found[4]), int(found[5])
    second = 59 if found[6] == "60" else int(found[6] or 0)
    if hour == 24 and minute == second == 0:
        wall = day + timedelta(days=1)
    else:
        wall = day.replace(hour=hour, minute=minute, second=second)
    ending = (found[7] or "").upper()
    if ending in ("", "Z"):
        return _checked(wall), ending
    return _checked(wall - read_offset(ending)), "Z"


def _checked(wall: datetime) -> datetime:
    if not 2 <= wall.year <= 9998:
        raise ValueError
    return wall


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] in ("n", "N") else found[1]

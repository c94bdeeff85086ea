"""Writing content lines whose names, parameters and values cannot smuggle in another line (RFC 5545 §3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from calward.errors import InvalidInput
from calward.ical.lines import join_params
from calward.model.time import CalTime, Duration, TimeKind

_NAME = re.compile(r"[A-Za-z0-9\-]+")
# C0 and C1 controls but tab, the line separators of Unicode, and halves of surrogate pairs.
_UNWRITABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_TEXT_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def content_line(name: str, params: Iterable[tuple[str, Iterable[str]]], value: str) -> str:
    """One unfolded content line; ``value`` is raw, so TEXT goes through ``escape_text`` first.

    Raises ``InvalidInput`` for a name that is none and for control characters in the value.
    """
    pairs = [(key, tuple(values)) for key, values in params]
    for one in (name, *(key for key, _ in pairs)):
        if not _NAME.fullmatch(one):
            raise InvalidInput("A property or parameter name may hold letters, digits and hyphens only.")
    return check_line(f"{name}{join_params(pairs)}:{value}")


def check_line(line: str) -> str:
    """Hand a content line back if it is exactly one line; ``InvalidInput`` otherwise."""
    if _UNWRITABLE.search(line):
        raise InvalidInput("A line of a calendar may not hold line breaks or control characters.")
    if ":" not in line:
        raise InvalidInput("A line of a calendar needs a name, a colon and a value.")
    return line


def escape_text(text: str) -> str:
    """TEXT as a raw value: cleaned, and then escaped."""
    return clean_text(text).translate(_ESCAPES)


def clean_text(text: str) -> str:
    """Text with plain line feeds as its line breaks and, tabs apart, without other control characters."""
    return _TEXT_UNWRITABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def format_time(name: str, time: CalTime) -> str:
    """The line that gives a property one DATE or DATE-TIME, with the VALUE or TZID parameter it needs.

    >>> format_time("DTSTART", CalTime.floating(datetime(2026, 3, 1, 9)))
    'DTSTART:20260301T090000'
    """
    value = format_value(time)
    if time.kind is TimeKind.DATE:
        return content_line(name, [("VALUE", ["DATE"])], value)
    if time.kind is TimeKind.ZONED and time.tzid:
        return content_line(name, [("TZID", [time.tzid])], value)
    return content_line(name, (), value)


def format_value(time: CalTime) -> str:
    """The bare value of a DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5)."""
    wall = time.wall
    day = f"{wall.year:04}{wall.month:02}{wall.day:02}"
    if time.kind is TimeKind.DATE:
        return day
    return f"{day}T{wall.hour:02}{wall.minute:02}{wall.second:02}{'Z' if time.kind is TimeKind.UTC else ''}"


def format_utc(moment: datetime) -> str:
    """An aware moment as a UTC DATE-TIME value."""
    return format_value(CalTime.of_utc(moment))


def format_duration(duration: Duration) -> str:
    """A DURATION value (RFC 5545 §3.3.6); both parts must have one sign.

    >>> format_duration(Duration(0, -900))
    '-PT15M'
    """
    days, seconds = duration.days, duration.seconds
    if days * seconds < 0:
        raise InvalidInput("A duration goes one way: its days and seconds need the same sign.")
    sign = "-" if days < 0 or seconds < 0 else ""
    minutes, second = divmod(abs(seconds), 60)
    hours, minute = divmod(minutes, 60)
    date = f"{abs(days)}D" if days else ""
    parts = ((hours, "H"), (minute, "M"), (second, "S"))
    time = "".join(f"{number}{unit}" for number, unit in parts if number)
    return f"{sign}P{date}{'T' + time if time else ''}" if date or time else "PT0S"

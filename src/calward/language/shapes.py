"""Dates and times written in figures: ISO 8601, 3/4/2026, 18.09., 15h30, 9:30, 1030.

Each shape is one bounded pattern tried at a number; a match counts only where it ends between two tokens.
Sources: ISO 8601-1:2019, RFC 3339, and the customs the conventions name for the order of day and month.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any

from calward.language.conventions import Conventions, DateOrder
from calward.language.days import ONE_DAY, Days, Fixed, MonthDay
from calward.language.grains import Grain, cycle
from calward.language.values import Clock, Number, When

Shape = tuple[int, str, Any, float]
"""(offset of the end in the text, category, value, weight)"""

_ISO = re.compile(
    r"(\d{4})(-?)(\d{2})\2(\d{2})(?:(?:[Tt]|\s{1,2})(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?"
    r"(?:\s?(Z\b|z\b|[+-]\d{2}:?\d{2}\b))?)?"
)
_HOURS_OF_DATE = re.compile(r"\d{4}-\d{2}-\d{2} {1,2}\d{2}:\d{2}-\d{2}:\d{2}")
_YEAR_FIRST = re.compile(r"(\d{4})([/. -])(\d{1,2})\2(\d{1,2})(?!\d)")
_EAST_ASIAN = re.compile(
    r"(\d{4})年\s?(\d{1,2})月\s?(\d{1,2})日?(?:\s?\(\w\))?(?:\s?(\d{1,2})(?:時|时|点|:)(\d{1,2})?分?)?"
)
_FULL = re.compile(r"(\d{1,2})( ?[/.-] ?| )(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_DAY_MONTH = re.compile(r"(\d{1,2})\s?([/-])\s?(\d{1,2})(?!\d)(?!\2\d)(?!\.\d)")
_DOTTED_DATE = re.compile(r"(\d{1,2})\. ?(\d{1,2})(\.(?!\d))?(?!\d)")
_YEAR_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})(?!\d)(?![-/]\d)")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4})(?!\d)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?!\d)(?!:\d)")
_HOUR_MARK = re.compile(r"(\d{1,2})[hH](\d{2})?(?![^\W_])")
_DOTTED_CLOCK = re.compile(r"(\d{1,2})[.,](\d{2})(?!\d)(?![.,]\d)")
_RUN = re.compile(r"(\d{1,2})(\d{2})(?!\d)(?![.,:/]\d)(?!-(?!\d{3,4}(?![\d-])))")
_DECIMAL = re.compile(r"(\d{1,6})[.,](\d{1,3})(?!\d)(?![.,]\d)")
_FRACTION = re.compile(r"([1-9])/([2-9])(?![\d/])")


def shapes(text: str, at: int, conventions: Conventions) -> Iterator[Shape]:
    """Every way the figures at offset ``at`` can be read, apart from plain numbers."""
    for read in (_iso, _dates, _clocks, _numbers):
        yield from read(text, at, conventions)


def _iso(text: str, at: int, _conventions: Conventions) -> Iterator[Shape]:
    if found := _ISO.match(text, at):
        year, _dash, month, day, hour, minute, second, offset = found.groups()
        days = _day(int(year), int(month), int(day))
        if days and hour is None and not text[found.end() :][:1].isdigit():
            yield found.end(), "date", When(days=days), 1.0
        elif days and hour is not None and int(hour) < 24 and int(minute) < 60:
            grain = Grain.SECOND if second else Grain.MINUTE
            clock = Clock(int(hour), int(minute), min(int(second or 0), 59), grain)
            if offset and _is_range(found[0]):
                yield found.end() - len(offset), "when", When(days=days, clock=clock), 2.0
                return
            yield found.end(), "when", When(days=days, clock=clock, zone=_offset(offset)), 2.0
    if found := _EAST_ASIAN.match(text, at):
        year, month, day, hour, minute = found.groups()
        if days := _day(int(year), int(month), int(day)):
            if hour and int(hour) < 24 and int(minute or 0) < 60:
                clock = Clock(int(hour), int(minute or 0), 0, Grain.MINUTE)
                yield found.end(), "when", When(days=days, clock=clock), 1.0
            else:
                yield found.end(), "date", When(days=days), 1.0


def _dates(text: str, at: int, conventions: Conventions) -> Iterator[Shape]:
    if found := _YEAR_FIRST.match(text, at):
        year, separator, month, day = found.groups()
        days = _day(int(year), int(month), int(day))
        if days is None and separator == "/":
            days = _day(int(year), int(day), int(month))
        if days:
            yield found.end(), "date", When(days=days), 1.0
    if found := _FULL.match(text, at):
        first, separator, second, year = found.groups()
        spaced = separator == " "
        if not spaced or len(year) == 4:
            whole = full_year(int(year), len(year))
            yield from _either(found.end(), int(first), int(second), whole, separator, conventions)
    if found := _YEAR_MONTH.match(text, at):
        year, month = int(found[1]), int(found[2])
        if 1 <= month <= 12 and 1000 <= year <= 2999:
            start, end = cycle(date(year, month, 1), 0, Grain.MONTH)
            yield found.end(), "date", When(days=Fixed(start, end, Grain.MONTH)), 0.5
    if found := _MONTH_YEAR.match(text, at):
        month, year = int(found[1]), int(found[2])
        if 1 <= month <= 12 and 1000 <= year <= 2999:
            start, end = cycle(date(year, month, 1), 0, Grain.MONTH)
            yield found.end(), "date", When(days=Fixed(start, end, Grain.MONTH)), 0.5
    if found := _DAY_MONTH.match(text, at):
        first, separator, second = found.groups()
        if separator == "-" and int(first) <= 12 and int(second) <= 12:
            # "10-1" is rather from ten to one; it stays a date where nothing else fits.
            marks = frozenset({"dashed", "latent"})
        else:
            marks = frozenset()
        yield from _either(found.end(), int(first), int(second), None, separator, conventions, marks)
    if found := _DOTTED_DATE.match(text, at):
        first, second, closed = found.groups()
        marks = frozenset() if closed or conventions.date_order is DateOrder.DMY else frozenset({"dotted"})
        if not closed and _is_like_a_time(first, second) and not conventions.written_by_24:
            marks |= {"like_a_time"}
        yield from _either(
            found.end(), int(first), int(second), None, "." if closed else ".?", conventions, marks
        )


def _clocks(text: str, at: int, _conventions: Conventions) -> Iterator[Shape]:
    if found := _CLOCK.match(text, at):
        hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
        if hour <= 24 and minute < 60 and second < 60 and (hour < 24 or minute == 0):
            grain = Grain.SECOND if found[3] else Grain.MINUTE
            is_open = 0 < hour <= 12 and not found[1].startswith("0")
            clock = Clock(hour, minute, second, grain, is_open, written=True)
            yield found.end(), "clock", When(clock=clock), 0.5
    if (found := _HOUR_MARK.match(text, at)) and int(found[1]) <= 24 and int(found[2] or 0) < 60:
        yield found.end(), "clock", When(clock=Clock(int(found[1]), int(found[2] or 0), 0, Grain.MINUTE)), 0.2
    if (found := _DOTTED_CLOCK.match(text, at)) and int(found[1]) < 24 and int(found[2]) < 60:
        yield found.end(), "dotted", _bare(found[1], found[2]), 0.0
    if (found := _RUN.match(text, at)) and int(found[1]) < 24 and int(found[2]) < 60:
        like_year = len(found[0]) == 4 and 1900 <= int(found[0]) < 2100
        # Three figures are rather the number of a flight or a room.
        weight = 0.0 if len(found[0]) == 4 else -1.5
        yield found.end(), "yearrun" if like_year else "run", _bare(found[1], found[2]), weight


def _numbers(text: str, at: int, _conventions: Conventions) -> Iterator[Shape]:
    if found := _DECIMAL.match(text, at):
        yield found.end(), "num", Number(float(f"{found[1]}.{found[2]}"), 1), 0.0
    if (found := _FRACTION.match(text, at)) and found[1] < found[2]:
        yield found.end(), "fraction", Number(int(found[1]) / int(found[2]), 1), 0.0


def _bare(hour: str, minute: str) -> Clock:
    is_open = 0 < int(hour) <= 12 and hour[0] != "0"
    return Clock(int(hour), int(minute), 0, Grain.MINUTE, is_open, written=True)


def _either(
    end: int,
    first: int,
    second: int,
    year: int | None,
    separator: str,
    conventions: Conventions,
    marks: frozenset[str] = frozenset(),
) -> Iterator[Shape]:
    """Day and month in the order of the conventions, else in the only order that is a date."""
    ways = [(first, second), (second, first)]
    european = separator.strip() == "." and (year is not None or separator == ".")
    if conventions.date_order is DateOrder.DMY or european:
        ways.reverse()
    if conventions.date_order is DateOrder.DMY and separator == ".?":
        # "8.30" is no 30 August where the day comes first.
        ways = ways[:1]
    sound = [(month, day) for month, day in ways if 1 <= month <= 12 and 1 <= day <= 31]
    if not sound:
        return
    if first != second and len(sound) == 2 and not conventions.date_order_is_settled:
        marks |= {"day_or_month"}
    month, day = sound[0]
    if year is None:
        days: Days | None = MonthDay(month, day)
        if day > (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]:
            return
    else:
        days = _day(year, month, day)
    if days is not None:
        weight = 1.0 if year is not None else -0.9 if "dashed" in marks else 0.3
        if "like_a_time" in marks:
            weight = -0.4
        elif "dotted" in marks:
            weight = -0.2
        yield end, "date", When(days=days, marks=marks), weight


def _is_like_a_time(hour: str, minutes: str) -> bool:
    """Figures an hour and its minutes are said in: "8.30" is rather a time beside a weekday or another time."""
    return int(hour) < 24 and len(minutes) == 2 and int(minutes) % 5 == 0


def full_year(year: int, digits: int) -> int:
    """Two digits mean the year from 1940 to 2039 that ends in them."""
    return year if digits > 2 else year + (2000 if year < 40 else 1900)


def _day(year: int, month: int, day: int) -> Fixed | None:
    try:
        start = date(year, month, day)
        return Fixed(start, start + ONE_DAY, Grain.DAY)
    except (ValueError, OverflowError):
        return None


def _is_range(text: str) -> bool:
    """Whether "2026-12-07 18:00-20:00" is rather from six to eight than an offset from UTC."""
    return bool(_HOURS_OF_DATE.fullmatch(text))


def _offset(text: str | None) -> tzinfo | None:
    if not text:
        return None
    if text in "Zz":
        return UTC
    sign = -1 if text[0] == "-" else 1
    hours, minutes = int(text[1:3]), int(text[-2:])
    if hours > 23 or minutes > 59:
        return None
    return timezone(sign * timedelta(hours=hours, minutes=minutes))


def iso_moment(text: str) -> tuple[datetime, tzinfo | None, bool] | None:
    """A whole text in ISO 8601 or RFC 3339: the wall time, its offset if one was written, and whether it is a
    day."""
    trimmed = text.strip()
    if len(trimmed) > 40 or not trimmed[:4].isdigit():
        return None
    if _is_range(trimmed):
        return None
    try:
        if len(trimmed) == 10 or (len(trimmed) == 8 and trimmed.isdecimal()):
            day = date.fromisoformat(trimmed)
            return datetime(day.year, day.month, day.day), None, True
        moment = datetime.fromisoformat(trimmed)
    except ValueError:
        return None
    return moment.replace(tzinfo=None), moment.tzinfo, False

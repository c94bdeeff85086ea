"""Moments and stretches of time in words, from the ISO 8601 text of answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calward.operations.answers import EventView, Window

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ALL_DAY = "all day"
MOMENT = timedelta(microseconds=1)


def day_words(day: date) -> str:
    """``Tue 24 Nov 2026``."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def moment_words(text: str) -> str:
    """``Tue 24 Nov 2026 10:00``, from ISO 8601."""
    moment = datetime.fromisoformat(text)
    return f"{day_words(moment)} {moment:%H:%M}"


def days_of_window(window: Window) -> tuple[date, date]:
    """The first and the last day that a window touches, in its own zone."""
    start, end = datetime.fromisoformat(window.start), datetime.fromisoformat(window.end)
    return start.date(), max(start, end - MOMENT).date()


def days_words(first: date, last: date) -> str:
    """``Tue 24 Nov 2026``, or ``Tue 24 Nov 2026 – Sun 29 Nov 2026``."""
    return day_words(first) if first == last else f"{day_words(first)} – {day_words(last)}"


def days_of(event: EventView) -> tuple[date, date]:
    """The first and the last day that an event touches, in the zone it is shown in."""
    if event.all_day:
        first, end = date.fromisoformat(event.start), date.fromisoformat(event.end)
        return first, max(first, end - timedelta(days=1))
    start, until = datetime.fromisoformat(event.start), datetime.fromisoformat(event.end)
    return start.date(), max(start, until - MOMENT).date()


def each_day(first: date, last: date) -> Iterator[date]:
    """All days from the first to the last, both included."""
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def clock_words(event: EventView, day: date) -> str:
    """The hours of an event on one of its days: ``10:00–10:30``, ``22:00 →``, ``→ 02:00`` or ``all day``."""
    first, last = days_of(event)
    if event.all_day or first < day < last:
        return ALL_DAY
    start, end = datetime.fromisoformat(event.start), datetime.fromisoformat(event.end)
    if first == last:
        return f"{start:%H:%M}" if start == end else f"{start:%H:%M}–{end:%H:%M}"
    return f"{start:%H:%M} →" if day == first else f"→ {end:%H:%M}"


def when_words(event: EventView) -> str:
    """When an event is, whole: ``Tue 24 Nov 2026 10:00–10:30``."""
    first, last = days_of(event)
    if event.all_day:
        return f"{days_words(first, last)}, {ALL_DAY}"
    if first == last:
        return f"{day_words(first)} {clock_words(event, first)}"
    return f"{moment_words(event.start)} – {moment_words(event.end)}"

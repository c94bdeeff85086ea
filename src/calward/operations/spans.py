"""Windows of time: the ones a caller can name, and custom ones."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from calward.errors import InvalidInput, TooMuch
from calward.model.time import Span
from calward.operations.context import Context
from calward.operations.when import first_moment, last_moment

MAX_WINDOW = timedelta(days=367)
EARLIEST, LATEST = datetime(3, 1, 1, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)
"""From which a window of a year stays within the calendar."""


class Range(StrEnum):
    """The windows a caller can name."""

    TODAY = "today"
    TOMORROW = "tomorrow"
    THIS_WEEK = "this_week"
    CUSTOM = "custom"


def asked_span(ctx: Context, named: Range | None, start: str | None, end: str | None) -> Span:
    """The window of a question; ``from`` and ``to`` alone mean custom, and a date as ``to`` includes that day.

    Raises ``InvalidInput`` for text that is no date, ends the wrong way round, or one end alone; ``TooMuch``
    for more than a year.
    """
    if named is None:
        named = Range.CUSTOM if start is not None or end is not None else Range.TODAY
    if named is not Range.CUSTOM:
        if start is not None or end is not None:
            raise InvalidInput(f"range {named} stands alone; leave from and to out, or leave range out.")
        return named_span(named, ctx.now, ctx.zone)
    if start is None or end is None:
        missing = "from" if start is None else "to"
        raise InvalidInput(f"A custom window needs both from and to; {missing} is missing.")
    first, last = first_moment(ctx, "from", start), last_moment(ctx, "to", end)
    _check_order(first, last)
    if last - first > MAX_WINDOW:
        raise TooMuch("A window is at most one year long; ask for a shorter one.")
    return Span(first, last)


def open_span(ctx: Context, start: str | None, end: str | None) -> Span:
    """The same where one end may be left open: then it is a year away from the other."""
    if start is not None and end is not None:
        return asked_span(ctx, Range.CUSTOM, start, end)
    if start is not None:
        first = first_moment(ctx, "from", start)
        return Span(first, min(first, LATEST) + MAX_WINDOW)
    last = last_moment(ctx, "to", end or "")
    return Span(max(last, EARLIEST) - MAX_WINDOW, last)


def ends(ctx: Context, start: str | None, end: str | None) -> tuple[datetime | None, datetime | None]:
    """The ends of a window of any length; either may be left open. Raises ``InvalidInput``."""
    first = first_moment(ctx, "from", start) if start is not None else None
    last = last_moment(ctx, "to", end) if end is not None else None
    if first is not None and last is not None:
        _check_order(first, last)
    return first, last


def named_span(named: Range, now: datetime, zone: ZoneInfo) -> Span:
    """``today`` and ``tomorrow`` are whole days; ``this_week`` runs from now to the end of Sunday."""
    today = now.astimezone(zone).date()
    match named:
        case Range.TODAY:
            return day_span(today, zone)
        case Range.TOMORROW:
            return day_span(today + timedelta(days=1), zone)
        case Range.THIS_WEEK:
            sunday = today + timedelta(days=6 - today.weekday())
            return Span(now, day_span(sunday, zone).end)
        case Range.CUSTOM:
            raise InvalidInput("A custom window needs both from and to.")


def day_span(day: date, zone: ZoneInfo) -> Span:
    """Midnight to midnight on the wall clock: 23 or 25 hours where the clocks change."""
    start = datetime.combine(day, time(), zone)
    end = datetime.combine(day + timedelta(days=1), time(), zone)
    return Span(start.astimezone(UTC), end.astimezone(UTC))


def _check_order(first: datetime, last: datetime) -> None:
    if last <= first:
        raise InvalidInput("The window ends before it starts: to has to be later than from.")

"""Date arguments: text → moments, in the person's zone. Unsure readings are asked back, never acted on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from calward.errors import InvalidInput
from calward.language.moment import MomentReading, NotUnderstood
from calward.model.reminder import first_hour
from calward.model.time import CalTime, Duration
from calward.operations.context import Context

SURE = 0.85
"""A reading below this confidence is asked back."""
LIKELY = 0.6
"""The same for a window that is only looked into: the answer says which it was."""
FIRST_YEAR, LAST_YEAR = 1000, 9000
"""Of what is written here; a margin around it never leaves the calendar."""

TIMES = ("second", "minute", "hour")
"""Grains of a time of day."""
EXACT = (*TIMES, "day")
"""How finely the start of an event has to be said: not a week or a month."""
ISO_LIKE = re.compile(r"\s*\d{4}-\d")
"""What begins like ISO 8601 is that or nothing: words must not be found in an impossible date."""


@dataclass(frozen=True, slots=True)
class When:
    """A start, and an end where the text gave one; both are dates, or both are zoned times."""

    start: CalTime
    end: CalTime | None

    def end_or(self, length: Duration) -> CalTime:
        """The end, or the start plus ``length``; a day for a date."""
        if self.end is not None:
            return self.end
        if self.start.is_date:
            return self.start.at(self.start.wall + timedelta(days=1))
        return lasting(self.start, length)


def reading(
    ctx: Context, name: str, text: str, zone: ZoneInfo | None = None, *, sure: float = SURE
) -> MomentReading:
    """What a date argument says. Raises ``InvalidInput`` for no date, and for one that is not clear."""
    from calward.language.moments import read_moment  # with it come the grammars, which few calls need

    found = read_moment(text, ctx.conventions.in_zone(zone or ctx.zone), ctx.now)
    if isinstance(found, NotUnderstood) or (ISO_LIKE.match(text) and found.confidence < 1):
        raise InvalidInput(
            f"{name}: {_quoted(text)} is no date or time; write ISO 8601, as 2026-03-02T15:00, or words as "
            "next monday 3pm."
        )
    if found.left_over:
        raise InvalidInput(f"{name}: only a part of {_quoted(text)} is a date or time; leave the rest out.")
    if found.confidence < sure:
        raise InvalidInput(
            f"{name}: {_quoted(text)} is not clear; it could mean {_choices(found)}. Write ISO 8601."
        )
    return found


def first_moment(ctx: Context, name: str, text: str) -> datetime:
    """The moment a window starts."""
    found = reading(ctx, name, text, sure=LIKELY)
    moment = found.start or found.end
    if moment is None:
        raise InvalidInput(f"{name}: {_quoted(text)} names no moment to start from.")
    return _instant(name, text, moment)


def last_moment(ctx: Context, name: str, text: str) -> datetime:
    """The moment a window ends, exclusive; a day, week or month as its end is included."""
    found = reading(ctx, name, text, sure=LIKELY)
    moment = found.end if found.end is not None else found.start
    if moment is None:
        raise InvalidInput(f"{name}: {_quoted(text)} names no moment to end at.")
    return _instant(name, text, moment)


def future_moment(ctx: Context, name: str, text: str, *, instead: str = "name one moment") -> datetime:
    """A moment to come; a day, week, month or year without a time of day is nine in the morning of its first
    day. ``instead`` is what to do where something that repeats was said."""
    found = reading(ctx, name, text, sure=LIKELY)
    if found.rrule is not None:
        raise InvalidInput(f"{name}: that repeats; {instead}.")
    moment = found.start or found.end
    if moment is None:
        raise InvalidInput(f"{name}: that names no moment.")
    at = moment if found.grain in TIMES and not found.all_day else first_hour(moment, ctx.zone)
    if at <= ctx.now:
        raise InvalidInput(f"{name}: {ctx.view.presenter.moment(at)} is past already.")
    return at


def zone_named(name: str) -> ZoneInfo:
    """An IANA zone by name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            f"zone: there is no time zone {_quoted(name)}; use an IANA name such as Europe/Berlin."
        ) from None


def read_when(
    ctx: Context,
    start: str,
    end: str | None,
    minutes: int | None,
    *,
    all_day: bool | None,
    zone: str | None,
) -> When:
    """When a new event is. Raises ``InvalidInput`` for an end before the start, or both end and duration."""
    if end is not None and minutes is not None:
        raise InvalidInput("Give either end or duration, not both.")
    place = zone_named(zone) if zone else ctx.zone
    begins = reading(ctx, "start", start, place)
    if begins.start is None:
        raise InvalidInput(f"start: {_quoted(start)} names no moment to start from.")
    if begins.grain not in EXACT:
        raise InvalidInput(f"start: {_quoted(start)} is not exact enough; name a day, and its time.")
    if not FIRST_YEAR <= begins.start.year <= LAST_YEAR:
        raise InvalidInput(
            f"start: {_quoted(start)} is too far away; years go from {FIRST_YEAR} to {LAST_YEAR}."
        )
    whole_days = _is_day(begins) if all_day is None else all_day
    if _is_day(begins) and not whole_days:
        raise InvalidInput(f"start: {_quoted(start)} has no time of day; add one, or say all_day.")
    first = _time(begins.start, place, whole_days=whole_days)
    last = _end(ctx, begins, end, minutes, first, place, whole_days=whole_days)
    if last is not None and last.instant(place) <= first.instant(place):
        if whole_days and last == first:
            last = None
        else:
            raise InvalidInput("The event ends before it starts: end has to be later than start.")
    return When(first, last)


def in_zone(moment: datetime, place: ZoneInfo) -> CalTime:
    """A moment as it is written down in a zone. What a clock change skips is moved on (RFC 5545 §3.3.5); the
    second of two same times is written in UTC, since a local time always means the first."""
    local = moment.astimezone(UTC).astimezone(place)
    if place.key == "UTC" or local.fold:
        return CalTime.of_utc(moment)
    return CalTime.of_zone(local.replace(tzinfo=None), place, place.key)


def lasting(start: CalTime, length: Duration) -> CalTime:
    """The end of what starts at ``start``, written as ``in_zone`` does."""
    end = length.after(start, UTC)
    return in_zone(end.instant(UTC), end.zone) if isinstance(end.zone, ZoneInfo) else end


def _instant(name: str, text: str, moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"{name}: {_quoted(text)} is at the end of all calendars.") from None


def _is_day(found: MomentReading) -> bool:
    """Whether a day was said and no time of it."""
    return found.all_day or found.grain == "day"


def _end(
    ctx: Context,
    begins: MomentReading,
    end: str | None,
    minutes: int | None,
    first: CalTime,
    place: ZoneInfo,
    *,
    whole_days: bool,
) -> CalTime | None:
    if minutes is not None:
        if whole_days:
            raise InvalidInput("duration: an all-day event has an end date, not a duration in minutes.")
        return lasting(first, Duration(seconds=60 * minutes))
    if end is None:
        # A day alone says when it starts, not that it lasts a day.
        if begins.end is None or begins.is_one_day:
            return None
        return _time(begins.end, place, whole_days=whole_days)
    ends = reading(ctx, "end", end, place)
    moment = ends.start or ends.end
    if moment is None:
        raise InvalidInput(f"end: {_quoted(end)} names no moment to end at.")
    if ends.all_day and not whole_days:
        raise InvalidInput(f"end: {_quoted(end)} has no time of day; add one.")
    return _time(moment, place, whole_days=whole_days)


def _time(moment: datetime, place: ZoneInfo, *, whole_days: bool) -> CalTime:
    if whole_days:
        return CalTime.of_date(moment.astimezone(place).date())
    return in_zone(moment, place)


def _choices(found: MomentReading) -> str:
    spoken = [_spoken(one) for one in (found, *found.alternatives)]
    return " or ".join(dict.fromkeys(spoken))


def _spoken(found: MomentReading) -> str:
    moment = found.start or found.end
    if moment is None:
        return "no moment"
    return f"{moment:%Y-%m-%d}" if found.all_day else f"{moment:%Y-%m-%dT%H:%M}"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "…")

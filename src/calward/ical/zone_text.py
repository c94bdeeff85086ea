"""A VTIMEZONE for any zone (RFC 5545 §3.6.5), so that other programs read our times without a zone table.

Ours rather than that of ``icalendar`` 7.3, whose onsets into daylight time are an hour late and whose rules
end with the last date they are asked for, while a series may have no end. Changes that come back every year
on the same weekday are written as a rule without end; all others, up to 2038, as dates.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from calward.ical.text import content_line

END_YEAR = 2038
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of offset, and when by the clock before it."""

    wall: datetime
    before: timedelta
    after: timedelta
    name: str
    daylight: bool

    @property
    def kind(self) -> tuple[timedelta, timedelta, str, bool]:
        return self.before, self.after, self.name, self.daylight


@lru_cache(maxsize=256)
def vtimezone_text(zone: tzinfo, tzid: str, first_year: int) -> str:
    """A VTIMEZONE as unfolded lines separated by newlines, right from the start of ``first_year`` on."""
    first_year = min(max(first_year, 3), END_YEAR - 1)
    changes = _changes(zone, first_year)
    lines = ["BEGIN:VTIMEZONE", content_line("TZID", (), tzid)]
    # The offset that holds until the first change; it also keeps a zone without any from being empty.
    start = datetime(first_year, 1, 1)
    here = start.replace(tzinfo=zone)
    offset = here.utcoffset() or timedelta(0)
    first = _Change(start, offset, offset, here.tzname() or "", bool(here.dst()))
    lines += _observance(first, [], "")
    rules_from, rules = _yearly(changes, first_year)
    by_kind: dict[tuple[timedelta, timedelta, str, bool], list[_Change]] = {}
    for change in changes:
        if change.wall.year < rules_from:
            by_kind.setdefault(change.kind, []).append(change)
    for alike in by_kind.values():
        lines += _observance(alike[0], alike[1:], "")
    for change, rule in rules:
        lines += _observance(change, [], rule)
    lines.append("END:VTIMEZONE")
    return "\n".join(lines)


def _observance(first: _Change, others: Iterable[_Change], rule: str) -> list[str]:
    kind = "DAYLIGHT" if first.daylight else "STANDARD"
    lines = [
        f"BEGIN:{kind}",
        f"DTSTART:{_wall(first)}",
        f"TZOFFSETFROM:{_offset(first.before)}",
        f"TZOFFSETTO:{_offset(first.after)}",
    ]
    if first.name:
        lines.append(content_line("TZNAME", (), first.name))
    if rule:
        lines.append(f"RRULE:{rule}")
    lines += [f"RDATE:{_wall(change)}" for change in others]
    return [*lines, f"END:{kind}"]


def _changes(zone: tzinfo, first_year: int) -> list[_Change]:
    """All changes of offset until ``END_YEAR``, each found to the second."""
    found = []
    day = datetime(first_year, 1, 1, tzinfo=UTC)
    end = datetime(END_YEAR, 1, 1, tzinfo=UTC)
    offset = day.astimezone(zone).utcoffset()
    while day < end:
        following = day + _DAY
        if following.astimezone(zone).utcoffset() != offset:
            moment = _moment(zone, day, following)
            before = (moment - timedelta(seconds=1)).astimezone(zone).utcoffset() or timedelta(0)
            after = moment.astimezone(zone)
            found.append(
                _Change(
                    moment.replace(tzinfo=None) + before,
                    before,
                    after.utcoffset() or timedelta(0),
                    after.tzname() or "",
                    bool(after.dst()),
                )
            )
        day = following
        offset = day.astimezone(zone).utcoffset()
    return found


def _moment(zone: tzinfo, before: datetime, after: datetime) -> datetime:
    """The first second of the new offset between two moments with different ones."""
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before).total_seconds() // 2)
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def _yearly(changes: list[_Change], first_year: int) -> tuple[int, list[tuple[_Change, str]]]:
    """From which year on all changes come back yearly by a rule, and the rules with their first onsets."""
    years = range(first_year, END_YEAR)
    by_year = {year: [change for change in changes if change.wall.year == year] for year in years}
    last = by_year[END_YEAR - 1]
    if not last:
        return END_YEAR, []
    start = END_YEAR - 1
    while start > first_year and _alike(by_year[start - 1], last):
        start -= 1
    for year in range(start, END_YEAR):
        # An earlier rule may have had the same weekday and hour, and another week.
        alike = zip(*(by_year[one] for one in range(year, END_YEAR)), strict=True)
        rules = [(changes[0], _rule(changes)) for changes in alike]
        if all(rule for _, rule in rules):
            return year, rules
    return END_YEAR, []


def _alike(some: list[_Change], others: list[_Change]) -> bool:
    return [(one.kind, _place(one)) for one in some] == [(one.kind, _place(one)) for one in others]


def _place(change: _Change) -> tuple[int, int, timedelta]:
    wall = change.wall
    return wall.month, wall.weekday(), wall - wall.replace(hour=0, minute=0, second=0)


def _rule(changes: Sequence[_Change]) -> str:
    """The RRULE that gives exactly these onsets, one a year; empty if there is none."""
    days = [change.wall.day for change in changes]
    month = changes[0].wall.month
    weekday = _WEEKDAYS[changes[0].wall.weekday()]
    head = f"FREQ=YEARLY;BYMONTH={month}"
    if len(days) < 7:
        return ""  # too few years to tell one rule from another
    if all(_is_last(change.wall) for change in changes):
        return f"{head};BYDAY=-1{weekday}"
    weeks = {(day - 1) // 7 for day in days}
    if len(weeks) == 1:
        return f"{head};BYDAY={weeks.pop() + 1}{weekday}"
    if max(days) - min(days) == 6:
        return (
            f"{head};BYDAY={weekday};BYMONTHDAY={','.join(str(day) for day in range(min(days), max(days) + 1))}"
        )
    return ""


def _is_last(wall: datetime) -> bool:
    return wall.day + 7 > calendar.monthrange(wall.year, wall.month)[1]


def _wall(change: _Change) -> str:
    wall = change.wall
    return f"{wall.year:04}{wall.month:02}{wall.day:02}T{wall.hour:02}{wall.minute:02}{wall.second:02}"


def _offset(offset: timedelta) -> str:
    """A UTC-OFFSET (RFC 5545 §3.3.14), with seconds only where there are any."""
    seconds = int(offset.total_seconds())
    hours, rest = divmod(abs(seconds), 3600)
    minutes, second = divmod(rest, 60)
    return f"{'-' if seconds < 0 else '+'}{hours:02}{minutes:02}{f'{second:02}' if second else ''}"

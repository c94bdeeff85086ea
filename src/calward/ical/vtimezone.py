"""A VTIMEZONE as rules of our own (RFC 5545 §3.6.5), for zones that IANA does not know.

Real VTIMEZONEs repeat yearly, on a date or on the n-th weekday of a month; other rules count with their first
onset only. Onsets are worked out from 1900 to 2100, and outside of that the nearest one stands. Everything is
counted, so that a hostile VTIMEZONE costs no more than a large honest one.
"""

from __future__ import annotations

import calendar
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from calward.ical.tree import Component, parse
from calward.ical.values import BadValue, read_offset, read_text, read_time, read_times
from calward.model.time import CalTime

MAX_LINES = 10_000
MAX_OBSERVANCES = 200
MAX_TRANSITIONS = 5_000
FIRST_YEAR = 1900
LAST_YEAR = 2100
_NO_ZONES: dict[str, tzinfo] = {}
_NONE = timedelta(0)
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Transition:
    """From ``utc`` (naive) on, ``after`` is the offset."""

    utc: datetime
    before: timedelta
    after: timedelta
    name: str
    daylight: bool


class RuleZone(tzinfo):
    """A zone made of a VTIMEZONE's transitions; PEP 495 folds, equal and hashed by content."""

    def __init__(self, tzid: str, transitions: tuple[Transition, ...]) -> None:
        self.tzid = tzid
        self.transitions = transitions
        self._hash = hash((tzid, transitions))
        self._utc = [one.utc for one in transitions]
        # A gap is left, and an overlap entered, by the offset before it: the rule for fold 0.
        self._wall = [one.utc + max(one.before, one.after) for one in transitions]
        self._wall_folded = [one.utc + min(one.before, one.after) for one in transitions]

    def changes(self, first: datetime, end: datetime) -> list[datetime]:
        """The moments (naive UTC) in a half-open stretch at which a transition happens."""
        return self._utc[bisect_left(self._utc, first) : bisect_left(self._utc, end)]

    def utcoffset(self, moment: datetime | None) -> timedelta:
        at = self._at(moment)
        return at.after if at else self.transitions[0].before

    def dst(self, moment: datetime | None) -> timedelta:
        at = self._at(moment)
        return max(at.after - at.before, _NONE) if at and at.daylight else _NONE

    def tzname(self, moment: datetime | None) -> str:
        at = self._at(moment)
        return at.name if at else self.tzid

    def fromutc(self, moment: datetime) -> datetime:
        utc = moment.replace(tzinfo=None)
        index = bisect_right(self._utc, utc) - 1
        if index < 0:
            return (utc + self.transitions[0].before).replace(tzinfo=self)
        at = self.transitions[index]
        again = utc - at.utc < at.before - at.after
        return (utc + at.after).replace(tzinfo=self, fold=int(again))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleZone) and (self.tzid, self.transitions) == (other.tzid, other.transitions)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"RuleZone({len(self.transitions)} transitions)"

    def __reduce__(self) -> tuple[type[RuleZone], tuple[str, tuple[Transition, ...]]]:
        return RuleZone, (self.tzid, self.transitions)

    def _at(self, moment: datetime | None) -> Transition | None:
        """The transition that rules at a wall-clock time; None before the first."""
        if moment is None:
            return None
        walls = self._wall_folded if moment.fold else self._wall
        index = bisect_right(walls, moment.replace(tzinfo=None)) - 1
        return self.transitions[index] if index >= 0 else None


def read_vtimezone(component: Component) -> RuleZone | None:
    """The rules of a VTIMEZONE component; None where it has none that can be read, or too many."""
    if component.end - component.first > MAX_LINES:
        return None
    return _read("\n".join(component.lines.texts[component.first : component.end]))


@lru_cache(maxsize=128)
def _read(text: str) -> RuleZone | None:
    # By its text, since thousands of objects carry the same few VTIMEZONEs.
    component = parse(text.encode()).roots[0]
    parts = [child for child in component.children if child.name in ("STANDARD", "DAYLIGHT")]
    if len(parts) > MAX_OBSERVANCES:
        return None
    found: list[Transition] = []
    for part in parts:
        for transition in _transitions(part):
            found.append(transition)
            if len(found) > MAX_TRANSITIONS:
                return None
    if not found:
        return None
    found.sort(key=lambda one: one.utc)
    return RuleZone(next(component.texts("TZID"), ""), tuple(found))


def _transitions(part: Component) -> Iterator[Transition]:
    """The onsets of one observance; none if it cannot be read."""
    values: dict[str, str] = {}
    extra: list[datetime] = []
    try:
        for line in part.properties():
            if line.name == "RDATE":
                found = read_times(line.value, (), _NO_ZONES.get)
                extra += [one.wall for one in found if isinstance(one, CalTime)]
            else:
                values.setdefault(line.name, line.value)
        before = read_offset(values["TZOFFSETFROM"])
        after = read_offset(values["TZOFFSETTO"])
        start = _onset(values["DTSTART"])
    except (BadValue, KeyError):
        return
    name = read_text(values.get("TZNAME", ""))
    for wall in {start, *extra, *_yearly(values.get("RRULE", ""), start, before)}:
        yield Transition(wall - before, before, after, name, part.name == "DAYLIGHT")


def _onset(text: str) -> datetime:
    text = text.strip().rstrip("Zz")
    # Programs without history begin their rules in year 1 or 1601.
    if text[:4].isdigit() and int(text[:4]) < FIRST_YEAR:
        text = f"{FIRST_YEAR}{text[4:]}"
    return _local(text).wall


def _local(text: str) -> CalTime:
    return read_time(text, "", _NO_ZONES.get)


def _yearly(rule: str, start: datetime, before: timedelta) -> Iterator[datetime]:
    """The onsets of a yearly rule; none for a rule of another kind."""
    parts = dict(part.strip().upper().partition("=")[::2] for part in rule.split(";"))
    if parts.get("FREQ") != "YEARLY":
        return
    try:
        step = max(1, int(parts.get("INTERVAL", "1")))
        left = int(parts.get("COUNT", LAST_YEAR))
        until = _until(parts.get("UNTIL", ""), before)
        month = int(parts.get("BYMONTH", start.month))
        days = [int(day) for day in parts.get("BYMONTHDAY", "").split(",")[:31] if day]
        by_day = parts.get("BYDAY", "")
        weekday = _WEEKDAYS.index(by_day[-2:]) if by_day else None
        nth = int(by_day[:-2] or 0)
        start.replace(day=1, month=month)
    except ValueError:  # of which BadValue is one
        return
    for year in range(start.year, LAST_YEAR + 1, step):
        day = _day(year, month, start.day, days, weekday, nth)
        if day is None:
            continue
        wall = start.replace(year=year, month=month, day=day)
        if wall > until or left <= 0:
            return
        if wall >= start:
            left -= 1
            yield wall


def _until(text: str, before: timedelta) -> datetime:
    if not text:
        return datetime(LAST_YEAR + 1, 1, 1)
    one = _local(text)
    if one.is_date:
        return one.wall + timedelta(days=1)
    return one.wall + before if one.zone is UTC else one.wall


def _day(year: int, month: int, usual: int, days: list[int], weekday: int | None, nth: int) -> int | None:
    """The day of the month that BYMONTHDAY and BYDAY name, or else the usual one; None where it is missing."""
    first, length = calendar.monthrange(year, month)
    allowed = [day if day > 0 else length + 1 + day for day in days] or range(1, length + 1)
    if weekday is None:
        found = list(allowed) if days else [usual]
        nth = 1
    else:
        found = [day for day in range(1 + (weekday - first) % 7, length + 1, 7) if day in allowed]
        nth = nth or 1
    if abs(nth) > len(found):
        return None
    day = found[nth - 1 if nth > 0 else nth]
    return day if 1 <= day <= length else None

"""Recurrence rules: RECUR text (RFC 5545 §3.3.10, RFC 7529 §4) to a frozen ``Rule`` and back.

Reading is tolerant of what clients write: lower case, spaces, empty parts, an UNTIL of another value type than
DTSTART, parts nobody knows. What the RFC forbids but a reader can still make sense of is kept and named in
``Rule.notes``; what makes no sense is a ``RuleError``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from calward.errors import InvalidInput
from calward.model.time import CalTime, TimeKind

MAX_TEXT = 8192
"""Longer RECUR text is refused; the longest sensible one is a few hundred characters."""

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class RuleError(InvalidInput):
    """RECUR text that describes no recurrence."""


class Freq(StrEnum):
    SECONDLY = "SECONDLY"
    MINUTELY = "MINUTELY"
    HOURLY = "HOURLY"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"

    @property
    def within_day(self) -> bool:
        return self in _WITHIN_DAY


class Skip(StrEnum):
    """What becomes of a date that does not exist (RFC 7529 §4.1)."""

    OMIT = "OMIT"
    BACKWARD = "BACKWARD"
    FORWARD = "FORWARD"


@dataclass(frozen=True, slots=True, order=True)
class WeekdayNum:
    """A BYDAY element: ``weekday`` counts from Monday = 0; ``nth`` is 0 for every such day."""

    nth: int
    weekday: int

    def __str__(self) -> str:
        return f"{self.nth or ''}{WEEKDAYS[self.weekday]}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One recurrence rule. Lists are sorted and free of duplicates, so equal rules compare equal."""

    freq: Freq
    interval: int = 1
    count: int | None = None
    until: CalTime | None = None
    """As written: a date, a floating or a UTC time; inclusive."""
    by_second: tuple[int, ...] = ()
    by_minute: tuple[int, ...] = ()
    by_hour: tuple[int, ...] = ()
    by_day: tuple[WeekdayNum, ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_year_day: tuple[int, ...] = ()
    by_week_no: tuple[int, ...] = ()
    by_month: tuple[int, ...] = ()
    by_set_pos: tuple[int, ...] = ()
    week_start: int = 0
    """Monday = 0."""
    rscale: str | None = None
    """RSCALE in upper case, None where the rule has none."""
    leap_months: tuple[int, ...] = ()
    """BYMONTH elements with the leap suffix ``L`` (RFC 7529 §4.2)."""
    skip: Skip = Skip.OMIT
    extra: tuple[str, ...] = ()
    """Parts nobody here knows, as ``NAME=VALUE``, kept for writing."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the reader forgave, one plain sentence each."""

    @property
    def supported(self) -> bool:
        """False for a calendar scale other than the Gregorian."""
        return self.rscale in _GREGORIAN and not self.leap_months

    @property
    def endless(self) -> bool:
        return self.count is None and self.until is None

    def __str__(self) -> str:
        """Canonical RECUR text."""
        return ";".join(f"{name}={value}" for name, value in _parts(self)) + "".join(
            f";{part}" for part in self.extra
        )


def parse_rule(text: str) -> Rule:
    """Read RECUR text; a leading ``RRULE:`` is forgiven. Raises ``RuleError``."""
    if len(text) > MAX_TEXT:
        raise RuleError(f"a recurrence rule of {len(text)} characters is too long; at most {MAX_TEXT} are read")
    draft = _Draft()
    body = re.sub(r"^\s*(?:RRULE|EXRULE)\s*:", "", text, flags=re.IGNORECASE)
    for part in body.split(";"):
        if part.strip():
            draft.take(part)
    return draft.finish()


def until_text(until: CalTime) -> str:
    """An UNTIL value as the RFC spells it."""
    wall = until.wall
    day = f"{wall.year:04}{wall.month:02}{wall.day:02}"
    if until.is_date:
        return day
    zulu = "Z" if until.kind is TimeKind.UTC else ""
    return f"{day}T{wall.hour:02}{wall.minute:02}{wall.second:02}{zulu}"


_WITHIN_DAY = frozenset((Freq.SECONDLY, Freq.MINUTELY, Freq.HOURLY))
_GREGORIAN = (None, "GREGORIAN", "GREGORY")

# name of the part -> (field, lowest, highest, whether negative values count from the end)
_LISTS: dict[str, tuple[str, int, int, bool]] = {
    "BYSECOND": ("by_second", 0, 60, False),
    "BYMINUTE": ("by_minute", 0, 59, False),
    "BYHOUR": ("by_hour", 0, 23, False),
    "BYMONTHDAY": ("by_month_day", 1, 31, True),
    "BYYEARDAY": ("by_year_day", 1, 366, True),
    "BYWEEKNO": ("by_week_no", 1, 53, True),
    "BYSETPOS": ("by_set_pos", 1, 366, True),
}

_WEEKDAY = re.compile(r"([+-]?\d{1,3})?(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z?))?")
_NUMBER = re.compile(r"[+-]?\d{1,10}")


class _Draft:
    """The rule being read: values by field name, and what was forgiven."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.extra: list[str] = []
        self.notes: list[str] = []

    def take(self, part: str) -> None:
        name, equals, raw = part.partition("=")
        name = name.strip().upper()
        value = raw.strip()
        reader = _READERS.get(name)
        if not equals or not value:
            self.notes.append(f"{name or 'A part'} has no value")
        elif reader is not None:
            reader(self, name, "".join(value.upper().split()))
        else:
            self.extra.append(f"{name}={value}")
            if not name.startswith("X-"):
                self.notes.append(f"{name} is not a part of a recurrence rule")

    def put(self, field_name: str, value: object, part: str) -> None:
        if field_name in self.values:
            self.notes.append(f"{part} is there twice; the first one counts")
        else:
            self.values[field_name] = value

    def finish(self) -> Rule:
        if "freq" not in self.values:
            raise RuleError("a recurrence rule needs FREQ, such as FREQ=WEEKLY")
        rule = Rule(**self.values, extra=tuple(self.extra))
        if rule.supported and rule.by_month and rule.by_month[-1] > 12:
            rule = replace(rule, by_month=_gregorian_months(rule.by_month))
            self.notes.append("BYMONTH holds a value that cannot be")
        return replace(rule, notes=(*self.notes, *_against_the_rfc(rule)))


def _gregorian_months(months: tuple[int, ...]) -> tuple[int, ...]:
    kept = tuple(month for month in months if month <= 12)
    if not kept:
        raise RuleError("BYMONTH holds no value that can be")
    return kept


def _read_freq(draft: _Draft, name: str, value: str) -> None:
    if value not in Freq.__members__:
        raise RuleError("FREQ must be one of " + ", ".join(Freq.__members__))
    draft.put("freq", Freq(value), name)


def _read_positive(draft: _Draft, name: str, value: str) -> None:
    if not _NUMBER.fullmatch(value) or int(value) < 1:
        raise RuleError(f"{name} must be a whole number from 1 up")
    draft.put(name.lower(), int(value), name)


def _read_until(draft: _Draft, name: str, value: str) -> None:
    match = _UNTIL.fullmatch(value)
    try:
        if match is None:
            raise ValueError(value)
        year, month, day, hour, minute, second = (int(group or 0) for group in match.groups()[:6])
        wall = datetime(year, month, day, hour, minute, min(second, 59))
    except ValueError:
        raise RuleError("UNTIL must be a date such as 20260630 or a time such as 20260630T215900Z") from None
    if match[4] is None:
        until = CalTime(TimeKind.DATE, wall)
    elif match[7]:
        until = CalTime(TimeKind.UTC, wall, UTC)
    else:
        until = CalTime.floating(wall)
    draft.put("until", until, name)


def _read_list(draft: _Draft, name: str, value: str) -> None:
    field_name, lowest, highest, signed = _LISTS[name]

    def read(item: str) -> int | None:
        if not _NUMBER.fullmatch(item):
            return None
        number = int(item)
        size = abs(number) if signed else number
        return number if lowest <= size <= highest else None

    draft.put(field_name, _elements(draft, name, value, read), name)


def _read_by_day(draft: _Draft, name: str, value: str) -> None:
    def read(item: str) -> WeekdayNum | None:
        match = _WEEKDAY.fullmatch(item)
        if match is None:
            return None
        nth = int(match[1]) if match[1] else 0
        if match[1] and not 1 <= abs(nth) <= 53:
            return None
        return WeekdayNum(nth, WEEKDAYS.index(match[2]))

    draft.put("by_day", _elements(draft, name, value, read), name)


def _read_by_month(draft: _Draft, name: str, value: str) -> None:
    def read(item: str) -> tuple[int, bool] | None:
        number, leap = item.removesuffix("L"), item.endswith("L")
        if not _NUMBER.fullmatch(number) or not 1 <= int(number) <= 13:
            return None
        return int(number), leap

    months = _elements(draft, name, value, read)
    draft.put("by_month", tuple(month for month, leap in months if not leap), name)
    draft.put("leap_months", tuple(month for month, leap in months if leap), name)


def _read_week_start(draft: _Draft, name: str, value: str) -> None:
    if value in WEEKDAYS:
        draft.put("week_start", WEEKDAYS.index(value), name)
    else:
        draft.notes.append("WKST is not a weekday; weeks start on Monday")


def _read_rscale(draft: _Draft, name: str, value: str) -> None:
    draft.put("rscale", value, name)


def _read_skip(draft: _Draft, name: str, value: str) -> None:
    if value in Skip.__members__:
        draft.put("skip", Skip(value), name)
    else:
        draft.notes.append("SKIP is not OMIT, BACKWARD or FORWARD; dates that do not exist are left out")


_Element = TypeVar("_Element", int, WeekdayNum, tuple[int, bool])


def _elements(
    draft: _Draft, name: str, value: str, read: Callable[[str], _Element | None]
) -> tuple[_Element, ...]:
    """The elements that make sense, sorted; one that does not is dropped, but a list of nothing is an error."""
    kept: set[_Element] = set()
    for item in value.split(","):
        element = read(item)
        if element is not None:
            kept.add(element)
        elif item:
            draft.notes.append(f"{name} holds a value that cannot be")
    if not kept:
        raise RuleError(f"{name} holds no value that can be")
    return tuple(sorted(kept))


_READERS: dict[str, Callable[[_Draft, str, str], None]] = {
    "FREQ": _read_freq,
    "INTERVAL": _read_positive,
    "COUNT": _read_positive,
    "UNTIL": _read_until,
    "BYDAY": _read_by_day,
    "BYMONTH": _read_by_month,
    "WKST": _read_week_start,
    "RSCALE": _read_rscale,
    "SKIP": _read_skip,
    **dict.fromkeys(_LISTS, _read_list),
}


def _against_the_rfc(rule: Rule) -> Iterator[str]:
    """What RFC 5545 §3.3.10 says MUST NOT be, and yet has one sensible reading, which the engine takes."""
    freq = rule.freq
    if rule.count is not None and rule.until is not None:
        yield "COUNT and UNTIL may not stand together; whichever ends first counts"
    if rule.by_week_no and freq is not Freq.YEARLY:
        yield "BYWEEKNO may stand only with FREQ=YEARLY; it is read as a limit"
    if rule.by_year_day and freq in (Freq.DAILY, Freq.WEEKLY, Freq.MONTHLY):
        yield f"BYYEARDAY may not stand with FREQ={freq}; it is read as a limit"
    if rule.by_month_day and freq is Freq.WEEKLY:
        yield "BYMONTHDAY may not stand with FREQ=WEEKLY; it is read as a limit"
    if any(day.nth for day in rule.by_day):
        if freq not in (Freq.MONTHLY, Freq.YEARLY):
            yield f"numbers in BYDAY may not stand with FREQ={freq}; they are passed over"
        elif freq is Freq.YEARLY and rule.by_week_no:
            yield "numbers in BYDAY may not stand with BYWEEKNO; they are passed over"
    if rule.skip is not Skip.OMIT and rule.rscale is None:
        yield "SKIP may stand only with RSCALE; the Gregorian calendar is taken"


def _parts(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.rscale is not None:
        yield "RSCALE", rule.rscale
    yield "FREQ", str(rule.freq)
    if rule.until is not None:
        yield "UNTIL", until_text(rule.until)
    if rule.count is not None:
        yield "COUNT", str(rule.count)
    if rule.interval != 1:
        yield "INTERVAL", str(rule.interval)
    for name, values in (
        ("BYSECOND", rule.by_second),
        ("BYMINUTE", rule.by_minute),
        ("BYHOUR", rule.by_hour),
        ("BYDAY", rule.by_day),
        ("BYMONTHDAY", rule.by_month_day),
        ("BYYEARDAY", rule.by_year_day),
        ("BYWEEKNO", rule.by_week_no),
        ("BYMONTH", (*rule.by_month, *(f"{month}L" for month in rule.leap_months))),
        ("BYSETPOS", rule.by_set_pos),
    ):
        if values:
            yield name, ",".join(map(str, values))
    if rule.week_start:
        yield "WKST", WEEKDAYS[rule.week_start]
    if rule.skip is not Skip.OMIT:
        yield "SKIP", str(rule.skip)

"""Reading recurrence rules: RECUR text (RFC 5545 §3.3.10, RFC 7529 §4) to a ``Rule``; ``str`` leads back.

Reading is tolerant of what clients write: lower case, spaces, empty parts, an UNTIL of another value type than
DTSTART, parts nobody knows. What the RFC forbids but a reader can still make sense of is kept and named in
``Rule.notes``; what makes no sense is a ``RuleError``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from calward.errors import InvalidInput
from calward.model.rule import WEEKDAYS, Freq, Rule, Skip, WeekdayNum
from calward.model.time import CalTime, TimeKind

MAX_TEXT = 8192
"""Longer RECUR text is refused; the longest sensible one is a few hundred characters."""


class RuleError(InvalidInput):
    """RECUR text that describes no recurrence."""


def parse_rule(text: str) -> Rule:
    """Read RECUR text; a leading ``RRULE:`` is forgiven. Raises ``RuleError``."""
    if len(text) > MAX_TEXT:
        raise RuleError(
            f"A recurrence rule of {len(text)} characters is too long; at most {MAX_TEXT} are read."
        )
    draft = _Draft()
    body = re.sub(r"^\s*(?:RRULE|EXRULE)\s*:", "", text, flags=re.IGNORECASE)
    for part in body.split(";"):
        if part.strip():
            draft.take(part)
    return draft.finish()


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

_WEEKDAY = re.compile(r"([+-]?\d{1,3})?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
_UNTIL = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z?))?", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,10}", re.ASCII)


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
            self.notes.append(f"{name or 'A part'} has no value.")
        elif reader is not None:
            reader(self, name, "".join(value.upper().split()))
        else:
            self.extra.append(f"{name}={value}")
            if not name.startswith("X-"):
                self.notes.append(f"{name} is not a part of a recurrence rule.")

    def put(self, field_name: str, value: object, part: str) -> None:
        if field_name in self.values:
            self.notes.append(f"{part} is there twice; the first one counts.")
        else:
            self.values[field_name] = value

    def finish(self) -> Rule:
        if "freq" not in self.values:
            raise RuleError("A recurrence rule needs FREQ, such as FREQ=WEEKLY.")
        rule = Rule(**self.values, extra=tuple(self.extra))
        if rule.supported and rule.by_month and rule.by_month[-1] > 12:
            rule = replace(rule, by_month=_gregorian_months(rule.by_month))
            self.notes.append("BYMONTH holds a value that cannot be.")
        return replace(rule, notes=(*self.notes, *_against_the_rfc(rule)))


def _gregorian_months(months: tuple[int, ...]) -> tuple[int, ...]:
    kept = tuple(month for month in months if month <= 12)
    if not kept:
        raise RuleError("BYMONTH holds no value that can be.")
    return kept


def _read_freq(draft: _Draft, name: str, value: str) -> None:
    if value not in Freq.__members__:
        raise RuleError(f"FREQ must be one of {', '.join(Freq.__members__)}.")
    draft.put("freq", Freq(value), name)


def _read_positive(draft: _Draft, name: str, value: str) -> None:
    if not _NUMBER.fullmatch(value) or int(value) < 1:
        raise RuleError(f"{name} must be a whole number from 1 up.")
    draft.put(name.lower(), int(value), name)


def _read_until(draft: _Draft, name: str, value: str) -> None:
    match = _UNTIL.fullmatch(value)
    try:
        if match is None:
            raise ValueError(value)
        year, month, day, hour, minute, second = (int(group or 0) for group in match.groups()[:6])
        wall = datetime(year, month, day, hour, minute, min(second, 59))
    except ValueError:
        raise RuleError("UNTIL must be a date such as 20260630 or a time such as 20260630T215900Z.") from None
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
        draft.notes.append("WKST is not a weekday; weeks start on Monday.")


def _read_rscale(draft: _Draft, name: str, value: str) -> None:
    draft.put("rscale", value, name)


def _read_skip(draft: _Draft, name: str, value: str) -> None:
    if value in Skip.__members__:
        draft.put("skip", Skip(value), name)
    else:
        draft.notes.append("SKIP is not OMIT, BACKWARD or FORWARD; dates that do not exist are left out.")


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
            draft.notes.append(f"{name} holds a value that cannot be.")
    if not kept:
        raise RuleError(f"{name} holds no value that can be.")
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
        yield "COUNT and UNTIL may not stand together; whichever ends first counts."
    if rule.by_week_no and freq is not Freq.YEARLY:
        yield "BYWEEKNO may stand only with FREQ=YEARLY; it is read as a limit."
    if rule.by_year_day and freq in (Freq.DAILY, Freq.WEEKLY, Freq.MONTHLY):
        yield f"BYYEARDAY may not stand with FREQ={freq}; it is read as a limit."
    if rule.by_month_day and freq is Freq.WEEKLY:
        yield "BYMONTHDAY may not stand with FREQ=WEEKLY; it is read as a limit."
    if any(day.nth for day in rule.by_day):
        if freq not in (Freq.MONTHLY, Freq.YEARLY):
            yield f"numbers in BYDAY may not stand with FREQ={freq}; they are passed over."
        elif freq is Freq.YEARLY and rule.by_week_no:
            yield "numbers in BYDAY may not stand with BYWEEKNO; they are passed over."
    if rule.skip is not Skip.OMIT and rule.rscale is None:
        yield "SKIP may stand only with RSCALE; the Gregorian calendar is taken."

"""Recurrence rules as values (RFC 5545 §3.3.10, RFC 7529 §4), and their canonical text.

``calward.recurrence.rule`` reads them from what clients write; ``calward.language`` says them in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from calward.model.time import CalTime, TimeKind

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


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


_WITHIN_DAY = frozenset((Freq.SECONDLY, Freq.MINUTELY, Freq.HOURLY))
_GREGORIAN = (None, "GREGORIAN", "GREGORY")


def _until_text(until: CalTime) -> str:
    """An UNTIL value as the RFC spells it."""
    wall = until.wall
    day = f"{wall.year:04}{wall.month:02}{wall.day:02}"
    if until.is_date:
        return day
    zulu = "Z" if until.kind is TimeKind.UTC else ""
    return f"{day}T{wall.hour:02}{wall.minute:02}{wall.second:02}{zulu}"


def _parts(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.rscale is not None:
        yield "RSCALE", rule.rscale
    yield "FREQ", str(rule.freq)
    if rule.until is not None:
        yield "UNTIL", _until_text(rule.until)
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

"""What words mean before they are resolved: typed partial values that rules combine.

All are frozen and compare by value. ``marks`` name what was assumed on the way, such as ``latent`` (a bare
number taken for an hour) or ``next`` (a word people disagree on); they end up in the confidence and the notes
of a reading.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum

from calward.language.days import Days
from calward.language.grains import Grain

NO_MARKS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity. ``digits`` counts the figures it was written in; 0 for words."""

    value: float
    digits: int = 0

    @property
    def whole(self) -> int:
        return int(self.value)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. ``open`` means that am or pm was left unsaid; hour 24 is the midnight that ends a day."""

    hour: int
    minute: int = 0
    second: int = 0
    grain: Grain = Grain.HOUR
    open: bool = False
    written: bool = False
    """Written in figures with minutes, which most languages do by 24 hours."""

    @property
    def minutes(self) -> int:
        return self.hour * 60 + self.minute

    def flipped(self) -> Clock:
        """The other of its two readings, twelve hours away; both are closed."""
        return replace(self, hour=(self.hour + 12) % 24, open=False)

    def closed(self) -> Clock:
        return replace(self, open=False)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day, by a name that the conventions give hours to."""

    name: str


@dataclass(frozen=True, slots=True)
class Length:
    """A duration as amounts of units, largest first."""

    amounts: tuple[tuple[float, Grain], ...]
    marks: frozenset[str] = NO_MARKS

    @property
    def finest(self) -> Grain:
        return min(grain for _, grain in self.amounts)

    @property
    def largest(self) -> Grain:
        return max(grain for _, grain in self.amounts)

    def negative(self) -> Length:
        return Length(tuple((-count, grain) for count, grain in self.amounts), self.marks)


@dataclass(frozen=True, slots=True)
class When:
    """A point or stretch in time, as far as it was said: days, a time of day, a part of day, or an exact
    moment."""

    days: Days | None = None
    clock: Clock | None = None
    part: Part | None = None
    at: datetime | None = None
    """An exact wall-clock moment, as in "in two hours"."""
    grain: Grain = Grain.DAY
    """How finely ``at`` was said."""
    zone: tzinfo | None = None
    """The zone that was said with it, if any."""
    marks: frozenset[str] = NO_MARKS

    @property
    def category(self) -> str:
        if self.at is None:
            if self.days is not None and self.clock is None and self.part is None:
                return "date"
            if self.days is None:
                if self.clock is not None and self.part is None:
                    return "clock"
                if self.part is not None and self.clock is None:
                    return "part"
        return "when"

    def marked(self, *marks: str) -> When:
        return replace(self, marks=self.marks.union(marks))


class Bound(StrEnum):
    """How the ends of a span were said."""

    BETWEEN = "between"
    AFTER = "after"
    BEFORE = "before"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True)
class Stretch:
    """From one When to another, or from or until one, or for a length."""

    bound: Bound
    first: When | None = None
    last: When | None = None
    length: Length | None = None
    days: Days | None = None
    """Days said apart from the two ends: "from 3 to 5 on Friday"."""
    part: Part | None = None
    zone: tzinfo | None = None
    whole_units: Grain | None = None
    """Set where the ends are counted in whole units from now ("the next three weeks")."""
    marks: frozenset[str] = NO_MARKS

    @property
    def category(self) -> str:
        return "span"

    def marked(self, *marks: str) -> Stretch:
        return replace(self, marks=self.marks.union(marks))


@dataclass(frozen=True, slots=True)
class Cycle:
    """A recurrence in the terms of RFC 5545 §3.3.10, with what bounds it still unresolved."""

    freq: Grain
    interval: int = 1
    byday: tuple[tuple[int, int], ...] = ()
    """(ordinal, weekday) pairs; ordinal 0 is every one."""
    bymonthday: tuple[int, ...] = ()
    bymonth: tuple[int, ...] = ()
    byyearday: tuple[int, ...] = ()
    byweekno: tuple[int, ...] = ()
    bysetpos: tuple[int, ...] = ()
    count: int | None = None
    start: When | None = None
    until: When | None = None
    lasting: Length | None = None
    clock: Clock | None = None
    clock_end: Clock | None = None
    part: Part | None = None
    length: Length | None = None
    except_: tuple[When, ...] = ()
    plain: bool = False
    """Only a frequency so far ("weekly", "every month"): days may still be named."""
    marks: frozenset[str] = NO_MARKS

    @property
    def category(self) -> str:
        return "cycle"

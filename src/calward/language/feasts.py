"""Feasts and named days, dated by the short rules of ``data/feasts.toml``.

A rule is a few words: ``jul 4`` · ``nth -1 mon may`` · ``mon from may 18`` · ``easter -2`` · ``orthodox 49`` ·
``hebrew 7 1`` · ``islamic 10 1`` · ``chinese 1 1`` · ``hindu 7 30 18`` (month, tithi, hour at which it must
hold) · ``dates 2020-03-03`` (and no others) · ``tax`` · ``sankranti 9`` · ``nakshatra 4 22`` · ``parsi``. It
may end with ``avoid sun`` (the day before instead), ``+N`` or ``-N`` days and ``for N`` days. Feasts of
calendars whose day begins at sunset are dated by the evening on which they begin where their rule says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from calward.language import reckonings
from calward.language.datafile import data_file
from calward.language.days import DayOfMonth, DaySpan, MonthDay, Months, Nth, Weekday, inside
from calward.language.grains import Grain, cycle

MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
COMPUTABLE = range(1800, 2200)
"""Years for which calendars that follow sun and moon are reckoned."""


@dataclass(frozen=True, slots=True)
class Feast:
    """A named day, or days, of every year, as the region keeps it where regions differ."""

    key: str
    region: str = ""
    grain: Grain = Grain.DAY

    @property
    def known(self) -> bool:
        return rule_of(self.key, self.region) is not None

    @property
    def follows_the_moon(self) -> bool:
        """Whether communities may keep it a day apart."""
        rule = rule_of(self.key, self.region)
        return rule is not None and rule.split()[0] in ("islamic", "hindu", "nakshatra")

    def spans(self, year: int) -> tuple[DaySpan, ...]:
        rule = rule_of(self.key, self.region)
        return spans_of(rule, year) if rule else ()


def rule_of(key: str, region: str) -> str | None:
    """The rule of a feast in a region, else the one that holds elsewhere."""
    rule = _table().get(key)
    if rule is None or isinstance(rule, str):
        return rule
    return rule.get(region) or rule.get("default")


def yearly_date(feast: Feast) -> MonthDay | Nth | None:
    """The date or the weekday of a month a feast is kept on, where it is one of the two."""
    match (rule_of(feast.key, feast.region) or "").split():
        case [month, day] if month in MONTH_NAMES:
            return MonthDay(MONTH_NAMES.index(month) + 1, int(day))
        case ["nth", number, weekday, month]:
            return Nth(int(number), Weekday(WEEKDAY_NAMES.index(weekday)), Months(MONTH_NAMES.index(month) + 1))
        case _:
            return None


def _table() -> Mapping[str, str | Mapping[str, str]]:
    return data_file("feasts")["feast"]  # type: ignore[no-any-return]


@lru_cache(maxsize=2048)
def spans_of(rule: str, year: int) -> tuple[DaySpan, ...]:
    """The spans of a rule that begin in a year."""
    words = rule.split()
    length, avoided = 1, None
    if "for" in words:
        at = words.index("for")
        length = int(words[at + 1])
        words = words[:at]
    if "avoid" in words:
        avoided = WEEKDAY_NAMES.index(words[-1])
        words = words[: words.index("avoid")]
    shift = 0
    if words[-1][0] in "+-" and words[0] not in ("easter", "orthodox"):
        shift = int(words.pop())
    out = []
    for day in _dates(words, year):
        start = day + timedelta(days=shift - (day.weekday() == avoided))
        out.append((start, start + timedelta(days=length)))
    return tuple(sorted(out))


def _dates(words: list[str], year: int) -> list[date]:
    kind, numbers = words[0], words[1:]
    if kind in MONTH_NAMES:
        return [span[0] for span in _fixed(year, kind, int(numbers[0]))]
    if kind in WEEKDAY_NAMES:
        return _weekday_from(year, WEEKDAY_NAMES.index(kind), numbers)
    if kind == "dates":
        return [day for day in map(date.fromisoformat, numbers) if day.year == year]
    if kind == "tax":
        return [_tax_day(year)]
    if kind == "nth":
        return _nth(year, int(numbers[0]), WEEKDAY_NAMES.index(numbers[1]), MONTH_NAMES.index(numbers[2]) + 1)
    if kind == "easter":
        return [reckonings.easter(year) + timedelta(days=int((numbers or ["0"])[0]))] if year > 1583 else []
    if kind == "orthodox":
        return (
            [reckonings.orthodox_easter(year) + timedelta(days=int((numbers or ["0"])[0]))]
            if year > 1583
            else []
        )
    if year not in COMPUTABLE:
        return []
    if kind == "solar":
        return [reckonings.sun_at(year, int(numbers[0]))]
    if kind == "hindu":
        return reckonings.hindu(year, int(numbers[0]), int(numbers[1]), float(numbers[2]))
    if kind == "sankranti":
        return reckonings.sankranti(year, int(numbers[0]))
    if kind == "nakshatra":
        return reckonings.nakshatra(year, int(numbers[0]), int(numbers[1]))
    if kind == "parsi":
        return reckonings.parsi_new_year(year)
    reckoning = {"hebrew": reckonings.hebrew, "islamic": reckonings.islamic, "chinese": reckonings.chinese}[
        kind
    ]
    return reckoning(year, int(numbers[0]), int(numbers[1]))


def _fixed(year: int, month: str, day: int) -> list[DaySpan]:
    span = cycle(date(year, MONTH_NAMES.index(month) + 1, 1), 0, Grain.MONTH)
    return list(inside(DayOfMonth(day), span))


def _nth(year: int, number: int, weekday: int, month: int) -> list[date]:
    found = inside(Weekday(weekday), cycle(date(year, month, 1), 0, Grain.MONTH))
    return [found[number - 1 if number > 0 else number][0]] if abs(number) <= len(found) else []


def _weekday_from(year: int, weekday: int, words: list[str]) -> list[date]:
    """``mon from may 18`` or ``mon before may 25``."""
    anchor = _fixed(year, words[1], int(words[2]))
    if not anchor:
        return []
    day = anchor[0][0]
    if words[0] == "from":
        return [day + timedelta(days=(weekday - day.weekday()) % 7)]
    return [day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)]


def _tax_day(year: int) -> date:
    """15 April, or the next working day after it that is not Emancipation Day as observed (26 U.S.C. §7503)."""
    emancipation = date(year, 4, 16)
    observed = emancipation + timedelta(days={5: -1, 6: 1}.get(emancipation.weekday(), 0))
    day = date(year, 4, 15)
    while day.weekday() > 4 or day == observed:
        day += timedelta(days=1)
    return day


def every_rule() -> list[str]:
    """All rules of the table, for a test that reads each once."""
    out: list[str] = []
    for rule in _table().values():
        out.extend([rule] if isinstance(rule, str) else rule.values())
    return out

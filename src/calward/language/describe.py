"""A recurrence in words: "every second Tuesday until June 30".

The words and the order they stand in are data (``Phrases``), so a translation is another table. Nothing that
chooses occurrences is left out but WKST, which nobody says: a rule too odd for a short phrase gets a longer
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product

from calward.language.rule_words import ENGLISH, Phrases
from calward.model.rule import Freq, Rule, Skip, WeekdayNum
from calward.model.time import CalTime, TimeKind


def describe(rule: Rule, start: CalTime, phrases: Phrases = ENGLISH) -> str:
    """Say a rule in words, without a full stop, to stand after a title or within a sentence.

    ``start`` is DTSTART: it fills in the days that a rule leaves open, and its zone and year say how to name
    UNTIL. A rule of another calendar scale is only named.
    """
    if not rule.supported:
        return phrases.text["other calendar"].format(name=(rule.rscale or "").capitalize())
    teller = _Teller(_plain(rule), start, phrases)
    return teller.bounded(teller.skipping(teller.chosen()))


@dataclass(frozen=True, slots=True)
class _Teller:
    rule: Rule
    start: CalTime
    phrases: Phrases

    def chosen(self) -> str:
        """Days and times, and what BYSETPOS takes of them."""
        rule = self.rule
        if not rule.by_set_pos:
            return self._timed(self._days())
        short = self._taken_weekday()
        if short is not None:
            return self._timed(self._in_period(short))
        days = self._timed(_Teller(replace(rule, by_set_pos=()), self.start, self.phrases)._days())
        return self._say("one of", which=self._list(map(self._place, rule.by_set_pos)), days=days)

    def skipping(self, what: str) -> str:
        if self.rule.skip is Skip.OMIT:
            return what
        return self._say("backward" if self.rule.skip is Skip.BACKWARD else "forward", what=what)

    def bounded(self, what: str) -> str:
        rule = self.rule
        if rule.count is not None:
            what = self._say("once" if rule.count == 1 else "times", what=what, count=rule.count)
        if rule.until is not None:
            what = self._say("until", what=what, date=self._last_day(rule.until))
        return what

    def _days(self) -> str:
        rule = self.rule
        if rule.freq.within_day:
            return self._limited(self._every_few(), months=True, days=True)
        if rule.freq is Freq.DAILY:
            return self._limited(self._every(self._unit), months=True, days=True)
        if rule.freq is Freq.WEEKLY:
            return self._limited(self._weekly(), months=True)
        if rule.freq is Freq.MONTHLY:
            return self._limited(self._in_period(self._days_of_month()))
        return self._yearly()

    def _weekly(self) -> str:
        rule = self.rule
        days = rule.by_day or (WeekdayNum(0, self.start.wall.weekday()),)
        if rule.interval == 1:
            return self._say("each", what=self._weekdays(days))
        if len(days) == 1:
            return self._every(self._weekdays(days))
        return self._say("on", when=self._every(self._unit), days=self._weekdays(days, group=False))

    def _yearly(self) -> str:
        rule = self.rule
        if rule.by_week_no:
            weeks = self._list(self._week(number) for number in rule.by_week_no)
            open_days = not (rule.by_day or rule.by_month_day or rule.by_year_day)
            days = rule.by_day or ((WeekdayNum(0, self.start.wall.weekday()),) if open_days else ())
            named = self._weekdays(days) if days else self._text("day")
            what = self._say("of", days=self._say("in", days=named, where=weeks), when=self._period)
            return self._limited(self._say("each", what=what), months=True, month_days=True, year_days=True)
        if rule.by_year_day:
            numbers = (self._nth(number, self._text("day")) for number in rule.by_year_day)
            what = self._say("of", days=self._say("the", what=self._list(numbers)), when=self._period)
            return self._limited(what, months=True, days=True)
        dates = self._dates()
        if dates:
            return self._say("on", when=self._every(self._unit), days=self._list(dates))
        return self._in_period(self._days_of_month())

    def _dates(self) -> list[str]:
        """The dates of a year, where they are few and each has a number."""
        rule = self.rule
        months = rule.by_month or (self.start.wall.month,)
        days = rule.by_month_day or (self.start.wall.day,)
        if rule.by_day or any(day < 0 for day in days) or len(months) * len(days) > 6:
            return []
        return [self._date(month, day) for month, day in product(months, days)]

    def _days_of_month(self) -> str:
        """What is named in a month, or in a year where BYDAY stands alone."""
        rule = self.rule
        numbers = rule.by_month_day or (() if rule.by_day else (self.start.wall.day,))
        dates = [self._say("the", what=self._month_day(number)) for number in numbers]
        every = [day for day in rule.by_day if not day.nth]
        days = [self._say("each", what=self._weekdays(every))] if every else []
        days += [
            self._say("the", what=self._nth(day.nth, self.phrases.weekdays[day.weekday]))
            for day in rule.by_day
            if day.nth
        ]
        if not days:
            return self._list(dates)
        return (
            self._say("falling on", days=self._list(days), which=self._list(dates))
            if dates
            else self._list(days)
        )

    def _in_period(self, days: str) -> str:
        """``days`` of the months or years they are in."""
        rule = self.rule
        if rule.freq is Freq.WEEKLY:
            return self._limited(self._say("yearly", days=days, when=self._period), months=True)
        months = self._list(self.phrases.months[month - 1] for month in rule.by_month)
        if rule.freq is Freq.YEARLY:
            alone = rule.by_day and not rule.by_month_day
            months = months or ("" if alone else self.phrases.months[self.start.wall.month - 1])
            if not months:
                return self._say("of", days=days, when=self._period)
            return self._say("yearly", days=self._say("of", days=days, when=months), when=self._period)
        if months and rule.interval == 1:
            return self._say("of", days=days, when=months)
        what = self._say("of", days=days, when=self._period)
        return self._say("only in", what=what, where=months) if months else what

    def _taken_weekday(self) -> str | None:
        """BYSETPOS over plain weekdays, as "the last weekday"; None where there is no such word."""
        rule = self.rule
        alone = (
            rule.freq in (Freq.MONTHLY, Freq.YEARLY) and rule.by_day and not any(day.nth for day in rule.by_day)
        )
        others = rule.by_month_day or rule.by_year_day or rule.by_week_no or len(self._clock()) > 1
        if not alone or others:
            return None
        what = self._group(rule.by_day)
        if what is None and len(rule.by_day) == 1:
            what = self.phrases.weekdays[rule.by_day[0].weekday]
        if what is None:
            return None
        return self._say("the", what=self._list(self._nth(at, what) for at in rule.by_set_pos))

    def _limited(
        self,
        what: str,
        *,
        months: bool = False,
        days: bool = False,
        month_days: bool = False,
        year_days: bool = False,
    ) -> str:
        """``what`` with the limits that its own words do not say."""
        rule = self.rule
        weeks = rule.by_week_no if rule.freq is not Freq.YEARLY else ()
        yearly = rule.by_year_day if rule.freq is not Freq.YEARLY or year_days else ()
        in_month = rule.by_month_day if days or month_days or rule.freq is Freq.WEEKLY else ()
        only: list[tuple[str, Iterable[str]]] = [
            ("days", [self._weekdays(rule.by_day, group=False)] if days and rule.by_day else []),
            ("days", [self._say("the", what=self._month_day(number)) for number in in_month]),
            ("days", [self._say("the", what=self._nth(number, self._text("day"))) for number in yearly]),
            ("where", [self._week(number) for number in weeks]),
        ]
        if months and rule.by_month:
            names = self._list(self.phrases.months[month - 1] for month in rule.by_month)
            what = self._say("in", days=what, where=names)
        for field, values in only:
            if listed := self._list(values):
                what = self._say("only on" if field == "days" else "only in", what=what, **{field: listed})
        return what

    def _timed(self, what: str) -> str:
        """``what`` with the times of day a rule names, or the units within an hour."""
        rule = self.rule
        named = rule.by_hour or rule.by_minute or rule.by_second
        if not named or self.start.is_date:
            return what
        times = self._clock()
        if not rule.freq.within_day and len(times) <= 6:
            return self._say("at", what=what, times=self._list(times))
        for name, numbers in (
            ("in hours", rule.by_hour),
            ("at minutes", rule.by_minute),
            ("at seconds", rule.by_second),
        ):
            if numbers:
                what = self._say(name, what=what, numbers=self._list(map(str, numbers)))
        return what

    def _clock(self) -> list[str]:
        """The times of day of a rule of days, in words."""
        rule, wall = self.rule, self.start.wall
        hours, minutes = rule.by_hour or (wall.hour,), rule.by_minute or (wall.minute,)
        seconds = rule.by_second or (wall.second,)
        return [
            f"{hour}:{minute:02}" + (f":{second:02}" if any(seconds) else "")
            for hour, minute, second in product(hours, minutes, seconds)
        ]

    def _every(self, what: str) -> str:
        interval = self.rule.interval
        if interval == 1:
            return self._say("each", what=what)
        return self._say("every nth", nth=self._ordinal(interval), what=what)

    def _every_few(self) -> str:
        one, many = self.phrases.units[self.rule.freq]
        interval = self.rule.interval
        return (
            self._say("each", what=one) if interval == 1 else self._say("every few", count=interval, what=many)
        )

    @property
    def _unit(self) -> str:
        return self.phrases.units[self.rule.freq][0]

    @property
    def _period(self) -> str:
        return self._say("period", what=self._unit) if self.rule.interval == 1 else self._every(self._unit)

    def _weekdays(self, days: Sequence[WeekdayNum], *, group: bool = True) -> str:
        together = self._group(days) if group else None
        return together or self._list(self.phrases.weekdays[day.weekday] for day in days)

    def _group(self, days: Sequence[WeekdayNum]) -> str | None:
        """One word for many days of the week."""
        names = {(0, 1, 2, 3, 4): "workday", (5, 6): "weekend day", (0, 1, 2, 3, 4, 5, 6): "day"}
        name = names.get(tuple(sorted(day.weekday for day in days)))
        return self._text(name) if name else None

    def _month_day(self, number: int) -> str:
        return self._number(number) if number > 0 else self._nth(number, self._text("day"))

    def _week(self, number: int) -> str:
        if number > 0:
            return self._say("week", number=number)
        return self._say("the", what=self._nth(number, self.phrases.units["WEEKLY"][0]))

    def _nth(self, number: int, what: str) -> str:
        if number == -1:
            return self._say("last", what=what)
        return self._say("nth" if number > 0 else "nth last", nth=self._ordinal(abs(number)), what=what)

    def _place(self, number: int) -> str:
        return self._nth(number, "").strip()

    def _ordinal(self, number: int) -> str:
        words = self.phrases.ordinals
        return words[number - 1] if number <= len(words) else self._number(number)

    def _number(self, number: int) -> str:
        endings = self.phrases.endings
        return f"{number}{endings.get(number % 100, endings.get(number % 10, endings[0]))}"

    def _date(self, month: int, day: int, year: int | None = None) -> str:
        name = self.phrases.months[month - 1]
        if year is None:
            return self._say("date", month=name, day=day)
        return self._say("date in year", month=name, day=day, year=year)

    def _last_day(self, until: CalTime) -> str:
        """The last day that UNTIL allows, on the clock of the series."""
        wall = until.wall
        if until.kind is TimeKind.UTC and self.start.zone is not None:
            wall = wall.replace(tzinfo=UTC).astimezone(self.start.zone).replace(tzinfo=None)
        if not until.is_date and not self.start.is_date and self._too_early(wall):
            wall -= timedelta(days=1)
        return self._date(wall.month, wall.day, wall.year if wall.year != self.start.wall.year else None)

    def _too_early(self, wall: datetime) -> bool:
        """Whether an occurrence on the day of UNTIL would come after it."""
        simple = not (self.rule.by_hour or self.rule.by_minute or self.rule.by_second)
        return simple and not self.rule.freq.within_day and wall.time() < self.start.wall.time()

    def _list(self, items: Iterable[str]) -> str:
        *most, last = [*items] or [""]
        return self._text("comma").join(most) + self._text("and") + last if most else last

    def _text(self, name: str) -> str:
        return self.phrases.text[name]

    def _say(self, name: str, **parts: object) -> str:
        return self.phrases.text[name].format(**parts)


def _plain(rule: Rule) -> Rule:
    """The rule as it is best said: a daily one with limits as the weekly or monthly one that is the same.

    Numbers in BYDAY go where they do not count, and numbers from the end come last.
    """
    rule = replace(
        rule,
        by_day=tuple(sorted(rule.by_day, key=lambda day: (day.nth < 0, day))),
        by_month_day=_spoken(rule.by_month_day),
        by_year_day=_spoken(rule.by_year_day),
        by_week_no=_spoken(rule.by_week_no),
        by_set_pos=_spoken(rule.by_set_pos),
    )
    if rule.freq not in (Freq.MONTHLY, Freq.YEARLY) or (rule.freq is Freq.YEARLY and rule.by_week_no):
        rule = replace(rule, by_day=tuple(dict.fromkeys(WeekdayNum(0, day.weekday) for day in rule.by_day)))
    daily = rule.freq is Freq.DAILY and rule.interval == 1 and not (rule.by_year_day or rule.by_week_no)
    if daily and rule.by_month_day:
        return replace(rule, freq=Freq.MONTHLY)
    if daily and rule.by_day:
        return replace(rule, freq=Freq.WEEKLY)
    return rule


def _spoken(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(numbers, key=lambda number: (number < 0, number)))

"""Rules in words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from calward.language.describe import describe
from calward.language.rule_words import ENGLISH
from calward.model.time import CalTime
from calward.recurrence.rule import RuleError, parse_rule
from tests.unit.recurrence.rules import hostile_rule

START = CalTime.of_zone(datetime(2026, 3, 10, 9), ZoneInfo("Europe/Berlin"), "Europe/Berlin")
"""A Tuesday, and the second of its month."""


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=DAILY;INTERVAL=3", "every third day"),
        ("FREQ=DAILY;INTERVAL=14;COUNT=5", "every 14th day, 5 times"),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=DAILY;BYMONTH=1", "every day in January"),
        ("FREQ=DAILY;INTERVAL=2;BYDAY=MO", "every second day, only on Monday"),
        ("FREQ=DAILY;BYMONTHDAY=1,15", "the 1st and the 15th of each month"),
        ("FREQ=WEEKLY", "every Tuesday"),
        ("FREQ=WEEKLY;INTERVAL=2;UNTIL=20260630T215959Z", "every second Tuesday until June 30"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Monday, Wednesday and Friday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "every second week on Tuesday and Thursday"),
        ("FREQ=WEEKLY;BYDAY=SA,SU;BYMONTH=6,7", "every weekend day in June and July"),
        ("FREQ=MONTHLY", "the 10th of each month"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "the last day of each month"),
        ("FREQ=MONTHLY;BYMONTHDAY=2,-2", "the 2nd and the second to last day of each month"),
        ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "the last Friday of each month, 10 times"),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU", "the second Tuesday of every second month"),
        ("FREQ=MONTHLY;BYDAY=TU", "every Tuesday of each month"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every Friday falling on the 13th of each month"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "the last weekday of each month"),
        ("FREQ=MONTHLY;BYDAY=SU;BYSETPOS=1,-1", "the first Sunday and last Sunday of each month"),
        (
            "FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3",
            "the third of every Tuesday, Wednesday and Thursday of each month",
        ),
        ("FREQ=MONTHLY;BYMONTH=1,7;BYDAY=1MO", "the first Monday of January and July"),
        ("FREQ=YEARLY", "every year on March 10"),
        ("FREQ=YEARLY;INTERVAL=4", "every fourth year on March 10"),
        ("FREQ=YEARLY;BYMONTH=6,7", "every year on June 10 and July 10"),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "the fourth Thursday of November each year"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "the last day of February each year"),
        ("FREQ=YEARLY;BYDAY=20MO", "the 20th Monday of each year"),
        ("FREQ=YEARLY;BYYEARDAY=100,-1", "the 100th day and last day of each year"),
        ("FREQ=YEARLY;BYWEEKNO=20", "every Tuesday in week 20 of each year"),
        ("FREQ=HOURLY;INTERVAL=3", "every 3 hours"),
        ("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10", "every 20 minutes in the hours 9 and 10"),
        ("FREQ=HOURLY;BYDAY=MO;BYMINUTE=0,30", "every hour, only on Monday at the minutes 0 and 30"),
        ("FREQ=DAILY;BYHOUR=8,20", "every day at 8:00 and 20:00"),
        ("FREQ=WEEKLY;COUNT=1", "every Tuesday, once"),
        ("FREQ=DAILY;UNTIL=20270101", "every day until January 1, 2027"),
        ("FREQ=DAILY;UNTIL=20260320T075959Z", "every day until March 19"),
        (
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD",
            "the 10th of each month, or the last day before where there is none",
        ),
        ("RSCALE=CHINESE;FREQ=YEARLY", "by a rule of the Chinese calendar"),
    ],
)
def test_a_rule_is_said_in_words(rule: str, words: str) -> None:
    assert describe(parse_rule(rule), START) == words


def test_an_all_day_rule_says_no_times() -> None:
    assert describe(parse_rule("FREQ=DAILY;BYHOUR=8"), CalTime.of_date(START.wall)) == "every day"


def test_every_rule_has_words() -> None:
    chance = Random(7529)
    for _ in range(1000):
        with suppress(RuleError):
            words = describe(parse_rule(hostile_rule(chance)), START)
            assert words == " ".join(words.split())
            assert not set(words) & set("{}")


def test_another_language_is_another_table() -> None:
    german = replace(
        ENGLISH,
        weekdays=["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
        ordinals=(),
        endings={0: "."},
        text={
            **ENGLISH.text,
            "every nth": "jeden {nth} {what}",
            "until": "{what} bis {date}",
            "date": "{day}.{month}",
        },
        months=[f"{month}." for month in range(1, 13)],
    )
    rule = parse_rule("FREQ=WEEKLY;INTERVAL=2;UNTIL=20260630")
    assert describe(rule, START, german) == "jeden 2. Dienstag bis 30.6."

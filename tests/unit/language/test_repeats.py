"""Recurrences in words become RRULE text with a first occurrence."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import read_moment

UTC = ZoneInfo("UTC")
NOW = datetime(2026, 11, 18, 10)  # a Wednesday
ENGLISH = Conventions.for_locale("en-GB", UTC)
GERMAN = Conventions.for_locale("de", UTC)

SAID = (
    ("every day", "FREQ=DAILY", datetime(2026, 11, 18)),
    ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", datetime(2026, 11, 20)),
    ("weekdays at 9am", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", datetime(2026, 11, 19, 9)),
    ("every tuesday and thursday from 6 to 7pm", "FREQ=WEEKLY;BYDAY=TU,TH", datetime(2026, 11, 19, 18)),
    ("the first monday of every month", "FREQ=MONTHLY;BYDAY=1MO", datetime(2026, 12, 7)),
    ("the second and last friday of each month", "FREQ=MONTHLY;BYDAY=2FR,-1FR", datetime(2026, 11, 27)),
    ("every 3 months on the 15th", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", datetime(2026, 12, 15)),
    ("every year on june 3rd", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=3", datetime(2027, 6, 3)),
    ("every fourth thursday in november", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", datetime(2026, 11, 26)),
    ("end of each month", "FREQ=MONTHLY;BYMONTHDAY=-1", datetime(2026, 11, 30)),
    ("daily for 5 times", "FREQ=DAILY;COUNT=5", datetime(2026, 11, 18)),
    ("every monday until january 31", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270131", datetime(2026, 11, 23)),
    ("every monday starting december 1", "FREQ=WEEKLY;BYDAY=MO", datetime(2026, 12, 7)),
    ("every sat for 2 months", "FREQ=WEEKLY;BYDAY=SA;UNTIL=20270118", datetime(2026, 11, 21)),
    ("every day except sunday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", datetime(2026, 11, 18)),
    ("mondays through wednesdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE", datetime(2026, 11, 18)),
    ("every 90 minutes", "FREQ=MINUTELY;INTERVAL=90", datetime(2026, 11, 18)),
)


def read(text: str, conventions: Conventions = ENGLISH) -> MomentReading:
    found = read_moment(text, conventions, NOW)
    assert isinstance(found, MomentReading), text
    return found


@pytest.mark.parametrize(("text", "rule", "first"), SAID)
def test_a_recurrence_in_words_becomes_a_rule(text: str, rule: str, first: datetime) -> None:
    found = read(text)
    assert found.rrule == rule
    assert found.start == first.replace(tzinfo=UTC)


@pytest.mark.parametrize(("text", "rule", "first"), SAID)
def test_the_first_occurrence_is_one_of_the_rule(text: str, rule: str, first: datetime) -> None:
    assert next(iter(rrulestr(rule, dtstart=first))) == first


def test_a_day_left_out_is_an_exception_date() -> None:
    found = read("every day at 8am except december 25")
    assert found.rrule == "FREQ=DAILY"
    assert found.exdates == (datetime(2026, 12, 25, 8, tzinfo=UTC),)


def test_the_end_of_each_occurrence_is_read_with_it() -> None:
    found = read("every tuesday from 6 to 7:30pm")
    assert (found.start, found.end) == (
        datetime(2026, 11, 24, 18, tzinfo=UTC),
        datetime(2026, 11, 24, 19, 30, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("jeden Montag", "FREQ=WEEKLY;BYDAY=MO"),
        ("täglich um 9 Uhr", "FREQ=DAILY"),
        ("jeden ersten Freitag im Monat", "FREQ=MONTHLY;BYDAY=1FR"),
        ("alle 2 Wochen", "FREQ=WEEKLY;INTERVAL=2"),
    ],
)
def test_german_recurrences(text: str, rule: str) -> None:
    assert read(text, GERMAN).rrule == rule


def test_a_plain_date_is_no_recurrence() -> None:
    assert read("monday at 9am").rrule is None

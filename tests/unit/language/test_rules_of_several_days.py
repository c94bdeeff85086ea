"""Recurrences of several days or hours, and where they end."""

from __future__ import annotations

import pytest

from tests.unit.language.said import read, told


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("every tue/thu", "FREQ=WEEKLY;BYDAY=TU,TH", "11-19"),
        ("mon/wed/thu at 8am", "FREQ=WEEKLY;BYDAY=MO,WE,TH", "11-19 08:00"),
        ("every monday and every saturday", "FREQ=WEEKLY;BYDAY=MO,SA", "11-21"),
        ("every 2nd and 4th thursday", "FREQ=MONTHLY;BYDAY=2TH,4TH", "11-26"),
        ("2nd and 4th thursday of the month", "FREQ=MONTHLY;BYDAY=2TH,4TH", "11-26"),
        ("every day monday to thursday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "11-18"),
        ("all saturdays", "FREQ=WEEKLY;BYDAY=SA", "11-21"),
        ("5 saturdays", "FREQ=WEEKLY;BYDAY=SA;COUNT=5", "11-21"),
        ("the next 4 saturdays", "FREQ=WEEKLY;BYDAY=SA;COUNT=4", "11-21"),
        ("last working day of every month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "11-30"),
        ("saturdays in january", "FREQ=WEEKLY;BYMONTH=1;BYDAY=SA", "01-02"),
        ("once every two weeks", "FREQ=WEEKLY;INTERVAL=2", "11-18"),
        ("semiannually", "FREQ=MONTHLY;INTERVAL=6", "11-18"),
        ("every single day", "FREQ=DAILY", "11-18"),
        ("every other evening", "FREQ=DAILY;INTERVAL=2", "11-18 18:00"),
        ("every saturday x6", "FREQ=WEEKLY;BYDAY=SA;COUNT=6", "11-21"),
        ("every halloween", "FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=31", "10-31"),
        ("every mother's day", "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "05-09"),
    ],
)
def test_days_that_are_named_together(text: str, rule: str, first: str) -> None:
    found = read(text)
    assert (found.rrule, told(found).partition(" > ")[0], found.left_over) == (rule, first, 0)


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("saturday mornings", "FREQ=WEEKLY;BYDAY=SA", "11-21 08:00 > 11-21 12:00"),
        ("on weekday evenings", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "11-18 18:00 > 11-19 00:00"),
        ("saturday mornings at 10", "FREQ=WEEKLY;BYDAY=SA", "11-21 10:00"),
    ],
)
def test_a_part_of_the_day_in_the_plural_recurs(text: str, rule: str, first: str) -> None:
    found = read(text)
    assert (found.rrule, told(found)) == (rule, first)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("every saturday through january", "20270131"),
        ("every saturday until the end of january", "20270131"),
        ("every saturday from december to january", "20270131"),
        ("every saturday until january", "20270101"),
        ("every day next month", "20261231"),
        ("every day this week", "20261122"),
    ],
)
def test_a_series_runs_to_the_end_of_what_was_said(text: str, until: str) -> None:
    rule = read(text).rrule
    assert rule is not None
    assert rule.partition("UNTIL=")[2] == until


@pytest.mark.parametrize("text", ["thu-sat 9am-5pm", "9am to 5pm thursday to saturday"])
def test_hours_of_several_days_are_those_of_each_and_are_asked(text: str) -> None:
    found = read(text)
    assert told(found) == "11-19 09:00 > 11-19 17:00"
    assert found.rrule == "FREQ=DAILY;UNTIL=20261121T235959"
    assert found.confidence < 0.85


def test_an_hour_left_unread_beside_a_recurrence_is_asked() -> None:
    assert read("every day at 8am and 6pm").confidence < 0.85
    assert read("every hour from 8am to 6pm").confidence < 0.85

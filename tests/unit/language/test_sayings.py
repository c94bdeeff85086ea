"""Ways to say a time, one by one: what each means, with Wednesday 18 November 2026, 10:00, as now."""

from __future__ import annotations

import pytest

from calward.language.moment import MomentReading
from calward.language.moments import read_moment
from tests.unit.language.said import CUSTOMS, NOW, read, told


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("in 1h30", "11-18 11:30"),
        ("in three quarters of an hour", "11-18 10:45"),
        ("half an hour ago", "11-18 09:30"),
        ("a week from friday", "11-27 > 11-28"),
        ("two weeks from monday", "12-07 > 12-08"),
        ("a week on friday", "11-27 > 11-28"),
        ("tuesday fortnight", "12-08 > 12-09"),
        ("friday in two weeks", "12-04 > 12-05"),
        ("10 days before christmas", "12-15 > 12-16"),
        ("since monday", "11-16"),
        ("since yesterday", "11-17"),
        ("tmw 3pm", "11-19 15:00"),
    ],
)
def test_counted_from_now_or_from_a_day(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("the day before christmas", "12-24 > 12-25"),
        ("the day after thanksgiving", "11-27 > 11-28"),
        ("the week after easter", "03-29 > 04-05"),
        ("the friday before christmas", "12-18 > 12-19"),
        ("the weekend before christmas", "12-19 > 12-21"),
        ("the night before christmas", "12-24 20:00 > 12-25 00:00"),
        ("the first monday after easter", "03-29 > 03-30"),
        ("the week after next", "11-30 > 12-07"),
        ("the month after next", "01-01 > 02-01"),
        ("the year before last", "01-01 > 01-01"),
        ("the weekend before last", "11-07 > 11-09"),
        ("the weekend of december 12", "12-12 > 12-14"),
        ("second half of january", "01-16 > 02-01"),
        ("the first half of next year", "01-01 > 07-01"),
        ("last friday of the month", "11-27 > 11-28"),
        ("the 5th of next month", "12-05 > 12-06"),
    ],
)
def test_beside_or_inside_another_time(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("later this week", "11-18 10:00 > 11-23 00:00"),
        ("the rest of the day", "11-18 10:00 > 11-19 00:00"),
        ("over the weekend", "11-21 > 11-23"),
        ("all weekend", "11-21 > 11-23"),
        ("all day friday", "11-20 > 11-21"),
        ("over christmas", "12-25 > 12-26"),
        ("end of next month", "12-21 > 01-01"),
        ("mid-afternoon tomorrow", "11-19 14:00 > 11-19 16:00"),
        ("dec 20 - jan 3", "12-20 > 01-04"),
        ("20/12-23/12", "12-20 > 12-24"),
        ("2026-12-20/2026-12-23", "12-20 > 12-24"),
        ("tomorrow 3pm to friday 5pm", "11-19 15:00 > 11-20 17:00"),
        ("3pm, 1 hour", "11-18 15:00 > 11-18 16:00"),
        ("45 min at 3pm", "11-18 15:00 > 11-18 15:45"),
        ("2 hours starting at 3pm", "11-18 15:00 > 11-18 17:00"),
        ("between 9 and 5", "11-18 09:00 > 11-18 17:00"),
        ("0900-1700", "11-18 09:00 > 11-18 17:00"),
        ("5 to 7", "11-18 17:00 > 11-18 19:00"),
        ("not before 9pm", "11-18 21:00"),
    ],
)
def test_stretches(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("five to midnight", "11-18 23:55"),
        ("ten to nine", "11-18 20:50"),
        ("10 to 7", "11-18 18:50"),
        ("3ish", "11-18 15:00"),
        ("noonish", "11-18 12:00"),
        ("1530", "11-18 15:30"),
        ("1530 hours", "11-18 15:30"),
        ("15.30", "11-18 15:30"),
        ("by eod friday", "11-20 23:59"),
        ("close of business tomorrow", "11-19 17:00"),
        ("20261225", "12-25 > 12-26"),
        ("20261225T1500", "12-25 15:00"),
    ],
)
def test_times_of_day_and_figures(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("every morning", "FREQ=DAILY", "11-19 08:00 > 11-19 12:00"),
        ("every morning at 7", "FREQ=DAILY", "11-19 07:00"),
        ("every weekday at 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "11-19 09:00"),
        ("every day from 9 to 5", "FREQ=DAILY", "11-19 09:00 > 11-19 17:00"),
        ("every first monday", "FREQ=MONTHLY;BYDAY=1MO", "12-07"),
        ("every last friday", "FREQ=MONTHLY;BYDAY=-1FR", "11-27"),
        ("every 15th", "FREQ=MONTHLY;BYMONTHDAY=15", "12-15"),
        ("every half hour", "FREQ=MINUTELY;INTERVAL=30", "11-18 00:00"),
        ("alternate fridays", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "11-20"),
        ("every day but sunday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", "11-18"),
        ("every monday, 5 occurrences", "FREQ=WEEKLY;BYDAY=MO;COUNT=5", "11-23"),
        ("every monday 3-4pm", "FREQ=WEEKLY;BYDAY=MO", "11-23 15:00 > 11-23 16:00"),
    ],
)
def test_recurrences(text: str, rule: str, first: str) -> None:
    found = read(text)
    assert (found.rrule, told(found)) == (rule, first)


@pytest.mark.parametrize("text", ["2 min", "15 m", "the min after"])
def test_a_bare_unit_does_not_recur(text: str) -> None:
    found = read_moment(text, CUSTOMS, NOW)
    assert not isinstance(found, MomentReading) or found.rrule is None


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("call 650-650-6500 on friday", "11-20 > 11-21"),
        ("$12 december", "12-01 > 01-01"),
        ("on friday 10% off", "11-20 > 11-21"),
        ("£5 monday", "11-23 > 11-24"),
    ],
)
def test_sums_and_numbers_to_call_are_no_time(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("the first working day of december", "12-01 > 12-02"),
        ("the last business day of the month", "11-30 > 12-01"),
        ("the first two weeks of february", "02-01 > 02-15"),
        ("the first 3 days of next month", "12-01 > 12-04"),
        ("the last 5 days of december", "12-27 > 01-01"),
        ("thanksgiving eve", "11-25 > 11-26"),
        ("before the end of the year", " > 01-01"),
    ],
)
def test_some_of_the_days_of_a_longer_unit(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("this time tomorrow", "11-19 10:00"),
        ("tomorrow at the same time", "11-19 10:00"),
        ("this time next week", "11-25 10:00"),
        ("the same time next month", "12-18 10:00"),
        ("the past hour", "11-18 09:00 > 11-18 10:00"),
        ("within the next hour", "11-18 11:00 > 11-18 12:00"),
    ],
)
def test_the_hour_it_is_now_and_those_beside_it(text: str, means: str) -> None:
    assert told(read(text)) == means

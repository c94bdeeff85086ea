"""Times counted in weeks, working days and the like, and those beside a week or a year that has a number."""

from __future__ import annotations

import pytest

from tests.unit.language.said import read, told


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("a week tomorrow", "11-26 > 11-27"),
        ("two weeks today", "12-02 > 12-03"),
        ("a fortnight tomorrow", "12-03 > 12-04"),
        ("a week saturday", "11-28 > 11-29"),
        ("a week on saturday at 5pm", "11-28 17:00"),
    ],
)
def test_weeks_are_counted_from_the_day_that_follows_them(text: str, means: str) -> None:
    found = read(text)
    assert told(found) == means
    assert found.confidence < 0.85


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("3 working days from now", "11-23 > 11-24"),
        ("4 business days after friday", "11-26 > 11-27"),
        ("two working days before december 1", "11-27 > 11-28"),
    ],
)
def test_working_days_leave_the_weekend_out(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("in 3-4 days", "11-21 10:00"),
        ("in three or four days", "11-21 10:00"),
        ("in an hour or two", "11-18 11:00"),
    ],
)
def test_of_two_lengths_the_shorter_is_taken_and_asked(text: str, means: str) -> None:
    found = read(text)
    assert told(found) == means
    assert found.confidence < 0.85


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("in a half hour", "11-18 10:30"),
        ("in another hour", "11-18 11:00"),
        ("in an hour or so", "11-18 11:00"),
        ("in a month's time", "12-18 00:00"),
        ("in 1½ hours", "11-18 11:30"),
        ("in 1 1/2 hours", "11-18 11:30"),
        ("within the month", "11-18 10:00 > 12-01 00:00"),
        ("two years ago today", "11-18 > 11-19"),
        ("the night before last", "11-16 20:00 > 11-17 00:00"),
    ],
)
def test_lengths_in_the_words_people_use(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("4pm for 1:45 hours", "11-18 16:00 > 11-18 17:45"),
        ("4pm (45m)", "11-18 16:00 > 11-18 16:45"),
        ("45 min tomorrow at 4pm", "11-19 16:00 > 11-19 16:45"),
        ("an hour thursday at noon", "11-19 12:00 > 11-19 13:00"),
    ],
)
def test_a_length_stands_on_either_side_of_the_time(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("the 2nd of the month", "12-02 > 12-03"),
        ("first monday of the month", "12-07 > 12-08"),
        ("the 28th of the month", "11-28 > 11-29"),
        ("the 2nd of this month", "11-02 > 11-03"),
        ("first tuesday in the month", "11-03 > 11-04"),
        ("the coming weekend", "11-21 > 11-23"),
        ("the weekend after next", "12-05 > 12-07"),
    ],
)
def test_the_month_and_the_coming_weekend_are_those_still_to_come(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("week 5 2027", "2027-02-01", "2027-02-08"),
        ("calendar week 49", "2026-11-30", "2026-12-07"),
        ("week ending 4 december", "2026-11-28", "2026-12-05"),
        ("w/e december 4", "2026-11-28", "2026-12-05"),
        ("christmas week", "2026-12-21", "2026-12-28"),
        ("march '27", "2027-03-01", "2027-04-01"),
        ("4 march '27", "2027-03-04", "2027-03-05"),
        ("3q 2027", "2027-07-01", "2027-10-01"),
        ("fy27", "2027-01-01", "2028-01-01"),
        ("fiscal year 2027", "2027-01-01", "2028-01-01"),
    ],
)
def test_weeks_and_years_by_their_numbers(text: str, start: str, end: str) -> None:
    found = read(text)
    assert found.start is not None
    assert found.end is not None
    assert (f"{found.start:%Y-%m-%d}", f"{found.end:%Y-%m-%d}") == (start, end)
    assert found.left_over == 0


def test_a_fiscal_year_is_asked() -> None:
    assert "fiscal_year" in read("next fiscal year").notes
    assert read("next fiscal year").confidence < 0.85


@pytest.mark.parametrize(
    "text", ["from thursday on", "from thursday onwards", "effective thursday", "as from thursday"]
)
def test_an_open_end_is_said_in_many_ways(text: str) -> None:
    found = read(text)
    assert told(found) == "11-19"
    assert found.open_end
    assert found.left_over == 0


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("day after thanksgiving", "11-27 > 11-28"),
        ("week before easter", "03-15 > 03-22"),
        ("the second day of passover", "04-22 > 04-23"),
        ("the last day of hanukkah", "12-12 > 12-13"),
        ("start of ramadan", "02-08 > 02-09"),
        ("third advent", "12-13 > 12-14"),
    ],
)
def test_days_of_and_beside_a_feast(text: str, means: str) -> None:
    assert told(read(text)) == means

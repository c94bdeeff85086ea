"""Stretches with two ends, in the ways calendars and people write them."""

from __future__ import annotations

import pytest

from tests.unit.language.said import read, told


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("dec 3 10am", "12-03 10:00"),
        ("dec 3 2:15pm", "12-03 14:15"),
        ("dec 3 9-11", "12-03 09:00 > 12-03 11:00"),
        ("dec 3, 9am-11am", "12-03 09:00 > 12-03 11:00"),
        ("dec 3 10am - dec 4 2pm", "12-03 10:00 > 12-04 14:00"),
        ("3 dec 9-11", "12-03 09:00 > 12-03 11:00"),
    ],
)
def test_figures_after_a_date_are_hours_of_that_day(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("between 7 and 9 december", "12-07 > 12-10"),
        ("7-9 december", "12-07 > 12-10"),
        ("the 7th-9th of december", "12-07 > 12-10"),
        ("december 7..9", "12-07 > 12-10"),
        ("2026-12-07/2026-12-09", "12-07 > 12-10"),
        ("2026-12-07..2026-12-09", "12-07 > 12-10"),
        ("2026-12-07T10:00/2026-12-07T11:30", "12-07 10:00 > 12-07 11:30"),
    ],
)
def test_days_from_one_to_another(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("from 9 in the morning to 1 in the afternoon", "11-18 09:00 > 11-18 13:00"),
        ("from 11 in the evening to 2 in the morning", "11-18 23:00 > 11-19 02:00"),
        ("11 to 2 in the afternoon", "11-18 11:00 > 11-18 14:00"),
        ("1 to 2 in the afternoon", "11-18 13:00 > 11-18 14:00"),
    ],
)
def test_each_end_has_its_own_part_of_the_day(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("thursday 8.30", "11-19 08:30"),
        ("thursday 10.15 - 11.45", "11-19 10:15 > 11-19 11:45"),
        ("10.15-11.45", "11-18 10:15 > 11-18 11:45"),
        ("thursday 19.11.", "11-19 > 11-20"),
    ],
)
def test_a_dot_parts_hours_and_minutes_beside_a_weekday_or_another_time(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_two_figures_after_a_date_may_be_a_year_and_are_asked() -> None:
    assert read("dec 3 27").confidence < 0.85
    assert read("dec 3 '27").confidence >= 0.85


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("from dec 7 18:00 to dec 9 10:00", "12-07 18:00 > 12-09 10:00"),
        ("2026-12-07 18:00 - 2026-12-09 10:00", "12-07 18:00 > 12-09 10:00"),
        ("thursday 8pm - friday 2am", "11-19 20:00 > 11-20 02:00"),
        ("thursday 9 to saturday 6pm", "11-19 09:00 > 11-21 18:00"),
        ("2026-12-07 18:00-20:00", "12-07 18:00 > 12-07 20:00"),
    ],
)
def test_over_several_days_each_end_is_settled_by_itself(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_a_bare_hour_at_the_end_of_several_days_is_asked() -> None:
    assert read("thursday 5pm to friday 11").confidence < 0.85
    assert read("thursday 5pm to friday 11am").confidence >= 0.85


def test_seconds_or_a_t_make_figures_after_a_dash_an_offset() -> None:
    assert told(read("2026-12-07T18:00-05:00")) == "12-07 18:00"
    assert told(read("2026-12-07 18:00:00-05:00")) == "12-07 18:00"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("december 7 and 8", "12-07 > 12-09"),
        ("7 and 8 december", "12-07 > 12-09"),
        ("between 7 and 10 december", "12-07 > 12-11"),
        ("the whole of december", "12-01 > 01-01"),
        ("thursday at the earliest", "11-19"),
        ("thursday at the latest", " > 11-20"),
        ("in less than 2 hours", "11-18 12:00"),
    ],
)
def test_days_named_together_and_bounds_said_behind(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_two_days_apart_are_no_stretch() -> None:
    assert read("december 7 and 10").confidence < 0.85

"""Times of day without figures, and those that are said by and by."""

from __future__ import annotations

import pytest

from tests.unit.language.said import read, told


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("first thing on thursday", "11-19 08:00 > 11-19 10:00"),
        ("tomorrow first thing", "11-19 08:00 > 11-19 10:00"),
        ("start of business on thursday", "11-19 08:00 > 11-19 10:00"),
        ("last thing tomorrow", "11-19 16:00 > 11-19 19:00"),
        ("last thing at night tomorrow", "11-19 21:00 > 11-20 00:00"),
        ("thursday at dusk", "11-19 18:00 > 11-20 00:00"),
        ("tomorrow after dinner", "11-19 20:00 > 11-20 00:00"),
        ("thursday around bedtime", "11-19 21:00 > 11-20 00:00"),
    ],
)
def test_the_beginning_and_the_end_of_a_day_have_names(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("early thursday", "11-19 08:00 > 11-19 12:00"),
        ("late thursday", "11-19 16:00 > 11-19 19:00"),
        ("early on thursday", "11-19 08:00 > 11-19 12:00"),
        ("late in the day on thursday", "11-19 16:00 > 11-19 19:00"),
        ("early december", "12-01 > 12-11"),
    ],
)
def test_early_and_late_cut_a_day_as_they_cut_a_month(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("later this morning", "11-18 10:00 > 11-18 12:00"),
        ("the rest of the morning", "11-18 10:00 > 11-18 12:00"),
        ("later tonight", "11-18 20:00 > 11-19 00:00"),
        ("midweek", "11-19 > 11-20"),
        ("by month end", "11-18 10:00 > 12-01 00:00"),
        ("quarter-end", "12-02 > 01-01"),
    ],
)
def test_what_is_left_of_a_stretch_and_where_it_ends(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("four-ish", "11-18 16:00"),
        ("tomorrow 4-ish", "11-19 16:00"),
        ("shortly after 4pm", "11-18 16:00"),
        ("just before noon", " > 11-18 12:00"),
        ("anytime tomorrow", "11-19 > 11-20"),
        ("fifteen hundred hours", "11-18 15:00"),
        ("tomorrow oh nine hundred", "11-19 09:00"),
        ("in fifteen hundred hours", "01-19 22:00"),
    ],
)
def test_times_said_roughly_or_in_hundreds(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("2 at night", "11-19 02:00"),
        ("9 at night", "11-18 21:00"),
        ("tonight at 2", "11-19 02:00"),
        ("thursday night at 1", "11-20 01:00"),
    ],
)
def test_small_hours_of_a_night_come_after_midnight(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_small_hours_of_a_night_are_asked() -> None:
    assert read("thursday night at 2").confidence < 0.85
    assert read("thursday night at 9").confidence >= 0.85


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("by the end of thursday", "11-19 23:59"),
        ("end of tomorrow", "11-19 23:59"),
        ("until the start of december", " > 12-01"),
        ("until the end of december", " > 01-01"),
        ("from thursday to the beginning of december", "11-19 > 12-01"),
        ("after early december", "12-11"),
        ("from january to date", "01-01 00:00 > 11-18 10:00"),
        ("month to date", "11-01 00:00 > 11-18 10:00"),
    ],
)
def test_edges_bound_a_stretch_where_they_lie(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [("the first week of 2027", "01-04 > 01-11"), ("last week of 2026", "12-28 > 01-04")],
)
def test_the_weeks_of_a_year_are_those_of_iso_8601(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("thursday am", "11-19 08:00 > 11-19 12:00"),
        ("tomorrow p.m.", "11-19 12:00 > 11-19 19:00"),
        ("the evening of the 19th", "11-19 18:00 > 11-20 00:00"),
        ("on the morning of december 3", "12-03 08:00 > 12-03 12:00"),
        ("thursday by 3", "11-19 15:00"),
    ],
)
def test_a_part_of_a_day_stands_before_or_after_it(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("end january", "01-21 > 02-01"),
        ("the last few days of january", "01-29 > 02-01"),
        ("the first few days of january", "01-01 > 01-04"),
        ("in 1:45 hours", "11-18 11:45"),
        ("0700-0815", "11-19 07:00 > 11-19 08:15"),
        ("4pm and ends at 6pm", "11-18 16:00 > 11-18 18:00"),
    ],
)
def test_ends_in_few_words(text: str, means: str) -> None:
    assert told(read(text)) == means

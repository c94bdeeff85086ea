"""Times inside sentences: numbers that are none, lengths said as adjectives, two times at once."""

from __future__ import annotations

import pytest

from calward.language.moment import NotUnderstood
from calward.language.moments import read_moment
from tests.unit.language.said import CUSTOMS, NOW, read, told


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("a 3-hour exam on thursday at 9am", "11-19 09:00 > 11-19 12:00"),
        ("20-minute chat at noon tomorrow", "11-19 12:00 > 11-19 12:20"),
        ("4-day fair from december 7", "12-07 > 12-11"),
        ("three-week course starting december 7", "12-07 > 12-28"),
        ("a 2-hour walk on thursday", "11-19 > 11-20"),
    ],
)
def test_a_length_before_a_thing_tells_how_long_it_takes(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_a_length_before_a_thing_is_no_time_by_itself() -> None:
    assert read_moment("a 2-hour walk", CUSTOMS, NOW) == NotUnderstood("no_time")


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("train 618 on dec 7 at 11:45", "12-07 11:45"),
        ("release 3.4 on december 7", "12-07 > 12-08"),
        ("at 6th street tomorrow at 4pm", "11-19 16:00"),
        ("q2 review on december 7 at 4pm", "12-07 16:00"),
        ("dec 7 2026 at 16:00 hrs", "12-07 16:00"),
        ("thursday from 6", "11-19 18:00"),
    ],
)
def test_numbers_that_name_something_else_do_not_move_the_time(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_hours_before_a_recurrence_are_its_own() -> None:
    found = read("from 8am to 4pm on weekdays")
    assert found.rrule == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    assert told(found) == "11-19 08:00 > 11-19 16:00"


def test_figures_that_say_the_hour_plainly_need_no_question_in_a_recurrence_either() -> None:
    assert read("every weekday at 9:45").confidence >= 0.85
    assert read("every weekday at 7:45").confidence < 0.85

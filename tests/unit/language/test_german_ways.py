"""Ways to say a time that are German alone, with Wednesday 18 November 2026, 10:00, as now."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import read_moment
from tests.unit.language.said import NOW, told

GERMAN = Conventions.for_locale("de", ZoneInfo("UTC"))


def read(text: str) -> MomentReading:
    found = read_moment(text, GERMAN, NOW)
    assert isinstance(found, MomentReading), text
    return found


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("dreiviertel vier", "11-18 15:45"),
        ("viertel vier", "11-18 15:15"),
        ("viertel nach vier", "11-18 16:15"),
        ("zehn vor halb vier", "11-18 15:20"),
        ("in einer halben Stunde", "11-18 10:30"),
        ("in anderthalb Stunden", "11-18 11:30"),
        ("in einer Dreiviertelstunde", "11-18 10:45"),
    ],
)
def test_quarters_and_halves_count_towards_the_next_hour(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("Samstagmorgen", "11-21 08:00 > 11-21 12:00"),
        ("Samstag morgen um 9", "11-21 09:00"),
        ("morgen um 16 Uhr", "11-19 16:00"),
        ("morgen in zwei Wochen", "12-03 > 12-04"),
    ],
)
def test_morgen_is_the_morning_after_a_weekday_and_tomorrow_elsewhere(text: str, means: str) -> None:
    assert told(read(text)) == means


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("KW 49", "11-30 > 12-07"),
        ("Kalenderwoche 3 2027", "01-18 > 01-25"),
        ("bis Monatsende", " > 12-01"),
        ("Quartalsende", "12-02 > 01-01"),
        ("Mo-Mi 9-12 Uhr", "11-23 09:00 > 11-23 12:00"),
    ],
)
def test_weeks_and_ends_as_calendars_write_them(text: str, means: str) -> None:
    assert told(read(text)) == means


def test_days_of_each_month_need_no_small_word() -> None:
    assert read("am ersten Dienstag jedes Monats").rrule == "FREQ=MONTHLY;BYDAY=1TU"
    assert read("am 20. jedes Monats").rrule == "FREQ=MONTHLY;BYMONTHDAY=20"

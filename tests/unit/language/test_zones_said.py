"""Zones said beside a time: by name, by place, by offset."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.unit.language.said import read


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("july 3 3pm pacific time", -7),
        ("december 3 3pm pacific time", -8),
        ("july 3 3pm et", -4),
        ("july 3 at 15:00 berlin time", 2),
        ("july 3 at 15:00 central european time", 2),
        ("december 3 3pm tokyo time", 9),
        ("december 3 3pm America/Los_Angeles", -8),
        ("december 3 3pm europe/paris", 1),
    ],
)
def test_the_zone_of_a_place_keeps_its_summer_time(text: str, hours: int) -> None:
    found = read(text)
    assert found.start is not None
    assert (found.start.hour, found.start.utcoffset()) == (15, timedelta(hours=hours))
    assert found.left_over == 0


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("tomorrow 9am UTC+2", 120),
        ("tomorrow 9am GMT-5", -300),
        ("tomorrow 9:00 UTC+05:30", 330),
        ("tomorrow 9am (GMT +1)", 60),
        ("tomorrow 0900Z", 0),
        ("tomorrow 9am pacific daylight time", -420),
    ],
)
def test_an_offset_is_read_to_the_minute(text: str, minutes: int) -> None:
    found = read(text)
    assert found.start is not None
    assert (found.start.hour, found.start.utcoffset()) == (9, timedelta(minutes=minutes))
    assert found.left_over == 0


def test_a_dash_with_spaces_around_it_goes_on_to_another_time() -> None:
    found = read("tomorrow 9am GMT - 11am GMT")
    assert found.start is not None
    assert found.end is not None
    assert (found.start.hour, found.end.hour) == (9, 11)


def test_a_zone_of_both_ends_is_said_once_or_twice() -> None:
    assert read("tomorrow 9am PT to 10am PT") == read("tomorrow 9am to 10am PT")


def test_local_time_is_the_persons_own() -> None:
    assert read("tomorrow 3pm local time") == read("tomorrow 3pm")


def test_two_words_with_a_slash_are_no_zone_unless_the_tz_database_has_them() -> None:
    assert read("friday 3pm America/Nowhere").left_over > 0
    assert read("friday 3pm and/or later").start is not None

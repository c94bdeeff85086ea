"""Date fields in words and in ISO 8601."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading, NotUnderstood
from calward.language.moments import read_moment

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=BERLIN)  # a Wednesday
ENGLISH = Conventions.for_locale("en-GB", BERLIN)


def reading(text: str) -> MomentReading:
    found = read_moment(text, ENGLISH, NOW)
    assert isinstance(found, MomentReading), found
    return found


def local(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=BERLIN)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("tomorrow 3pm", local(2026, 11, 19, 15)),
        ("next tuesday 3pm", local(2026, 11, 24, 15)),
        ("friday at 9:30", local(2026, 11, 20, 9, 30)),
        ("in two hours", local(2026, 11, 18, 12)),
        ("half past three pm", local(2026, 11, 18, 15, 30)),
        ("3/4", local(2027, 4, 3)),
        ("24 december at noon", local(2026, 12, 24, 12)),
        ("last sunday of march 2027", local(2027, 3, 28)),
        ("the day after tomorrow at 8 in the evening", local(2026, 11, 20, 20)),
        ("easter monday 2027", local(2027, 3, 29)),
        ("a week after christmas", local(2027, 1, 1)),
    ],
)
def test_words_become_the_moment_a_person_expects(text: str, start: datetime) -> None:
    assert reading(text).start == start


def test_iso_8601_with_an_offset_is_read_exactly() -> None:
    found = reading("2027-03-04T15:00:07+01:00")
    assert found.start == datetime(2027, 3, 4, 15, 0, 7, tzinfo=timezone(timedelta(hours=1)))
    assert found.confidence == 1.0


def test_iso_8601_without_an_offset_is_meant_in_the_persons_zone() -> None:
    assert reading("2027-07-04T15:00").start == local(2027, 7, 4, 15)


def test_an_iso_date_is_a_whole_day_of_the_persons_zone() -> None:
    found = reading("2026-03-29")
    assert found.all_day
    assert found.start == local(2026, 3, 29)
    assert found.end == local(2026, 3, 30)


def test_a_span_has_both_ends() -> None:
    found = reading("friday from 3 to 5pm")
    assert (found.start, found.end) == (local(2026, 11, 20, 15), local(2026, 11, 20, 17))


def test_until_has_an_end_and_no_start() -> None:
    found = reading("until friday")
    assert found.start is None
    assert found.end == local(2026, 11, 21)


def test_a_text_without_a_time_is_a_plain_failure() -> None:
    assert read_moment("the blue one", ENGLISH, NOW) == NotUnderstood("no_time")
    assert read_moment("  ", ENGLISH, NOW) == NotUnderstood("empty")
    assert read_moment("x" * 2001, ENGLISH, NOW) == NotUnderstood("too_long")


def test_next_weekday_and_a_bare_hour_stay_below_the_mark_that_acts_unasked() -> None:
    assert reading("next friday 3pm").confidence < 0.85
    assert reading("tomorrow at 5").confidence < 0.85
    assert reading("tomorrow at 5pm").confidence >= 0.85


@pytest.mark.parametrize(
    "said", ["friday 12:30", "12:30", "tomorrow at 9:30", "friday 10:15-11:00", "09:05 tomorrow"]
)
def test_an_hour_written_with_minutes_is_what_it_says(said: str) -> None:
    assert reading(said).confidence >= 0.85


@pytest.mark.parametrize("said", ["friday 7:30", "friday at 12", "9:30 today", "friday 3-5"])
def test_an_hour_that_could_be_the_evenings_is_still_asked_about(said: str) -> None:
    assert reading(said).confidence < 0.85


def test_german_figures_with_minutes_count_24_hours() -> None:
    found = read_moment("freitag 5:30", Conventions.for_locale("de", ENGLISH.zone), NOW)
    assert isinstance(found, MomentReading)
    assert (found.start, found.confidence >= 0.85) == (local(2026, 11, 20, 5, 30), True)


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("10-12 tomorrow", local(2026, 11, 19, 10), local(2026, 11, 19, 12)),
        ("friday 12-4", local(2026, 11, 20, 12), local(2026, 11, 20, 16)),
        ("12 to 1:30 on friday", local(2026, 11, 20, 12), local(2026, 11, 20, 13, 30)),
    ],
)
def test_a_day_said_with_one_end_is_that_of_both(said: str, start: datetime, end: datetime) -> None:
    found = reading(said)
    assert (found.start, found.end) == (start, end)


@pytest.mark.parametrize("said", ["easter weekend next year", "easter weekend 2027", "easter weekend of 2027"])
def test_the_weekend_of_a_feast_may_have_a_year(said: str) -> None:
    found = reading(said)
    assert (found.start, found.end) == (local(2027, 3, 27), local(2027, 3, 29))

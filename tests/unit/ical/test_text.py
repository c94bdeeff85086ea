"""Lines that are written: one line stays one line, whatever is put into it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import InvalidInput
from calward.ical.lines import fold, scan, split_line
from calward.ical.text import (
    check_line,
    clean_text,
    content_line,
    escape_text,
    format_duration,
    format_time,
    format_utc,
    format_value,
)
from calward.model.time import CalTime, Duration, TimeKind

NINE = datetime(2026, 3, 1, 9, 5)


@given(st.text(max_size=200), st.text(max_size=40))
def test_no_text_and_no_parameter_can_begin_another_line(text: str, name: str) -> None:
    try:
        line = content_line("SUMMARY", [("CN", [name])], escape_text(text))
    except InvalidInput:
        return
    lines = scan(b"A:1\r\n" + fold(line) + b"B:2\r\n")
    assert [split_line(one)[0] for one in lines.texts] == ["A", "SUMMARY", "B"]


@pytest.mark.parametrize(
    "break_", ["\n", "\r", "\r\n", "\0", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\ud800"]
)
def test_a_raw_value_with_a_control_character_is_refused(break_: str) -> None:
    with pytest.raises(InvalidInput):
        content_line("URL", (), f"https://example.com/{break_}ATTENDEE:mailto:x@example.com")


@pytest.mark.parametrize("name", ["", "A:B", "A;B", "A\n", "Ä", "A B"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        content_line(name, (), "x")
    with pytest.raises(InvalidInput):
        content_line("X", [(name, ["x"])], "x")


def test_a_line_needs_a_colon() -> None:
    assert check_line("A:1") == "A:1"
    with pytest.raises(InvalidInput):
        check_line("A")


def test_text_keeps_its_line_breaks_and_loses_other_controls() -> None:
    assert clean_text("a\r\nb\rc\nd\te\0f\u2028g\ud800h") == "a\nb\nc\nd\tefgh"
    assert escape_text("a,b;c\\d\ne") == r"a\,b\;c\\d\ne"


def test_times_are_written_with_the_parameter_they_need() -> None:
    berlin = CalTime.of_zone(NINE, ZoneInfo("Europe/Berlin"), "Europe/Berlin")
    assert format_time("DTSTART", berlin) == "DTSTART;TZID=Europe/Berlin:20260301T090500"
    assert format_time("DTSTART", CalTime.floating(NINE)) == "DTSTART:20260301T090500"
    assert format_time("DTSTART", CalTime.of_date(NINE.date())) == "DTSTART;VALUE=DATE:20260301"
    assert format_time("DTSTART", CalTime.of_utc(NINE.replace(tzinfo=UTC))) == "DTSTART:20260301T090500Z"
    odd = CalTime(TimeKind.ZONED, NINE, None, "(UTC+01:00) Here, there")
    assert format_time("DTEND", odd) == 'DTEND;TZID="(UTC+01:00) Here, there":20260301T090500'
    assert format_value(CalTime.of_date(datetime(33, 4, 3).date())) == "00330403"
    assert format_utc(datetime(2026, 3, 1, 10, tzinfo=ZoneInfo("Europe/Berlin"))) == "20260301T090000Z"


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (Duration(0, -900), "-PT15M"),
        (Duration(1, 3661), "P1DT1H1M1S"),
        (Duration(-7, 0), "-P7D"),
        (Duration(), "PT0S"),
        (Duration(0, 86_400), "PT24H"),
    ],
)
def test_durations_are_written_as_short_as_can_be(duration: Duration, text: str) -> None:
    assert format_duration(duration) == text


def test_a_duration_that_goes_both_ways_is_refused() -> None:
    with pytest.raises(InvalidInput):
        format_duration(Duration(1, -1))

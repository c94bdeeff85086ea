"""Property values: what programs write is read, and what cannot be is said."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.ical.text import escape_text, format_duration, format_value
from calward.ical.values import (
    BadValue,
    read_attendee,
    read_duration,
    read_integer,
    read_offset,
    read_period,
    read_text,
    read_texts,
    read_time,
    read_times,
    read_utc,
)
from calward.model.event import Attendee, Period
from calward.model.time import CalTime, Duration, TimeKind

BERLIN = ZoneInfo("Europe/Berlin")


def zone_of(tzid: str) -> tzinfo | None:
    return BERLIN if tzid == "Europe/Berlin" else None


NINE = datetime(2026, 3, 2, 9)


@pytest.mark.parametrize(
    ("text", "tzid", "declared", "expected"),
    [
        ("20260302T090000Z", "", "", CalTime(TimeKind.UTC, NINE, UTC)),
        ("20260302T090000Z", "Europe/Berlin", "", CalTime(TimeKind.UTC, NINE, UTC)),
        ("20260302T090000", "", "", CalTime.floating(NINE)),
        ("20260302T090000", "Europe/Berlin", "", CalTime.of_zone(NINE, BERLIN, "Europe/Berlin")),
        ("20260302T090000", "Moon", "", CalTime(TimeKind.ZONED, NINE, None, "Moon")),
        ("20260302", "Europe/Berlin", "", CalTime.of_date(NINE.date())),
        ("20260302T000000", "", "DATE", CalTime.of_date(NINE.date())),
        ("20260302T090000", "", "DATE", CalTime.floating(NINE)),
        (" 20260302T090000 ", "", "", CalTime.floating(NINE)),
        ("20260302t090000z", "", "", CalTime(TimeKind.UTC, NINE, UTC)),
        ("2026-03-02", "", "", CalTime.of_date(NINE.date())),
        ("2026-03-02T09:00:00.000Z", "", "", CalTime(TimeKind.UTC, NINE, UTC)),
        ("2026-03-02 09:00", "", "", CalTime.floating(NINE)),
        ("2026-03-02T11:00:00+02:00", "", "", CalTime(TimeKind.UTC, NINE, UTC)),
        ("20260302T085960", "", "", CalTime.floating(datetime(2026, 3, 2, 8, 59, 59))),
        ("20260301T240000", "", "", CalTime.floating(datetime(2026, 3, 2))),
    ],
)
def test_times_are_read_by_their_form(text: str, tzid: str, declared: str, expected: CalTime) -> None:
    assert read_time(text, tzid, zone_of, declared) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "20260230",
        "20260302T250000",
        "20260302T240001",
        "20260302T090061",
        "2026W101T090000",
        "00010101T000000Z",
        "99991231",
        "99981231T240000",
        "2026030",
        "2026-03-02T09:00:00+99:00",
        "٢٠٢٦٠٣٠٢",
        "²0260302T090000",
        "9" * 10_000,
    ],
)
def test_what_is_no_time_is_said_without_repeating_it(text: str) -> None:
    with pytest.raises(BadValue) as caught:
        read_time(text, "", zone_of)
    assert str(caught.value) == "a date or time that exists, such as 20260301T090000"


times = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31)).map(
    lambda moment: moment.replace(microsecond=0)
)


@given(times, st.sampled_from(TimeKind))
def test_a_time_written_is_the_time_read(wall: datetime, kind: TimeKind) -> None:
    time = {
        TimeKind.DATE: CalTime.of_date(wall.date()),
        TimeKind.UTC: CalTime(TimeKind.UTC, wall, UTC),
        TimeKind.FLOATING: CalTime.floating(wall),
        TimeKind.ZONED: CalTime.of_zone(wall, BERLIN, "Europe/Berlin"),
    }[kind]
    assert read_time(format_value(time), time.tzid or "", zone_of) == time


def test_lists_hold_times_and_periods() -> None:
    first, bad, period = read_times("20260302T090000Z,,never,20260302T090000Z/PT1H", (), zone_of)
    nine = CalTime(TimeKind.UTC, NINE, UTC)
    assert first == nine
    assert isinstance(bad, BadValue)
    assert period == Period(nine, nine.at(NINE + timedelta(hours=1)))


def test_a_list_of_times_has_an_end() -> None:
    (only,) = read_times("20260302," * 100_000, (), zone_of)
    assert isinstance(only, BadValue)


def test_periods_end_at_a_moment_or_after_a_while() -> None:
    start = CalTime.of_zone(datetime(2026, 3, 28, 12), BERLIN, "Europe/Berlin")
    for ending, hour in (("P1D", 12), ("PT24H", 13), ("20260329T140000", 14)):
        period = read_period(f"20260328T120000/{ending}", "Europe/Berlin", zone_of)
        assert period == Period(start, start.at(datetime(2026, 3, 29, hour)))
    with pytest.raises(BadValue):
        read_period("99980101T000000Z/P36000D", "", zone_of)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT15M", Duration(0, 900)),
        ("-P1DT2H3M4S", Duration(-1, -7384)),
        ("+P2W", Duration(14, 0)),
        ("p1w1d", Duration(8, 0)),
        (" PT0S ", Duration()),
    ],
)
def test_durations_are_read(text: str, expected: Duration) -> None:
    assert read_duration(text) == expected


@pytest.mark.parametrize(
    "text", ["", "P", "PT", "15M", "P1H", "P1Y", "P999999999W", "PT1.5H", "P" + "1" * 99 + "D"]
)
def test_what_is_no_duration_is_said(text: str) -> None:
    with pytest.raises(BadValue):
        read_duration(text)


@given(st.integers(0, 36_000), st.integers(0, 86_399), st.sampled_from([1, -1]))
def test_a_duration_written_is_the_duration_read(days: int, seconds: int, sign: int) -> None:
    duration = Duration(sign * days, sign * seconds)
    assert read_duration(format_duration(duration)) == duration


def test_offsets_and_numbers_are_bounded() -> None:
    assert read_offset("+0530") == timedelta(hours=5, minutes=30)
    assert read_offset("-00:17:30") == -timedelta(minutes=17, seconds=30)
    assert read_offset("01") == timedelta(hours=1)
    assert read_integer(" -7 ") == -7
    for text in ("+2400", "0160", "east", ""):
        with pytest.raises(BadValue):
            read_offset(text)
    for text in ("1" * 10, "1.5", ""):
        with pytest.raises(BadValue):
            read_integer(text)


def test_moments_without_a_z_are_utc() -> None:
    assert read_utc("20260302T090000") == read_utc("20260302T090000Z") == NINE.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (r"a\, b\; c\\n\nd\Ne\x", "a, b; c\\n\nd\nex"),
        ("tab\tand\x00\x1b[0m\x85nul", "tab\tand[0mnul"),
        ("ends with\\", "ends with"),
        ("會議", "會議"),
    ],
)
def test_text_is_unescaped_and_loses_its_controls(raw: str, expected: str) -> None:
    assert read_text(raw) == expected


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.sampled_from("\n\t,;\\")))
def test_text_written_is_the_text_read(text: str) -> None:
    assert read_text(escape_text(text)) == text


def test_lists_of_text_are_cut_at_bare_commas_only() -> None:
    assert read_texts(r"a\,b, c ,,d\\,e") == ("a,b", "c", "d\\", "e")
    assert read_texts("a,b") == ("a", "b")
    assert read_texts("," * 10_000_000) == ()


def test_a_person_is_read_with_defaults() -> None:
    assert read_attendee((), " mailto:a@example.com ") == Attendee("mailto:a@example.com")
    params = (
        ("CN", ("A\nB",)),
        ("ROLE", ("chair",)),
        ("RSVP", ("true",)),
        ("CN", ("second",)),
        ("PARTSTAT", ("",)),
    )
    assert read_attendee(params, "mailto:a@example.com") == Attendee(
        "mailto:a@example.com", name="A\nB", role="CHAIR", rsvp=True
    )

"""Objects as events: what is understood, and what is told about the rest."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import TooLarge
from calward.ical.reading import MAX_FLAGS, MAX_TIMES, Other, read_object
from calward.ical.tree import CAPS
from calward.model.event import Alarm, Attendee, Event, Flag, Period
from calward.model.ids import EventUid
from calward.model.time import CalTime, Duration, TimeKind

OWN = Path(__file__).parents[2] / "corpus"


def own(name: str) -> bytes:
    return (OWN / f"{name}.ics").read_bytes()


def only(data: bytes) -> Event:
    (event,) = read_object(data).events
    return event


def vevent(*lines: str) -> bytes:
    return "\r\n".join(("BEGIN:VEVENT", "UID:1", *lines, "END:VEVENT", "")).encode()


def codes(event: Event) -> list[str]:
    return [flag.code for flag in event.flags]


def utc(day: int, hour: int, month: int = 3) -> CalTime:
    return CalTime(TimeKind.UTC, datetime(2026, month, day, hour), UTC)


def test_every_property_we_use_is_read() -> None:
    zone = ZoneInfo("Europe/Berlin")
    assert only(own("plain")) == Event(
        uid=EventUid("plain@example.com"),
        start=CalTime.of_zone(datetime(2026, 3, 2, 9), zone, "Europe/Berlin"),
        end=CalTime.of_zone(datetime(2026, 3, 2, 10), zone, "Europe/Berlin"),
        summary="Planning the garden",
        description="Bring gloves; seeds\nand a hat.",
        location="Shed, back door",
        url="https://example.com/garden",
        status="TENTATIVE",
        transparent=True,
        classification="PRIVATE",
        categories=("Home", "Garden, outside"),
        organizer=Attendee("mailto:ann@example.com", "Ann, of the garden"),
        attendees=(
            Attendee("mailto:bo@example.com", "Bo", "OPT-PARTICIPANT", "ACCEPTED", rsvp=True),
            Attendee("mailto:shed@example.com", cutype="ROOM"),
        ),
        alarms=(
            Alarm("DISPLAY", Duration(0, -900), description="Gloves"),
            Alarm("AUDIO", Duration(0, 300), related_to_end=True),
            Alarm("EMAIL", at=utc(1, 18)),
        ),
        sequence=2,
        created=datetime(2026, 1, 4, 8, tzinfo=UTC),
        last_modified=datetime(2026, 1, 5, 8, tzinfo=UTC),
    )


def test_a_series_and_its_overrides_are_read() -> None:
    reading = read_object(own("series"))
    master, moved, later = reading.events
    zone = ZoneInfo("Europe/Paris")

    def paris(month: int, day: int, hour: int) -> CalTime:
        return CalTime.of_zone(datetime(2026, month, day, hour), zone, "Europe/Paris")

    assert master.rrules == ("FREQ=WEEKLY;COUNT=10",)
    assert master.duration == Duration(0, 5400)
    assert master.exdates == (paris(1, 19, 19), paris(1, 26, 19))
    assert master.rdates == (paris(4, 1, 19), Period(utc(1, 17, 5), utc(1, 19, 5)))
    assert [event.key for event in reading.events] == ["", "20260112T180000Z", "20260302T180000Z"]
    assert (moved.this_and_future, later.this_and_future) == (False, True)
    assert moved.summary == "Choir, on a Tuesday"
    assert reading.others == ()
    assert not any(event.flags for event in reading.events)


@pytest.mark.parametrize(
    "name",
    [
        "lf_only",
        "cr_only",
        "mixed_endings",
        "doubled_cr",
        "no_final_newline",
        "bom",
        "nul",
        "empty_lines",
        "lower_case",
        "repeated_property_names",
        "folded_oddly",
    ],
)
def test_how_it_is_written_makes_no_difference(name: str) -> None:
    event = only(own(name))
    assert (event.start, event.end) == (utc(2, 9), utc(2, 10))
    assert event.uid.endswith("@example.com")
    assert event.summary
    assert event.flags == ()


def test_charsets_are_told_line_by_line() -> None:
    event = only(own("latin_1"))
    assert (event.summary, event.location, event.description) == ("Café", "Café “Z”", "€ 12")
    assert only(own("folded_inside_characters")).summary == "會議 café"


def test_a_lone_cr_makes_no_property() -> None:
    event = only(own("lone_cr_in_text"))
    assert event.attendees == ()
    assert event.summary == "A talkATTENDEE:mailto:nobody@example.com"


def test_one_bad_event_does_not_keep_others_out() -> None:
    reading = read_object(own("bad_values"))
    impossible, backwards, startless = reading.events
    assert impossible.start is None
    assert codes(impossible) == ["bad_value", "bad_value", "no_start", "bad_value", "bad_value"]
    assert backwards.start == utc(2, 9)
    assert (backwards.end, backwards.duration, backwards.exdates) == (None, None, ())
    assert backwards.rdates == (utc(4, 9),)
    assert backwards.alarms == ()
    assert codes(startless) == ["no_start"]
    assert reading.others == (Other("VEVENT", "bad-3@example.com", "its RECURRENCE-ID cannot be read", 29),)


def test_flags_name_the_line_and_what_should_be_there() -> None:
    event = read_object(own("bad_values")).events[0]
    assert event.flags[0] == Flag(
        "bad_value", "DTSTART should be a date or time that exists, such as 20260301T090000.", 6
    )


def test_flags_of_one_event_have_an_end() -> None:
    assert len(only(vevent("DTSTART:20260302", *["garbage"] * 1000)).flags) == MAX_FLAGS


def test_excluded_dates_of_one_event_have_an_end() -> None:
    event = only(vevent("DTSTART:20260302", *["EXDATE:" + ",".join(["20260302"] * 10_000)] * 3))
    assert len(event.exdates) == MAX_TIMES
    assert codes(event) == ["bad_value"]


def test_other_components_are_listed() -> None:
    reading = read_object(own("many_kinds"))
    assert [(one.kind, one.uid) for one in reading.others] == [
        ("VTODO", "todo@example.com"),
        ("VJOURNAL", "journal@example.com"),
        ("VFREEBUSY", "busy@example.com"),
        ("X-OWN", ""),
    ]
    assert len(reading.events) == 3


def test_of_duplicates_the_highest_sequence_counts_and_the_others_are_told() -> None:
    reading = read_object(own("duplicates"))
    assert [event.summary for event in reading.events] == ["new"]
    assert [flag.code for flag in reading.flags] == ["duplicate", "duplicate"]
    assert [one.line for one in reading.others] == [4, 20]
    same = vevent("DTSTART:20260302", "SUMMARY:a") + vevent("DTSTART:20260302", "SUMMARY:b")
    assert [event.summary for event in read_object(same).events] == ["b"]


def test_events_without_uid_are_no_duplicates_of_each_other() -> None:
    assert len(read_object(own("no_uid")).events) == 3


def test_strays_are_told() -> None:
    reading = read_object(own("garbage"))
    assert [(flag.code, flag.line) for flag in reading.flags] == [
        ("bad_line", 1),
        ("bad_line", 16),
        ("bad_line", 17),
    ]
    assert codes(reading.events[0]) == ["bad_line"] * 3


def test_unclosed_components_are_read_and_flagged() -> None:
    first, second = read_object(own("unclosed_event")).events
    assert (codes(first), codes(second)) == (["bad_line"], [])
    assert codes(only(own("cut_off"))) == ["bad_line"]
    alarmed, after = read_object(own("unclosed_alarm")).events
    assert len(alarmed.alarms) == 1
    assert after.alarms == ()


def test_zones_are_resolved_and_doubts_are_flagged() -> None:
    for event in read_object(own("zones")).events:
        assert event.start is not None
        assert event.start.instant(UTC) == datetime(2026, 7, 2, 7, tzinfo=UTC)
        assert event.flags == ()
    unknown = only(own("unknown_zone"))
    assert codes(unknown) == ["unknown_zone"]
    assert unknown.start == CalTime(TimeKind.ZONED, datetime(2026, 3, 2, 9), None, "Moon/Tranquility")
    differing = only(own("differing_vtimezone"))
    assert codes(differing) == ["zone_differs"]
    assert differing.start is not None
    assert differing.start.zone == ZoneInfo("Europe/Berlin")
    office, ship = read_object(own("own_vtimezone")).events
    assert office.start is not None
    assert office.start.instant(UTC).hour == 7
    assert ship.start is not None
    assert ship.start.instant(UTC).minute == 43


@pytest.mark.parametrize(
    ("start", "end", "kept"),
    [
        ("DTSTART:20260302T090000Z", "DTEND:20260302T090000Z", True),
        ("DTSTART:20260302T090000Z", "DTEND:20260302T085959Z", False),
        ("DTSTART:20260302T090000Z", "DTEND;TZID=Asia/Tokyo:20260302T190000", True),
        ("DTSTART:20260302T090000Z", "DTEND;TZID=Asia/Tokyo:20260302T170000", False),
        ("DTSTART:20260302T090000Z", "DTEND:20260302T080000", True),
        ("DTSTART:20260302T090000Z", "DTEND;VALUE=DATE:20260301", True),
        ("DTSTART;VALUE=DATE:20260302", "DTEND;VALUE=DATE:20260301", False),
    ],
)
def test_an_end_before_the_start_is_no_end(start: str, end: str, kept: bool) -> None:
    event = only(vevent(start, end))
    assert (event.end is not None) == kept
    assert codes(event) == ([] if kept else ["bad_value"])


def test_a_trigger_is_read_by_its_form() -> None:
    def trigger(line: str) -> Alarm:
        return only(vevent("DTSTART:20260302", "BEGIN:VALARM", line, "END:VALARM")).alarms[0]

    assert trigger("TRIGGER;VALUE=DURATION: -PT5M") == Alarm("", Duration(0, -300))
    assert trigger("TRIGGER:20260302T090000Z") == Alarm("", at=utc(2, 9))


def test_other_components_inside_of_an_event_are_passed_over() -> None:
    assert only(vevent("DTSTART:20260302", "BEGIN:VLOCATION", "NAME:Here", "END:VLOCATION")).alarms == ()


def test_rules_stay_text() -> None:
    event = only(vevent("DTSTART:20260302", "RRULE: FREQ=DAILY ", "RRULE:freq=weekly", "EXRULE:FREQ=YEARLY"))
    assert event.rrules == ("FREQ=DAILY", "freq=weekly")
    assert event.exrules == ("FREQ=YEARLY",)
    assert event.recurs


def test_too_much_is_refused() -> None:
    with pytest.raises(TooLarge):
        read_object(own("plain"), replace(CAPS, lines=10))


@pytest.mark.parametrize("name", ["empty", "only_newlines", "not_a_calendar"])
def test_what_is_no_calendar_holds_no_event(name: str) -> None:
    assert read_object(own(name)).events == ()


names = [
    "UID",
    "DTSTART",
    "DTEND",
    "DURATION",
    "RECURRENCE-ID",
    "RDATE",
    "EXDATE",
    "TRIGGER",
    "SEQUENCE",
    "ATTENDEE",
]
heads = st.sampled_from([*names, "BEGIN", "END", "DTSTART;TZID=Moon", "RDATE;VALUE=PERIOD", "SUMMARY"])
times = ["20260302T090000", "20260302", "00010101T000000Z", "99991231", "20260302T090000Z/PT1H"]
kinds = ["VEVENT", "VALARM", "VCALENDAR"]
values = st.sampled_from([*times, *kinds, "99980101T000000/P36000D", "-PT5M", "1", ","]) | st.text(max_size=10)


@given(st.lists(st.builds("{}:{}".format, heads, values), max_size=40))
def test_nothing_makes_the_reader_fail(lines: list[str]) -> None:
    data = "\n".join(["BEGIN:VEVENT", *lines]).encode(errors="replace")
    for event in read_object(data).events:
        assert isinstance(event.key, str)


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail(data: bytes) -> None:
    read_object(data)
    read_object(b"BEGIN:VEVENT\nDTSTART:20260302\n" + data)

"""New objects: what is put in is what is read back, here and by another library."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import InvalidInput
from calward.ical.build import new_object
from calward.ical.lines import raw_lines
from calward.ical.reading import read_object
from calward.ical.tree import parse
from calward.model.event import Alarm, Attendee, Event, Period
from calward.model.ids import EventUid
from calward.model.time import CalTime, Duration, TimeKind

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def berlin(day: int, hour: int) -> CalTime:
    return CalTime.of_zone(datetime(2026, 3, day, hour), BERLIN, "Europe/Berlin")


PLAIN = Event(
    uid=EventUid("new@example.com"), start=berlin(2, 9), end=berlin(2, 10), summary="Tea", created=NOW
)
RICH = replace(
    PLAIN,
    description="Milk, sugar; lemon\n\\ and\ta spoon",
    location="會議室",
    url="https://example.com/;a,b",
    status="TENTATIVE",
    transparent=True,
    classification="PRIVATE",
    categories=("Home", "a, b"),
    organizer=Attendee("mailto:ann@example.com", 'Ann "the boss": x; y, z', role="CHAIR"),
    attendees=(
        Attendee("mailto:bo@example.com", "Bo", "OPT-PARTICIPANT", "TENTATIVE", rsvp=True),
        Attendee("mailto:room@example.com", cutype="ROOM"),
    ),
    alarms=(
        Alarm("DISPLAY", Duration(0, -900), description="Tea"),
        Alarm("AUDIO", Duration(-1, 0), related_to_end=True, description="Tea"),
        Alarm("DISPLAY", at=CalTime.of_utc(NOW), description="Now"),
    ),
    sequence=3,
    last_modified=NOW,
    rrules=("FREQ=WEEKLY;COUNT=5",),
    exrules=("FREQ=YEARLY",),
    rdates=(berlin(4, 9), Period(CalTime.of_utc(NOW), CalTime.of_utc(NOW.replace(hour=13)))),
    exdates=(berlin(9, 9), berlin(16, 9)),
)


@pytest.mark.parametrize("event", [PLAIN, RICH], ids=["plain", "rich"])
def test_what_is_written_is_read_back(event: Event) -> None:
    reading = read_object(new_object([event], NOW))
    assert reading.events == (event,)
    assert (reading.others, reading.flags) == ((), ())


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (CalTime.of_date(NOW.date()), b"DTSTART;VALUE=DATE:20260301\r\n"),
        (CalTime.floating(datetime(2026, 3, 1, 9)), b"DTSTART:20260301T090000\r\n"),
        (CalTime.of_utc(NOW), b"DTSTART:20260301T120000Z\r\n"),
    ],
)
def test_times_without_a_zone_need_no_vtimezone(start: CalTime, line: bytes) -> None:
    data = new_object([replace(PLAIN, start=start, end=None, duration=Duration(1, 0))], NOW)
    assert line in data
    assert b"DURATION:P1D\r\n" in data
    assert b"VTIMEZONE" not in data


def test_an_object_has_what_rfc_5545_demands() -> None:
    data = new_object([replace(PLAIN, created=None)], NOW)
    calendar = parse(data).roots[0]
    assert [(line.name, line.value) for line in calendar.properties()] == [
        ("VERSION", "2.0"),
        ("PRODID", "-//Calward//Calward 0.1//EN"),
    ]
    zone, event = calendar.children
    assert list(zone.texts("TZID")) == ["Europe/Berlin"]
    for name in ("UID", "DTSTAMP", "CREATED", "DTSTART"):
        assert len(list(event.texts(name))) == 1
    assert all(
        len(line) <= 75 + len(b"\r\n") for raw in raw_lines(data) for line in raw.splitlines(keepends=True)
    )


def test_overrides_come_with_their_master() -> None:
    override = replace(PLAIN, recurrence_id=berlin(9, 9), this_and_future=True, start=berlin(9, 11), end=None)
    tokyo = CalTime.of_zone(datetime(2020, 1, 1, 9), ZoneInfo("Asia/Tokyo"), "Asia/Tokyo")
    data = new_object([PLAIN, override, replace(PLAIN, recurrence_id=tokyo)], NOW)
    assert [event.key for event in read_object(data).events] == ["", "20260309T080000Z", "20200101T000000Z"]
    assert read_object(data).events[1].this_and_future
    names = [child.name for child in parse(data).roots[0].children]
    assert names == ["VTIMEZONE", "VTIMEZONE", "VEVENT", "VEVENT", "VEVENT"]


def test_an_alarm_without_words_says_the_title() -> None:
    alarms = (Alarm("", Duration(0, -60)),)
    (event,) = read_object(new_object([replace(PLAIN, alarms=alarms)], NOW)).events
    assert event.alarms == (Alarm("DISPLAY", Duration(0, -60), description="Tea"),)
    (event,) = read_object(new_object([replace(PLAIN, summary="", alarms=alarms)], NOW)).events
    assert event.alarms[0].description == "Reminder"


@pytest.mark.parametrize(
    "change",
    [
        {"uid": ""},
        {"uid": "1\r\nATTENDEE:mailto:x@example.com"},
        {"start": None},
        {"start": CalTime(TimeKind.ZONED, datetime(2026, 3, 2), None, "Moon")},
        {"url": "https://example.com\nATTENDEE:mailto:x@example.com"},
        {"status": "A\rB"},
        {"rrules": ("FREQ=DAILY\nATTENDEE:mailto:x@example.com",)},
        {"organizer": Attendee("mailto:a\n@example.com")},
        {"attendees": (Attendee("mailto:a@example.com", role="A\r\nB"),)},
        {"alarms": (Alarm("DISPLAY"),)},
        {"alarms": (Alarm("A\nB", Duration()),)},
        {"duration": Duration(1, -1)},
    ],
)
def test_what_cannot_be_written_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        new_object([replace(PLAIN, **change)], NOW)


def test_an_object_has_one_uid() -> None:
    for events in ([], [PLAIN, replace(PLAIN, uid=EventUid("other"))]):
        with pytest.raises(InvalidInput):
            new_object(events, NOW)


anything = st.text(st.sampled_from('a,;:"\\^\r\n\0\x85\u2028 \U0001f600') | st.characters(), max_size=100)


@given(anything, anything, anything)
def test_no_text_can_add_a_property(title: str, name: str, category: str) -> None:
    event = replace(
        PLAIN, summary=title, attendees=(Attendee("mailto:a@example.com", name),), categories=(category,)
    )
    data = new_object([event], NOW)
    names = {line.name for component in parse(data).walk() for line in component.properties()}
    assert names <= {
        "VERSION",
        "PRODID",
        "UID",
        "DTSTAMP",
        "CREATED",
        "DTSTART",
        "DTEND",
        "SUMMARY",
        "ATTENDEE",
    } | {
        "CATEGORIES",
        *("TZID", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME", "RRULE"),
    }
    (read,) = read_object(data).events
    assert len(read.attendees) == 1
    assert read.summary == "".join(
        char for char in read.summary if char.isprintable() or char in "\n\t" or ord(char) > 159
    )


def test_another_library_reads_the_same() -> None:
    calendar = icalendar.Calendar.from_ical(new_object([RICH], NOW))
    (event,) = calendar.events
    assert event["SUMMARY"] == "Tea"
    assert event["DESCRIPTION"] == RICH.description
    assert (event.start, event.end) == (
        datetime(2026, 3, 2, 9, tzinfo=BERLIN),
        datetime(2026, 3, 2, 10, tzinfo=BERLIN),
    )
    assert event["ORGANIZER"].params["CN"] == 'Ann "the boss": x; y, z'
    assert not event.errors

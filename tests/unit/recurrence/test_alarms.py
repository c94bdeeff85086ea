"""When alarms go off: as RFC 5545 §3.6.6 and §3.8.6 and RFC 9074 say, whatever is written on them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.ical.reading import read_object
from calward.model.time import Span
from calward.recurrence.alarms import MOST_A_DAY, Ring, rings

from .objects import BERLIN, calendar

MARCH = Span(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
MEETING = """
    UID:one
    DTSTART;TZID=Europe/Berlin:20260304T100000
    DTEND;TZID=Europe/Berlin:20260304T113000
    SUMMARY:Meeting
"""
DAILY = MEETING + "RRULE:FREQ=DAILY;COUNT=3\n"


def alarm(trigger: str, *lines: str, action: str = "DISPLAY") -> str:
    return "\n".join(
        ("BEGIN:VALARM", f"ACTION:{action}", f"TRIGGER{trigger}", "DESCRIPTION:Go", *lines, "END:VALARM", "")
    )


def rung(*components: str, window: Span = MARCH) -> list[Ring]:
    return list(rings(read_object(calendar(*components)).events, window, BERLIN))


def moments(*components: str, window: Span = MARCH) -> list[str]:
    """On Berlin's walls, day of the month and time of day."""
    return [ring.at.astimezone(BERLIN).strftime("%d %H:%M") for ring in rung(*components, window=window)]


@pytest.mark.parametrize(
    ("trigger", "at"),
    [
        (":-PT15M", "04 09:45"),
        (":PT0S", "04 10:00"),
        (":PT5M", "04 10:05"),
        (";RELATED=START:-P1D", "03 10:00"),
        (";RELATED=END:PT0S", "04 11:30"),
        (";RELATED=END:-PT30M", "04 11:00"),
        (";VALUE=DATE-TIME:20260302T080000Z", "02 09:00"),
        (";VALUE=DURATION:-P1W", "25 10:00"),
    ],
)
def test_a_trigger_is_relative_to_start_or_end_or_a_moment(trigger: str, at: str) -> None:
    window = Span(MARCH.start - timedelta(days=10), MARCH.end)
    assert moments(MEETING + alarm(trigger), window=window) == [at]


def test_it_repeats_as_often_more_as_it_says() -> None:
    found = moments(MEETING + alarm(":-PT15M", "REPEAT:2", "DURATION:PT5M"))
    assert found == ["04 09:45", "04 09:50", "04 09:55"]
    assert moments(MEETING + alarm(":-PT15M", "REPEAT:2")) == ["04 09:45"]
    assert moments(MEETING + alarm(":-PT15M", "DURATION:PT5M")) == ["04 09:45"]


@pytest.mark.parametrize("action", ["EMAIL", "AUDIO", "PROCEDURE", "X-APPLE-OPEN", "NONE", ""])
def test_nothing_but_display_rings(action: str) -> None:
    assert moments(MEETING + alarm(":-PT15M", action=action)) == []


def test_a_whole_day_before_is_a_day_on_the_clock_and_hours_are_real_time() -> None:
    event = MEETING.replace("20260304T", "20260329T")
    assert moments(event + alarm(":-P1D")) == ["28 10:00"]
    assert moments(event + alarm(":-PT24H")) == ["28 09:00"]


def test_an_all_day_event_counts_from_midnight_where_the_member_is() -> None:
    event = "UID:one\nDTSTART;VALUE=DATE:20260304\nSUMMARY:Fair\n"
    assert moments(event + alarm(":PT9H") + alarm(":-PT15H") + alarm(";RELATED=END:PT0S")) == [
        "03 09:00",
        "04 09:00",
        "05 00:00",
    ]


def test_every_occurrence_rings_and_an_exception_by_its_own_alarms_alone() -> None:
    override = MEETING.replace("20260304T10", "20260305T14").replace("20260304T11", "20260305T15")
    override += "RECURRENCE-ID;TZID=Europe/Berlin:20260305T100000\n"
    assert moments(DAILY + alarm(":-PT15M"), override + alarm(":-PT1H")) == ["04 09:45", "05 13:00", "06 09:45"]
    assert moments(DAILY + alarm(":-PT15M"), override) == ["04 09:45", "06 09:45"]
    assert moments(DAILY + "EXDATE;TZID=Europe/Berlin:20260305T100000\n" + alarm(":-PT15M")) == [
        "04 09:45",
        "06 09:45",
    ]


def test_what_is_cancelled_is_silent() -> None:
    override = "STATUS:CANCELLED\nRECURRENCE-ID;TZID=Europe/Berlin:20260305T100000\n" + MEETING
    assert moments(DAILY + alarm(":-PT15M"), override + alarm(":-PT15M")) == ["04 09:45", "06 09:45"]
    assert moments(DAILY + "STATUS:CANCELLED\n" + alarm(":-PT15M")) == []


def test_an_alarm_at_a_moment_rings_once_however_often_its_event_occurs() -> None:
    assert moments(DAILY + alarm(";VALUE=DATE-TIME:20260305T080000Z")) == ["05 09:00"]


def test_what_was_acknowledged_at_its_moment_or_later_is_silent() -> None:
    def seen_until(moment: str) -> list[str]:
        return moments(DAILY + alarm(":-PT15M", f"ACKNOWLEDGED:{moment}"))

    assert seen_until("20260304T084459Z") == ["04 09:45", "05 09:45", "06 09:45"]
    assert seen_until("20260304T084500Z") == ["05 09:45", "06 09:45"]
    assert seen_until("20260305T090000Z") == ["06 09:45"]


SNOOZE = alarm(";VALUE=DATE-TIME:20260304T085000Z", "UID:b", "RELATED-TO;RELTYPE=SNOOZE:a")


@pytest.mark.parametrize("noted", [(), ("ACKNOWLEDGED:20260304T084600Z",)])
def test_a_snoozed_alarm_rings_when_its_snooze_does_and_not_twice(noted: tuple[str, ...]) -> None:
    assert moments(DAILY + alarm(":-PT15M", "UID:a", *noted) + SNOOZE) == ["04 09:50", "05 09:45", "06 09:45"]


def test_two_alarms_at_one_moment_ring_once() -> None:
    assert moments(MEETING + alarm(":-PT10M") + alarm(":-PT600S") + SNOOZE) == ["04 09:50"]


def test_an_alarm_that_waits_for_a_place_has_no_time() -> None:
    assert moments(MEETING + alarm(":-PT15M", "PROXIMITY:ARRIVE")) == []


def test_it_says_what_its_event_does_not() -> None:
    (ring,) = rung(MEETING + alarm(":-PT15M"))
    assert ring.text == "Go"
    (same,) = rung(MEETING + alarm(":-PT15M").replace("DESCRIPTION:Go", "DESCRIPTION:meeting "))
    assert same.text == ""


def test_its_name_stays_when_the_event_moves() -> None:
    (before,) = rung(MEETING + alarm(":-PT15M"))
    (after,) = rung(MEETING.replace("T10", "T08") + alarm(":-PT15M"))
    assert (before.alarm, before.number, before.key) == (after.alarm, after.number, after.key)
    assert before.at != after.at


@pytest.mark.parametrize(
    "alarms",
    [
        alarm(":-PT15M") * 10_000,
        "".join(alarm(f":-PT{minutes}M") for minutes in range(10_000)),
        alarm(":-PT15M", "REPEAT:2000000000", "DURATION:PT1S"),
        "".join(alarm(f":-PT{m}M", "REPEAT:1000", "DURATION:PT1M") for m in range(1000)),
    ],
)
def test_one_event_does_not_flood_the_day(alarms: str) -> None:
    assert len(moments(MEETING + alarms)) <= MOST_A_DAY
    dense = rung(
        MEETING + "RRULE:FREQ=SECONDLY\n" + alarms, window=Span(MARCH.start, MARCH.start + timedelta(days=6))
    )
    per_day = {ring.at.date() for ring in dense}
    assert len(dense) <= MOST_A_DAY * len(per_day)


@pytest.mark.parametrize(
    "odd",
    [
        alarm(":-P999999999W"),
        alarm(":P99999999999999D"),
        alarm(":-PT15M", "REPEAT:-5", "DURATION:PT5M"),
        alarm(":-PT15M", "REPEAT:5", "DURATION:-PT5M"),
        alarm(":-PT15M", "REPEAT:x", "DURATION:y"),
        alarm(":soon"),
        alarm(";VALUE=DATE-TIME:19760401T005545Z"),
        alarm(";VALUE=DATE-TIME:99990101T000000Z"),
        "BEGIN:VALARM\nACTION:DISPLAY\nEND:VALARM\n",
    ],
)
def test_what_makes_no_sense_rings_at_most_once_and_harms_no_other(odd: str) -> None:
    found = moments(MEETING + odd + alarm(":-PT20M"))
    assert "04 09:40" in found
    assert set(found) <= {"04 09:40", "04 09:45"}


TRIGGERS = st.sampled_from([":-PT15M", ":PT0S", ":-P1D", ";RELATED=END:PT0S", ":-P2DT3H"])


@settings(max_examples=60, deadline=None)
@given(
    triggers=st.lists(TRIGGERS, min_size=1, max_size=4),
    rule=st.sampled_from(["", "RRULE:FREQ=DAILY\n", "RRULE:FREQ=WEEKLY;COUNT=4\n", "RRULE:FREQ=HOURLY\n"]),
    cut=st.integers(0, 31 * 24 * 60 - 1),
)
def test_two_windows_that_meet_hold_what_one_does(triggers: list[str], rule: str, cut: int) -> None:
    event = MEETING + rule + "".join(map(alarm, triggers))
    middle = MARCH.start + timedelta(minutes=cut)
    whole = rung(event)
    assert whole == sorted(whole, key=lambda ring: ring.at)
    assert [
        *rung(event, window=Span(MARCH.start, middle)),
        *rung(event, window=Span(middle, MARCH.end)),
    ] == whole

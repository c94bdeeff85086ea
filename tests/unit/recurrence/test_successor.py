"""Which occurrence goes on with another after its series was edited."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from calward.ical.reading import read_object
from calward.model.event import Event
from calward.model.ids import RecurrenceKey
from calward.recurrence.successor import successor
from tests.operations.world import ics, vevent

BERLIN = ZoneInfo("Europe/Berlin")
WAS = datetime(2026, 3, 10, 8, 0, tzinfo=UTC)
"""A Tuesday, nine o'clock in Berlin."""
KEY = RecurrenceKey("20260310T080000Z")


def events(*lines: str, more: tuple[str, ...] = ()) -> tuple[Event, ...]:
    return read_object(ics(*vevent("a", *lines), *more).encode()).events


def weekly(start: str, *lines: str) -> tuple[Event, ...]:
    return events(f"DTSTART;TZID=Europe/Berlin:{start}", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", *lines)


def goes_on(of: tuple[Event, ...], key: RecurrenceKey = KEY) -> str | None:
    found = successor(of, key, WAS, BERLIN)
    return found.start.instant(BERLIN).astimezone(BERLIN).isoformat() if found else None


@pytest.mark.parametrize(
    ("start", "lines", "expected"),
    [
        ("20260303T090000", (), "2026-03-10T09:00:00+01:00"),
        ("20260303T220000", (), "2026-03-10T22:00:00+01:00"),
        ("20260305T090000", (), "2026-03-12T09:00:00+01:00"),
        ("20260302T090000", (), "2026-03-09T09:00:00+01:00"),
        ("20260303T090000", ("EXDATE;TZID=Europe/Berlin:20260310T090000",), None),
        ("20260317T090000", (), None),
    ],
    ids=["as it was", "later that day", "two days later", "a day earlier", "deleted", "begins after it"],
)
def test_a_weekly_series(start: str, lines: tuple[str, ...], expected: str | None) -> None:
    assert goes_on(weekly(start, *lines)) == expected


def test_a_daily_series_that_moves_by_half_a_day_keeps_the_day_and_one_that_ends_before_has_none() -> None:
    daily = ("DTSTART;TZID=Europe/Berlin:20260303T220000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
    assert goes_on(events(*daily)) == "2026-03-10T22:00:00+01:00"
    ended = ("DTSTART;TZID=Europe/Berlin:20260303T090000", daily[1], "RRULE:FREQ=DAILY;UNTIL=20260309T080000Z")
    assert goes_on(events(*ended)) is None


def test_a_yearly_one_is_followed_to_the_same_day_and_to_one_nearby() -> None:
    yearly = ("DURATION:PT1H", "RRULE:FREQ=YEARLY")
    assert goes_on(events("DTSTART;TZID=Europe/Berlin:20250310T110000", *yearly)) == "2026-03-10T11:00:00+01:00"
    assert goes_on(events("DTSTART;TZID=Europe/Berlin:20250314T090000", *yearly)) == "2026-03-14T09:00:00+01:00"


def test_a_single_event_is_itself_wherever_it_is_and_the_first_of_a_series_it_becomes() -> None:
    alone = RecurrenceKey("")
    far = events("DTSTART;TZID=Europe/Berlin:20270101T100000", "DURATION:PT1H")
    assert goes_on(far, alone) == "2027-01-01T10:00:00+01:00"
    assert goes_on(weekly("20260310T100000"), alone) == "2026-03-10T10:00:00+01:00"


def test_an_override_is_found_where_it_was_put() -> None:
    moved = (
        "RECURRENCE-ID;TZID=Europe/Berlin:20260310T090000",
        "DTSTART;TZID=Europe/Berlin:20260601T090000",
        "DURATION:PT1H",
    )
    series = events(
        "DTSTART;TZID=Europe/Berlin:20260303T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY",
        more=vevent("a", *moved),
    )
    assert goes_on(series) == "2026-06-01T09:00:00+02:00"


def test_a_series_that_became_a_single_event_is_followed_only_where_that_is_this_one() -> None:
    this = events("DTSTART;TZID=Europe/Berlin:20260310T090000", "DURATION:PT1H")
    other = events("DTSTART;TZID=Europe/Berlin:20260303T090000", "DURATION:PT1H")
    assert goes_on(this) == "2026-03-10T09:00:00+01:00"
    assert goes_on(other) is None


def test_what_has_no_time_has_no_occurrence() -> None:
    assert goes_on(events("SUMMARY:Nothing")) is None

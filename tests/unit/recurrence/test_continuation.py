"""Which event is the rest of a series that a program cut in two, and which only looks like it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.ical.reading import read_object
from calward.ical.text import format_value
from calward.model.time import Span
from calward.recurrence.continuation import goes_on
from calward.recurrence.series import expand

from .objects import BERLIN, calendar

FORMER = """
    UID:old
    DTSTART;TZID=Europe/Berlin:20260302T090000
    DTEND;TZID=Europe/Berlin:20260302T093000
    RRULE:FREQ=DAILY;UNTIL=20260306T080000Z
    SUMMARY:Standup
"""
LATER = """
    UID:new
    DTSTART;TZID=Europe/Berlin:20260307T090000
    DTEND;TZID=Europe/Berlin:20260307T093000
    RRULE:FREQ=DAILY
    SUMMARY:Standup
"""
YEAR = Span(datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC))
NAMING = LATER + "RELATED-TO;RELTYPE=SIBLING:old\n"


def is_rest(later: str, former: str = FORMER) -> bool:
    return goes_on(read_object(calendar(former)).events, read_object(calendar(later)).events, BERLIN)


@pytest.mark.parametrize(
    "later",
    [
        LATER,
        NAMING,
        LATER.replace("SUMMARY:Standup", "SUMMARY: STANDUP"),
        LATER.replace("T09", "T10"),
        LATER.replace("RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"),
        NAMING.replace("Standup", "Morning round"),
        NAMING.replace("T09", "T10").replace("FREQ=DAILY", "FREQ=WEEKLY"),
        LATER.replace("RRULE:FREQ=DAILY", "RRULE:COUNT=9;FREQ=DAILY"),
    ],
)
def test_what_agrees_in_two_of_three_is_the_rest(later: str) -> None:
    assert is_rest(later)


@pytest.mark.parametrize(
    "later",
    [
        LATER.replace("Standup", "Lunch"),
        LATER.replace("Standup", "Standups"),
        LATER.replace("T09", "T10").replace("FREQ=DAILY", "FREQ=WEEKLY"),
        LATER.replace("20260307", "20260305"),
        LATER.replace("20260307", "20260301"),
        NAMING.replace("RELTYPE=SIBLING", "RELTYPE=CHILD").replace("Standup", "Prepare"),
        NAMING.replace("Standup", "Prepare").replace("T09", "T08").replace("FREQ=DAILY", "FREQ=WEEKLY"),
        LATER + "STATUS:CANCELLED\n",
        LATER.replace("SUMMARY:Standup", "X-SUMMARY:Standup"),
    ],
)
def test_what_agrees_in_one_overlaps_or_came_before_is_not(later: str) -> None:
    assert not is_rest(later)


@pytest.mark.parametrize(
    "former",
    [
        FORMER.replace(";UNTIL=20260306T080000Z", ""),
        FORMER.replace("RRULE:FREQ=DAILY;UNTIL=20260306T080000Z", ""),
        FORMER.replace("SUMMARY:Standup", ""),
    ],
)
def test_only_a_series_with_a_title_that_has_an_end_is_gone_on_with(former: str) -> None:
    assert not is_rest(LATER.replace("SUMMARY:Standup", "") if "SUMMARY" not in former else LATER, former)


@settings(max_examples=80, deadline=None)
@given(
    freq=st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "DAILY;INTERVAL=3", "WEEKLY;BYDAY=MO,TH"]),
    cut=st.integers(1, 15),
    counted=st.booleans(),
    shift=st.sampled_from([timedelta(), timedelta(minutes=30)]),
)
def test_any_series_that_is_cut_goes_on_and_in_one_direction_only(
    freq: str, cut: int, counted: bool, shift: timedelta
) -> None:
    whole = f"UID:old\nDTSTART:20260302T090000Z\nDURATION:PT1H\nSUMMARY:Round\nRRULE:FREQ={freq}\n"
    events = read_object(calendar(whole)).events
    starts = [one.start for one in expand(events, YEAR, UTC).occurrences]
    last, first = starts[cut - 1], starts[cut]
    end = f"COUNT={cut}" if counted else f"UNTIL={format_value(last)}"
    former = f"{whole.rstrip()};{end}\n"
    begin = format_value(first.at(first.wall + shift))
    later = whole.replace("UID:old", "UID:new").replace("20260302T090000Z", begin)
    assert is_rest(later, former)
    assert not is_rest(later, whole)
    assert not is_rest(former, later)
    assert not is_rest(later.replace("Round", "Square"), former)

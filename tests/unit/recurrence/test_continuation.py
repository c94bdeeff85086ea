"""Which event is the rest of a series that a program cut in two, and which only looks like it."""

from __future__ import annotations

import pytest

from calward.ical.reading import read_object
from calward.recurrence.continuation import goes_on

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

"""Bounds hold whatever an object expands to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given

from calward.ical.reading import read_object
from calward.recurrence.bounds import Bounds, bounds
from calward.recurrence.series import expand
from tests.unit.recurrence.objects import BERLIN, WINDOW, Series, calendar, series


def of(*components: str) -> Bounds:
    found = bounds(read_object(calendar(*components)).events, BERLIN)
    assert found is not None
    return found


def test_a_single_event_is_bounded_by_itself() -> None:
    found = of("UID:x\nDTSTART:20260105T080000Z\nDTEND:20260105T093000Z")
    assert found.first_start == datetime(2026, 1, 5, 8, tzinfo=UTC)
    assert found.last_end == datetime(2026, 1, 5, 9, 30, tzinfo=UTC)
    assert found.longest == timedelta(minutes=90)


def test_count_is_followed_to_its_end() -> None:
    found = of("UID:x\nDTSTART:20260105T080000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;BYDAY=MO,FR;COUNT=5")
    assert found.last_end == datetime(2026, 1, 19, 9, tzinfo=UTC)


def test_a_rule_without_end_has_none_and_an_override_cannot_give_it_one() -> None:
    master = "UID:x\nDTSTART:20260105T080000Z\nRRULE:FREQ=WEEKLY"
    moved = "UID:x\nRECURRENCE-ID:20260112T080000Z\nDTSTART:20251224T080000Z"
    assert of(master, moved).last_end is None
    assert of(master, moved).first_start == datetime(2025, 12, 24, 8, tzinfo=UTC)


def test_this_and_future_moves_the_end() -> None:
    master = "UID:x\nDTSTART:20260105T080000Z\nRRULE:FREQ=DAILY;COUNT=3"
    ranged = "UID:x\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260106T080000Z\nDTSTART:20260206T080000Z"
    assert of(master, ranged).last_end == datetime(2026, 2, 7, 8, tzinfo=UTC)


def test_a_count_too_far_to_follow_counts_as_endless() -> None:
    assert of("UID:x\nDTSTART:20260105T080000Z\nRRULE:FREQ=YEARLY;BYDAY=1MO;COUNT=7000").last_end is not None
    assert of("UID:x\nDTSTART:20260105T080000Z\nRRULE:FREQ=MINUTELY;BYDAY=MO;COUNT=70000").last_end is None


def test_an_object_without_a_start_has_no_bounds() -> None:
    assert bounds(read_object(calendar("UID:x\nSUMMARY:lost")).events, BERLIN) is None


@given(series())
def test_no_occurrence_is_outside_of_the_bounds(them: Series) -> None:
    events = read_object(them.data).events
    found = bounds(events, BERLIN)
    assert found is not None
    for it in expand(events, WINDOW, BERLIN).occurrences:
        start, end = it.start.instant(BERLIN), it.end.instant(BERLIN)
        assert found.first_start <= start
        assert found.last_end is None or end <= found.last_end
        assert end - start <= found.longest

"""Clocks that are put forward and back, are set wrong, or stand still while the machine sleeps."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from calward.operations.recurring import next_after
from tests.operations.later import Later
from tests.operations.world import World


@pytest.fixture
def later(world: World) -> Later:
    return Later(world)


def standup(later: Later, start: str, *, every: bool = True) -> None:
    later.world.do("calendar_create", title="Standup", start=start, recurrence="FREQ=DAILY")
    later.world.do("reminder_set", calendar_event="standup", offset=-3600, every_occurrence=every)


def test_in_spring_an_hour_before_stays_an_hour_and_nine_stays_nine(later: Later) -> None:
    later.at("2026-03-28T05:00")
    standup(later, "2026-03-28T09:00")
    later.world.do("schedule", at="2026-03-28T09:00", prompt="Plan", repeat="0 9 * * *")
    assert later.at("2026-03-28T08:00") == ["reminder: Standup"]
    assert later.at("2026-03-28T09:00") == ["prompt: Plan"]
    assert later.at("2026-03-29T07:59") == []
    assert later.at("2026-03-29T08:00") == ["reminder: Standup"]
    assert later.at("2026-03-29T08:59") == []
    assert later.at("2026-03-29T09:00") == ["prompt: Plan"]


def test_a_time_that_spring_skips_comes_once_and_one_that_autumn_repeats_too(later: Later) -> None:
    later.at("2026-03-28T12:00")
    later.world.do("schedule", at="2026-03-29T00:00", prompt="Night", repeat="FREQ=DAILY;BYHOUR=2;BYMINUTE=30")
    assert later.at("2026-03-29T03:29") == []
    assert later.at("2026-03-29T03:30") == ["prompt: Night"]
    assert later.at("2026-03-29T12:00") == []
    later.at("2026-10-24T12:00")
    later.world.now = later.world.now.replace(day=25, hour=0, minute=30)
    assert later.work() == ["prompt: Night"]
    later.world.pass_time(hours=1)
    assert later.work() == []
    assert later.at("2026-10-26T02:30") == ["prompt: Night"]


@pytest.mark.parametrize(
    ("repeat", "times"),
    [
        ("30 2 * * *", ["28 02:30", "29 03:30", "30 02:30"]),
        ("30 2,3 * * *", ["28 02:30", "28 03:30", "29 03:30", "30 02:30"]),
        ("0 */12 29 3 *", ["29 00:00", "29 12:00"]),
        ("*/30 1-3 29 3 *", ["29 01:00", "29 01:30", "29 03:00", "29 03:30"]),
        ("0 3 * * *", ["28 03:00", "29 03:00", "30 03:00"]),
    ],
)
def test_a_cron_line_reads_a_skipped_time_as_everything_else_does(repeat: str, times: list[str]) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    at = since = datetime(2026, 3, 28, 0, tzinfo=berlin).astimezone(UTC)
    found: list[str] = []
    while len(found) < len(times):
        at = next_after(repeat, since, berlin, at)  # type: ignore[assignment]
        found.append(f"{at.astimezone(berlin):%d %H:%M}")
    assert found == times


def test_a_clock_that_is_set_forward_fires_once_and_set_back_not_again(later: Later) -> None:
    later.world.do("reminder_set", due="2026-03-02T10:00", message="Tea")
    later.world.do("reminder_set", due="2026-03-02T12:00", message="Soup")
    assert later.at("2026-03-02T10:30") == ["reminder: Tea · late"]
    assert later.at("2026-03-02T09:30") == []
    assert later.at("2026-03-02T10:00") == []
    assert later.at("2026-03-02T12:00") == ["reminder: Soup"]


def test_after_a_day_asleep_all_that_was_missed_is_told_in_one_message(later: Later) -> None:
    for hour in range(10, 20):
        later.world.do("reminder_set", due=f"2026-03-02T{hour}:00", message=f"At {hour}")
    standup(later, "2026-03-02T16:00")
    later.world.do("schedule", at="2026-03-02T10:00", prompt="Plan", repeat="0 * * * *")
    assert later.at("2026-03-03T09:00") == ["prompt: Plan · late"]
    missed = ", ".join(f"At {hour}" for hour in range(10, 16))
    rest = ", ".join(f"At {hour}" for hour in range(16, 20))
    assert later.at("2026-03-03T09:01") == [f"missed: {missed}, Standup, {rest}"]
    assert later.at("2026-03-03T09:02") == []
    assert later.at("2026-03-03T15:00") == ["reminder: Standup", "prompt: Plan · late"]


def test_within_two_hours_it_is_late_and_not_missed(later: Later) -> None:
    later.world.do("reminder_set", due="2026-03-02T10:00", message="Tea")
    later.world.do("reminder_set", due="2026-03-02T11:59", message="Soup")
    assert later.at("2026-03-02T12:00") == ["reminder: Tea · late", "reminder: Soup"]


def test_after_thirty_days_what_repeats_comes_once_and_goes_on(later: Later) -> None:
    standup(later, "2026-03-03T09:00")
    later.world.do("schedule", at="2026-03-03T09:00", prompt="Plan", repeat="0 9 * * *")
    told = later.at("2026-04-02T08:30")
    assert told == ["prompt: Plan · late", "reminder: Standup · late"]
    assert later.at("2026-04-02T08:31") == ["missed: Standup"]
    assert later.at("2026-04-02T09:00") == ["prompt: Plan"]
    assert later.at("2026-04-03T08:00") == ["reminder: Standup"]


def test_an_event_that_moves_while_nothing_runs_is_reminded_of_at_its_new_time(later: Later) -> None:
    event = later.world.do("calendar_create", title="Dinner", start="2026-03-02T18:00").event
    later.world.do("reminder_set", calendar_event="dinner", offset=-3600)
    later.world.pass_time(hours=9)
    later.world.do("calendar_update", id=event.id, start="2026-03-02T22:00")
    assert later.work() == []
    assert later.at("2026-03-02T21:00") == ["reminder: Dinner"]

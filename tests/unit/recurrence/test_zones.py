"""Series in zones that do odd things, and days seen from all sides of the earth."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from calward.model.event import Event
from calward.model.ids import EventUid
from calward.model.time import CalTime, Span
from calward.recurrence.calm import calm_around
from calward.recurrence.series import Expansion, expand


def series(zone: str, wall: datetime, rule: str, viewer: str = "UTC", days: int = 400) -> Expansion:
    start = CalTime.of_zone(wall, ZoneInfo(zone), zone)
    event = Event(EventUid("x"), start, end=start.at(wall + timedelta(hours=1)), rrules=(rule,))
    first = wall.replace(tzinfo=UTC) - timedelta(days=2)
    return expand([event], Span(first, first + timedelta(days=days)), ZoneInfo(viewer))


def hours(found: Expansion, days: slice) -> list[str]:
    return [f"{it.start.wall:%d %H:%M} {it.start.instant(UTC):%d %H:%M}" for it in found.occurrences[days]]


def test_a_time_in_the_gap_is_read_with_the_offset_before_it() -> None:
    found = series("Europe/Berlin", datetime(2026, 3, 28, 2, 30), "FREQ=DAILY;COUNT=3")
    assert hours(found, slice(3)) == ["28 02:30 28 01:30", "29 03:30 29 01:30", "30 02:30 30 00:30"]
    assert found.occurrences[1].original.wall == datetime(2026, 3, 29, 2, 30)


def test_a_time_in_the_overlap_is_the_first_of_the_two() -> None:
    found = series("Europe/Berlin", datetime(2026, 10, 24, 2, 30), "FREQ=DAILY;COUNT=3")
    assert hours(found, slice(3)) == ["24 02:30 24 00:30", "25 02:30 25 00:30", "26 02:30 26 01:30"]


def test_an_hourly_rule_meets_the_hour_behind_the_gap_once() -> None:
    found = series("Europe/Berlin", datetime(2026, 3, 29, 0), "FREQ=HOURLY;COUNT=6")
    assert [it.start.wall.hour for it in found.occurrences] == [0, 1, 3, 4, 5]


def test_lord_howe_goes_half_an_hour() -> None:
    # On 5 April 2026 at 02:00 the clock goes back to 01:30, on 4 October at 02:00 on to 02:30.
    found = series("Australia/Lord_Howe", datetime(2026, 4, 4, 1, 45), "FREQ=DAILY;COUNT=3")
    assert [f"{it.start.instant(UTC):%d %H:%M}" for it in found.occurrences] == [
        "03 14:45",
        "04 14:45",
        "05 15:15",
    ]
    gap = series("Australia/Lord_Howe", datetime(2026, 10, 3, 2, 15), "FREQ=DAILY;COUNT=3")
    assert [f"{it.start.wall:%d %H:%M}" for it in gap.occurrences] == ["03 02:15", "04 02:45", "05 02:15"]


def test_dublin_has_its_standard_time_in_summer() -> None:
    found = series("Europe/Dublin", datetime(2026, 3, 28, 9), "FREQ=DAILY;COUNT=3")
    assert [it.start.instant(UTC).hour for it in found.occurrences] == [9, 8, 8]


def test_casablanca_goes_back_for_ramadan() -> None:
    # In 2026 the clock is an hour back from 15 February to 22 March.
    found = series("Africa/Casablanca", datetime(2026, 2, 8, 9), "FREQ=WEEKLY;COUNT=8")
    assert [it.start.instant(UTC).hour for it in found.occurrences] == [8, 9, 9, 9, 9, 9, 8, 8]


def test_kathmandu_is_three_quarters_of_an_hour_off() -> None:
    found = series("Asia/Kathmandu", datetime(2026, 1, 1, 0), "FREQ=DAILY;COUNT=2")
    assert hours(found, slice(2)) == ["01 00:00 31 18:15", "02 00:00 01 18:15"]


def test_the_day_that_apia_skipped_is_no_day_twice() -> None:
    found = series("Pacific/Apia", datetime(2011, 12, 28, 9), "FREQ=DAILY;COUNT=6")
    assert [f"{it.start.wall:%d}" for it in found.occurrences] == ["28", "29", "31", "01", "02"]
    assert len({it.key for it in found.occurrences}) == 5


def test_an_all_day_series_seen_from_apia_has_no_length_on_the_skipped_day() -> None:
    event = Event(EventUid("x"), CalTime.of_date(datetime(2011, 12, 29)), rrules=("FREQ=DAILY;COUNT=3",))
    window = Span(datetime(2011, 12, 25, tzinfo=UTC), datetime(2012, 1, 5, tzinfo=UTC))
    found = expand([event], window, ZoneInfo("Pacific/Apia")).occurrences
    assert [it.start.wall.day for it in found] == [29, 30, 31]
    skipped = found[1]
    viewer = ZoneInfo("Pacific/Apia")
    assert skipped.start.instant(viewer) == skipped.end.instant(viewer)


@pytest.mark.parametrize(
    "zone", ["Pacific/Niue", "America/New_York", "UTC", "Asia/Kathmandu", "Pacific/Kiritimati"]
)
def test_an_all_day_series_is_on_its_days_wherever_one_looks_from(zone: str) -> None:
    event = Event(EventUid("x"), CalTime.of_date(datetime(2026, 3, 1)), rrules=("FREQ=WEEKLY;BYDAY=SU",))
    viewer = ZoneInfo(zone)
    for day in range(1, 32):
        midnight = datetime(2026, 3, day, tzinfo=viewer)
        window = Span(midnight, midnight + timedelta(hours=23))
        found = expand([event], window, viewer).occurrences
        assert [it.start.wall.day for it in found] == ([day] if day % 7 == 1 else [])


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "America/St_Johns"]
)
def test_from_1900_to_2100_every_day_has_its_nine_o_clock(zone: str) -> None:
    place = ZoneInfo(zone)
    event = Event(EventUid("x"), CalTime.of_zone(datetime(1900, 1, 1, 9), place, zone), rrules=("FREQ=DAILY",))
    for year in range(1900, 2101, 20):
        window = Span(datetime(year, 1, 1, tzinfo=place), datetime(year + 1, 1, 1, tzinfo=place))
        found = expand([event], window, UTC).occurrences
        assert len(found) == (366 if year % 4 == 0 and year not in (1900, 2100) else 365)
        assert all(it.start.wall.hour == 9 for it in found)
        assert all(it.start.instant(UTC) == it.start.wall.replace(tzinfo=place) for it in found)


def test_a_calm_stretch_ends_the_day_before_the_clock_changes() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    winter = calm_around(berlin, datetime(2026, 1, 15))
    assert winter is not None
    assert (winter.first, winter.before) == (datetime(2026, 1, 1), datetime(2026, 3, 29))
    assert winter.offset == timedelta(hours=1)
    assert calm_around(berlin, datetime(2026, 3, 29, 12)) is None

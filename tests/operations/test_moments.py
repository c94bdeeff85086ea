"""Times as people give them, on days when clocks change, at midnight, and at the ends of the calendar."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from calward.errors import CalwardError, InvalidInput
from calward.model.time import CalTime, Duration, Span
from tests.operations.world import World, ics, vevent

GAP, OVERLAP = "2026-03-29", "2026-10-25"


def create(world: World, **arguments: Any) -> Any:
    return world.do("calendar_create", title="x", **arguments).event


def listed(world: World, day: str) -> list[tuple[str, str]]:
    window = {"from": day, "to": day}
    return [(event.start[11:], event.end[11:]) for event in world.do("calendar_list", **window).events]


@pytest.mark.parametrize(
    ("start", "more", "shown"),
    [
        (f"{GAP}T02:30", {}, ("03:30:00+02:00", "04:30:00+02:00")),
        (f"{GAP}T01:30", {"duration": 60}, ("01:30:00+01:00", "03:30:00+02:00")),
        (f"{GAP}T01:30", {"end": f"{GAP}T02:30"}, ("01:30:00+01:00", "03:30:00+02:00")),
        (f"{OVERLAP}T02:30", {}, ("02:30:00+02:00", "02:30:00+01:00")),
        (f"{OVERLAP}T02:30+01:00", {}, ("02:30:00+01:00", "03:30:00+01:00")),
        (f"{OVERLAP}T01:30", {"duration": 120}, ("01:30:00+02:00", "02:30:00+01:00")),
        (f"{OVERLAP}T01:30", {"end": f"{OVERLAP}T02:30+01:00"}, ("01:30:00+02:00", "02:30:00+01:00")),
    ],
)
def test_what_is_answered_is_what_is_read_back(
    world: World, start: str, more: dict[str, Any], shown: tuple[str, str]
) -> None:
    event = create(world, start=start, **more)
    assert (event.start[11:], event.end[11:]) == shown
    assert listed(world, start[:10]) == [shown]
    assert b"T023000\r\n" not in world.export() or start.startswith(OVERLAP)


@pytest.mark.parametrize(
    ("arguments", "start", "end"),
    [
        ({"start": "2026-03-03"}, "2026-03-03", "2026-03-04"),
        ({"start": "2026-03-03", "end": "2026-03-03"}, "2026-03-03", "2026-03-04"),
        ({"start": "2026-03-03", "end": "2026-03-05"}, "2026-03-03", "2026-03-05"),
        ({"start": "2026-03-03T23:59", "all_day": True}, "2026-03-03", "2026-03-04"),
        ({"start": GAP}, GAP, "2026-03-30"),
        ({"start": "2026-03-03T23:30"}, "2026-03-03T23:30:00+01:00", "2026-03-04T00:30:00+01:00"),
        (
            {"start": "2026-03-03T12:00", "zone": "UTC"},
            "2026-03-03T13:00:00+01:00",
            "2026-03-03T14:00:00+01:00",
        ),
        (
            {"start": "2026-03-03T12:00", "zone": "Asia/Kathmandu"},
            "2026-03-03T07:15:00+01:00",
            "2026-03-03T08:15:00+01:00",
        ),
    ],
)
def test_ends_are_exclusive_and_days_are_dates(
    world: World, arguments: dict[str, Any], start: str, end: str
) -> None:
    event = create(world, **arguments)
    assert (event.start, event.end) == (start, end)


@pytest.mark.parametrize(
    ("written", "patch", "after"),
    [
        (("DTSTART:20260303T090000Z", "DTEND:20260303T100000Z"), {"duration": 90}, ("DTEND:20260303T103000Z",)),
        (
            ("DTSTART:20260303T090000Z", "DTEND:20260303T100000Z"),
            {"start": "2026-03-03T12:00"},
            ("DTSTART:20260303T110000Z", "DTEND:20260303T120000Z"),
        ),
        (
            ("DTSTART:20260303T090000", "DTEND:20260303T100000"),
            {"start": "2026-03-03T12:00"},
            ("DTSTART:20260303T120000", "DTEND:20260303T130000"),
        ),
        (
            ("DTSTART;TZID=America/New_York:20260303T090000", "DTEND;TZID=America/New_York:20260303T100000"),
            {"end": "2026-03-03T10:30"},
            ("DTEND;TZID=America/New_York:20260303T103000",),
        ),
        (
            ("DTSTART:20260303T090000Z", "DTEND:20260303T100000Z"),
            {"start": "2026-03-06"},
            ("DTSTART:20260306T090000Z", "DTEND:20260306T100000Z"),
        ),
        (
            ("DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260304"),
            {"start": "2026-03-06"},
            ("DTSTART;VALUE=DATE:20260306", "DTEND;VALUE=DATE:20260307"),
        ),
        (
            ("DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260306"),
            {"start": "2026-03-06"},
            ("DTSTART;VALUE=DATE:20260306", "DTEND;VALUE=DATE:20260309"),
        ),
        (
            ("DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260306"),
            {"start": "from march 9 to march 10"},
            ("DTSTART;VALUE=DATE:20260309", "DTEND;VALUE=DATE:20260311"),
        ),
        (
            ("DTSTART:20260303T090000Z", "DTEND:20260303T100000Z"),
            {"all_day": True},
            ("DTSTART;VALUE=DATE:20260303", "DTEND;VALUE=DATE:20260304"),
        ),
        (
            ("DTSTART:20260303T090000Z", "DTEND:20260303T100000Z"),
            {"start": "2026-03-06", "all_day": True},
            ("DTSTART;VALUE=DATE:20260306", "DTEND;VALUE=DATE:20260307"),
        ),
    ],
)
def test_an_edited_time_keeps_its_form_and_leaves_the_other_alone(
    world: World, written: tuple[str, str], patch: dict[str, Any], after: tuple[str, ...]
) -> None:
    world.do("import_file", content=ics(*vevent("a", *written, "SUMMARY:x")), calendar="Home")
    ident = world.do("calendar_search", query="x").events[0].id
    before = set(world.export().decode().split("\r\n"))
    world.do("calendar_update", id=ident, **patch)
    new = set(world.export().decode().split("\r\n")) - before
    stamps = ("DTSTAMP", "LAST-MODIFIED", "SEQUENCE")
    assert {line for line in new if not line.startswith(stamps)} == set(after)


def test_a_day_that_a_zone_skipped_is_no_window(world: World) -> None:
    with world.store.writing() as conn:
        conn.exec_driver_sql("UPDATE households SET zone = 'Pacific/Apia'")
    with pytest.raises(InvalidInput):
        world.do("calendar_list", **{"from": "2011-12-30", "to": "2011-12-30"})
    create(world, start="2011-12-29T23:00", duration=120)
    assert listed(world, "2011-12-29") == listed(world, "2011-12-31") == [("23:00:00-10:00", "01:00:00+14:00")]


@pytest.mark.parametrize("year", ["0001", "0002", "1583", "9998", "9999"])
def test_the_ends_of_the_calendar_end_in_an_answer(world: World, year: str) -> None:
    for day in (f"{year}-01-01", f"{year}-12-31"):
        for rule in (None, "FREQ=DAILY", "FREQ=YEARLY;COUNT=3"):
            for start in (day, f"{day}T00:30", f"{day}T23:30"):
                try:
                    event = world.do("calendar_create", title=f"{rule}", start=start, recurrence=rule).event
                    world.do("calendar_update", id=event.id, title="new", scope="all")
                    world.do("calendar_delete", id=event.id, scope="all")
                    world.do("calendar_undo")
                except CalwardError:
                    continue
        for window in ({"from": day, "to": day}, {"from": day}, {"to": day}):
            with suppress(InvalidInput):
                world.do("calendar_search", query="new", **window)
                world.do("calendar_list", **window)
    world.do("calendar_search", query="new")
    world.export()


def test_a_series_counts_days_on_the_wall_and_seconds_in_time() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    start = CalTime.of_zone(_wall(2026, 3, 28, 12), berlin, "Europe/Berlin")
    assert Duration(days=1).after(start, berlin).wall == _wall(2026, 3, 29, 12)
    assert Duration(seconds=86400).after(start, berlin).wall == _wall(2026, 3, 29, 13)
    floating = CalTime.floating(_wall(2026, 3, 28, 12))
    assert Duration(seconds=86400).after(floating, berlin).wall == _wall(2026, 3, 29, 12)


def _wall(year: int, month: int, day: int, hour: int) -> datetime:
    return datetime(year, month, day, hour)


def test_spans_are_half_open_and_an_empty_one_is_a_moment() -> None:
    def span(first: int, last: int) -> Span:
        return Span(datetime(2026, 3, first, tzinfo=UTC), datetime(2026, 3, last, tzinfo=UTC))

    assert not span(1, 2).overlaps(span(2, 3))
    assert span(1, 3).overlaps(span(2, 2))
    assert span(2, 2).overlaps(span(1, 3))
    assert span(2, 2).overlaps(span(2, 3))
    assert not span(1, 2).overlaps(span(2, 2))
    with pytest.raises(ValueError, match="aware"):
        Span(datetime(2026, 3, 1), datetime(2026, 3, 2, tzinfo=UTC))
    with pytest.raises(ValueError, match="naive"):
        CalTime.floating(datetime(2026, 3, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("named", "start", "end"),
    [
        ("today", "2026-03-02T00:00:00+01:00", "2026-03-03T00:00:00+01:00"),
        ("tomorrow", "2026-03-03T00:00:00+01:00", "2026-03-04T00:00:00+01:00"),
        ("this_week", "2026-03-02T09:00:00+01:00", "2026-03-09T00:00:00+01:00"),
    ],
)
def test_the_windows_that_have_a_name(world: World, named: str, start: str, end: str) -> None:
    window = world.do("calendar_list", range=named).window
    assert (window.start, window.end, window.zone) == (start, end, "Europe/Berlin")

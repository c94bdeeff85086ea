"""Reminders and alarms follow what other programs do to a calendar: by pulls, in whatever order those come."""

from __future__ import annotations

from typing import Any

import pytest

from calward.bootstrap.household import HOME
from calward.model.ids import CalendarId, Href
from calward.store.calendars import insert_calendar
from tests.operations.later import Later
from tests.operations.sync.mirror import CALENDAR, Mirror, mirrored
from tests.operations.sync.test_moves import FAMILY, Two
from tests.operations.world import ics, vevent

ALARM = ("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:x", "END:VALARM")
AT = "DTSTART;TZID=Europe/Berlin:"


@pytest.fixture
def later(mirror: Mirror) -> Later:
    mirror.sync()
    return Later(mirror.world)


def written(uid: str, start: str, *lines: str, title: str = "Standup") -> bytes:
    return ics(*vevent(uid, f"{AT}{start}", "DURATION:PT30M", f"SUMMARY:{title}", *lines)).encode()


def puts(mirror: Mirror, name: str, body: bytes) -> Href:
    """The other program writes this, anew or over what is there."""
    href = Href(f"{mirror.url}{name}.ics")
    if mirror.there(href) is None:
        mirror.other.put(mirror.url, href, body, None)
    else:
        mirror.writes(href, body)
    return href


def remind(later: Later, **asked: Any) -> Any:
    return later.world.do("reminder_set", **asked).reminder


def occurrence(later: Later, day: str) -> str:
    (one,) = later.world.do("calendar_list", **{"from": day, "to": day}).events
    found: str = one.id
    return found


def test_alarms_come_move_and_go_by_pulls_and_nothing_is_sent_because_of_them(
    mirror: Mirror, later: Later
) -> None:
    later.world.do("calendar_alarms", calendar="Work", on=True)
    first = written("a", "20260304T100000", *ALARM)
    href = puts(mirror, "a", first)
    mirror.sync()
    assert later.reminder.due == "2026-03-04T09:45:00+01:00"
    assert mirror.there(href).body == first  # type: ignore[union-attr]
    moved = written("a", "20260304T120000", *ALARM)
    puts(mirror, "a", moved)
    mirror.sync()
    assert later.reminder.due == "2026-03-04T11:45:00+01:00"
    later.world.do("calendar_alarms", calendar="Work", on=False)
    later.world.do("calendar_alarms", calendar="Work", on=True)
    mirror.sync(full=True)
    assert later.reminder.due == "2026-03-04T11:45:00+01:00"
    assert mirror.there(href).body == moved  # type: ignore[union-attr]
    mirror.deletes(href)
    mirror.sync()
    assert later.reminder.state == "void"
    assert later.told() == []


def test_an_alarm_that_was_dismissed_on_the_phone_does_not_ring_here(mirror: Mirror, later: Later) -> None:
    later.world.do("calendar_alarms", calendar="Work", on=True)
    puts(mirror, "a", written("a", "20260304T100000", *ALARM))
    mirror.sync()
    seen = (*ALARM[:-1], "ACKNOWLEDGED:20260304T084500Z", ALARM[-1])
    puts(mirror, "a", written("a", "20260304T100000", *seen))
    mirror.sync()
    assert later.reminders() == []


def test_a_calendar_that_is_mirrored_no_longer_takes_its_alarms_along(mirror: Mirror, later: Later) -> None:
    later.world.do("calendar_alarms", calendar="Work", on=True)
    puts(mirror, "a", written("a", "20260304T100000", *ALARM))
    mirror.sync()
    later.world.do("calendar_choose", account="memory", forget=["Work"])
    assert later.reminders() == []
    assert later.at("2026-03-05T00:00") == []


WHOLE = written("old", "20260303T090000", "RRULE:FREQ=DAILY")
CUT = written("old", "20260303T090000", "RRULE:FREQ=DAILY;UNTIL=20260305T080000Z")
REST = written("new", "20260306T090000", "RRULE:FREQ=DAILY")
SHIFTED = written("new", "20260306T093000", "RRULE:FREQ=DAILY", "RELATED-TO;RELTYPE=SIBLING:old")

ORDERS = {
    "together": ("both",),
    "the end first": ("cut", "rest"),
    "the rest first": ("rest", "cut"),
}


def split(mirror: Mirror, order: tuple[str, ...], rest: bytes = REST) -> None:
    for step in order:
        if step != "rest":
            puts(mirror, "old", CUT)
        if step != "cut":
            puts(mirror, "new", rest)
        mirror.sync()


@pytest.fixture
def series(mirror: Mirror, later: Later) -> Later:
    puts(mirror, "old", WHOLE)
    mirror.sync()
    return later


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_an_occurrence_beyond_the_cut_is_followed_into_the_rest(
    mirror: Mirror, series: Later, order: tuple[str, ...]
) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-09"), offset=-600)
    split(mirror, order)
    assert (series.reminder.state, series.reminder.due) == ("armed", "2026-03-09T08:50:00+01:00")
    puts(mirror, "new", written("new", "20260306T110000", "RRULE:FREQ=DAILY"))
    mirror.sync()
    assert series.reminder.due == "2026-03-09T10:50:00+01:00"
    assert series.at("2026-03-09T10:50") == ["reminder: Standup"]


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_one_before_the_cut_stays_where_it_is(mirror: Mirror, series: Later, order: tuple[str, ...]) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-04"), offset=-600)
    split(mirror, order)
    assert series.at("2026-03-04T08:50") == ["reminder: Standup"]
    assert series.told()[-1].kind == "reminder"


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_every_occurrence_goes_on_in_the_rest(mirror: Mirror, series: Later, order: tuple[str, ...]) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-04"), offset=-600, every_occurrence=True)
    split(mirror, order)
    told = [series.at(f"2026-03-{day:02}T08:50") for day in (3, 4, 5, 6, 7, 8, 9)]
    assert told[1:] == [["reminder: Standup"]] * 6


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_every_occurrence_goes_on_where_all_that_was_to_come_was_cut_off(
    mirror: Mirror, series: Later, order: tuple[str, ...]
) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-04"), offset=-600, every_occurrence=True)
    for day in (3, 4, 5):
        series.at(f"2026-03-0{day}T08:50")
    series.world.pass_time(minutes=60)
    split(mirror, order)
    assert (series.reminder.state, series.reminder.due) == ("armed", "2026-03-06T08:50:00+01:00")


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_a_rest_that_names_its_series_is_followed_to_another_time_of_the_day(
    mirror: Mirror, series: Later, order: tuple[str, ...]
) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-09"), offset=-600)
    split(mirror, order, SHIFTED)
    assert series.reminder.due == "2026-03-09T09:20:00+01:00"


@pytest.mark.parametrize(
    "rest",
    [
        written("new", "20260306T090000", "RRULE:FREQ=DAILY", title="Lunch"),
        written("new", "20260306T100000", "RRULE:FREQ=DAILY"),
        written("new", "20260306T090000", "RRULE:FREQ=WEEKLY"),
        written("new", "20260304T090000", "RRULE:FREQ=DAILY"),
    ],
    ids=["another title", "another time", "not on that day", "beside the series"],
)
@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_what_may_be_something_else_is_not_followed(
    mirror: Mirror, series: Later, order: tuple[str, ...], rest: bytes
) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-09"), offset=-600)
    split(mirror, order, rest)
    assert (series.reminder.state, series.reminder.reason) == (
        "void",
        "That occurrence is no longer in the series.",
    )
    assert [row.kind for row in series.told()] == ["void"]


def test_of_two_that_might_be_the_rest_none_is_taken(mirror: Mirror, series: Later) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-09"), offset=-600)
    puts(mirror, "other", REST.replace(b"UID:new", b"UID:other"))
    split(mirror, ("both",))
    assert series.reminder.state == "void"


def test_a_series_that_was_there_long_before_is_not_the_rest(mirror: Mirror, series: Later) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-09"), offset=-600)
    puts(mirror, "new", REST)
    mirror.sync()
    series.world.pass_time(hours=2)
    puts(mirror, "old", CUT)
    mirror.sync()
    assert series.reminder.state == "void"


def test_who_cancelled_it_hears_no_more_of_it(mirror: Mirror, series: Later) -> None:
    remind(series, calendar_event=occurrence(series, "2026-03-09"), offset=-600)
    series.world.do("reminder_cancel", id=series.reminder.id)
    split(mirror, ("cut", "rest"))
    assert series.reminder.state == "cancelled"


@pytest.fixture
def family(mirror: Mirror, later: Later) -> Two:
    """A second calendar on the same server."""
    url = mirror.server.add_calendar("family", "Family")
    with mirror.world.store.writing() as conn:
        insert_calendar(conn, HOME, mirrored(mirror.world, FAMILY, "Family", url))
    return Two(mirror, url)


@pytest.mark.parametrize("order", [(CALENDAR, FAMILY), (FAMILY, CALENDAR)], ids=["gone first", "there first"])
def test_another_program_moves_an_event_between_calendars_with_all_that_hangs_on_it(
    mirror: Mirror, later: Later, family: Two, order: tuple[CalendarId, ...]
) -> None:
    for name in ("Work", "Family"):
        later.world.do("calendar_alarms", calendar=name, on=True)
    body = written("a", "20260304T100000", *ALARM)
    href = puts(mirror, "a", body)
    family.both()
    remind(later, calendar_event="standup", offset=-3600, message="Go")
    mirror.deletes(href)
    mirror.other.put(family.url, Href(f"{family.url}a.ics"), body, None)
    for calendar in order:
        family.sync(calendar)
    assert later.at("2026-03-04T09:00") == ["reminder: Standup · Go"]
    assert later.at("2026-03-04T09:45") == ["reminder: Standup · x"]
    assert [row.kind for row in later.told()].count("void") == (order[0] == CALENDAR)

"""Changing, deleting and bringing back, single events and series in their three scopes."""

from __future__ import annotations

from difflib import ndiff
from typing import Any

import pytest

from calward.errors import InvalidInput, NotFound, ScopeNeeded
from tests.operations.world import World, ics, vevent

LUNCH = ics(
    *vevent(
        "lunch",
        "DTSTART;TZID=Europe/Berlin:20260303T120000",
        "DTEND;TZID=Europe/Berlin:20260303T130000",
        "SUMMARY;LANGUAGE=en:Lunch",
        "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
        "ATTENDEE;CN=Ann;X-NUM-GUESTS=0:mailto:ann@example.com",
        "LOCATION:Luigi's",
        "SEQUENCE:3",
    )
)
GYM = ics(
    *vevent(
        "gym",
        "DTSTART;TZID=Europe/Berlin:20260302T180000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=5",
        "SUMMARY:Gym",
    )
)
STAMPS = ("DTSTAMP", "LAST-MODIFIED", "SEQUENCE")


def changed_lines(before: bytes, after: bytes) -> list[str]:
    """Lines that differ, stamps apart."""
    difference = ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [line for line in difference if line[0] in "+-" and not line[2:].startswith(STAMPS)]


def starts(world: World, title: str = "Gym") -> list[str]:
    window = {"from": "2026-03-02", "to": "2026-03-08"}
    return [event.start[8:16] for event in world.do("calendar_list", **window).events if event.title == title]


def find(world: World, query: str, **window: str) -> list[Any]:
    return list(world.do("calendar_search", query=query, **window).events)


@pytest.fixture
def lunch(world: World) -> str:
    world.do("import_file", content=LUNCH, calendar="Home")
    ident: str = find(world, "Lunch")[0].id
    return ident


@pytest.fixture
def gym(world: World) -> list[str]:
    world.do("import_file", content=GYM, calendar="Home")
    return [
        event.id for event in world.do("calendar_list", **{"from": "2026-03-02", "to": "2026-03-08"}).events
    ]


@pytest.mark.parametrize(
    ("patch", "lines"),
    [
        ({"title": "Supper; late"}, ["- SUMMARY;LANGUAGE=en:Lunch", "+ SUMMARY:Supper\\; late"]),
        ({"location": None}, ["- LOCATION:Luigi's"]),
        ({"notes": "Bring\nwine"}, ["+ DESCRIPTION:Bring\\nwine"]),
        (
            {"start": "2026-03-03T13:00"},
            [
                "- DTSTART;TZID=Europe/Berlin:20260303T120000",
                "- DTEND;TZID=Europe/Berlin:20260303T130000",
                "+ DTSTART;TZID=Europe/Berlin:20260303T130000",
                "+ DTEND;TZID=Europe/Berlin:20260303T140000",
            ],
        ),
        (
            {"duration": 90},
            ["- DTEND;TZID=Europe/Berlin:20260303T130000", "+ DTEND;TZID=Europe/Berlin:20260303T133000"],
        ),
    ],
)
def test_an_edit_touches_its_own_lines_alone(
    world: World, lunch: str, patch: dict[str, Any], lines: list[str]
) -> None:
    before = world.export()
    answer = world.do("calendar_update", id=lunch, **patch)
    assert answer.status == "done"
    assert sorted(changed_lines(before, world.export())) == sorted(lines)
    world.do("calendar_undo")
    assert world.export() == before


def test_the_answer_shows_the_event_as_it_is_then(world: World, lunch: str) -> None:
    shown = world.do("calendar_update", id=lunch, title="Supper", start="2026-03-03T19:00").event
    (found,) = find(world, "Supper")
    assert (shown.id, shown.title, shown.start, shown.location) == (
        found.id,
        found.title,
        found.start,
        found.location,
    )
    assert shown.end == "2026-03-03T20:00:00+01:00"


def test_a_deleted_event_is_gone_and_comes_back_with_its_bytes(world: World, lunch: str) -> None:
    before = world.export()
    assert world.do("calendar_delete", id=lunch).event.title == "Lunch"
    assert (world.week(), find(world, "Lunch")) == ([], [])
    assert b"Lunch" not in world.export()
    with pytest.raises(NotFound):
        world.do("calendar_update", id=lunch, title="x")
    assert world.do("calendar_restore", id=lunch).event.title == "Lunch"
    assert (world.week(), world.export()) == (["Lunch"], before)
    with pytest.raises(NotFound):
        world.do("calendar_restore", id=lunch)


def test_an_event_moves_between_local_calendars(world: World, lunch: str) -> None:
    world.do("calendar_update", id=lunch, calendar="AI Assistant Shared")
    assert find(world, "Lunch")[0].calendar == "AI Assistant Shared"
    assert b"VEVENT" not in world.export()
    assert world.export("AI Assistant Shared") == LUNCH.encode()
    world.do("calendar_undo")
    assert find(world, "Lunch")[0].calendar == "Home"


def test_nothing_to_change_says_so(world: World, lunch: str) -> None:
    for same in ({}, {"title": "Lunch"}, {"calendar": "Home"}):
        with pytest.raises(InvalidInput, match="nothing to change"):
            world.do("calendar_update", id=lunch, **same)
    with pytest.raises(InvalidInput):
        world.do("calendar_update", id=lunch, title=" ")


def test_a_series_asks_what_is_meant(world: World, gym: list[str]) -> None:
    for operation, more in (("calendar_update", {"title": "x"}), ("calendar_delete", {})):
        with pytest.raises(ScopeNeeded, match="this_and_future"):
            world.do(operation, id=gym[2], **more)
        with pytest.raises(InvalidInput, match="one occurrence by its own id"):
            world.do(operation, id=gym[2].partition(".")[0], scope="one", **more)


def test_one_occurrence_moves_and_the_rest_stays(world: World, gym: list[str]) -> None:
    before = world.export()
    answer = world.do("calendar_update", id=gym[2], start="2026-03-04T07:00", title="Early gym", scope="one")
    assert (answer.event.id, answer.event.start) == (gym[2], "2026-03-04T07:00:00+01:00")
    assert starts(world) == ["02T18:00", "03T18:00", "05T18:00", "06T18:00"]
    assert starts(world, "Early gym") == ["04T07:00"]
    world.do("calendar_undo")
    assert world.export() == before


def test_deleting_one_occurrence_leaves_the_rest_and_says_which_went(world: World, gym: list[str]) -> None:
    answer = world.do("calendar_delete", id=gym[1], scope="one")
    assert answer.note == "1 occurrence is removed: Tue 3 Mar 2026 18:00."
    assert starts(world) == ["02T18:00", "04T18:00", "05T18:00", "06T18:00"]
    world.do("calendar_restore", id=gym[1])
    assert starts(world) == ["02T18:00", "03T18:00", "04T18:00", "05T18:00", "06T18:00"]


def test_this_and_future_splits_a_series(world: World, gym: list[str]) -> None:
    before = world.export()
    world.do("calendar_update", id=gym[3], start="2026-03-05T20:00", scope="this_and_future")
    assert starts(world) == ["02T18:00", "03T18:00", "04T18:00", "05T20:00", "06T20:00"]
    assert world.export().count(b"RRULE:FREQ=DAILY;COUNT=3\r\n") == 1
    assert world.export().count(b"RRULE:FREQ=DAILY;COUNT=2\r\n") == 1
    world.do("calendar_undo")
    assert world.export() == before


def test_deleting_this_and_future_keeps_the_past(world: World, gym: list[str]) -> None:
    answer = world.do("calendar_delete", id=gym[3], scope="this_and_future")
    assert answer.note.startswith("2 occurrences are removed")
    assert starts(world) == ["02T18:00", "03T18:00", "04T18:00"]


def test_the_whole_series_moves(world: World, gym: list[str]) -> None:
    world.do("calendar_update", id=gym[0], start="2026-03-02T06:00", scope="all")
    assert starts(world) == ["02T06:00", "03T06:00", "04T06:00", "05T06:00", "06T06:00"]
    world.do("calendar_delete", id=gym[0].partition(".")[0], scope="all")
    assert starts(world) == []


def test_an_assistant_shortening_a_series_asks_however_free_it_is(world: World, gym: list[str]) -> None:
    bot = world.assistant(Home="helper")
    for switch in ("own_delete", "others_delete"):
        world.do("grant_set", assistant="bot", calendar="Home", **{switch: "free"})
    assert world.ask(bot, "calendar_update", id=gym[0], title="Run", scope="all").status == "done"
    answer = world.ask(bot, "calendar_delete", id=gym[1], scope="one")
    assert answer.status == "pending_approval"
    assert "removes 1 occurrence" in answer.approval.message
    (waiting,) = world.do("approval_list").approvals
    assert "  removes the occurrence Tue 3 Mar 2026 18:00" in waiting.preview
    world.do("approval_decide", id=waiting.id, approve=True)
    assert starts(world, "Run") == ["02T18:00", "04T18:00", "05T18:00", "06T18:00"]


def test_an_assistant_deleting_asks_and_the_person_can_take_it_back(world: World, lunch: str) -> None:
    before = world.export()
    bot = world.assistant(Home="helper")
    asked = world.ask(bot, "calendar_delete", id=lunch)
    assert (asked.status, asked.event) == ("pending_approval", None)
    (waiting,) = world.do("approval_list").approvals
    assert waiting.preview[0] == "Delete: “Lunch”, Tue 3 Mar 2026 12:00–13:00"
    assert world.week() == ["Lunch"]
    world.do("approval_decide", id=waiting.id, approve=True)
    assert world.week() == []
    world.do("calendar_undo")
    assert (world.week(), world.export()) == (["Lunch"], before)


def test_inviting_somebody_asks_and_names_them(world: World) -> None:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    bot = world.assistant(Home="helper")
    asked = world.ask(
        bot, "calendar_create", title="Talk", start="2026-03-03T09:00", attendees=["ann@example.com"]
    )
    assert asked.status == "pending_approval"
    (waiting,) = world.do("approval_list").approvals
    assert (waiting.risk, waiting.preview[-1]) == ("R3", "  invites: ann@example.com")


def test_everything_of_an_event_can_be_set_and_read_back(world: World) -> None:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    world.do("member_add", name="Sam", addresses=["sam@example.com"])
    made = world.do("calendar_create", title="A", start="2026-03-03", all_day=True)
    assert (made.event.start, made.event.end, made.event.all_day) == ("2026-03-03", "2026-03-04", True)
    after = world.do(
        "calendar_update",
        id=made.event.id,
        title="B",
        start="2026-03-04T10:00",
        duration=45,
        location="L",
        notes="N",
        attendees=["Sam"],
        recurrence="FREQ=WEEKLY;COUNT=2",
        alarms=[10],
    ).event
    assert (after.title, after.location, after.notes, after.all_day) == ("B", "L", "N", False)
    assert (after.start, after.end) == ("2026-03-04T10:00:00+01:00", "2026-03-04T10:45:00+01:00")
    assert after.recurrence.rule == "FREQ=WEEKLY;COUNT=2"
    assert [person.name for person in after.attendees] == ["Alex", "Sam"]
    assert b"TRIGGER:-PT10M" in world.export()

"""Wrong input gets a code and one sentence that says what to do, and nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from calward.errors import CalwardError, InvalidInput, NotFound, TooLarge, TooMuch
from tests.operations.world import World, ics, vevent

CREATE = {"title": "x", "start": "2026-03-03T12:00"}


@pytest.mark.parametrize(
    ("operation", "arguments", "words"),
    [
        ("calendar_create", {"start": "2026-03-03"}, "needs the argument 'title'"),
        ("calendar_create", {**CREATE, "titel": "x"}, "has no argument 'titel'; it takes: title"),
        ("calendar_create", {**CREATE, "title": ""}, "title"),
        ("calendar_create", {**CREATE, "title": "  "}, "needs a title"),
        ("calendar_create", {**CREATE, "title": 5}, "title"),
        ("calendar_create", {**CREATE, "start": "2026-02-30T12:00"}, "start: '2026-02-30T12:00' is no date"),
        ("calendar_create", {**CREATE, "start": "soonish"}, "start: 'soonish' is no date"),
        ("calendar_create", {**CREATE, "start": ""}, "start"),
        ("calendar_create", {**CREATE, "start": "tomorrow banana"}, "only a part of 'tomorrow"),
        ("calendar_create", {**CREATE, "start": "next week"}, "not clear"),
        ("calendar_create", {**CREATE, "start": "in two weeks", "all_day": False}, "no time of day"),
        ("calendar_create", {**CREATE, "start": "next friday 3pm"}, "could mean 2026-03-13T15:00"),
        ("calendar_create", {**CREATE, "end": "2026-03-03T11:00"}, "ends before it starts"),
        ("calendar_create", {**CREATE, "end": "2026-03-03T12:00"}, "ends before it starts"),
        ("calendar_create", {**CREATE, "end": "2026-03-03T13:00", "duration": 5}, "either end or duration"),
        ("calendar_create", {**CREATE, "duration": 0}, "duration"),
        ("calendar_create", {**CREATE, "zone": "Mars/Olympus"}, "no time zone 'Mars/Olympus'"),
        ("calendar_create", {**CREATE, "zone": "../../etc/passwd"}, "no time zone"),
        ("calendar_create", {**CREATE, "attendees": ["nobody"]}, "neither a member"),
        ("calendar_create", {**CREATE, "recurrence": "FREQ=SOMETIMES"}, "FREQ"),
        ("calendar_create", {**CREATE, "alarms": [-5]}, "alarms"),
        ("calendar_create", {"title": "x", "start": "2026-03-03", "all_day": False}, "no time of day"),
        ("calendar_create", {"title": "x", "start": "2026-03-03", "duration": 30}, "all-day"),
        ("calendar_list", {"range": "custom"}, "needs both from and to; from is missing"),
        ("calendar_list", {"range": "custom", "from": "2026-03-03"}, "to is missing"),
        ("calendar_list", {"from": "2026-03-03"}, "to is missing"),
        ("calendar_list", {"range": "today", "from": "2026-03-03"}, "stands alone"),
        ("calendar_list", {"range": "yesterday"}, "range"),
        ("calendar_list", {"from": "2026-03-03", "to": "2026-03-01"}, "ends before it starts"),
        ("calendar_search", {"query": "x", "limit": 101}, "limit"),
        ("calendar_search", {"query": "x", "limit": 0}, "limit"),
        ("calendar_search", {"query": " ".join(f"w{n}" for n in range(40))}, "words"),
        ("calendar_add", {"name": "x", "offer": "everything"}, "no preset 'everything'"),
        ("calendar_add", {"name": "Home"}, "named 'Home' already"),
        ("assistant_add", {"name": "a\nb"}, "name"),
        ("member_add", {"name": "x", "addresses": ["nowhere"]}, "not an e-mail address"),
        ("import_file", {"content": "no calendar at all"}, "holds no calendar"),
    ],
)
def test_what_is_wrong_is_named(world: World, operation: str, arguments: dict[str, Any], words: str) -> None:
    before = len(world.do("history").changes)
    with pytest.raises(InvalidInput) as refused:
        world.do(operation, **arguments)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(world.do("history").changes) == before


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("calendar_list", {"calendar": "Nowhere"}),
        ("calendar_create", {**CREATE, "calendar": "Nowhere"}),
        ("approval_status", {"id": "nope"}),
        ("approval_decide", {"id": "nope", "approve": True}),
        ("calendar_undo", {"change": "nope"}),
        ("grant_set", {"assistant": "nobody", "calendar": "Home"}),
        ("token_revoke", {"id": "nope"}),
        ("export_file", {"event": "nope"}),
        ("member_edit", {"name": "nobody"}),
        ("no_such_operation", {}),
    ],
)
def test_what_is_not_there_is_not_found(world: World, operation: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(NotFound):
        world.do(operation, **arguments)


def test_too_wide_a_window_says_how_to_narrow(world: World) -> None:
    with pytest.raises(TooMuch, match="one year"):
        world.do("calendar_list", **{"from": "2020-01-01", "to": "2026-01-01"})
    lines = vevent("a", "DTSTART:20260302T000000Z", "RRULE:FREQ=MINUTELY;COUNT=1100")
    world.do("import_file", content=ics(*lines), calendar="Home")
    with pytest.raises(TooMuch, match="shorter"):
        world.do("calendar_list", **{"from": "2026-03-02", "to": "2026-03-03"})


def test_a_hostile_file_is_refused_or_listed_and_never_crashes(world: World) -> None:
    with pytest.raises(TooLarge):
        world.do("import_file", content="BEGIN:VCALENDAR\r\n" + "BEGIN:X\r\n" * 1000, calendar="Home")
    never = vevent(
        "a", "DTSTART:20260302T000000Z", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "SUMMARY:Never"
    )
    world.do("import_file", content=ics(*never), calendar="Home")
    assert world.week() in (["Never"], [])


def test_a_problem_is_told_by_its_line_in_the_file(world: World) -> None:
    lines = (*vevent("a", "DTSTART:20260303T090000Z"), *vevent("b", "DTSTART:20260304T090000Z", "not a line"))
    (problem,) = world.do("import_file", content=ics(*lines), calendar="Home").problems
    assert (problem.line, ics(*lines).splitlines()[problem.line - 1]) == (13, "not a line")


def test_one_bad_event_does_not_reject_a_calendar(world: World) -> None:
    lines = (
        *vevent("good", "DTSTART:20260303T090000Z", "SUMMARY:Good"),
        *vevent("bad", "DTSTART:yesterday-ish", "SUMMARY:Bad"),
        "BEGIN:VTODO",
        "UID:todo",
        "END:VTODO",
    )
    done = world.do("import_file", content=ics(*lines), calendar="Home")
    assert done.added == 2
    assert {problem.what for problem in done.problems} >= {"VTODO", "no_start"}
    assert all(problem.line and problem.why for problem in done.problems)
    assert world.week() == ["Good"]
    assert world.export() == ics(*lines).encode()


def test_an_unexpected_value_of_any_kind_is_invalid_input_not_a_crash(world: World) -> None:
    values: tuple[Any, ...] = (None, [], {}, 1.5, True, "\x00", "\ud800", "x" * 100_000)
    for value in values:
        for name in ("title", "start", "end", "zone", "calendar", "recurrence", "location"):
            assert outcome(world, **{**CREATE, name: value}) in (
                "done",
                "already_created",
                "invalid_input",
                "not_found",
            ), (name, value)


def outcome(world: World, **arguments: Any) -> str:
    """How a creation ends: its status, or the code of what refused it."""
    try:
        status: str = world.do("calendar_create", **arguments).status
    except CalwardError as refused:
        return refused.code
    return status

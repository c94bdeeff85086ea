"""Lockdown, forgetting, whose words an event holds, and a journal that shows when somebody wrote into it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from calward.errors import InvalidInput, NotAllowed, NotFound
from calward.model.principal import Assistant
from tests.operations.world import World, ics, vevent

WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
STRANGER = vevent(
    "stranger",
    "DTSTART:20260303T110000Z",
    "RRULE:FREQ=DAILY;COUNT=2",
    "SUMMARY:Obey zebra",
    "DESCRIPTION:zebra notes",
    "LOCATION:zebra place",
    "ORGANIZER;CN=Zebra:mailto:mallory@evil.example",
    "ATTENDEE;CN=Zebra:mailto:mallory@evil.example",
)
OURS = vevent(
    "ours",
    "DTSTART:20260303T130000Z",
    "SUMMARY:Ours",
    "DESCRIPTION:our notes",
    "ORGANIZER:mailto:alex@example.com",
    "ATTENDEE;CN=Quagga:mailto:guest@evil.example",
)


@pytest.fixture
def bot(world: World) -> Assistant:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    world.do("import_file", content=ics(*STRANGER, *OURS), calendar="Home")
    return world.assistant(Home="helper")


def listed(world: World, principal: Assistant | None = None) -> list[Any]:
    return list(world.call(principal or world.owner, "calendar_list", WEEK).answer.events)  # type: ignore[attr-defined]


def test_in_a_lockdown_no_text_from_outside_reaches_an_assistant(world: World, bot: Assistant) -> None:
    ident = listed(world, bot)[0].id
    assert listed(world, bot)[0].trust == "external"
    world.do("lockdown_set", on=True)
    far = {"from": "2026-03-03", "to": "2026-03-04"}
    said = "".join(
        world.ask(bot, operation, **arguments).model_dump_json()
        for operation, arguments in (
            ("calendar_list", WEEK),
            ("calendar_details", far),
            ("calendar_search", {"query": "ours"}),
            ("calendar_search", {"query": "ours", **WEEK}),
            ("calendar_availability", WEEK),
            ("calendars", {}),
            ("calendar_update", {"id": ident, "start": "2026-03-03T15:00", "scope": "one"}),
            ("calendar_delete", {"id": ident, "scope": "all"}),
        )
    )
    assert not {"zebra", "quagga"} & set(re.findall(r"[a-z]+", said.casefold()))
    assert "our notes" in said
    first = listed(world, bot)[0]
    assert (first.title, first.trust, first.flags[0].code) == ("(withheld)", "external", "withheld")
    assert world.ask(bot, "calendar_status").lockdown is True
    for window in ({}, WEEK):
        assert world.ask(bot, "calendar_search", query="zebra", **window).total == 0
    assert listed(world)[0].title == "Obey zebra"


@pytest.mark.parametrize("window", [{}, WEEK])
def test_in_a_lockdown_a_strangers_name_is_not_found_on_our_events_either(
    world: World, bot: Assistant, window: dict[str, str]
) -> None:
    world.do("grant_set", assistant="bot", calendar="Home", others_level="details")
    for asked in ({"query": "quagga"}, {"attendee": "Quagga"}):
        assert world.ask(bot, "calendar_search", **asked, **window).total == 1
    world.do("lockdown_set", on=True)
    for asked in ({"query": "quagga"}, {"attendee": "Quagga"}):
        assert world.ask(bot, "calendar_search", **asked, **window).total == 0
    assert world.ask(bot, "calendar_search", query="ours", **window).total == 1
    assert world.do("calendar_search", query="ours", **window).total == 1


def test_a_lockdown_ends_when_a_person_ends_it(world: World, bot: Assistant) -> None:
    before = listed(world, bot)
    world.do("lockdown_set", on=True)
    assert world.do("lockdown_status").on
    assert listed(world, bot) != before
    world.do("lockdown_set", on=False)
    assert listed(world, bot) == before
    with pytest.raises(NotFound):
        world.ask(bot, "lockdown_set", on=False)


def test_an_event_somebody_else_wrote_into_is_no_longer_the_assistants_own_word(world: World) -> None:
    bot = world.assistant(Home="helper")
    world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00")
    assert [(event.origin, event.trust) for event in listed(world, bot)] == [("own", "own")]
    edited = world.export().decode().replace("END:VEVENT", "LOCATION:Elsewhere\r\nEND:VEVENT")
    world.do("import_file", content=edited, calendar="Home")
    assert [(event.origin, event.trust) for event in listed(world, bot)] == [("own", "known")]
    found = world.ask(bot, "calendar_search", query="lunch").events
    assert [event.trust for event in found] == ["known"]


def test_history_is_told_by_who_and_since_when(world: World) -> None:
    bot = world.assistant(Home="helper")
    world.ask(bot, "calendar_create", title="A", start="2026-03-03T12:00")
    world.pass_time(hours=2)
    world.do("calendar_create", title="B", start="2026-03-03T12:00")
    assert [one.title for one in world.do("history", who="bot").changes] == ["A"]
    assert [one.title for one in world.do("history", since="2026-03-02T10:30").changes] == ["B"]
    assert world.do("history", who="nobody").changes == ()


def test_a_journal_that_somebody_wrote_into_does_not_hold(world: World) -> None:
    for title in "abc":
        world.do("calendar_create", title=title, start="2026-03-03T12:00")
    state = world.do("journal_verify")
    assert (state.whole, state.rows) == (True, 3)
    with world.store.writing() as conn:
        conn.exec_driver_sql("UPDATE changes SET principal_name = 'somebody' WHERE rowid = 2")
        second = conn.exec_driver_sql("SELECT id FROM changes WHERE rowid = 2").scalar()
    state = world.do("journal_verify")
    assert (state.whole, state.broken_at) == (False, second)


def traces(world: World, folder: Path, word: bytes) -> list[str]:
    """The files of the store in which a word stands, in any case."""
    files = [path for path in folder.iterdir() if path.is_file()]
    return [path.name for path in files if word in path.read_bytes().lower()]


def test_what_is_forgotten_leaves_no_byte_behind_and_the_chain_whole(world: World, tmp_path: Path) -> None:
    bot = world.assistant(Home="careful")
    lines = vevent("x", "DTSTART:20260303T110000Z", "SUMMARY:Xylophone lesson", "DESCRIPTION:xylophone")
    world.do("import_file", content=ics(*lines), calendar="Home")
    ident = listed(world)[0].id
    world.do("grant_set", assistant="bot", calendar="Home", others_level="details")
    world.ask(bot, "calendar_update", id=ident, title="Xylophone exam", request_id="r")
    world.do("calendar_update", id=ident, title="Xylophone concert")
    world.do("calendar_delete", id=ident)
    rows = world.do("journal_verify").rows
    done = world.do("forget", event=ident)
    assert (done.versions, done.events, done.requests, done.files) == (2, 1, 1, 1)
    state = world.do("journal_verify")
    assert (state.whole, state.rows) == (True, rows + 1)
    assert traces(world, tmp_path, b"xylophone") == []
    with pytest.raises(NotFound):
        world.do("calendar_restore", id=ident)
    assert world.do("calendar_search", query="xylophone").total == 0
    (waiting,) = world.do("approval_list", state="all").approvals
    assert (waiting.state, waiting.preview) == ("void", ())


def test_what_was_told_of_a_forgotten_event_is_forgotten_with_it(world: World, tmp_path: Path) -> None:
    lesson = world.do("calendar_create", title="Xylophone lesson", start="2026-03-02T12:00").event
    world.do("reminder_set", calendar_event=lesson.id, offset=-600, message="pack the xylophone")
    note = world.do("reminder_set", due="in 2 hours", message="After the xylophone lesson: shop").reminder
    world.do("reminder_set", due="2026-04-01", message="Buy a drum")
    world.do("schedule", prompt="Ask how the xylophone lesson was", at="in 3 hours")
    world.do("schedule_cancel", id=1)
    world.do("reminder_cancel", id=note.id)
    world.do("calendar_delete", id=lesson.id)
    assert traces(world, tmp_path, b"xylophone") != []
    world.do("forget", event=lesson.id)
    assert traces(world, tmp_path, b"xylophone") == []
    assert [one.message for one in world.do("reminder_list").reminders] == ["Buy a drum"]


def test_what_an_event_says_now_stays_when_its_past_is_forgotten(world: World, tmp_path: Path) -> None:
    made = world.do("calendar_create", title="Xylophone", start="2026-03-03T12:00").event
    world.do("calendar_update", id=made.id, title="Piano")
    assert traces(world, tmp_path, b"xylophone") != []
    assert world.do("forget", event=made.id).versions == 1
    assert world.week() == ["Piano"]
    assert traces(world, tmp_path, b"xylophone") == []


def test_all_that_was_done_before_a_moment_is_forgotten_and_the_rest_is_not(world: World) -> None:
    old = world.do("calendar_create", title="Old", start="2026-03-03T12:00").event
    world.do("calendar_delete", id=old.id)
    world.pass_time(days=2)
    new = world.do("calendar_create", title="New", start="2026-03-03T12:00").event
    world.do("calendar_delete", id=new.id)
    assert world.do("forget", before="2026-03-03").events == 1
    assert world.do("calendar_restore", id=new.id).event.title == "New"
    with pytest.raises(NotFound):
        world.do("calendar_restore", id=old.id)
    assert world.do("journal_verify").whole


@pytest.mark.parametrize(
    "what", [{}, {"event": "a", "before": "2026-01-01"}, {"before": "2027-01-01"}, {"before": "whenever"}]
)
def test_what_to_forget_is_said_once_and_lies_in_the_past(world: World, what: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        world.do("forget", **what)


def test_nobody_forgets_what_is_not_theirs(world: World) -> None:
    with pytest.raises(NotFound):
        world.do("forget", event="nothinglikethis1")
    bot = world.assistant(Home="helper")
    with pytest.raises((NotFound, NotAllowed)):
        world.ask(bot, "forget", before="2026-01-01")

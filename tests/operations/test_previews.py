"""What a person is shown before they agree: everything, in plain text, and nothing that could pass for ours."""

from __future__ import annotations

from typing import Any

import pytest

from calward.operations.show import plain
from tests.operations.world import World, ics, vevent

TALK = vevent(
    "talk",
    "DTSTART;TZID=Europe/Berlin:20260303T120000",
    "DTEND;TZID=Europe/Berlin:20260303T130000",
    "SUMMARY:Talk",
    "ORGANIZER:mailto:olga@example.com",
    "ATTENDEE:mailto:ann@example.com",
    "CATEGORIES:A",
)


@pytest.fixture
def talk(world: World) -> str:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    world.do("import_file", content=ics(*TALK), calendar="Home")
    ident: str = world.do("calendar_search", query="Talk").events[0].id
    return ident


def shown(world: World, operation: str, **arguments: Any) -> tuple[str, ...]:
    """The preview of what an assistant asks for."""
    world.do("assistant_add", name="bot", preset="careful")
    world.do("grant_set", assistant="bot", calendar="Home", others_level="details")
    answer = world.ask(world.pipeline().assistant("bot"), operation, **arguments)
    assert answer.status == "pending_approval"
    (waiting,) = world.do("approval_list").approvals
    assert world.do("approval_list", id=waiting.id).approvals == (waiting,)
    preview: tuple[str, ...] = waiting.preview
    return preview


def test_a_change_tells_every_field_and_everybody_on_it(world: World, talk: str) -> None:
    assert shown(
        world,
        "calendar_update",
        id=talk,
        title="Speech",
        start="2026-03-04T09:00",
        location="Hall",
        notes="n" * 300,
        attendees=["bob@example.com"],
        recurrence="FREQ=DAILY;COUNT=2",
        alarms=[5],
    ) == (
        "Change: “Talk”, Tue 3 Mar 2026 12:00–13:00",
        "  when: Tue 3 Mar 2026 12:00–13:00 → Wed 4 Mar 2026 09:00–10:00",
        "  title: Talk → Speech",
        "  location: (empty) → Hall",
        f"  notes: (empty) → {'n' * 200}… (300 characters)",
        "  repeats: never → every day, 2 times",
        "  invites: bob@example.com",
        "  uninvites: ann@example.com",
        "  alarms: 0 → 1",
    )


def test_a_deletion_names_whoever_organizes_it_too(world: World, talk: str) -> None:
    assert shown(world, "calendar_delete", id=talk) == (
        "Delete: “Talk”, Tue 3 Mar 2026 12:00–13:00",
        "  concerns: ann@example.com, olga@example.com",
    )


def test_bringing_back_names_whom_it_would_reach(world: World, talk: str) -> None:
    world.do("calendar_delete", id=talk)
    assert shown(world, "calendar_restore", id=talk)[1] == "  concerns: ann@example.com, olga@example.com"


def test_a_new_event_is_told_whole(world: World) -> None:
    assert shown(
        world,
        "calendar_create",
        title="Gym",
        start="2026-03-03",
        location="Hall",
        notes="Shoes",
        recurrence="FREQ=WEEKLY",
        alarms=[5],
        calendar="Home",
    ) == (
        "Create in Home: “Gym”, Tue 3 Mar 2026, all day",
        "  location: Hall",
        "  notes: Shoes",
        "  repeats: every Tuesday",
        "  alarms: 1",
    )


def test_undoing_says_that_it_does_and_what_is_not_told_otherwise_by_name(world: World, talk: str) -> None:
    bot = world.assistant(Home="helper")
    world.do("grant_set", assistant="bot", calendar="Home", others_update="free")
    text = ics(*(line for line in TALK if not line.startswith(("ATTENDEE", "ORGANIZER"))))
    world.do("import_file", content=text, calendar="Home")
    world.ask(bot, "calendar_update", id=talk, title="Speech")
    world.do("grant_set", assistant="bot", calendar="Home", others_update="ask")
    assert world.ask(bot, "calendar_undo").status == "pending_approval"
    (waiting,) = world.do("approval_list").approvals
    assert waiting.preview == (
        "Take back an earlier change:",
        "Change: “Speech”, Tue 3 Mar 2026 12:00–13:00",
        "  title: Speech → Talk",
    )


def test_a_title_cannot_end_its_own_quotation(world: World) -> None:
    preview = shown(
        world,
        "calendar_create",
        title="Tea”, Mon 1 Jan\u202e\U000e0041x",
        start="2026-03-03T12:00",
        calendar="Home",
    )
    assert preview == ('Create in Home: “Tea", Mon 1 Janx”, Tue 3 Mar 2026 12:00–13:00',)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("plain", "plain"),
        (" a\r\nb\tc ", "a  b c"),
        ("a\x00\x1b[31m\x7f\x9bb", "a[31mb"),
        ("\u202eevil\u2066\u200b\ufeff\u00ad", "evil"),
        ("a\u2028b\u2029c", "a b c"),
        ("tag\U000e0068\U000e0069", "tag"),
        ("می\u200cخواهم 👩\u200d🚀", "می\u200cخواهم 👩\u200d🚀"),
        ("half \ud800", "half"),
    ],
)
def test_plain_text_is_what_one_sees(text: str, left: str) -> None:
    assert plain(text) == left

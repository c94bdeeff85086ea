"""What an assistant cannot infer: two households that differ in hidden text alone answer it alike, whatever it
tries, at the level ``titles`` as at ``busy``, in errors, counts and order as in answers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.errors import CalwardError
from tests.operations.world import World, ics, open_world, vevent

WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
PATCHES: tuple[dict[str, Any], ...] = (
    {"title": "x"},
    {"notes": "n"},
    {"location": "Clinic"},
    {"alarms": []},
    {"attendees": []},
)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20)


def furnish(folder: Path, title: str, details: tuple[str, ...]) -> World:
    world = open_world(folder)
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    lines = (
        *vevent("one", "DTSTART:20260303T090000Z", "DTEND:20260303T100000Z", f"SUMMARY:{title}", *details),
        *vevent("two", "DTSTART:20260303T090000Z", "DTEND:20260303T100000Z", f"SUMMARY:{title}"),
        *vevent("many", "DTSTART:20260304T090000Z", "RRULE:FREQ=DAILY;COUNT=3", f"SUMMARY:{title}", *details),
    )
    world.do("import_file", content=ics(*lines), calendar="Home")
    return world


def tries(world: World, level: str) -> list[str]:
    """All that an assistant is told when it tries everything it can with real ids, as one may have leaked."""
    world.assistant(Home="careful")
    world.do("grant_set", assistant="bot", calendar="Home", others_level=level, others_update="ask")
    bot = world.pipeline().assistant("bot")
    with world.store.reading() as conn:
        ids = [row[0] for row in conn.exec_driver_sql("SELECT id FROM objects ORDER BY uid")]
        batch = conn.exec_driver_sql("SELECT batch FROM changes LIMIT 1").scalar()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("calendars", {}),
        ("calendar_list", WEEK),
        ("calendar_availability", WEEK),
        ("calendar_details", WEEK),
        ("calendar_status", {}),
        ("calendar_undo", {}),
        ("calendar_undo", {"change": batch}),
        *(
            ("calendar_search", {"query": query, **window})
            for query in ("clinic", "a")
            for window in ({}, WEEK)
        ),
        ("calendar_search", {"attendee": "vera@example.com"}),
    ]
    for ident in (*ids, f"{ids[0]}.20260304T090000Z", f"{ids[0]}.20300101T090000Z", "nothing"):
        calls += [("calendar_update", {"id": ident, "scope": "one", **patch}) for patch in PATCHES]
        calls += [("calendar_delete", {"id": ident, "scope": "all"}), ("calendar_restore", {"id": ident})]
        calls.append(("approval_status", {"id": ident}))
    said = []
    for operation, arguments in calls:
        try:
            said.append(world.ask(bot, operation, **arguments).model_dump_json())
        except CalwardError as error:
            said.append(f"{error.code}: {error}")
    return said


def told(title: str, details: tuple[str, ...], level: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        world = furnish(Path(folder), title, details)
        try:
            return tries(world, level)
        finally:
            world.store.close()


@given(place=words, notes=words)
@settings(max_examples=3)
@pytest.mark.parametrize("level", ["busy", "titles"])
def test_hidden_details_change_nothing_an_assistant_is_told(level: str, place: str, notes: str) -> None:
    secret = (
        "ATTENDEE:mailto:vera@example.com",
        "LOCATION:Clinic",
        "DESCRIPTION:n",
        "URL:https://hidden.example/",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
    )
    alarm = ("TRIGGER:-PT5M", "DESCRIPTION:Clinic", "END:VALARM")
    other = (f"LOCATION:{place}", f"DESCRIPTION:{notes}")
    assert told("Same", (*secret, *alarm), level) == told("Same", other, level)


@given(title=words)
@settings(max_examples=3)
def test_hidden_titles_change_nothing_not_even_the_order(title: str) -> None:
    assert told("Zebra", (), "busy") == told(title, (), "busy")


@pytest.mark.parametrize("level", ["none", "busy"])
def test_a_hidden_events_id_is_like_one_that_never_was(world: World, level: str) -> None:
    world.do(
        "import_file", content=ics(*vevent("one", "DTSTART:20260303T090000Z", "SUMMARY:x")), calendar="Home"
    )
    ident = world.do("calendar_search", query="x").events[0].id
    world.assistant(Home="careful", AI_Assistant_Shared="helper")
    world.do("grant_set", assistant="bot", calendar="Home", others_level=level, own_level=level)
    bot = world.pipeline().assistant("bot")
    for operation, arguments in (
        ("calendar_update", {"title": "y"}),
        ("calendar_update", {"calendar": "AI Assistant Shared"}),
        ("calendar_delete", {}),
        ("calendar_restore", {}),
    ):
        refusals = []
        for one in (ident, "nothinglikethis1"):
            with pytest.raises(CalwardError) as refused:
                world.ask(bot, operation, id=one, **arguments)
            refusals.append((refused.value.code, str(refused.value)))
        assert refusals[0] == refusals[1]
    assert world.do("approval_list").approvals == ()

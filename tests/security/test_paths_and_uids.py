"""Names from outside stay names: a UID, a file's name or a title is no path, no other event, no other owner."""

from __future__ import annotations

from pathlib import Path

import pytest

from calward.errors import CalwardError, NotFound
from tests.operations.world import World, ics, vevent

WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
TRICKS = (
    "../../etc/passwd",
    "/etc/passwd",
    "..\\..\\windows",
    "a/../../b",
    "%2e%2e%2f",
    "C:\\x",
    "a\tb",
    "\u202egnp.exe",
    "x" * 5000,
    "CON",
    ".",
    "",
    "a?b#c",
    "a;b=c",
    "file:///etc/passwd",
)


@pytest.mark.parametrize("uid", TRICKS)
def test_a_uid_is_a_name_and_no_path(world: World, tmp_path: Path, uid: str) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    content = ics(*vevent(uid, "DTSTART:20260303T090000Z", "SUMMARY:Trick"))
    world.do("import_file", content=content, calendar="Home", name="../../evil.ics")
    listed = world.do("calendar_list", **WEEK).events
    for event in listed:
        assert event.id.isalnum()
        world.do("calendar_update", id=event.id, title="Changed")
        exported = world.do("export_file", event=event.id)
        assert "/" not in exported.name
        assert ".." not in exported.name
    with world.store.reading() as conn:
        hrefs = [row[0] for row in conn.exec_driver_sql("SELECT href FROM objects")]
    assert all("/" not in href and ".." not in href and "\\" not in href for href in hrefs)
    assert {path.name for path in tmp_path.iterdir()} <= before | {
        "calward.db",
        "calward.db-wal",
        "calward.db-shm",
    }


@pytest.mark.parametrize("ident", TRICKS)
def test_an_id_that_is_none_names_nothing(world: World, ident: str) -> None:
    world.do("import_file", content=ics(*vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:x")), calendar="Home")
    for operation, more in (("calendar_update", {"title": "y"}), ("calendar_delete", {}), ("export_file", {})):
        key = "event" if operation == "export_file" else "id"
        with pytest.raises(CalwardError) as refused:
            world.do(operation, **{key: ident}, **more)
        assert refused.value.code in ("not_found", "invalid_input")
        assert len(str(refused.value)) < 500
    assert world.week() == ["x"]


def test_a_stolen_uid_makes_nothing_the_assistants_own(world: World) -> None:
    """Who made an event is kept with it and is claimed by no UID that comes in again."""
    bot = world.assistant(Home="helper")
    world.ask(bot, "calendar_create", title="Mine", start="2026-03-03T12:00")
    uid = world.export().decode().partition("UID:")[2].split("\r\n")[0]
    world.do("calendar_add", name="Diary")
    theft = ics(*vevent(uid, "DTSTART:20260304T090000Z", "SUMMARY:Private"))
    world.do("import_file", content=theft, calendar="Diary")
    world.do("grant_set", assistant="bot", calendar="Diary", preset="none", own_level="details")
    assert world.week(bot) == ["Mine"]
    assert sorted(world.week()) == ["Mine", "Private"]


def test_an_event_that_comes_back_under_an_assistants_uid_is_not_its_word(world: World) -> None:
    bot = world.assistant(Home="helper")
    made = world.ask(bot, "calendar_create", title="Mine", start="2026-03-03T12:00").event
    world.do("grant_set", assistant="bot", calendar="Home", others_level="busy")
    changed = world.export().decode().replace("SUMMARY:Mine", "SUMMARY:Private")
    world.do("import_file", content=changed, calendar="Home")
    assert world.week() == ["Private"]
    assert world.week(bot) == ["Busy"]
    with pytest.raises(NotFound):
        world.ask(bot, "calendar_update", id=made.id, title="x")


def test_two_events_of_one_uid_are_told_apart_by_their_ids(world: World) -> None:
    world.do("calendar_add", name="Diary")
    for calendar, title in (("Home", "one"), ("Diary", "two")):
        content = ics(*vevent("same", "DTSTART:20260303T090000Z", f"SUMMARY:{title}"))
        world.do("import_file", content=content, calendar=calendar)
    ids = {event.title: event.id for event in world.do("calendar_list", **WEEK).events}
    assert len(set(ids.values())) == 2
    world.do("calendar_delete", id=ids["one"])
    assert world.week() == ["two"]

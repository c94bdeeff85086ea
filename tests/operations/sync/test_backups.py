"""A server that went back to a backup: nothing here becomes older before a person says so."""

from __future__ import annotations

import pytest

from calward.bootstrap.household import HOME
from calward.dav.href import member
from calward.model.ids import Href
from calward.store.journal import verify
from tests.operations.sync.mirror import Mirror, event

NEW = ["New a", "New b", "New c", "Old d"]
OLD = ["Old a", "Old b", "Old c", "Old d"]


def sequenced(name: str, title: str, number: int) -> bytes:
    return event(name, title, f"SEQUENCE:{number}")


def at(mirror: Mirror, name: str) -> Href:
    return member(mirror.url, f"{name}.ics")


def older(mirror: Mirror, names: str = "abc") -> None:
    """Events are edited, we see that, and the server forgets it."""
    for name in "abcd":
        mirror.other.put(mirror.url, at(mirror, name), sequenced(name, f"Old {name}", 1), None)
    backup = mirror.server.backup()
    for name in names:
        mirror.writes(at(mirror, name), sequenced(name, f"New {name}", 2))
    mirror.sync(full=True)
    mirror.server.restore(backup)
    mirror.sync(full=True)


def test_several_older_versions_are_held_with_their_list(mirror: Mirror) -> None:
    older(mirror)
    (held,) = mirror.world.do("held_list").held
    assert (held.count, held.titles) == (3, ("New a", "New b", "New c"))
    assert held.what.startswith("The server has 3 events as they once were")
    mirror.sync()
    mirror.sync(full=True)
    assert mirror.titles_here() == NEW
    assert mirror.titles_there() == OLD
    assert len(mirror.held) == 1


@pytest.mark.parametrize(("decision", "titles"), [("restore", NEW), ("accept", OLD)])
def test_a_person_says_which_of_them_stand(mirror: Mirror, decision: str, titles: list[str]) -> None:
    older(mirror)
    (held,) = mirror.world.do("held_list").held
    mirror.world.do("held_decide", id=held.id, decision=decision)
    mirror.sync(full=True)
    assert mirror.titles_here() == mirror.titles_there() == titles
    assert mirror.held == []
    assert {side.push_state for side in mirror.sides()} == {"clean"}
    with mirror.world.store.reading() as conn:
        assert verify(conn, HOME) is None


def test_bytes_that_were_here_before_are_older_without_any_mark(mirror: Mirror) -> None:
    for name in "abc":
        mirror.adds(name, f"Old {name}")
    mirror.sync()
    backup = mirror.server.backup()
    for name in "abc":
        mirror.edits(at(mirror, name), f"New {name}")
    mirror.sync()
    mirror.server.restore(backup)
    mirror.sync(full=True)
    assert mirror.titles_here() == ["New a", "New b", "New c"]
    assert [row.kind for row in mirror.held] == ["older"]


def test_one_older_version_is_somebodys_undoing(mirror: Mirror) -> None:
    older(mirror, "ab")
    assert mirror.titles_here() == mirror.titles_there() == OLD
    assert mirror.held == []


def test_an_edit_on_top_of_an_older_version_is_merged_and_waits_for_nobody(mirror: Mirror) -> None:
    older(mirror)
    for name in "abc":
        now = mirror.there(at(mirror, name))
        assert now is not None
        mirror.writes(now.href, now.body.replace(b"END:VEVENT", b"LOCATION:Hall\r\nEND:VEVENT"))
    mirror.sync()
    mirror.sync()
    assert mirror.held == []
    assert mirror.titles_here() == mirror.titles_there() == NEW
    there = mirror.there(at(mirror, "a"))
    assert there is not None
    assert b"LOCATION:Hall" in there.body


def test_an_edit_here_sends_that_event_and_leaves_the_others_held(mirror: Mirror) -> None:
    older(mirror)
    mirror.retitle("New a", "Newer a")
    mirror.sync()
    mirror.sync(full=True)
    assert mirror.titles_there() == ["Newer a", "Old b", "Old c", "Old d"]
    (held,) = mirror.world.do("held_list").held
    assert held.titles == ("New b", "New c")

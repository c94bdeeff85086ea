"""Both sides changed one event: what can be is made one, what cannot is kept twice."""

from __future__ import annotations

import pytest

from calward.bootstrap.household import HOME
from calward.remotes.faults import Fault
from calward.store.journal import kept_bytes
from tests.operations.sync.mirror import Mirror, event

PEOPLE = ("ORGANIZER:mailto:alex@example.org", "ATTENDEE:mailto:kim@example.org")


def test_edits_of_different_things_are_made_one_on_both_sides(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.retitle("Lunch", "Long lunch")
    ours = mirror.row(ident)
    mirror.writes(href, event("a", "Lunch", "LOCATION:Bistro"))
    tally = mirror.sync()
    assert tally is not None
    assert (tally.merged, tally.pushed, tally.conflicts) == (1, 1, 0)
    there, row = mirror.there(href), mirror.row(ident)
    assert there is not None
    assert row.local == row.base == there.body
    assert b"SUMMARY:Long lunch" in row.local
    assert b"LOCATION:Bistro" in row.local
    assert mirror.conflicts == []
    with mirror.world.store.reading() as conn:
        assert kept_bytes(conn, HOME, ours.local_digest) == ours.local


def test_what_a_merge_made_goes_out_over_the_version_it_was_made_with(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    mirror.retitle("Lunch", "Long lunch")
    mirror.writes(href, event("a", "Lunch", "LOCATION:Bistro"))
    mirror.fails("put", Fault.UNREACHABLE)
    assert mirror.sync() is None
    mirror.writes(href, event("a", "Lunch", "LOCATION:Café", "CATEGORIES:FOOD"))
    mirror.sync()
    there = mirror.there(href)
    assert there is not None
    assert [word in there.body.decode() for word in ("Long lunch", "Café", "FOOD", "Bistro")] == [
        *(True, True, True),
        False,
    ]


def test_two_different_titles_are_kept_both_with_the_servers_live(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.retitle("Lunch", "Our lunch")
    ours = mirror.row(ident)
    mirror.edits(href, "Their lunch")
    tally = mirror.sync()
    assert tally is not None
    assert (tally.merged, tally.conflicts, tally.pushed) == (0, 1, 0)
    assert mirror.titles_here() == mirror.titles_there() == ["Their lunch"]
    (conflict,) = mirror.conflicts
    assert (conflict.event_id, conflict.ours, conflict.base) == (ident, ours.local, event("a"))
    with mirror.world.store.reading() as conn:
        assert kept_bytes(conn, HOME, ours.local_digest) == ours.local


@pytest.mark.parametrize("side", ["here", "there"])
def test_whom_one_side_took_off_is_not_invited_again_by_a_merge(mirror: Mirror, side: str) -> None:
    href = mirror.adds("a", "Lunch", *PEOPLE, "ATTENDEE:mailto:robin@example.org")
    mirror.sync()
    ident = mirror.event("Lunch").id
    if side == "here":
        mirror.world.do("calendar_update", id=ident, attendees=["kim@example.org"])
        mirror.writes(
            href, event("a", "Lunch", *PEOPLE, "ATTENDEE:mailto:robin@example.org", "LOCATION:Bistro")
        )
    else:
        mirror.world.do("calendar_update", id=ident, location="Bistro")
        mirror.writes(href, event("a", "Lunch", *PEOPLE))
    mirror.sync()
    there = mirror.there(href)
    assert there is not None
    assert b"kim@example.org" in there.body
    assert b"robin@example.org" not in there.body
    assert b"LOCATION:Bistro" in there.body


def test_what_others_answered_stays_as_the_server_tells_it(mirror: Mirror) -> None:
    href = mirror.adds("a", "Lunch", *PEOPLE)
    mirror.sync()
    mirror.retitle("Lunch", "Long lunch")
    answered = "ATTENDEE;PARTSTAT=ACCEPTED:mailto:kim@example.org"
    mirror.writes(href, event("a", "Lunch", PEOPLE[0], answered))
    mirror.sync()
    there = mirror.there(href)
    assert there is not None
    assert answered.encode() in there.body.replace(b"\r\n ", b"")
    assert b"SUMMARY:Long lunch" in there.body


def test_a_deletion_that_was_taken_back_while_it_was_on_its_way_brings_the_event_back(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.delete("Lunch")
    mirror.fails("delete", Fault.ANSWER_LOST)
    mirror.fails("fetch", Fault.UNREACHABLE)
    assert mirror.sync() is None
    assert mirror.titles_there() == ["Dinner"]
    mirror.world.do("calendar_restore", id=ident)
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Dinner", "Lunch"]


def test_an_event_that_the_other_client_moved_to_another_place_stays_the_same_event(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.retitle("Lunch", "Long lunch")
    moved = mirror.moves(href, "elsewhere.ics")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Dinner", "Long lunch"]
    assert mirror.event("Long lunch").id == ident
    assert mirror.row(ident).href == moved
    assert (mirror.conflicts, mirror.held) == ([], [])


def test_moving_all_events_to_other_places_is_no_mass_deletion(mirror: Mirror) -> None:
    hrefs = [mirror.adds(name, f"Event {name}") for name in "abcd"]
    mirror.sync()
    idents = {mirror.event(f"Event {name}").id for name in "abcd"}
    for href in hrefs:
        mirror.moves(href, f"moved-{href.rpartition('/')[2]}")
    mirror.sync()
    assert mirror.held == []
    assert {mirror.event(f"Event {name}").id for name in "abcd"} == idents


def test_what_was_sent_and_moved_before_its_answer_came_is_there_once(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    mirror.fails("put", Fault.ANSWER_LOST)
    mirror.fails("fetch", Fault.UNREACHABLE)
    assert mirror.sync() is None
    mirror.retitle("Tea", "Green tea")
    (href,) = mirror.other.listing(mirror.url)
    mirror.moves(href, "elsewhere.ics")
    mirror.sync()
    mirror.sync(full=True)
    assert mirror.titles_here() == mirror.titles_there() == ["Tea"]
    assert b"Green tea" in mirror.conflicts[0].ours
    assert mirror.held == []


def test_an_edit_that_the_list_of_the_server_lacks_is_asked_for_and_is_no_conflict(mirror: Mirror) -> None:
    href = mirror.adds("lunch")
    mirror.sync()
    mirror.retitle("Lunch", "Brunch")
    mirror.fails("listing", Fault.EMPTY)
    mirror.sync(full=True)
    mirror.sync()
    assert mirror.conflicts == []
    assert mirror.titles_here() == mirror.titles_there() == ["Brunch"]
    assert mirror.there(href) is not None

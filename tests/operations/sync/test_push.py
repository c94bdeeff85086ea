"""From here to a server, and both at once."""

from __future__ import annotations

import pytest

from calward.bootstrap.household import HOME
from calward.model.ids import ETag, Href
from calward.operations.due import claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.remotes.faults import Fault
from calward.remotes.memory import MemoryRemote
from tests.operations.sync.mirror import CALENDAR, Mirror, event, tools_of

LOST = ["answer_lost", "answer_late", "error_after", "reset", "hang", "server_error"]
"""Faults after which nobody knows whether it was done."""


def test_what_is_made_here_goes_there_at_once_and_exactly(mirror: Mirror) -> None:
    mirror.sync()
    made = mirror.create("Lunch")
    assert mirror.due.fire_at <= mirror.world.now
    mirror.sync()
    row = mirror.row(made.id)
    (href,) = mirror.other.listing(mirror.url)
    there = mirror.there(href)
    assert there is not None
    assert there.body == row.local == row.base
    assert (row.push_state, row.base_etag, row.sent) == ("clean", there.etag, None)
    assert href.endswith(f"/{made.id}.ics")


def test_an_edit_of_a_title_changes_the_touched_lines_alone(mirror: Mirror) -> None:
    href = mirror.adds("a", "Lunch", "X-UNKNOWN;X-P=1:kept", "LOCATION:Bistro")
    mirror.sync()
    mirror.retitle("Lunch", "Long lunch")
    mirror.sync()
    there = mirror.there(href)
    assert there is not None
    before = event("a", "Lunch", "X-UNKNOWN;X-P=1:kept", "LOCATION:Bistro").splitlines()
    after = there.body.splitlines()
    touched = (b"SUMMARY", b"DTSTAMP", b"LAST-MODIFIED", b"SEQUENCE")
    assert [line for line in after if not line.startswith(touched)] == [
        line for line in before if not line.startswith(touched)
    ]
    assert b"SUMMARY:Long lunch" in after


def test_a_deletion_here_goes_there(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    mirror.delete("Lunch")
    mirror.sync()
    assert mirror.titles_there() == ["Dinner"]
    mirror.sync(full=True)
    assert mirror.titles_here() == ["Dinner"]


def test_what_was_made_and_deleted_before_it_was_sent_is_never_sent(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Lunch")
    mirror.delete("Lunch")
    tally = mirror.sync()
    assert tally is not None
    assert tally.facts() == {}
    assert [side.push_state for side in mirror.sides()] == ["clean"]


@pytest.mark.parametrize("fault", LOST)
@pytest.mark.parametrize("act", ["create", "edit", "delete"])
def test_a_lost_answer_loses_and_doubles_nothing(mirror: Mirror, act: str, fault: str) -> None:
    mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    if act == "create":
        mirror.create("Tea")
        want = ["Dinner", "Lunch", "Tea"]
    elif act == "edit":
        mirror.retitle("Lunch", "Long lunch")
        want = ["Dinner", "Long lunch"]
    else:
        mirror.delete("Lunch")
        want = ["Dinner"]
    mirror.fails("delete" if act == "delete" else "put", Fault(fault))
    mirror.sync()
    mirror.sync()
    assert mirror.titles_there() == mirror.titles_here() == want
    assert {side.push_state for side in mirror.sides()} == {"clean"}
    assert mirror.conflicts == []


@pytest.mark.parametrize("fault", LOST)
def test_a_lost_answer_and_no_way_to_look_is_looked_at_next_time(mirror: Mirror, fault: str) -> None:
    mirror.sync()
    mirror.create("Tea")
    mirror.fails("put", Fault(fault))
    mirror.fails("fetch", Fault.UNREACHABLE)
    assert mirror.sync() is None
    assert [side.push_state for side in mirror.sides()] == ["in_flight"]
    mirror.retitle("Tea", "Green tea")
    mirror.sync()
    assert mirror.titles_there() == mirror.titles_here() == ["Green tea"]
    assert mirror.conflicts == []


def test_what_is_changed_here_while_it_is_on_its_way_is_sent_too(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.retitle("Lunch", "Long lunch")

    class Meanwhile(MemoryRemote):
        def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
            answer = super().put(calendar, href, body, expect)
            if b"Longest" not in body:
                mirror.retitle("Long lunch", "Longest lunch")
            return answer

    remote = Meanwhile(mirror.server)
    claimed = claim_sync(mirror.world.store.writing, HOME, CALENDAR, mirror.world.now, "tests")
    assert claimed is not None
    assert run_sync(tools_of(mirror.world, remote), claimed) is not None
    assert mirror.due.fire_at <= mirror.world.now
    mirror.sync()
    assert mirror.titles_there() == mirror.titles_here() == ["Longest lunch"]
    assert mirror.conflicts == []


@pytest.mark.parametrize("fault", ["no_etag", "stale_etag", "rewritten", "twice"])
def test_what_a_server_makes_of_ours_becomes_ours(mirror: Mirror, fault: str) -> None:
    mirror.server.capabilities = type(mirror.server.capabilities)(keeps_bytes=False)
    mirror.adds("a")
    mirror.sync()
    mirror.retitle("Lunch", "Long lunch")
    mirror.fails("put", Fault(fault))
    mirror.sync()
    (href,) = mirror.other.listing(mirror.url)
    there = mirror.there(href)
    assert there is not None
    row = mirror.row(mirror.event("Long lunch").id)
    assert (row.local, row.base, row.base_etag) == (there.body, there.body, there.etag)
    assert mirror.conflicts == []
    for again in ("Longer lunch", "Longest lunch"):
        mirror.retitle(mirror.titles_here()[0], again)
        mirror.sync()
        assert mirror.titles_there() == [again]


def test_edits_on_both_sides_keep_both_versions(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.retitle("Lunch", "Our lunch")
    ours = mirror.row(ident).local
    mirror.edits(href, "Their lunch")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Their lunch"]
    (conflict,) = mirror.conflicts
    assert (conflict.event_id, conflict.ours) == (ident, ours)
    mirror.sync()
    assert len(mirror.conflicts) == 1


def test_edits_on_both_sides_that_say_the_same_are_no_conflict(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    mirror.retitle("Lunch", "Long lunch")
    mirror.edits(href, "Long lunch")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Long lunch"]
    assert mirror.conflicts == []


def test_an_edit_beats_a_deletion_both_ways(mirror: Mirror) -> None:
    lunch, dinner = mirror.adds("a"), mirror.adds("b", "Dinner")
    mirror.adds("c", "Tea")
    mirror.sync()
    mirror.retitle("Lunch", "Our lunch")
    mirror.deletes(lunch)
    mirror.delete("Dinner")
    mirror.edits(dinner, "Their dinner")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Our lunch", "Tea", "Their dinner"]


def test_what_the_server_refuses_is_shown_and_does_not_hold_up_the_rest(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    mirror.create("Cake")
    mirror.fails("put", Fault.FULL)
    tally = mirror.sync()
    assert tally is not None
    assert tally.refused == 1
    assert mirror.titles_there() == ["Cake"]
    (held,) = mirror.held
    assert (held.kind, held.reason) == ("push", "The account on memory.invalid has no space left.")
    mirror.sync()
    assert mirror.titles_there() == ["Cake"]
    mirror.retitle("Tea", "Green tea")
    mirror.sync()
    assert mirror.titles_there() == ["Cake", "Green tea"]
    assert mirror.held == []


def test_a_lock_is_waited_for(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    mirror.fails("put", Fault.LOCKED)
    mirror.sync()
    assert mirror.titles_there() == []
    mirror.sync()
    assert mirror.titles_there() == ["Tea"]


@pytest.mark.parametrize("how", ["one by one", "at once"])
def test_a_mass_deletion_there_is_held_for_a_person(mirror: Mirror, how: str) -> None:
    hrefs = [mirror.adds(name, f"Event {name}") for name in "abcdefghij"]
    mirror.sync()
    for href in hrefs[:8]:
        mirror.deletes(href)
        if how == "one by one":
            mirror.sync()
    mirror.sync()
    gone = 10 - len(mirror.titles_here())
    assert gone < 6
    (held,) = mirror.held
    assert held.kind == "removals_here"
    assert len(held.hrefs) == 8 - gone
    assert mirror.titles_there() == ["Event i", "Event j"]
    mirror.sync(full=True)
    assert len(mirror.titles_here()) == 10 - gone


def test_a_mass_deletion_here_is_held_for_a_person(mirror: Mirror) -> None:
    for name in "abc":
        mirror.adds(name, f"Event {name}")
    mirror.sync()
    for name in "abc":
        mirror.delete(f"Event {name}")
    mirror.sync()
    assert len(mirror.titles_there()) == 3
    (held,) = mirror.held
    assert (held.kind, len(held.hrefs)) == ("removals_there", 3)
    mirror.sync()
    assert len(mirror.held) == 1


def test_an_assistant_that_deletes_everything_is_held_on_this_side(mirror: Mirror) -> None:
    for name in "abcdefgh":
        mirror.adds(name, f"Event {name}")
    mirror.sync()
    bot = mirror.world.assistant(Work="helper")
    free = {"others_level": "details", "others_update": "free", "others_delete": "free"}
    mirror.world.do("grant_set", assistant="bot", calendar="Work", **free)
    for one in mirror.world.do("calendar_search", query="Event").events:
        answer = mirror.world.ask(bot, "calendar_delete", id=one.id)
        if answer.status == "pending_approval":
            mirror.world.do("approval_decide", id=answer.approval.id, approve=True)
    assert mirror.titles_here() == []
    mirror.sync()
    assert len(mirror.titles_there()) == 8
    (held,) = mirror.world.do("held_list").held
    assert held.count == 8
    mirror.world.do("held_decide", id=held.id, decision="restore")
    mirror.sync()
    assert len(mirror.titles_here()) == len(mirror.titles_there()) == 8


def test_a_server_that_names_a_moment_is_asked_again_then_and_not_before(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    mirror.fails("put", Fault.THROTTLED)
    before = mirror.world.now
    assert mirror.sync() is None
    assert (mirror.due.fire_at - before).total_seconds() >= 30
    assert [side.push_state for side in mirror.sides()] == ["unpushed"]
    mirror.sync()
    assert mirror.titles_there() == ["Tea"]


def test_events_that_come_back_are_no_longer_held(mirror: Mirror) -> None:
    backup_of = [mirror.adds(name, f"Event {name}") for name in "abcdefgh"]
    mirror.sync()
    backup = mirror.server.backup()
    for href in backup_of:
        mirror.deletes(href)
    mirror.sync()
    assert len(mirror.held) == 1
    mirror.server.restore(backup)
    mirror.server.forget_tokens()
    mirror.sync()
    assert mirror.held == []
    assert len(mirror.titles_here()) == 8


def test_a_worker_that_overslept_its_claim_writes_nothing_more(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.adds("b", "Dinner")
    first = claim_sync(mirror.world.store.writing, HOME, CALENDAR, mirror.world.now, "first")
    assert first is not None
    assert claim_sync(mirror.world.store.writing, HOME, CALENDAR, mirror.world.now, "second") is None
    mirror.oversleep()
    second = claim_sync(mirror.world.store.writing, HOME, CALENDAR, mirror.world.now, "second")
    assert second is not None
    assert run_sync(mirror.tools, first) is None
    assert mirror.titles_here() == ["Lunch"]
    assert run_sync(mirror.tools, second) is not None
    assert mirror.titles_here() == ["Dinner", "Lunch"]

"""Two versions of an event, and what a person makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from calward.bootstrap.household import HOME
from calward.errors import NotFound
from calward.remotes.faults import Fault
from calward.store.journal import verify
from tests.operations.sync.mirror import Mirror, event

PEOPLE = ("ORGANIZER:mailto:kim@example.org", "ATTENDEE:mailto:kim@example.org", "ATTENDEE:mailto:alex@x.org")


def two_versions(mirror: Mirror, *lines: str) -> Any:
    """Our title over another one; the event says more, which nobody changed."""
    href = mirror.adds("a", "Lunch", "LOCATION:Bistro", *lines)
    mirror.adds("b", "Dinner")
    mirror.sync()
    mirror.retitle("Lunch", "Our lunch")
    mirror.writes(href, event("a", "Their lunch", "LOCATION:Bistro", *lines))
    mirror.sync()
    (conflict,) = mirror.world.do("conflict_list").conflicts
    return conflict


def test_what_sets_the_versions_apart_is_shown_line_by_line(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    assert (conflict.now, conflict.ours, conflict.calendar) == ("Their lunch", "Our lunch", "Work")
    assert conflict.only_now == ("SUMMARY:Their lunch",)
    assert conflict.only_ours == ("SUMMARY:Our lunch",)


def test_the_servers_version_stays_when_a_person_says_so(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    mirror.world.do("conflict_resolve", id=conflict.id, keep="server")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Dinner", "Their lunch"]
    assert mirror.world.do("conflict_list").conflicts == ()
    with pytest.raises(NotFound):
        mirror.world.do("conflict_resolve", id=conflict.id, keep="ours")


def test_ours_goes_over_what_the_server_has_today(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    row = mirror.row(conflict.event)
    mirror.writes(row.href, event("a", "Their lunch", "LOCATION:Café", "CATEGORIES:FOOD"))
    mirror.sync()
    answer = mirror.world.do("conflict_resolve", id=conflict.id, keep="ours")
    assert answer.event == conflict.event
    tally = mirror.sync()
    assert tally is not None
    assert (tally.pushed, tally.conflicts) == (1, 0)
    there = mirror.there(row.href)
    assert there is not None
    for line in (b"SUMMARY:Our lunch", b"LOCATION:Caf\xc3\xa9", b"CATEGORIES:FOOD"):
        assert line in there.body
    assert mirror.world.do("conflict_list").conflicts == ()


def test_ours_never_goes_over_what_was_not_seen(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    row = mirror.row(conflict.event)
    mirror.world.do("conflict_resolve", id=conflict.id, keep="ours")
    mirror.writes(row.href, event("a", "Their lunch", "LOCATION:Café"))
    mirror.sync()
    there = mirror.there(row.href)
    assert there is not None
    assert b"SUMMARY:Our lunch" in there.body
    assert b"LOCATION:Caf\xc3\xa9" in there.body


def test_choosing_ours_can_be_taken_back(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    answer = mirror.world.do("conflict_resolve", id=conflict.id, keep="ours")
    mirror.sync()
    mirror.world.do("calendar_undo", change=answer.change)
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Dinner", "Their lunch"]
    with mirror.world.store.reading() as conn:
        assert verify(conn, HOME) is None


def test_both_become_events_and_nobody_is_told_of_the_second(mirror: Mirror) -> None:
    conflict = two_versions(mirror, *PEOPLE)
    answer = mirror.world.do("conflict_resolve", id=conflict.id, keep="both")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Dinner", "Our lunch", "Their lunch"]
    new = mirror.row(answer.event).local
    assert b"ATTENDEE" not in new
    assert b"ORGANIZER" not in new
    assert b"UID:a\r\n" not in new
    assert b"LOCATION:Bistro" in new
    assert mirror.world.do("conflict_list").conflicts == ()


def test_ours_of_an_event_that_was_deleted_since_lives_again(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    mirror.delete("Their lunch")
    mirror.sync()
    (shown,) = mirror.world.do("conflict_list").conflicts
    assert shown.deleted
    mirror.world.do("conflict_resolve", id=conflict.id, keep="ours")
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Dinner", "Our lunch"]


def test_a_choice_whose_answer_is_lost_is_sent_once(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    mirror.world.do("conflict_resolve", id=conflict.id, keep="both")
    mirror.fails("put", Fault.ANSWER_LOST)
    mirror.sync()
    mirror.sync()
    assert mirror.titles_there() == ["Dinner", "Our lunch", "Their lunch"]


def test_assistants_do_not_know_of_conflicts(mirror: Mirror) -> None:
    conflict = two_versions(mirror)
    bot = mirror.world.assistant(Work="helper")
    for operation, more in (("conflict_list", {}), ("conflict_resolve", {"id": conflict.id, "keep": "ours"})):
        with pytest.raises(NotFound):
            mirror.world.ask(bot, operation, **more)

"""A real server, the command line, another client and an assistant: what each does arrives at the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from calward.bootstrap.household import HOME
from calward.dav.errors import DavError, Unreachable
from calward.dav.href import member
from calward.errors import TooLarge
from calward.ical.frames import split
from calward.remotes.http import Http
from calward.store.calendars import calendar_named
from calward.store.objects import objects_in
from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.system.conftest import Other, as_assistant, connect, opened, titles_here

VENDORS = ("LOCATION:Bistro", "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC", 'X-P;X-Q="a;b":c', "CATEGORIES:A,B")


@pytest.mark.usefixtures("mirrored")
def test_what_another_client_does_arrives(calward: Calward, other: Other) -> None:
    lunch, dinner = other.adds("lunch", "Lunch"), other.adds("dinner", "Dinner")
    other.adds("tea", "Tea")
    assert calward("sync").code == 0
    assert titles_here(calward, other.name) == ["Dinner", "Lunch", "Tea"]
    other.edits(lunch, other.event("lunch", "Long lunch", *VENDORS))
    other.deletes(dinner)
    other.adds("supper", "Supper")
    other.moves(other.adds("brunch", "Brunch"), "elsewhere.ics")
    ran = calward("sync", other.name)
    assert ran.code == 0, ran.err
    assert titles_here(calward, other.name) == ["Brunch", "Long lunch", "Supper", "Tea"]
    assert calward("sync", other.name).out == f"{other.name}: nothing new.\n"
    assert calward("sync", other.name, "--full").out == f"{other.name}: nothing new.\n"
    assert calward("doctor").code == 0


@pytest.mark.usefixtures("mirrored")
def test_an_assistants_approved_work_arrives(calward: Calward, other: Other) -> None:
    calward("assistant", "add", "Robin")
    calward("grant", "Robin", other.name, "--preset", "careful", "--others-level", "details")
    with opened() as app:
        robin = app.pipeline.assistant("Robin")
        asked = as_assistant(
            app, robin, "calendar_create", title="Walk", start="2026-03-04T10:00", calendar=other.name
        )
    assert asked.status == "pending_approval"
    assert other.titles == []
    assert calward("approvals", "approve", asked.approval.id, "--yes").code == 0
    assert other.titles == ["Walk"]
    with opened() as app:
        made = as_assistant(app, robin, "calendar_search", query="Walk").events[0].id
        edit = as_assistant(app, robin, "calendar_update", id=made, title="Long walk")
    assert calward("approvals", "approve", edit.approval.id, "--yes").code == 0
    assert other.titles == ["Long walk"]
    with opened() as app:
        end = as_assistant(app, robin, "calendar_delete", id=made)
    assert calward("approvals", "approve", end.approval.id, "--yes").code == 0
    assert other.titles == []
    assert calward("sync", other.name).code == 0
    assert titles_here(calward, other.name) == []


@pytest.mark.usefixtures("mirrored")
def test_a_title_edit_changes_exactly_the_touched_lines_on_the_server(calward: Calward, other: Other) -> None:
    other.adds("lunch", "Lunch", *VENDORS)
    before = other.bodies()["Lunch"].splitlines()
    calward("sync")
    found = calward("search", "Lunch", "--json").json["events"][0]["id"]
    assert calward("edit", found, "--title", "Long lunch").code == 0
    after = other.bodies()["Long lunch"].splitlines()
    touched = (b"SUMMARY", b"DTSTAMP", b"LAST-MODIFIED", b"SEQUENCE")
    assert [line for line in after if not line.startswith(touched)] == [
        line for line in before if not line.startswith(touched)
    ]


@pytest.mark.usefixtures("mirrored")
def test_what_was_sent_can_still_be_taken_back(calward: Calward, other: Other) -> None:
    other.adds("lunch", "Lunch", *VENDORS)
    calward("sync")
    found = calward("search", "Lunch", "--json").json["events"][0]["id"]
    calward("edit", found, "--title", "Long lunch")
    assert other.titles == ["Long lunch"]
    ran = calward("undo", "--yes")
    assert ran.code == 0, ran.err
    assert other.titles == ["Lunch"]
    calward("new", "Tea", "2026-03-04T10:00", "--calendar", other.name)
    assert calward("undo", "--yes").code == 0
    assert other.titles == ["Lunch"]


def test_everything_that_was_there_before_is_pulled_at_the_start(
    calward: Calward, address: Address, other: Other
) -> None:
    for number in range(30):
        other.adds(f"e{number}", f"Event {number}")
    connect(calward, address, other)
    assert len(titles_here(calward, other.name)) == 30


@pytest.mark.corpus
def test_the_valid_files_of_others_are_pulled_whole(
    calward: Calward, address: Address, other: Other, corpus: Path
) -> None:
    """Every object that the server takes arrives byte for byte as the server gives it."""
    taken = 0
    for number, file in enumerate(sorted(corpus.rglob("*.ics"))[:150]):
        try:
            framed = split(file.read_bytes()).objects[:3]
        except TooLarge:
            continue
        for part, one in enumerate(framed):
            try:
                other.remote.put(other.url, member(other.url, f"f{number}-{part}.ics"), one.data, None)
                taken += 1
            except DavError:
                continue
    assert taken > 50
    connect(calward, address, other)
    listed = other.remote.fetch(other.url, list(other.remote.listing(other.url)))
    there = sorted(one.body for one in listed.objects)
    with opened() as app, app.store.reading() as conn:
        calendar = calendar_named(conn, HOME, other.name)
        assert calendar is not None
        here = sorted(row.local for row in objects_in(conn, HOME, calendar.id))
    assert len(there) >= taken * 0.9
    assert here == there


@pytest.mark.usefixtures("mirrored")
def test_what_is_made_while_the_server_is_away_is_said_to_be_queued(
    calward: Calward, other: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise Unreachable("Nothing takes connections at the server.", host="the server")

    with monkeypatch.context() as patch:
        patch.setattr(Http, "exchange", away)
        ran = calward("new", "Walk", "2026-03-04T10:00", "--calendar", other.name)
    assert ran.code == 0
    assert "1 change queued. Nothing takes connections at the server." in ran.err
    assert "1 not yet sent" in calward("status").out
    assert calward("sync").code == 0
    assert other.titles == ["Walk"]
    assert "not yet sent" not in calward("status").out

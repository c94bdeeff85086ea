"""An approval is one effect: however often, from however many sides, and whatever the clock says."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Lock
from typing import Any

import pytest

from calward.errors import Busy, Conflict, NotFound
from calward.operations.pipeline import Call
from tests.operations.world import World, open_world

EVENT: dict[str, Any] = {"title": "Lunch", "start": "2026-03-03T12:00"}
AT_ONCE = 32


@pytest.fixture
def world(tmp_path: Path) -> Any:
    """A household whose ids may be asked for from many threads."""
    opened = open_world(tmp_path)
    lock, new_id = Lock(), opened.new_id

    def safe() -> str:
        with lock:
            return new_id()

    opened.new_id = safe  # type: ignore[method-assign]  # only the lock is added
    yield opened
    opened.store.close()


def ask(world: World) -> str:
    """An assistant's request that waits; its id."""
    bot = world.assistant(Home="careful")
    ident: str = world.ask(bot, "calendar_create", **EVENT).approval.id
    return ident


def test_thirty_two_approvals_at_once_are_one_effect(world: World) -> None:
    ident = ask(world)
    owner, pipeline, start = world.owner, world.pipeline(), Barrier(AT_ONCE)

    def approve(_: int) -> str:
        start.wait()
        while True:
            try:
                call = Call("approval_decide", {"id": ident, "approve": True})
                return str(pipeline.execute(owner, call).answer.message)  # type: ignore[attr-defined]
            except (Busy, Conflict):
                continue

    with ThreadPoolExecutor(AT_ONCE) as threads:
        said = list(threads.map(approve, range(AT_ONCE)))
    assert world.week() == ["Lunch"]
    assert sum(not message.startswith("Already decided.") for message in said) == 1
    assert len([one for one in world.do("history").changes if one.did == "created"]) == 1


def test_yes_and_no_at_once_are_one_decision(world: World) -> None:
    ident = ask(world)
    owner, pipeline, start = world.owner, world.pipeline(), Barrier(AT_ONCE)

    def decide(number: int) -> None:
        start.wait()
        call = Call("approval_decide", {"id": ident, "approve": number % 2 == 0})
        while True:
            try:
                pipeline.execute(owner, call)
                return
            except (Busy, Conflict):
                continue

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(decide, range(AT_ONCE)))
    (row,) = world.do("approval_list", state="all").approvals
    assert (row.state, world.week()) in (("approved", ["Lunch"]), ("denied", []))


@pytest.mark.parametrize("first", [True, False])
def test_what_was_decided_stays_decided(world: World, first: bool) -> None:
    ident = ask(world)
    world.do("approval_decide", id=ident, approve=first)
    for again in (True, False, True):
        said = world.do("approval_decide", id=ident, approve=again)
        assert said.message.startswith("Already decided.")
    assert world.week() == (["Lunch"] if first else [])


def test_an_undone_approval_is_not_given_again(world: World) -> None:
    ident = ask(world)
    world.do("approval_decide", id=ident, approve=True)
    world.do("calendar_undo")
    world.do("approval_decide", id=ident, approve=True)
    assert world.week() == []


def test_a_clock_set_back_revives_nothing_that_ended(world: World) -> None:
    ident = ask(world)
    world.pass_time(hours=25)
    assert world.do("approval_decide", id=ident, approve=True).state == "expired"
    world.pass_time(hours=-25)
    assert world.do("approval_decide", id=ident, approve=True).state == "expired"
    assert world.week() == []


def test_a_clock_set_back_lengthens_no_look_at_an_event(world: World) -> None:
    world.do("calendar_create", title="Surprise", start="2026-03-03T12:00")
    bot = world.assistant(Home="careful")
    day = {"from": "2026-03-03", "to": "2026-03-03"}
    asked = world.ask(bot, "calendar_details", **day)
    world.do("approval_decide", id=asked.approval.id, approve=True)
    seen = {0: ["Surprise"], 59: ["Surprise"], 61: [], -1: [], -600: []}
    for minutes, titles in seen.items():
        world.pass_time(minutes=minutes)
        assert world.ask(bot, "calendar_search", query="surprise").total == len(titles)
        assert [one.title for one in world.ask(bot, "calendar_details", **day).events] == titles, minutes
        world.pass_time(minutes=-minutes)


def test_an_assistant_decides_nothing_and_finds_no_door_to(world: World) -> None:
    ident = ask(world)
    bot = world.pipeline().assistant("bot")
    for arguments in ({"id": ident, "approve": True}, {"id": ident, "approve": True, "with_details": True}):
        with pytest.raises(NotFound):
            world.ask(bot, "approval_decide", **arguments)
    for operation in ("calendar_undo", "calendar_restore", "calendar_delete", "calendar_update"):
        with pytest.raises(NotFound):
            world.ask(bot, operation, **({"change": ident} if operation == "calendar_undo" else {"id": ident}))
    assert world.ask(bot, "approval_status", id=ident).state == "pending"
    other = world.assistant("other", Home="careful")
    with pytest.raises(NotFound):
        world.ask(other, "approval_status", id=ident)


def test_how_long_a_request_waits_is_for_the_door_to_say(world: World) -> None:
    bot = world.assistant(Home="careful")
    call = Call("calendar_create", EVENT, patience=timedelta(minutes=10))
    ident = world.pipeline().execute(bot, call).pending
    world.pass_time(minutes=11)
    assert world.do("approval_decide", id=ident, approve=True).state == "expired"

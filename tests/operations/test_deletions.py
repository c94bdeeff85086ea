"""Deletions of one principal add up over the hour, however few are asked for at once."""

from __future__ import annotations

from typing import Any

import pytest

from calward.guard.verdict import MANY
from calward.model.principal import Assistant, Role
from tests.operations.test_guarded import grant, member
from tests.operations.world import World

REASON = f"it deletes more events, after {MANY - 1} within the last hour"


@pytest.fixture
def bot(world: World) -> Assistant:
    """It deletes freely in Home, whatever is there."""
    world.assistant(Home="helper")
    return grant(world, own_delete="free", others_delete="free")


def make(world: World, who: Any, number: int, **more: Any) -> str:
    """Events of one principal, each of its own day; the id."""
    title, start = f"Event {number}", f"2026-03-{number:02}T09:00"
    made: str = world.ask(who, "calendar_create", title=title, start=start, calendar="Home", **more).event.id
    return made


def reasons(world: World) -> list[tuple[str, list[str]]]:
    return [(one.risk, list(one.reasons)) for one in world.do("approval_list").approvals]


def test_single_deletions_of_its_own_add_up_to_one_that_asks(world: World, bot: Assistant) -> None:
    events = [make(world, bot, number) for number in range(3, 7)]
    for event in events[: MANY - 1]:
        assert world.ask(bot, "calendar_delete", id=event).status == "done"
    assert world.ask(bot, "calendar_delete", id=events[MANY - 1]).status == "pending_approval"
    assert reasons(world) == [("R3", [REASON])]


def test_an_hour_later_they_count_anew(world: World, bot: Assistant) -> None:
    events = [make(world, bot, number) for number in range(3, 7)]
    for event in events[: MANY - 1]:
        world.ask(bot, "calendar_delete", id=event)
    world.pass_time(minutes=59)
    assert world.ask(bot, "calendar_delete", id=events[2]).approval is not None
    world.pass_time(minutes=2)
    assert world.ask(bot, "calendar_delete", id=events[3]).status == "done"


def test_emptying_moving_far_and_deleting_are_summed_whatever_they_are_called(
    world: World, bot: Assistant
) -> None:
    emptied, moved, deleted = (make(world, bot, number, notes="Bring cake") for number in range(3, 6))
    assert world.ask(bot, "calendar_update", id=emptied, notes="").status == "done"
    assert world.ask(bot, "calendar_update", id=moved, start="2031-03-03T09:00").status == "done"
    assert world.ask(bot, "calendar_delete", id=deleted).status == "pending_approval"


def test_taking_back_what_it_made_is_a_deletion_too(world: World, bot: Assistant) -> None:
    made = [
        world.ask(bot, "calendar_create", title=f"T{n}", start=f"2026-03-1{n}", calendar="Home")
        for n in range(3)
    ]
    for one in made[: MANY - 1]:
        assert world.ask(bot, "calendar_undo", change=one.change).status == "done"
    assert world.ask(bot, "calendar_undo", change=made[-1].change).status == "pending_approval"


def test_one_event_that_comes_and_goes_is_one(world: World, bot: Assistant) -> None:
    event = make(world, bot, 3)
    for _ in range(MANY + 1):
        assert world.ask(bot, "calendar_delete", id=event).status == "done"
        assert world.ask(bot, "calendar_undo").status == "done"


def test_what_others_delete_does_not_count_for_it(world: World, bot: Assistant) -> None:
    theirs = [make(world, world.owner, number) for number in range(3, 8)]
    for event in theirs:
        assert world.do("calendar_delete", id=event).status == "done"
    assert world.ask(bot, "calendar_delete", id=make(world, bot, 9)).status == "done"


def test_what_deletes_nothing_goes_on_without_asking(world: World, bot: Assistant) -> None:
    for number in range(3, 3 + MANY - 1):
        world.ask(bot, "calendar_delete", id=make(world, bot, number))
    event = make(world, bot, 9)
    assert world.ask(bot, "calendar_update", id=event, title="Other words").status == "done"


def test_a_childs_deletions_add_up_too(world: World) -> None:
    kim = member(world, "Kim", Role.CHILD)
    world.do("calendar_share", calendar="Home", member="Kim", share="write")
    events = [make(world, kim, number) for number in range(3, 3 + MANY)]
    for event in events[: MANY - 1]:
        assert world.ask(kim, "calendar_delete", id=event).status == "done"
    assert world.ask(kim, "calendar_delete", id=events[-1]).status == "pending_approval"


def test_what_a_person_agreed_to_is_carried_out_and_counts(world: World, bot: Assistant) -> None:
    events = [make(world, bot, number) for number in range(3, 8)]
    for event in events[: MANY - 1]:
        world.ask(bot, "calendar_delete", id=event)
    asked = world.ask(bot, "calendar_delete", id=events[MANY - 1]).approval.id
    assert world.do("approval_decide", id=asked, approve=True).state == "approved"
    assert world.ask(bot, "calendar_delete", id=events[MANY]).approval is not None

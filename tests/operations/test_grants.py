"""Grants switch by switch, what holds for an assistant everywhere, and how much it may ask and do."""

from __future__ import annotations

from typing import Any

import pytest

from calward.errors import Busy, InvalidInput, NotAllowed, NotFound
from tests.operations.world import World

EVENT: dict[str, Any] = {"title": "Lunch", "start": "2026-03-03T12:00"}


def test_every_switch_of_a_grant_is_set_and_shown(world: World) -> None:
    world.do("assistant_add", name="bot", preset="none")
    switches: dict[str, str] = {
        "own_level": "titles",
        "others_level": "busy",
        "read_private": "ask",
        "create": "free",
        "own_update": "free",
        "own_delete": "ask",
        "others_update": "ask",
        "others_delete": "never",
        "invite": "members",
    }
    world.do("grant_set", assistant="bot", calendar="Home", **switches)
    shown = world.do("grant_list", assistant="bot")
    home = next(grant for grant in shown.grants if grant.calendar == "Home")
    assert home.model_dump(exclude={"calendar"}) == {"preset": "custom", "invite_list": (), **switches}
    assert (shown.read_only, shown.writes_an_hour) == (False, 60)


def test_out_of_the_box_there_is_one_calendar_for_assistants_and_every_write_asks(world: World) -> None:
    world.do("assistant_add", name="bot")
    grants = {grant.calendar: grant for grant in world.do("grant_list", assistant="bot").grants}
    assert set(grants) == {"Home", "AI Assistant Shared"}
    shared = grants["AI Assistant Shared"]
    assert (shared.own_level, shared.others_level, shared.read_private) == ("details", "busy", "ask")
    writes = ("create", "own_update", "own_delete", "others_update", "others_delete")
    assert {getattr(shared, write) for write in writes} == {"ask"}


def test_an_assistant_invites_members_and_those_on_its_list_and_nobody_else(world: World) -> None:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    world.do("member_add", name="Sam", addresses=["sam@family.example"])
    bot = world.assistant(Home="helper")
    listed = ["Ann@Example.org", "@club.example"]
    world.do("grant_set", assistant="bot", calendar="Home", invite="listed", invite_list=listed)
    home = world.do("grant_list", assistant="bot").grants[0]
    assert (home.invite, home.invite_list) == ("listed", ("ann@example.org", "club.example"))
    for number, address in enumerate(("ann@example.org", "eve@club.example", "Sam")):
        asked = world.ask(bot, "calendar_create", **EVENT | {"title": f"{number}"}, attendees=[address])
        assert asked.status == "pending_approval", address
    for address in ("bob@example.org", "eve@sub.club.example", "eve@notclub.example", "x@club.example.evil.io"):
        with pytest.raises(NotAllowed, match="on its list only"):
            world.ask(bot, "calendar_create", **EVENT, attendees=[address])


def test_a_list_of_whom_to_invite_is_checked(world: World) -> None:
    world.assistant(Home="helper")
    for listed in (["nowhere"], ["a b@c.d"], [""], ["@"]):
        with pytest.raises(InvalidInput, match="invite_list"):
            world.do("grant_set", assistant="bot", calendar="Home", invite_list=listed)
    with pytest.raises(InvalidInput, match="invite_list"):
        world.do("grant_set", assistant="bot", calendar="Home", invite="listed")


def test_read_only_stops_every_write_whatever_is_granted_and_voids_what_waits(world: World) -> None:
    bot = world.assistant(Home="helper")
    made = world.ask(bot, "calendar_create", **EVENT).event
    asked = world.ask(bot, "calendar_delete", id=made.id).approval
    world.do("assistant_limit", name="bot", read_only=True)
    for operation, arguments in (
        ("calendar_create", EVENT | {"calendar": "Home"}),
        ("calendar_update", {"id": made.id, "title": "x"}),
        ("calendar_delete", {"id": made.id}),
        ("calendar_undo", {}),
    ):
        with pytest.raises(NotAllowed):
            world.ask(bot, operation, **arguments)
    assert world.week(bot) == ["Lunch"]
    assert world.do("approval_decide", id=asked.id, approve=True).state == "void"
    world.do("assistant_limit", name="bot", read_only=False)
    assert world.ask(bot, "calendar_update", id=made.id, title="Dinner").status == "done"


def test_an_assistant_changes_so_much_within_an_hour_and_no_more(world: World) -> None:
    bot, other = world.assistant(Home="helper"), world.assistant("other", Home="helper")
    limited = world.do("assistant_limit", name="bot", writes_an_hour=3)
    assert (limited.writes_an_hour, limited.read_only) == (3, False)
    made = [world.ask(bot, "calendar_create", **EVENT | {"title": f"{n}"}).event for n in range(3)]
    for operation, arguments in (
        ("calendar_create", EVENT),
        ("calendar_update", {"id": made[0].id, "title": "x"}),
    ):
        with pytest.raises(Busy, match="3 changes an hour"):
            world.ask(bot, operation, **arguments)
    assert world.ask(other, "calendar_create", **EVENT).status == "done"
    asked = world.ask(bot, "calendar_delete", id=made[0].id)
    assert world.do("approval_decide", id=asked.approval.id, approve=True).state == "approved"
    world.pass_time(minutes=-30)
    with pytest.raises(Busy):
        world.ask(bot, "calendar_create", **EVENT)
    world.pass_time(minutes=91)
    assert world.ask(bot, "calendar_create", **EVENT | {"title": "later"}).status == "done"


def test_the_same_asked_again_is_one_request_whatever_fresh_ids_it_holds(world: World) -> None:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    bot = world.assistant(Home="careful")
    series = EVENT | {"recurrence": "FREQ=DAILY;COUNT=3"}
    for operation, arguments in (("calendar_create", EVENT), ("calendar_create", series)):
        first = world.ask(bot, operation, **arguments).approval
        world.pass_time(minutes=10)
        assert world.ask(bot, operation, **arguments).approval.id == first.id
        assert world.ask(bot, operation, **arguments | {"title": "Other"}).approval.id != first.id
    made = world.do("calendar_create", **EVENT).event
    world.do("grant_set", assistant="bot", calendar="Home", others_level="details")
    first = world.ask(bot, "calendar_update", id=made.id, title="Dinner").approval
    world.pass_time(minutes=10)
    assert world.ask(bot, "calendar_update", id=made.id, title="Dinner").approval.id == first.id
    assert world.ask(bot, "calendar_update", id=made.id, title="Supper").approval.id != first.id


def test_a_request_whose_changes_were_altered_in_the_store_is_not_carried_out(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", **EVENT).approval
    with world.store.writing() as conn:
        conn.exec_driver_sql("UPDATE approvals SET changes = replace(changes, 'Lunch', 'Fraud')")
    assert world.do("approval_decide", id=asked.id, approve=True).state == "stale"
    assert world.week() == []


def test_only_who_an_assistant_acts_for_limits_it(world: World) -> None:
    world.assistant(Home="helper")
    with pytest.raises(NotFound):
        world.do("assistant_limit", name="nobody", read_only=True)
    for writes in (-1, 10_001):
        with pytest.raises(InvalidInput):
            world.do("assistant_limit", name="bot", writes_an_hour=writes)
    world.do("assistant_limit", name="bot", read_only=True)
    assert world.do("history").changes[0].did == "set what an assistant may at most"

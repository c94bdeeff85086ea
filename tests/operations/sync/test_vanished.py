"""A calendar that is gone from its server, and an account that turns out to be somebody else's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calward.errors import NotFound, NotFresh
from calward.remotes.faults import Fault
from tests.operations.sync.mirror import CALENDAR, Mirror
from tests.operations.world import World


def account_of(mirror: Mirror) -> tuple[str, str | None]:
    (account,) = mirror.world.do("account_list").accounts
    return account.state, account.error


def test_a_calendar_that_is_gone_is_held_and_nothing_is_removed(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    mirror.sync()
    mirror.sync(full=True)
    (held,) = mirror.world.do("held_list").held
    assert (held.calendar, held.count) == ("Work", 1)
    assert held.what.startswith("The server no longer has this calendar.")
    assert mirror.titles_here() == ["Lunch"]


def test_a_calendar_that_is_still_listed_is_not_held(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    listed = mirror.server.calendars()
    mirror.server.drop_calendar(mirror.url)
    mirror.server.calendars = lambda: listed  # type: ignore[method-assign]
    mirror.sync()
    assert mirror.held == []


def test_a_calendar_is_not_held_where_the_list_cannot_be_had(mirror: Mirror) -> None:
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    mirror.fails("calendars", Fault.HANG)
    mirror.sync()
    assert mirror.held == []


def test_a_calendar_that_comes_back_is_held_no_longer(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    backup = mirror.server.backup()
    mirror.server.drop_calendar(mirror.url)
    mirror.sync()
    mirror.server.restore(backup)
    mirror.sync()
    assert mirror.held == []
    assert mirror.titles_here() == mirror.titles_there() == ["Lunch"]


def test_restored_it_lives_on_here_alone(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    mirror.sync()
    (held,) = mirror.world.do("held_list").held
    mirror.world.do("held_decide", id=held.id, decision="restore")
    assert (mirror.calendar.account_id, mirror.calendar.href) == (None, None)
    assert mirror.held == []
    mirror.retitle("Lunch", "Late lunch")
    assert mirror.titles_here() == ["Late lunch"]
    assert {side.push_state for side in mirror.sides()} == {"clean"}


def test_having_it_go_takes_who_signed_in_just_now_as_mirroring_it_no_longer_does(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    mirror.sync()
    (held,) = mirror.world.do("held_list").held
    (account,) = mirror.world.do("account_list").accounts
    stale = replace(mirror.world.owner, fresh=False)
    for operation, arguments in (
        ("held_decide", {"id": held.id, "decision": "accept"}),
        ("calendar_choose", {"account": account.name, "forget": ["Work"]}),
    ):
        with pytest.raises(NotFresh):
            mirror.world.ask(stale, operation, **arguments)
    assert mirror.titles_here() == ["Lunch"]
    mirror.world.ask(stale, "held_decide", id=held.id, decision="restore")
    assert mirror.held == []


def test_accepted_it_goes_here_too(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    mirror.sync()
    (held,) = mirror.world.do("held_list").held
    mirror.world.do("held_decide", id=held.id, decision="accept")
    with pytest.raises(NotFound):
        mirror.world.do("calendar_list", calendar="Work")


def test_an_account_of_somebody_else_is_stopped_and_nothing_of_it_applied(mirror: Mirror) -> None:
    mirror.server.principal = "https://memory.invalid/principals/alex/"
    mirror.adds("a")
    mirror.sync(full=True)
    mirror.server.principal = "https://memory.invalid/principals/kim/"
    mirror.adds("b", "Not ours")
    mirror.create("Ours")
    days(mirror.world)
    mirror.sync(full=True)
    mirror.sync()
    state, error = account_of(mirror)
    assert state == "stopped"
    assert error is not None
    assert "somebody else's calendars" in error
    assert mirror.titles_here() == ["Lunch", "Ours"]
    assert mirror.titles_there() == ["Lunch", "Not ours"]


def test_a_stopped_account_goes_on_when_it_is_its_own_again(mirror: Mirror) -> None:
    mirror.server.principal = "https://memory.invalid/principals/alex/"
    mirror.sync(full=True)
    mirror.server.principal = "https://memory.invalid/principals/kim/"
    days(mirror.world)
    mirror.sync(full=True)
    assert account_of(mirror)[0] == "stopped"
    mirror.server.principal = "https://memory.invalid/principals/alex"
    mirror.adds("a")
    mirror.sync()
    assert account_of(mirror) == ("ok", None)
    assert mirror.titles_here() == ["Lunch"]
    assert mirror.calendar.id == CALENDAR


def days(world: World) -> None:
    """So long that everything is looked over anew."""
    world.pass_time(seconds=86_400)

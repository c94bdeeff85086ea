"""Accounts, chosen calendars, runs that are followed, and what is decided about what was held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calward.bootstrap.household import HOME
from calward.dav.discovery import Discovery
from calward.dav.errors import SignInRefused, Unreachable
from calward.errors import InvalidInput, NotAllowed, NotFound, RemoteError
from calward.model.secret import Secret
from calward.operations.outside import Outside, Sealed, SignIn
from calward.operations.pipeline import Call, Pipeline
from calward.remotes.faults import Fault
from calward.remotes.memory import MemoryServer
from calward.store.accounts import get_secret, list_accounts
from calward.store.due import list_due
from tests.operations.sync.mirror import Mirror
from tests.operations.world import World, open_world

PASSWORD = "s3cr3t-bird"


class Household:
    """A world whose outside is one server in memory, which knows one password."""

    def __init__(self, world: World, server: MemoryServer) -> None:
        self.world = world
        self.server = server
        self.looked: list[SignIn] = []
        self.woken = 0
        outside = Outside(self.discover, lambda _, secret: Sealed(f"sealed {len(secret.reveal())}", "key"))
        self.pipeline = Pipeline(replace(world.sources, outside=outside, wake=self.wake))

    def wake(self) -> None:
        self.woken += 1

    def discover(self, sign_in: SignIn) -> Discovery:
        self.looked.append(sign_in)
        if sign_in.password != Secret(PASSWORD):
            raise SignInRefused("The server did not accept the name and password.", host="server")
        return Discovery("https://memory.invalid/", None, (), self.server.calendars())

    def do(self, operation: str, /, **arguments: Any) -> Any:
        return self.pipeline.execute(self.world.owner, Call(operation, arguments)).answer

    def connect(self, **changed: Any) -> Any:
        given = {"server": "https://memory.invalid/", "username": "alex", "password": PASSWORD, "name": "Mine"}
        return self.do("account_connect", **(given | changed))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Household]:
    server = MemoryServer()
    for segment, name, components in (
        ("work", "Work", ("VEVENT",)),
        ("home", "Home", ("VEVENT",)),
        ("todo", "To do", ("VTODO",)),
        ("shared", "AI Assistant Shared", ("VEVENT",)),
    ):
        server.add_calendar(segment, name, components)
    world = open_world(tmp_path)
    yield Household(world, server)
    world.store.close()


def test_connecting_looks_first_and_mirrors_nothing_by_itself(home: Household) -> None:
    made = home.connect()
    assert [one.name for one in made.calendars] == ["Work", "Home", "To do", "AI Assistant Shared"]
    assert [one.events for one in made.calendars] == [True, True, False, True]
    assert made.message == "Connected Mine: 3 calendars found."
    assert len(home.do("calendars").calendars) == 2
    with home.world.store.reading() as conn:
        assert get_secret(conn, HOME, made.id) == f"sealed {len(PASSWORD)}"


def test_a_refused_password_is_told_with_the_place_to_make_one_and_nothing_is_kept(home: Household) -> None:
    with pytest.raises(RemoteError, match=r"app-specific password.*account\.apple\.com"):
        home.connect(server="icloud", password="wrong")
    assert home.looked[0].url == "https://caldav.icloud.com/"
    with home.world.store.reading() as conn:
        assert list_accounts(conn, HOME) == []


def test_a_preset_of_ones_own_machine_needs_its_host(home: Household) -> None:
    with pytest.raises(InvalidInput, match="host name"):
        home.connect(server="nextcloud")
    home.connect(server="nextcloud", host="cloud.lark.test", name=None)
    assert home.looked[-1].url == "https://cloud.lark.test/remote.php/dav/"


def test_google_is_told_to_be_a_feed(home: Household) -> None:
    with pytest.raises(InvalidInput, match="calward connect feed"):
        home.connect(server="google")


def test_a_server_that_is_away_keeps_nothing(home: Household) -> None:
    def away(_: SignIn) -> Discovery:
        raise Unreachable("Nothing takes connections at memory.invalid.", host="memory.invalid")

    outside = Outside(away, lambda account, secret: Sealed("", ""))
    pipeline = Pipeline(replace(home.world.sources, outside=outside))
    given = {"server": "memory.invalid", "username": "alex", "password": PASSWORD}
    with pytest.raises(RemoteError, match="Nothing takes connections"):
        pipeline.execute(home.world.owner, Call("account_connect", given))


def test_connecting_again_is_the_same_account_with_the_new_password(home: Household) -> None:
    first, again = home.connect(), home.connect(name=None)
    assert (first.id, first.name) == (again.id, again.name)
    assert len(home.do("account_list").accounts) == 1


def test_chosen_calendars_are_mirrored_under_names_of_their_own(home: Household) -> None:
    home.connect()
    home.do("assistant_add", name="bot", preset="none")
    chosen = home.do(
        "calendar_choose", account="Mine", calendars=["Work", "Home"], offer="reader", assistants=["bot"]
    )
    assert chosen.mirrored == ("Work", "Home (Mine)")
    assert home.woken == 3
    seen = {one.name: one for one in home.do("calendars").calendars}
    assert not seen["Work"].local
    (bot,) = home.do("assistant_list").assistants
    assert bot.grants["Work"] == bot.grants["Home (Mine)"] == "reader"
    assert bot.grants["Home"] == "none"
    with home.world.store.reading() as conn:
        assert len(list_due(conn, HOME, "sync")) == 2
    with pytest.raises(InvalidInput, match="mirrored already"):
        home.do("calendar_choose", account="Mine", calendars=["Work"])
    with pytest.raises(InvalidInput, match="not for events"):
        home.do("calendar_choose", account="Mine", calendars=["To do"])
    with pytest.raises(NotFound, match="has no calendar 'Play'"):
        home.do("calendar_choose", account="Mine", calendars=["Play"])


def test_a_calendar_that_lives_here_moves_to_the_account_where_that_is_said(home: Household) -> None:
    home.connect()
    home.do("calendar_create", title="Walk", start="2026-03-04T10:00", calendar="AI Assistant Shared")
    before = {one.name: one.id for one in home.do("calendars").calendars}
    home.do("calendar_choose", account="Mine", calendars=["AI Assistant Shared"], adopt=True)
    after = {one.name: one.id for one in home.do("calendars").calendars}
    assert after == before
    status = {one.name: one for one in home.do("calendar_status").calendars}
    assert status["AI Assistant Shared"].account == "Mine"
    assert status["AI Assistant Shared"].unpushed == 1


def test_removing_an_account_removes_the_mirrors_but_not_what_is_unsent(home: Household) -> None:
    home.connect()
    home.do("calendar_choose", account="Mine", all=True)
    home.do("calendar_create", title="Walk", start="2026-03-04T10:00", calendar="Work")
    with pytest.raises(InvalidInput, match="1 change made here did not reach Mine yet"):
        home.do("account_remove", account="Mine")
    home.do("account_remove", account="Mine", lose_unsent=True)
    assert {one.name for one in home.do("calendars").calendars} == {"Home", "AI Assistant Shared"}
    assert home.do("account_list").accounts == ()
    with home.world.store.reading() as conn:
        assert list_due(conn, HOME, "sync") == {}


def test_a_calendar_is_forgotten_here_alone(home: Household) -> None:
    home.connect()
    home.do("calendar_choose", account="Mine", calendars=["Work"])
    assert home.do("calendar_choose", account="Mine", forget=["Work"]).forgotten == ("Work",)
    assert len(home.server.calendars()) == 4
    with pytest.raises(NotFound):
        home.do("calendar_choose", account="Mine", forget=["Home"])


def test_accounts_are_for_people(home: Household) -> None:
    bot = home.world.assistant()
    for name in ("account_connect", "account_list", "account_remove", "calendar_choose", "held_list"):
        with pytest.raises(NotFound):
            home.pipeline.execute(bot, Call(name, {}))


def test_a_child_connects_nothing(home: Household) -> None:
    child = replace(home.world.owner, fresh=False)
    given = {"server": "memory.invalid", "username": "alex", "password": PASSWORD}
    with pytest.raises(NotAllowed):
        home.pipeline.execute(child, Call("account_connect", given))


def test_a_run_that_was_asked_for_is_followed_to_its_end(mirror: Mirror) -> None:
    mirror.adds("a")
    (asked,) = mirror.world.do("calendar_sync", mode="full").runs
    assert mirror.world.do("calendar_status", run=asked.run).run.state == "asked"
    mirror.sync()
    run = mirror.world.do("calendar_status", run=asked.run).run
    assert (run.state, run.mode, run.progress) == ("done", "full", {"pulled": 1, "of": 1})


def test_an_assistant_asks_for_runs_and_follows_its_own(mirror: Mirror) -> None:
    bot, spy = mirror.world.assistant("bot", Work="careful"), mirror.world.assistant("spy", Work="careful")
    (asked,) = mirror.world.ask(bot, "calendar_sync", calendar="Work").runs
    assert mirror.world.ask(bot, "calendar_status", run=asked.run).run.state == "asked"
    with pytest.raises(NotFound):
        mirror.world.ask(spy, "calendar_status", run=asked.run)
    blind = mirror.world.assistant("blind")
    with pytest.raises(InvalidInput, match="No calendar here is on a server"):
        mirror.world.ask(blind, "calendar_sync")
    with pytest.raises(InvalidInput, match="lives only here"):
        mirror.world.do("calendar_sync", calendar="Home")


def test_status_tells_of_the_account_the_syncs_and_what_is_wrong(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    mirror.fails("put", Fault.UNREACHABLE)
    mirror.sync()
    status = mirror.world.do("calendar_status")
    work = next(one for one in status.calendars if one.name == "Work")
    assert (work.account, work.unpushed, work.error) == (
        "memory",
        1,
        "Nothing takes connections at memory.invalid.",
    )
    assert work.last_sync is not None
    assert work.next_sync is not None
    assert status.message == "The last sync failed for Work. 1 change not yet sent to a server."


def eight(mirror: Mirror) -> None:
    for name in "abcdefgh":
        mirror.adds(name, f"Event {name}")
    mirror.sync()


def test_a_held_deletion_is_carried_out_when_a_person_agrees(mirror: Mirror) -> None:
    eight(mirror)
    for href in list(mirror.other.listing(mirror.url)):
        mirror.deletes(href)
    mirror.sync()
    (held,) = mirror.world.do("held_list").held
    assert (held.calendar, held.count) == ("Work", 8)
    assert held.what.startswith("The server no longer has 8 of 8 events.")
    assert len(held.titles) == 8
    mirror.world.do("held_decide", id=held.id, decision="accept")
    mirror.sync()
    assert mirror.titles_here() == []
    assert mirror.world.do("held_list").held == ()


def test_a_held_deletion_is_taken_back_when_a_person_says_so(mirror: Mirror) -> None:
    eight(mirror)
    for href in list(mirror.other.listing(mirror.url)):
        mirror.deletes(href)
    mirror.sync()
    (held,) = mirror.world.do("held_list").held
    mirror.world.do("held_decide", id=held.id, decision="restore")
    mirror.sync()
    assert len(mirror.titles_here()) == len(mirror.titles_there()) == 8
    assert mirror.world.do("held_list").held == ()
    with pytest.raises(NotFound):
        mirror.world.do("held_decide", id=held.id, decision="accept")


@pytest.mark.parametrize("agree", [True, False])
def test_held_deletions_of_ours_are_decided_too(mirror: Mirror, agree: bool) -> None:
    eight(mirror)
    for name in "abcdefgh":
        mirror.delete(f"Event {name}")
    mirror.sync()
    assert len(mirror.titles_there()) == 8
    (held,) = mirror.world.do("held_list").held
    mirror.world.do("held_decide", id=held.id, decision="accept" if agree else "restore")
    mirror.sync()
    assert len(mirror.titles_there()) == len(mirror.titles_here()) == (0 if agree else 8)
    assert mirror.world.do("held_list").held == ()


def test_both_versions_are_listed_for_the_person(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    mirror.retitle("Lunch", "Our lunch")
    mirror.edits(href, "Their lunch")
    mirror.sync()
    (conflict,) = mirror.world.do("conflict_list").conflicts
    assert (conflict.now, conflict.ours, conflict.calendar) == ("Their lunch", "Our lunch", "Work")
    status = mirror.world.do("calendar_status")
    assert status.message == "All is well. 1 event changed on both sides."


@pytest.mark.parametrize("edited", [True, False])
def test_what_a_server_refused_can_be_given_up(mirror: Mirror, edited: bool) -> None:
    if edited:
        mirror.adds("a", "Tea")
        mirror.sync()
        mirror.retitle("Tea", "Green tea")
    else:
        mirror.sync()
        mirror.create("Tea")
    mirror.fails("put", Fault.FULL)
    mirror.sync()
    (held,) = mirror.world.do("held_list").held
    mirror.world.do("held_decide", id=held.id, decision="restore")
    mirror.sync(full=True)
    assert mirror.titles_here() == mirror.titles_there() == (["Tea"] if edited else [])
    assert {side.push_state for side in mirror.sides()} == {"clean"}

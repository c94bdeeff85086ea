"""Calward against a stand-in for iCloud, through the whole program. The live service is not tried."""

from __future__ import annotations

import socket
from collections.abc import Generator
from typing import Any

import pytest

from calward.dav.errors import NotPermitted, UidConflict
from calward.dav.href import member
from calward.model.secret import Secret
from calward.remotes.caldav import CaldavRemote
from calward.remotes.login import Password
from tests.faces.cli.conftest import Calward
from tests.operations.world import ics, vevent
from tests.system.conftest import titles_here
from tests.system.fake_icloud import ENTRY, PASSWORD, SHARD, USER, USUAL, FakeICloud, fake_icloud

AS_SYSTEM = socket.getaddrinfo


@pytest.fixture
def icloud(monkeypatch: pytest.MonkeyPatch) -> Generator[FakeICloud]:
    """Its names lead to this machine, as a line in /etc/hosts would have it."""

    def hosts(host: Any, *more: Any, **named: Any) -> Any:
        return AS_SYSTEM("127.0.0.1" if str(host).endswith(".icloud.test") else host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", hosts)
    with fake_icloud() as fake:
        fake.add("home", "Home calendar")
        fake.add("todo", "Reminders", ("VTODO",))
        yield fake


def event(uid: str, title: str, *lines: str) -> bytes:
    when = ("DTSTART:20260303T120000Z", "DTEND:20260303T130000Z")
    return ics(*vevent(uid, *when, f"SUMMARY:{title}", *lines)).encode()


def adds(icloud: FakeICloud, uid: str, title: str) -> None:
    """The person's phone adds an event."""
    (home, *_) = icloud.server.calendars()
    icloud.server.store(icloud.server.shelf(home.url), _href(home.url, uid), event(uid, title))


def titles_there(icloud: FakeICloud) -> list[str]:
    (home, *_) = icloud.server.calendars()
    bodies = [item.body.decode() for item in icloud.server.shelf(home.url).objects.values()]
    return sorted(body.partition("SUMMARY:")[2].partition("\r\n")[0] for body in bodies)


def _href(url: str, uid: str) -> Any:
    return url.removeprefix("https://memory.invalid") + f"{uid}.ics"


def connect(calward: Calward, icloud: FakeICloud, password: str = PASSWORD, *more: str) -> Any:
    words = ("connect", icloud.url, "--user", USER, "--name", "iCloud", "--insecure-http", "--local-network")
    return calward(*words, "--calendar", "Home calendar", *more, given=f"{password}\n".encode())


def test_the_usual_password_is_refused_with_a_word_about_the_other_one(
    calward: Calward, icloud: FakeICloud
) -> None:
    ran = connect(calward, icloud, USUAL)
    assert ran.code == 9
    assert "app-specific password" in ran.err
    assert "No account" in calward("accounts").out


def test_a_name_that_leads_home_is_not_followed_unasked(calward: Calward, icloud: FakeICloud) -> None:
    ran = calward("connect", icloud.url, "--user", USER, "--insecure-http", given=f"{PASSWORD}\n".encode())
    assert ran.code == 9
    assert "--local-network" in ran.err
    assert icloud.heard == []


def test_calendars_are_found_on_a_host_that_only_discovery_names(calward: Calward, icloud: FakeICloud) -> None:
    adds(icloud, "lunch", "Lunch")
    ran = connect(calward, icloud)
    assert ran.code == 0, ran.err
    assert titles_here(calward, "Home calendar") == ["Lunch"]
    assert {host for _, host, _ in icloud.heard} == {ENTRY, SHARD}
    (account,) = calward("accounts", "--json").json["accounts"]
    assert {one["name"]: one["events"] for one in account["calendars"]} == {
        "Home calendar": True,
        "Reminders": False,
    }
    assert account["server"]["schedules"]


def test_what_the_phone_does_arrives_and_what_is_done_here_arrives_there(
    calward: Calward, icloud: FakeICloud
) -> None:
    connect(calward, icloud)
    adds(icloud, "lunch", "Lunch")
    assert calward("sync").code == 0
    made = calward("new", "Tea", "2026-03-04T10:00", "--calendar", "Home calendar")
    assert made.code == 0
    assert titles_there(icloud) == ["Lunch", "Tea"]
    lunch = calward("search", "Lunch", "--json").json["events"][0]["id"]
    calward("edit", lunch, "--title", "Long lunch")
    tea = calward("search", "Tea", "--json").json["events"][0]["id"]
    calward("delete", tea, "--yes")
    assert titles_there(icloud) == titles_here(calward, "Home calendar") == ["Long lunch"]
    assert calward("sync").out == "Home calendar: nothing new.\n"
    assert calward("doctor").code == 0


def test_an_answer_that_is_lost_doubles_nothing(calward: Calward, icloud: FakeICloud) -> None:
    connect(calward, icloud)
    icloud.lost = 1
    calward("new", "Tea", "2026-03-04T10:00", "--calendar", "Home calendar")
    assert calward("sync").code == 0
    assert titles_there(icloud) == titles_here(calward, "Home calendar") == ["Tea"]


def test_away_and_back_it_goes_on_where_it_was(calward: Calward, icloud: FakeICloud) -> None:
    connect(calward, icloud)
    adds(icloud, "lunch", "Lunch")
    icloud.down = True
    calward("new", "Tea", "2026-03-04T10:00", "--calendar", "Home calendar")
    assert calward("sync").code == 9
    assert "trouble" in calward("status").out
    icloud.down = False
    icloud.server.forget_tokens()
    assert calward("sync").code == 0
    assert titles_there(icloud) == titles_here(calward, "Home calendar") == ["Lunch", "Tea"]


def test_what_it_refuses_is_an_error_with_a_name(icloud: FakeICloud) -> None:
    work = icloud.add("work", "Work")
    icloud.server.store(icloud.server.shelf(work), _href(work, "lunch"), event("lunch", "Lunch"))
    remote = CaldavRemote(icloud.url, Password(USER, Secret(PASSWORD)), insecure_http=True, local_network=True)
    (home, *_) = remote.calendars()
    with pytest.raises(UidConflict):
        remote.put(home.url, member(home.url, "lunch.ics"), event("lunch", "Lunch, again"), None)
    endless = ics(*vevent("walk", "DTSTART:20260303T120000Z", "SUMMARY:Walk")).encode()
    with pytest.raises(NotPermitted):
        remote.put(home.url, member(home.url, "walk.ics"), endless, None)
    assert remote.make_calendar("play", "Play").name == "Play"
    remote.close()

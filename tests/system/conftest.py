"""Real calendar servers, another client of each, and the whole program over a household of its own."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from calward.__main__ import WIRING
from calward.bootstrap.app import App, open_app
from calward.dav.href import member
from calward.model.ids import Href
from calward.model.principal import Assistant
from calward.model.secret import Secret
from calward.operations.pipeline import Call
from calward.remotes.caldav import CaldavRemote
from calward.remotes.login import Password
from tests.contract.caldav_servers import Address, radicale
from tests.faces.cli.conftest import Calward, over, own_household
from tests.operations.world import ics, vevent
from tests.system.desk import Desk
from tests.system.phone import Phone, switched_on
from tests.system.servers import EVERY_SERVER, SERVERS

NUMBERS = count(1)


@pytest.fixture(scope="session", params=EVERY_SERVER)
def server(request: pytest.FixtureRequest) -> str:
    """The name of each real server there is."""
    return str(request.param)


@pytest.fixture(scope="session")
def address(server: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Address]:
    """Every real server there is, started once."""
    with SERVERS[server](tmp_path_factory.mktemp(server)) as started:
        yield started


@pytest.fixture(scope="session")
def radicale_address(tmp_path_factory: pytest.TempPathFactory) -> Generator[Address]:
    """One real server, for what is about us and not about servers."""
    with radicale(tmp_path_factory.mktemp("radicale")) as started:
        yield started


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Generator[Address]:
    """A real server without any calendar."""
    with radicale(tmp_path_factory.mktemp("fresh")) as started:
        yield started


@dataclass
class Other:
    """Another client, with a calendar of this test's own on the server."""

    remote: CaldavRemote
    name: str
    url: str = ""

    def __post_init__(self) -> None:
        self.url = self.remote.make_calendar(self.name.lower(), self.name).url

    def adds(self, uid: str, title: str, *lines: str) -> Href:
        href = member(self.url, f"{uid}.ics")
        self.remote.put(self.url, href, self.event(uid, title, *lines), None)
        return href

    def event(self, uid: str, title: str, *lines: str) -> bytes:
        """Some servers take a UID once for all calendars of an account, so it names the calendar too."""
        return event(f"{uid}@{self.name}", title, *lines)

    def edits(self, href: Href, body: bytes) -> None:
        (now,) = self.remote.fetch(self.url, [href]).objects
        self.remote.put(self.url, href, body, now.etag)

    def deletes(self, href: Href) -> None:
        (now,) = self.remote.fetch(self.url, [href]).objects
        assert now.etag is not None
        self.remote.delete(self.url, href, now.etag)

    def moves(self, href: Href, to: str) -> None:
        """As clients do without MOVE: written anew elsewhere, deleted where it was."""
        (now,) = self.remote.fetch(self.url, [href]).objects
        self.deletes(href)
        self.remote.put(self.url, member(self.url, to), now.body, None)

    def bodies(self) -> dict[str, bytes]:
        """What is on the server, by title."""
        listed = list(self.remote.listing(self.url))
        return {title(one.body): one.body for one in self.remote.fetch(self.url, listed).objects}

    @property
    def titles(self) -> list[str]:
        return sorted(self.bodies())


def another_client(address: Address, name: str = "") -> Other:
    """A client with a calendar of a new name, or of this one."""
    remote = CaldavRemote(address.url, Password(address.user, Secret(address.password)))
    return Other(remote, name or f"Work{next(NUMBERS)}")


@pytest.fixture
def other(address: Address) -> Generator[Other]:
    client = another_client(address)
    yield client
    client.remote.close()


@pytest.fixture
def calward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calward:
    """The whole program in this process, over a store of its own."""
    for name in [name for name in os.environ if name.startswith(("CALWARD_", "CALDAV_"))]:
        monkeypatch.delenv(name)
    for name, value in own_household(tmp_path / "data").items():
        monkeypatch.setenv(name, value)
    return over(WIRING, monkeypatch)


@pytest.fixture(scope="session")
def phone(address: Address) -> Generator[Phone]:
    """Another client of the same server, made by others."""
    with switched_on(address) as started:
        yield started


@pytest.fixture
def desk(mirrored: None, other: Other) -> Generator[Desk]:
    """The household, open in this process."""
    with opened() as app:
        yield Desk(app, other.name)


@pytest.fixture
def mirrored(calward: Calward, address: Address, other: Other) -> None:
    """The other client's calendar, connected on the command line and mirrored."""
    connect(calward, address, other)


def connect(calward: Calward, address: Address, other: Other, *more: str) -> None:
    words = (
        "connect",
        address.url,
        "--user",
        address.user,
        "--name",
        "server",
        "--calendar",
        other.name,
        *more,
    )
    ran = calward(*words, given=f"{address.password}\n".encode())
    assert ran.code == 0, ran.err


def titles_here(calward: Calward, calendar: str) -> list[str]:
    """The titles of every event of a calendar, by its export."""
    exported = calward("export", "--calendar", calendar).out.encode()
    return sorted(title(part) for part in exported.split(b"BEGIN:VEVENT")[1:])


def opened() -> App:
    """The program's household, for what no command does."""
    return open_app()


def as_assistant(app: App, principal: Assistant, operation: str, **arguments: Any) -> Any:
    return app.pipeline.execute(principal, Call(operation, arguments)).answer


def event(uid: str, summary: str, *lines: str) -> bytes:
    when = ("DTSTART:20260303T120000Z", "DTEND:20260303T130000Z")
    return ics(*vevent(uid, *when, f"SUMMARY:{summary}", "X-COLOUR-OF-THE-CAT:tabby", *lines)).encode()


def title(body: bytes) -> str:
    line = next(line for line in body.splitlines() if line.startswith(b"SUMMARY"))
    return line.partition(b":")[2].decode()

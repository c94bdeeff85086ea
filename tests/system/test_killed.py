"""A process killed in the middle of a pull or a push: the next one goes on, nothing is lost or twice.

``CALWARD_SEED`` chooses other moments to die at; a failure names it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward, own_household
from tests.system.conftest import Other, another_client, connect, title, titles_here
from tests.system.dying import TO_THE_END, run_until
from tests.system.servers import SERVERS

SEED = int(os.environ.get("CALWARD_SEED", "0"))
MANY = 250
"""Objects: two batches."""
FEW, ALL = 5, 20
"""Moments to die at."""


@dataclass(frozen=True)
class Place:
    """A server, and how often a process is killed at its work with it."""

    address: Address
    points: int

    def moments(self, kind: int, reach: int) -> Iterator[int]:
        """Steps to die at, over a run: more of them early, where it changes from one thing to the next."""
        draw = random.Random(f"{SEED} {kind}")
        return iter(sorted(int(reach * draw.random() ** 2) + 1 for _ in range(self.points)))


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("radicale", FEW), id="radicale, a few times"),
        pytest.param(("radicale", ALL), id="radicale", marks=pytest.mark.interop),
        pytest.param(("cyrus", ALL), id="cyrus", marks=pytest.mark.interop),
    ],
)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    name, points = request.param
    with SERVERS[name](tmp_path_factory.mktemp(name)) as address:
        yield Place(address, points)


@pytest.fixture
def client(place: Place) -> Generator[Other]:
    other = another_client(place.address)
    yield other
    other.remote.close()


@pytest.fixture
def household(tmp_path: Path) -> dict[str, str]:
    return own_household(tmp_path / "data")


@pytest.fixture(autouse=True)
def seed() -> None:
    print(f"CALWARD_SEED={SEED}")  # shown where the test fails


def test_a_first_pull_that_is_killed_again_and_again_is_finished(
    calward: Calward, place: Place, client: Other, household: dict[str, str]
) -> None:
    for number in range(MANY):
        client.adds(f"e{number}", f"Event {number:03}")
    account = ("connect", place.address.url, "--user", place.address.user, "--name", "server")
    assert calward(*account, given=f"{place.address.password}\n".encode()).code == 0
    calward("call", "calendar_choose", f'{{"account": "server", "calendars": ["{client.name}"]}}')
    killed = sum(not run_until(step, household) for step in place.moments(1, 120))
    assert killed >= place.points // 4
    assert run_until(TO_THE_END, household)
    assert titles_here(calward, client.name) == [f"Event {number:03}" for number in range(MANY)]
    assert calward("sync", "--full").out == f"{client.name}: nothing new.\n"


def test_pulls_that_are_killed_lose_and_double_nothing(
    calward: Calward, place: Place, client: Other, household: dict[str, str]
) -> None:
    kept = [client.adds(f"e{number}", f"Event {number:03}") for number in range(40)]
    connect(calward, place.address, client)
    killed = 0
    for turn, step in enumerate(place.moments(2, 70)):
        client.adds(f"new{turn}", f"New {turn:03}")
        client.edits(kept[turn], client.event(f"e{turn}", f"Changed {turn:03}"))
        if turn % 5 == 0:
            client.deletes(kept[-1 - turn // 5])
        killed += not run_until(step, household)
    assert killed >= place.points // 4
    assert run_until(TO_THE_END, household)
    assert titles_here(calward, client.name) == client.titles
    assert calward("call", "conflict_list").json["conflicts"] == []


def test_pushes_that_are_killed_lose_and_double_nothing(
    calward: Calward,
    place: Place,
    client: Other,
    household: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(40):
        client.adds(f"e{number}", f"Event {number:03}")
    connect(calward, place.address, client)
    ids = {one["title"]: one["id"] for one in events(calward, "Event")}
    wanted = set(ids)
    killed = 0
    for turn, step in enumerate(place.moments(3, 90)):
        with monkeypatch.context() as patch:
            patch.setattr("calward.bootstrap.workers.work_off", lambda app: ())
            calward("new", f"New {turn:03}", "2026-03-04T10:00", "--calendar", client.name)
            was = f"Event {turn:03}"
            calward("edit", ids[was], "--title", f"Changed {turn:03}")
            wanted = wanted - {was} | {f"New {turn:03}", f"Changed {turn:03}"}
            if turn % 5 == 0:
                gone = f"Event {39 - turn // 5:03}"
                calward("delete", ids[gone], "--yes")
                wanted -= {gone}
        killed += not run_until(step, household)
    assert killed >= place.points // 4
    assert run_until(TO_THE_END, household)
    assert calward("sync").code == 0
    listed = client.remote.fetch(client.url, list(client.remote.listing(client.url))).objects
    assert sorted(title(one.body) for one in listed) == sorted(wanted)
    assert titles_here(calward, client.name) == sorted(wanted)
    assert calward("call", "conflict_list").json["conflicts"] == []


def events(calward: Calward, query: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = calward("search", query, "--limit", "100", "--json").json["events"]
    return found

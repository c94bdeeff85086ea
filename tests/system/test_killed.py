"""A process killed in the middle of a pull or a push: the next one goes on, nothing is lost or twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Generator
from itertools import count
from pathlib import Path

import pytest

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward, own_household
from tests.system.conftest import Other, another_client, connect, title, titles_here

ROOT = Path(__file__).parents[2]
MANY = 250
"""Objects: two batches."""
TO_THE_END = 1_000_000

CHILD = """
import os, signal, sys
from sqlalchemy import event
from sqlalchemy.engine import Engine
from calward.bootstrap.app import open_app
from calward.bootstrap.workers import tools_of, now
from calward.operations.due import LEASE, claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.remotes.http import Http
from calward.store.calendars import list_calendars
left = iter(range(int(sys.argv[1])))
def step(*_):
    if next(left, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
exchange = Http.exchange
def watched(self, ask):
    step()
    answer = exchange(self, ask)
    step()
    return answer
with open_app() as app:
    with app.store.reading() as conn:
        calendar = next(one for one in list_calendars(conn, app.sources.household) if one.account_id)
    Http.exchange = watched
    event.listen(Engine, "before_cursor_execute", step)
    event.listen(Engine, "commit", step)
    # Whoever held the claim is dead; its lease is not waited for here, but thought to be over.
    later = now() + int(sys.argv[2]) * 2 * LEASE
    claimed = claim_sync(app.store.writing, app.sources.household, calendar.id, later, "child")
    run_sync(tools_of(app), claimed)
"""


@pytest.fixture
def client(radicale_address: Address) -> Generator[Other]:
    other = another_client(radicale_address)
    yield other
    other.remote.close()


TURNS = count(1)


def run_until(step: int, folder: Path) -> bool:
    """A sync in a process of its own that dies at a step; whether it got to the end before."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(step), str(next(TURNS))],
        cwd=ROOT,
        env={**os.environ, **own_household(folder)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode == 0


def moments(seed: int, count: int, reach: int) -> list[int]:
    """Steps to die at, spread over a run: more of them early, where it changes from one thing to the next."""
    draw = random.Random(seed)
    return sorted(int(reach * draw.random() ** 2) + 1 for _ in range(count))


def test_a_first_pull_that_is_killed_again_and_again_is_finished(
    calward: Calward, radicale_address: Address, client: Other, tmp_path: Path
) -> None:
    for number in range(MANY):
        client.adds(f"e{number}", f"Event {number:03}")
    account = ("connect", radicale_address.url, "--user", "alice", "--name", "server")
    assert calward(*account, given=b"wonderland\n").code == 0
    calward("call", "calendar_choose", f'{{"account": "server", "calendars": ["{client.name}"]}}')
    killed = sum(not run_until(step, tmp_path / "data") for step in moments(1, 20, 120))
    assert killed >= 10
    assert run_until(TO_THE_END, tmp_path / "data")
    assert titles_here(calward, client.name) == [f"Event {number:03}" for number in range(MANY)]
    assert calward("sync", "--full").out == f"{client.name}: nothing new.\n"


def test_pulls_that_are_killed_lose_and_double_nothing(
    calward: Calward, radicale_address: Address, client: Other, tmp_path: Path
) -> None:
    kept = [client.adds(f"e{number}", f"Event {number:03}") for number in range(40)]
    connect(calward, radicale_address, client)
    killed = 0
    for turn, step in enumerate(moments(2, 20, 70)):
        client.adds(f"new{turn}", f"New {turn:03}")
        client.edits(kept[turn], client.event(f"e{turn}", f"Changed {turn:03}"))
        if turn % 5 == 0:
            client.deletes(kept[-1 - turn // 5])
        killed += not run_until(step, tmp_path / "data")
    assert killed >= 10
    assert run_until(TO_THE_END, tmp_path / "data")
    assert titles_here(calward, client.name) == client.titles
    assert calward("call", "conflict_list").json["conflicts"] == []


def test_pushes_that_are_killed_lose_and_double_nothing(
    calward: Calward, radicale_address: Address, client: Other, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        client.adds(f"e{number}", f"Event {number:03}")
    connect(calward, radicale_address, client)
    ids = {one["title"]: one["id"] for one in events(calward, "Event")}
    wanted = set(ids)
    killed = 0
    for turn, step in enumerate(moments(3, 20, 90)):
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
        killed += not run_until(step, tmp_path / "data")
    assert killed >= 10
    assert run_until(TO_THE_END, tmp_path / "data")
    assert calward("sync").code == 0
    listed = client.remote.fetch(client.url, list(client.remote.listing(client.url))).objects
    assert sorted(title(one.body) for one in listed) == sorted(wanted)
    assert titles_here(calward, client.name) == sorted(wanted)
    assert calward("call", "conflict_list").json["conflicts"] == []


def events(calward: Calward, query: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = calward("search", query, "--limit", "100", "--json").json["events"]
    return found

"""Reminders with a real calendar server and the real program: they follow what another client does, and fire
once, also when the process that fires them is killed."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from calward.model.ids import Href
from tests.contract.caldav_servers import Address, free_port
from tests.faces.cli.conftest import Calward, command, environment
from tests.operations.world import ics, vevent
from tests.system.conftest import Other, another_client, connect
from tests.system.waiting import PATIENCE, until

OFTEN = {"CALWARD_SYNC_SECONDS": "10"}


@pytest.fixture
def client(radicale_address: Address) -> Generator[Other]:
    other = another_client(radicale_address)
    yield other
    other.remote.close()


@pytest.fixture(autouse=True)
def often(calward: Calward, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command leaves for the program to sync is due in ten seconds, and not in a minute."""
    for name, value in OFTEN.items():
        monkeypatch.setenv(name, value)


@contextmanager
def serving(folder: Path) -> Generator[subprocess.Popen[bytes]]:
    """The program, syncing every ten seconds and firing, in a process of its own."""
    process = subprocess.Popen(
        command(["serve", "--port", str(free_port())]),
        env=environment(folder, OFTEN),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def dinner(other: Other, start: datetime, *lines: str) -> bytes:
    written = f"{start.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return ics(
        *vevent(f"dinner@{other.name}", f"DTSTART:{written}", "DURATION:PT1H", "SUMMARY:Dinner", *lines)
    ).encode()


def added(calward: Calward, address: Address, client: Other) -> Href:
    """Another client's event of tomorrow, mirrored here, with a reminder one hour before it."""
    href = client.adds("dinner", "Dinner")
    client.edits(href, dinner(client, datetime.now(UTC) + timedelta(days=1)))
    connect(calward, address, client)
    assert calward("sync").code == 0
    assert calward("remind", "Wear a tie", "--event", "dinner", "--before", "60").code == 0
    return href


def told(calward: Calward) -> list[str]:
    return [one["text"] for one in calward("reminders", "--fired", "--json").json["told"]]


def state(calward: Calward) -> str:
    (one,) = calward("reminders", "--all", "--json").json["reminders"]
    found: str = one["state"]
    return found


def test_it_fires_at_the_new_time_after_another_client_moved_the_event(
    calward: Calward, radicale_address: Address, client: Other, tmp_path: Path
) -> None:
    href = added(calward, radicale_address, client)
    soon = datetime.now(UTC) + timedelta(hours=1, seconds=20)
    with serving(tmp_path / "data"):
        client.edits(href, dinner(client, soon))
        until(lambda: told(calward) != [])
    assert told(calward) == ["Dinner: Wear a tie"]
    (one,) = calward("reminders", "--fired", "--json").json["told"]
    assert datetime.fromisoformat(one["at"]) >= (soon - timedelta(hours=1)).replace(microsecond=0)
    assert state(calward) == "fired"


def test_an_alarm_of_the_event_fires_at_the_new_time_and_nothing_is_written_back(
    calward: Calward, radicale_address: Address, client: Other, tmp_path: Path
) -> None:
    alarm = ("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "DESCRIPTION:Eat", "END:VALARM")
    href = client.adds("dinner", "Dinner")
    client.edits(href, dinner(client, datetime.now(UTC) + timedelta(days=1), *alarm))
    connect(calward, radicale_address, client)
    assert calward("sync").code == 0
    assert calward("calendars", "alarms", client.name, "on").code == 0
    client.edits(href, dinner(client, datetime.now(UTC) + timedelta(hours=1, seconds=20), *alarm))
    before = client.bodies()
    with serving(tmp_path / "data"):
        until(lambda: told(calward) != [])
    assert told(calward) == ["Dinner: Eat"]
    assert state(calward) == "fired"
    assert client.bodies() == before


def test_it_is_void_after_another_client_deleted_the_event_and_the_person_is_told_once(
    calward: Calward, radicale_address: Address, client: Other
) -> None:
    href = added(calward, radicale_address, client)
    client.deletes(href)
    for _ in range(2):
        assert calward("sync").code == 0
    assert state(calward) == "void"
    assert told(calward) == ["No reminder any more: Wear a tie. The event was deleted."]


def test_it_fires_once_over_a_kill_and_a_restart(
    calward: Calward, radicale_address: Address, client: Other, tmp_path: Path
) -> None:
    href = added(calward, radicale_address, client)
    client.edits(href, dinner(client, datetime.now(UTC) + timedelta(hours=1, seconds=10)))
    assert calward("sync").code == 0
    with serving(tmp_path / "data") as process:
        until(lambda: told(calward) != [] or process.poll() is not None)
        process.kill()
        process.wait(PATIENCE)
    with serving(tmp_path / "data"):
        assert calward("remind", "Later", "--at", "in 1 second").code == 0
        until(lambda: "Later" in told(calward))
    assert sorted(told(calward)) == ["Dinner: Wear a tie", "Later"]

"""Processes that stay work by themselves: an account out of the environment, served."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from calward.dav.href import member
from calward.model.secret import Secret
from calward.remotes.caldav import CaldavRemote
from calward.remotes.login import Password
from tests.contract.caldav_servers import Address, free_port
from tests.faces.cli.conftest import command, environment
from tests.system.conftest import event
from tests.system.waiting import PATIENCE, until

SHARED = "AI Assistant Shared"


def variables(address: Address) -> dict[str, str]:
    return {
        "CALDAV_URL": address.url,
        "CALDAV_USERNAME": address.user,
        "CALDAV_PASSWORD": address.password,
        "CALDAV_CREATE_CALENDAR": "1",
    }


@contextmanager
def serving(
    folder: Path, changed: dict[str, str], arguments: Sequence[str] = ()
) -> Generator[Callable[[], str]]:
    """Serves while the block lasts; what it yields answers all that the process has said so far."""
    folder.mkdir(exist_ok=True)
    said = folder / "said.txt"
    with said.open("wb") as file:
        process = subprocess.Popen(
            command(arguments or ["serve", "--port", str(free_port())]),
            env=environment(folder, changed),
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=file,
        )
        try:
            yield said.read_text
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def test_a_connection_of_an_assistant_works_by_itself_too(fresh: Address, tmp_path: Path) -> None:
    remote = CaldavRemote(fresh.url, Password(fresh.user, Secret(fresh.password)))
    often = variables(fresh) | {"CALWARD_SYNC_SECONDS": "10"}
    with serving(tmp_path / "data", often, ["mcp"]) as said:
        until(lambda: [one.name for one in remote.calendars()] == [SHARED])
        (calendar,) = remote.calendars()
        remote.put(calendar.url, member(calendar.url, "tea.ics"), event("tea", "Tea"), None)
        with sqlite3.connect(tmp_path / "data" / "calward.db") as store:
            until(lambda: store.execute("SELECT summary FROM components").fetchall() == [("Tea",)])
        store.close()
    assert said() == ""
    remote.close()


def test_a_server_makes_the_shared_calendar_and_brings_what_is_put_there(
    fresh: Address, tmp_path: Path
) -> None:
    remote = CaldavRemote(fresh.url, Password(fresh.user, Secret(fresh.password)))
    with serving(tmp_path / "data", variables(fresh)) as said:
        until(lambda: [one.name for one in remote.calendars()] == [SHARED])
        new = command(["new", "Walk", "2026-03-04T10:00", "--calendar", SHARED])
        made = subprocess.run(
            new, env=environment(tmp_path / "data", variables(fresh)), capture_output=True, check=False
        )
        assert made.returncode == 0, made.stderr
        (calendar,) = remote.calendars()
        until(lambda: len(remote.listing(calendar.url)) == 1)
    assert fresh.password not in said()
    remote.close()


def test_a_refused_account_is_told_and_the_calendars_here_are_served(tmp_path: Path, fresh: Address) -> None:
    wrong = variables(fresh) | {"CALDAV_PASSWORD": "changeme"}
    with serving(tmp_path / "data", wrong) as said:
        until(lambda: "Calward serves on" in said())
    assert "CALDAV_PASSWORD is still an example" in said()
    assert (tmp_path / "data" / "calward.db").exists()

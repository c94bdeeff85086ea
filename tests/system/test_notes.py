"""Reminders in notes with the real program: written by hand, they are picked up, fire and are marked, also
where the process that fired is killed before it marked the note."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Calward, own_household
from tests.system.test_reminders import serving, told
from tests.system.waiting import until

ROOT = Path(__file__).parents[2]
NOTE = """---
title: A plan   # of mine
reminder:
  due: {due}   # soon
  sent: false
---
The plan
"""
FIRED_AND_KILLED = """
import os, signal
from calward.bootstrap.app import open_app
from calward.bootstrap.workers import tools_of
from calward.workers.lanes import fire_once, note_once
from calward.workers.worker import Duties
def complain(error):
    raise error
with open_app() as app:
    duties = Duties(tools_of(app), "child", complain)
    assert note_once(duties)
    assert fire_once(duties)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def vault(calward: Calward, tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "Other.md").write_text("no reminder")
    assert calward("vault", "set", str(folder)).code == 0
    return folder


def written(due: datetime) -> str:
    return NOTE.format(due=due.isoformat(timespec="seconds"))


def test_a_note_written_by_hand_is_picked_up_fires_and_is_marked(
    calward: Calward, vault: Path, tmp_path: Path
) -> None:
    with serving(tmp_path / "data"):
        until(lambda: "looked_at" in calward("vault", "--json").json)
        due = datetime.now(UTC) + timedelta(seconds=2)
        (vault / "Plan.md").write_text(written(due))
        until(lambda: "sent: true" in (vault / "Plan.md").read_text())
    assert told(calward) == ["Plan"]
    assert (vault / "Plan.md").read_text() == written(due).replace("sent: false", "sent: true")
    assert sorted(one.name for one in vault.iterdir()) == ["Other.md", "Plan.md"]


def test_one_that_fired_is_marked_and_fires_once_though_its_process_was_killed_in_between(
    calward: Calward, vault: Path, tmp_path: Path
) -> None:
    due = datetime.now(UTC) - timedelta(seconds=2)
    (vault / "Plan.md").write_text(written(due))
    done = subprocess.run(
        [sys.executable, "-c", FIRED_AND_KILLED],
        cwd=ROOT,
        env={**os.environ, **own_household(tmp_path / "data")},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert told(calward) == ["Plan"]
    assert (vault / "Plan.md").read_text() == written(due)
    with serving(tmp_path / "data"):
        until(lambda: "sent: true" in (vault / "Plan.md").read_text())
        seen = calward("vault", "--json").json["looked_at"]
        until(lambda: calward("vault", "--json").json["looked_at"] != seen)
    assert told(calward) == ["Plan"]

"""A worker killed again and again while reminders fire and go out: none is lost, and what goes out twice has a
key that its receiver saw before."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Calward, own_household

pytestmark = pytest.mark.interop

ROOT = Path(__file__).parents[2]
KILLS = 50
REMINDERS = 400
TO_THE_END = 1_000_000

CHILD = """
import os, signal, sys
from sqlalchemy import event
from sqlalchemy.engine import Engine
from calward.bootstrap.app import open_app
from calward.bootstrap.workers import tools_of
from calward.workers.lanes import fire_once, send_once
from calward.workers.worker import Duties
received, turn = sys.argv[2], int(sys.argv[3])
left = iter(range(int(sys.argv[1])))
def step(*_):
    if next(left, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
def deliver(message, key):
    step()
    with open(received, "a") as file:
        file.write(key + "\\n")
    step()
def complain(error):
    raise error
with open_app() as app:
    duties = Duties(tools_of(app), f"child-{turn}", complain, deliver)
    event.listen(Engine, "before_cursor_execute", step)
    event.listen(Engine, "commit", step)
    while fire_once(duties) or send_once(duties):
        pass
"""
SET_UP = """
from calward.bootstrap.app import open_app
from calward.bootstrap.household import HOME
from calward.store.tables import channels
with open_app() as app:
    owner = app.pipeline.owner()
    with app.store.writing() as conn:
        conn.execute(channels.insert(), {"household": HOME, "id": "phone", "member_id": owner.member,
            "name": "phone", "kind": "apprise", "sealed": b"", "key_id": "", "shows": "title",
            "created_at": app.sources.now()})
    from calward.operations.pipeline import Call
    for number in range(%d):
        app.pipeline.execute(owner, Call("reminder_set", {"due": "in 1 second", "message": str(number)}))
"""
TURNS = count(1)


def in_process(code: str, folder: Path, *arguments: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, **own_household(folder)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode


def free_claims(folder: Path) -> None:
    """Whoever held one is dead; its lease is not waited for here, but thought to be over."""
    with closing(sqlite3.connect(folder / "calward.db")) as conn, conn:
        conn.execute("UPDATE due SET lease_until = 0 WHERE state = 'claimed'")


def test_fifty_kills_in_a_row_lose_no_reminder_and_repeat_none_under_another_key(
    calward: Calward, tmp_path: Path
) -> None:
    folder, received = tmp_path / "data", tmp_path / "received"
    assert in_process(SET_UP % REMINDERS, folder) == 0
    draw = random.Random(50)
    kills = 0
    while kills < KILLS:
        free_claims(folder)
        step = 12 + int(60 * draw.random() ** 2)
        turn = str(next(TURNS))
        assert in_process(CHILD, folder, str(step), str(received), turn) == -signal.SIGKILL
        kills += 1
    free_claims(folder)
    assert in_process(CHILD, folder, str(TO_THE_END), str(received), str(next(TURNS))) == 0
    told = calward("call", "inbox", '{"limit": 500}').json["told"]
    assert Counter(one["subject"] for one in told).most_common(1)[0][1] == 1
    assert len(told) == REMINDERS
    keys = received.read_text().split()
    assert len(set(keys)) == REMINDERS
    assert len({key.partition("@")[0] for key in keys}) == REMINDERS

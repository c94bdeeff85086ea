"""The workers killed again and again while reminders and prompts fire and go out: none is lost, and what comes
twice has a key that its receiver saw before.

``CALWARD_SEED`` chooses other moments to die at; a failure names it.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from calward.operations.due import REMINDER
from calward.store.deliveries import INBOX
from calward.store.tables import channels, deliveries, prompt_runs
from tests.faces.cli.conftest import own_household
from tests.faces.household import NOW, Home, opened
from tests.system.dying_later import TO_THE_END, work_until
from tests.system.receivers import Web, web_receiver

SEED = int(os.environ.get("CALWARD_SEED", "0"))
TURN = 5
"""Minutes from one process to the next, in which the leases of one that was killed run out."""
EACH_TURN = 6
"""Reminders, and one prompt of its own; a prompt for the person and one for their program repeat besides."""
SOON, LATE = 4, 600
"""Steps to die at: most die while things fire; some have done by then all that waits, but for sending it."""


@dataclass(frozen=True)
class House:
    home: Home
    kills: int
    phone: Path

    def work_until(self, step: int, minutes: int) -> bool:
        return work_until(step, minutes, self.phone, own_household(self.home.folder))


@pytest.fixture
def web() -> Generator[Web]:
    with web_receiver() as receiver:
        yield receiver


@pytest.fixture(
    params=[
        pytest.param(5, id="a few times"),
        pytest.param(50, id="fifty times", marks=pytest.mark.interop),
    ]
)
def house(request: pytest.FixtureRequest, tmp_path: Path, web: Web) -> Generator[House]:
    print(f"CALWARD_SEED={SEED}")  # shown where the test fails
    with opened(tmp_path / "data") as home:
        house = House(home, request.param, tmp_path / "phone")
        url = f"http://127.0.0.1:{web.port}/hook"
        home.answer("channel_set", name="agent", url=url, kind="webhook", local_network=True)
        _add_phone(home)
        for minutes in range(TURN, TURN * (house.kills + 1), TURN):
            due = (NOW + timedelta(minutes=minutes)).isoformat()
            for number in range(EACH_TURN):
                home.answer("reminder_set", due=due, message=f"Tea {minutes} {number}")
            home.answer("schedule", at=due, prompt=f"Plan {minutes}", deliver="webhook")
        first = (NOW + timedelta(minutes=TURN)).isoformat()
        for deliver in ("notify", "webhook"):
            home.answer("schedule", at=first, prompt="Again", repeat=f"*/{TURN} * * * *", deliver=deliver)
        yield house


def test_workers_killed_in_a_row_lose_nothing_and_repeat_nothing_under_another_key(
    house: House, web: Web
) -> None:
    draw = random.Random(SEED)
    turns = count(TURN, TURN)
    killed = 0
    while killed < house.kills:
        step = int(SOON * (LATE / SOON) ** draw.random())
        killed += not house.work_until(step, next(turns))
    assert house.work_until(TO_THE_END, next(turns))

    told = _rows(house.home, deliveries, "subject", "kind", "channel", "state")
    reminded = Counter(subject for subject, kind, channel, _ in told if (kind, channel) == (REMINDER, INBOX))
    assert set(reminded.values()) == {1}
    assert len(reminded) == EACH_TURN * house.kills
    assert {state for *_, state in told} == {"sent"}

    runs = _rows(house.home, prompt_runs, "key", "number", "fire_at", "state")
    assert {state for *_, state in runs} == {"done"}
    assert len({(number, at) for _, number, at, _ in runs}) == len(runs)
    assert len({number for _, number, _, _ in runs}) == house.kills + 2

    hooked = {one.headers["webhook-id"] for one in web.got}
    phoned = set(house.phone.read_text().split())
    assert {f"{REMINDER}-{ident}" for ident in reminded} <= {key.partition("@")[0] for key in phoned}
    assert {key for key, *_ in runs} <= phoned | hooked
    assert len(phoned) + len(hooked) == len(reminded) + len(runs)


def _add_phone(home: Home) -> None:
    """A channel that the workers of this test answer for."""
    row = {
        "household": home.app.sources.household,
        "id": "phone",
        "member_id": home.owner.member,
        "name": "phone",
        "kind": "apprise",
        "sealed": b"",
        "key_id": "",
        "shows": "title",
        "created_at": NOW,
    }
    with home.app.store.writing() as conn:
        conn.execute(channels.insert(), row)


def _rows(home: Home, table: sa.Table, *columns: str) -> list[tuple[Any, ...]]:
    with home.app.store.reading() as conn:
        return [tuple(row) for row in conn.execute(sa.select(*(table.c[name] for name in columns)))]

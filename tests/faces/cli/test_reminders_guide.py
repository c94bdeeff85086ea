"""The guide to reminders shows what happens: its transcripts are run, and time passes where it says so."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest

from calward.__main__ import WIRING
from calward.bootstrap.workers import tools_of
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.operations.pipeline import Pipeline
from calward.workers.lanes import fire_once
from calward.workers.worker import Duties
from tests.faces.household import NOW, Home

from .conftest import over
from .transcripts import Session, check_transcripts

PASSING = (datetime(2026, 3, 3, 8, 0, tzinfo=UTC), datetime(2026, 3, 4, 15, 0, tzinfo=UTC))
"""Tuesday, nine o'clock in Berlin, and Wednesday, four o'clock."""


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def test_the_transcripts_are_what_happens(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, ids = Clock(), count(1)
    sources = replace(
        home.app.sources, now=clock, new_id=lambda: id_from_bytes(next(ids).to_bytes(ID_BYTES, "big"))
    )
    wiring = replace(WIRING, pipeline=lambda: nullcontext(Pipeline(sources)))
    complaints: list[BaseException] = []
    duties = Duties(replace(tools_of(home.app), now=clock), "tests", complaints.append)

    def pass_time(_: str) -> None:
        for clock.now in PASSING:
            while fire_once(duties):
                pass

    check_transcripts("reminders.md", Session(over(wiring, monkeypatch)).told, pass_time)
    assert complaints == []

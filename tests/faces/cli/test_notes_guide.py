"""The guide to notes shows what happens: its transcripts are run, its notes are written and read."""

import re
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from calward.__main__ import WIRING
from calward.bootstrap.workers import tools_of
from calward.errors import NotFound
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.operations.pipeline import Call, Pipeline
from calward.workers.lanes import fire_once, note_once
from calward.workers.worker import Duties
from tests.faces.household import Home

from .conftest import over
from .test_reminders_guide import Clock
from .transcripts import GUIDES, Session, check_transcripts

TUESDAY = datetime(2026, 3, 3, 8, 0, tzinfo=UTC)
NOTE = re.compile(r"<!-- (?P<what>[^>]*) -->\n\n```markdown\n(?P<text>.*?)```", re.DOTALL)


def test_the_transcripts_are_what_happens(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, ids, tokens = Clock(), count(1), count(1)
    folder = tmp_path / "Notes"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(
        replace(
            home.app.sources,
            now=clock,
            new_id=lambda: id_from_bytes(next(ids).to_bytes(ID_BYTES, "big")),
            new_token=lambda: f"calward_token{next(tokens)}",
        )
    )
    complaints: list[BaseException] = []
    duties = Duties(replace(tools_of(home.app), now=clock), "tests", complaints.append)
    notes = {piece["what"]: piece["text"] for piece in NOTE.finditer((GUIDES / "notes.md").read_text())}
    session = Session(over(replace(WIRING, pipeline=lambda: nullcontext(pipeline)), monkeypatch))

    def happen(what: str) -> None:
        verb, _, path = what.partition(" ")
        if verb == "write":
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(notes[what])
        elif verb == "read":
            assert (folder / path).read_text() == notes[what]
        elif verb == "ann":
            pipeline.execute(pipeline.owner(), Call("assistant_add", {"name": "robin"}))
        elif verb == "robin":
            ask = {"due": "2026-03-06T11:00"}
            assert pipeline.execute(
                pipeline.assistant("robin"), Call("reminder_set", {"note": "Work/Plan.md", **ask})
            ).pending
            with pytest.raises(NotFound):
                pipeline.execute(pipeline.assistant("robin"), Call("reminder_set", {"note": "Trip.md", **ask}))
        else:
            clock.now = TUESDAY if verb == "it" else clock.now.replace(second=clock.now.second + 31)
            while note_once(duties) or fire_once(duties):
                pass

    def told(command: str) -> str:
        return session.told(command).replace(str(tmp_path), "/home/ann")

    check_transcripts("notes.md", told, happen)
    assert complaints == []

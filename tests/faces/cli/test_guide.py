"""The guide to the command line shows what happens, and names every command and exit code."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from calward.faces.cli.program import INTERRUPTED, SECTIONS, USAGE
from calward.faces.cli.talk import WAITING
from calward.faces.cli.wiring import Wiring
from calward.faces.failures import MEANINGS
from calward.operations.pipeline import Call

from .conftest import Calward
from .transcripts import GUIDES, Session, check_transcripts

GUIDE = GUIDES / "command-line.md"


def test_the_transcripts_are_what_happens(
    calward: Calward, wiring: Wiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    check_transcripts("command-line.md", Session(calward).told, lambda _: lunch(wiring))


def lunch(wiring: Wiring) -> None:
    with wiring.pipeline() as pipeline:
        call = Call("calendar_create", {"title": "Lunch with Sam", "start": "2026-03-04T12:00"})
        assert pipeline.execute(pipeline.assistant("desktop"), call).pending


def test_every_exit_code_has_its_line() -> None:
    codes: dict[int, set[str]] = defaultdict(set)
    for code, meaning in MEANINGS.items():
        codes[meaning.exit_code].add(code)
    rows = re.findall(r"^\| (\d+) \| [^|]+ \| ([^|]*)\|$", GUIDE.read_text(), re.MULTILINE)
    told = {int(number): set(re.findall(r"`(\w+)`", names)) for number, names in rows}
    assert {number: names for number, names in told.items() if names} == codes
    assert {0, 1, USAGE, WAITING, INTERRUPTED} <= told.keys()


@pytest.mark.parametrize("name", [one.name for _, commands in SECTIONS for one in commands])
def test_every_command_is_in_the_guide(name: str) -> None:
    assert re.search(rf"\b{name}\b", GUIDE.read_text())

"""The guide shows what happens: its transcripts are run, one after the other, in one household.

With ``CALWARD_REWRITE_GUIDE=1`` the transcripts are written anew, to be read before they are committed.
"""

import os
import re
import shlex
from collections import defaultdict
from pathlib import Path

import pytest

from calward.faces.cli.program import INTERRUPTED, SECTIONS, USAGE
from calward.faces.cli.talk import WAITING
from calward.faces.cli.wiring import Wiring
from calward.faces.failures import MEANINGS
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.operations.pipeline import Call

from .conftest import Calward

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "command-line.md"
PIECE = re.compile(r"```console\n(?P<transcript>.*?)```|<!-- (?P<happens>[^>]*) -->", re.DOTALL)
ID = re.compile(r"\b[a-z2-7]{16}\b")
COMMAND = re.compile(r"^\$ calward (.*)\n", re.MULTILINE)


def test_the_transcripts_are_what_happens(
    calward: Calward, wiring: Wiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session(calward)

    def happened(piece: re.Match[str]) -> str:
        if piece["happens"]:
            lunch(wiring)
            return piece[0]
        commands = COMMAND.findall(piece["transcript"])
        return f"```console\n{''.join(session.told(command) for command in commands)}```"

    written = GUIDE.read_text()
    run = PIECE.sub(happened, written)
    if os.environ.get("CALWARD_REWRITE_GUIDE"):
        GUIDE.write_text(run)
    assert run == written


class Session:
    """Runs commands of the page. Ids are shown as the page counts them, whatever else took one in between."""

    def __init__(self, calward: Calward) -> None:
        self._calward = calward
        self._shown: dict[str, str] = {}

    def told(self, command: str) -> str:
        """A command and what it shows; an error as a terminal shows it, among the rest."""
        real = {shown: real for real, shown in self._shown.items()}
        ran = self._calward(*shlex.split(ID.sub(lambda found: real.get(found[0], found[0]), command)))
        return f"$ calward {command}\n{ID.sub(self._show, ran.out + ran.err)}"

    def _show(self, found: re.Match[str]) -> str:
        number = len(self._shown) + 1
        return self._shown.setdefault(found[0], id_from_bytes(number.to_bytes(ID_BYTES, "big")))


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

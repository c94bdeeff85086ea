"""Transcripts on the pages of the guide: run one after the other, they have to show what the page says.

With ``CALWARD_REWRITE_GUIDE=1`` they are written anew, to be read before they are committed.
"""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

from calward.model.ids import ID_BYTES, id_from_bytes

from .conftest import Calward

GUIDES = Path(__file__).parents[3] / "docs" / "guides"
MOMENT = re.compile(r"\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(?=  |$)", re.MULTILINE)
"""A moment at the edge of a line, which a real clock made."""
ID = re.compile(r"\b[a-z2-7]{16}\b")
_PIECE = re.compile(r"```console\n(?P<transcript>.*?)```|<!-- (?P<happens>[^>]*) -->", re.DOTALL)
_COMMAND = re.compile(r"^\$ calward (.*)\n", re.MULTILINE)


def check_transcripts(
    page: str, tell: Callable[[str], str], happen: Callable[[str], None] | None = None
) -> None:
    """``tell`` runs a command and gives it with what it shows. ``happen`` is handed each comment of the page:
    what somebody else does between the transcripts around it."""
    guide = GUIDES / page

    def run(piece: re.Match[str]) -> str:
        if piece["happens"]:
            assert happen is not None, f"nobody knows how to have this happen: {piece['happens']}"
            happen(piece["happens"])
            return piece[0]
        return f"```console\n{''.join(map(tell, _COMMAND.findall(piece['transcript'])))}```"

    written = guide.read_text()
    shown = _PIECE.sub(run, written)
    if os.environ.get("CALWARD_REWRITE_GUIDE"):
        guide.write_text(shown)
    assert shown == written


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

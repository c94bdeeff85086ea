"""The guide for families shows what happens: its transcripts are run, one after the other, in one household.

With ``CALWARD_REWRITE_GUIDE=1`` the transcripts are written anew, to be read before they are committed.
"""

import os
import re
from pathlib import Path

from tests.faces.cli.test_guide import COMMAND, PIECE, Session

from .conftest import Calward

CODE = re.compile(r"\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b")
"""A one-time code, which the page shows as one that cannot be mistaken for its own."""
GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "family.md"


def test_the_transcripts_of_the_family_are_what_happens(calward: Calward) -> None:
    session = Session(calward)

    def happened(piece: re.Match[str]) -> str:
        commands = COMMAND.findall(piece["transcript"])
        told = "".join(session.told(command) for command in commands)
        return f"```console\n{CODE.sub('abcd-efgh-ijkl-mnop', told)}```"

    written = GUIDE.read_text()
    run = PIECE.sub(happened, written)
    if os.environ.get("CALWARD_REWRITE_GUIDE"):
        GUIDE.write_text(run)
    assert run == written

"""The guide to connecting shows what happens: its transcripts are run against a real server.

With ``CALWARD_REWRITE_GUIDE=1`` the transcripts are written anew, to be read before they are committed.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.system.conftest import another_client
from tests.system.proxy import standing_before

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "connect.md"
PIECE = re.compile(r"```console\n(?P<transcript>.*?)```|<!-- (?P<happens>[^>]*) -->", re.DOTALL)
COMMAND = re.compile(r"^\$ calward (.*)\n", re.MULTILINE)
MOMENT = re.compile(r"\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(?=  |$)", re.MULTILINE)
ID = re.compile(r"\b[a-z2-7]{16}\b")
SHOWN = "cal.lark.example"
NEARBY = " It is on your local network, which it may reach since you gave the address itself."
"""True of the server of this test, and of none at the address that is shown."""
REWRITE = bool(os.environ.get("CALWARD_REWRITE_GUIDE"))


def test_the_transcripts_are_what_happens(calward: Calward, fresh: Address) -> None:
    client = another_client(fresh, "Family")
    client.adds("lunch", "Lunch")
    client.adds("school", "School")
    with standing_before(fresh.url) as proxy:
        typed = b""

        def told(command: str) -> str:
            real = command.replace(f"https://{SHOWN}/", proxy.url)
            ran = calward(*shlex.split(real), given=typed)
            host = proxy.url.removeprefix("http://").removesuffix("/")
            text = (ran.out + ran.err).replace(proxy.url, f"https://{SHOWN}/").replace(host, SHOWN)
            text = text.replace(NEARBY, "")
            text = ID.sub("aaaaaaaaaaaaaaaa", MOMENT.sub("Mon 2 Mar 2026 09:00", text))
            return f"$ calward {command}\n{text}"

        def happened(piece: re.Match[str]) -> str:
            nonlocal typed
            match (piece["happens"] or "").partition(": "):
                case ("types", _, text):
                    typed = f"{text}\n".encode()
                case ("the server is away", _, _):
                    proxy.mode = "refuses"
                case ("the server is back", _, _):
                    proxy.mode = ""
                case _:
                    commands = COMMAND.findall(piece["transcript"])
                    return f"```console\n{''.join(map(told, commands))}```"
            return piece[0]

        written = GUIDE.read_text()
        run = PIECE.sub(happened, written)
    if REWRITE:
        GUIDE.write_text(run)
    assert run == written
    client.remote.close()

"""The guide to connecting shows what happens: its transcripts are run against a real server."""

from __future__ import annotations

import shlex

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.faces.cli.transcripts import ID, MOMENT, check_transcripts
from tests.system.conftest import another_client
from tests.system.proxy import standing_before

SHOWN = "cal.lark.example"
NEARBY = " It is on your local network, which it may reach since you gave the address itself."
"""True of the server of this test, and of none at the address that is shown."""


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

        def happen(does: str) -> None:
            nonlocal typed
            match does.partition(": "):
                case ("types", _, text):
                    typed = f"{text}\n".encode()
                case ("the server is away", _, _):
                    proxy.mode = "refuses"
                case ("the server is back", _, _):
                    proxy.mode = ""
                case _:
                    raise AssertionError(f"nobody knows how to have this happen: {does}")

        try:
            check_transcripts("connect.md", told, happen)
        finally:
            client.remote.close()

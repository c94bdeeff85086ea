"""The guide to syncing shows what happens: its transcripts are run against a real server and another client.

With ``CALWARD_REWRITE_GUIDE=1`` the transcripts are written anew, to be read before they are committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.faces.cli.test_guide import COMMAND, PIECE, Session
from tests.system.conftest import Other, another_client, connect
from tests.system.two_writers import with_lines

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "sync.md"
DID = re.compile(r"the phone: (?P<title>.*?) (?P<line>[A-Z]+:.*)")
MOMENT = re.compile(r"\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(?=  |$)", re.MULTILINE)
REWRITE = bool(os.environ.get("CALWARD_REWRITE_GUIDE"))
EVENTS = ("Lunch", "School", "Choir")


def test_the_transcripts_are_what_happens(calward: Calward, fresh: Address) -> None:
    phone = another_client(fresh, "Family")
    for title in EVENTS:
        phone.adds(title.lower(), title)
    connect(calward, fresh, phone)
    session = Session(calward)

    def happened(piece: re.Match[str]) -> str:
        if piece["happens"]:
            on_the_phone(phone, piece["happens"])
            return piece[0]
        told = "".join(session.told(command) for command in COMMAND.findall(piece["transcript"]))
        return f"```console\n{MOMENT.sub('Mon 2 Mar 2026 09:00', told)}```"

    written = GUIDE.read_text()
    run = PIECE.sub(happened, written)
    phone.remote.close()
    if REWRITE:
        GUIDE.write_text(run)
    assert run == written


def on_the_phone(phone: Other, does: str) -> None:
    listed = list(phone.remote.listing(phone.url))
    for one in phone.remote.fetch(phone.url, listed).objects:
        if does == "the phone deletes everything":
            phone.deletes(one.href)
        elif (did := DID.fullmatch(does)) and f"SUMMARY:{did['title']}\r\n".encode() in one.body:
            phone.edits(one.href, with_lines(one.body, (did["line"],)))

"""The guide to syncing shows what happens: its transcripts are run against a real server and another client."""

from __future__ import annotations

import re

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.faces.cli.transcripts import MOMENT, Session, check_transcripts
from tests.system.conftest import Other, another_client, connect
from tests.system.two_writers import with_lines

DID = re.compile(r"the phone: (?P<title>.*?) (?P<line>[A-Z]+:.*)")
EVENTS = ("Lunch", "School", "Choir")


def test_the_transcripts_are_what_happens(calward: Calward, fresh: Address) -> None:
    phone = another_client(fresh, "Family")
    for title in EVENTS:
        phone.adds(title.lower(), title)
    connect(calward, fresh, phone)
    session = Session(calward)

    def told(command: str) -> str:
        return MOMENT.sub("Mon 2 Mar 2026 09:00", session.told(command))

    try:
        check_transcripts("sync.md", told, lambda does: on_the_phone(phone, does))
    finally:
        phone.remote.close()


def on_the_phone(phone: Other, does: str) -> None:
    listed = list(phone.remote.listing(phone.url))
    for one in phone.remote.fetch(phone.url, listed).objects:
        if does == "the phone deletes everything":
            phone.deletes(one.href)
        elif (did := DID.fullmatch(does)) and f"SUMMARY:{did['title']}\r\n".encode() in one.body:
            phone.edits(one.href, with_lines(one.body, (did["line"],)))

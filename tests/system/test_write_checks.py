"""Trying what a server does with writes: on a calendar made for that, asked for, and gone afterwards."""

from __future__ import annotations

import pytest

from calward.dav.errors import NotPermitted
from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.system.conftest import Other, connect

REFUSED = "is refused, as it should be"
FOUND = {"Overwriting": REFUSED, "An edit of what changed since": REFUSED, "A deletion": "is done"}
SOGO = {
    "Overwriting": "is done, although it should be refused",
    "An edit of what changed since": REFUSED,
    "A deletion": "could not be tried, since the event is gone already",
}
"""It asks for no version where it deletes, and for none where it creates."""


def test_a_server_is_tried_and_left_as_it_was(
    calward: Calward, address: Address, other: Other, server: str
) -> None:
    other.adds("lunch", "Lunch")
    connect(calward, address, other)
    before = sorted(one.url for one in other.remote.calendars())
    ran = calward("doctor", "--write-checks", "server", "--yes")
    assert ran.code == 0, ran.err
    assert "Calendars  can be made here" in ran.out
    for what, found in (SOGO if server == "sogo" else FOUND).items():
        assert f"{what}  {found}" in ran.out
    assert sorted(one.url for one in other.remote.calendars()) == before
    assert other.titles == ["Lunch"]
    told = calward("doctor", "--write-checks", "server", "--yes", "--json").json["findings"]
    assert told[0]["what"] == "Calendars"


def test_nothing_is_written_unasked(calward: Calward, address: Address, other: Other) -> None:
    connect(calward, address, other)
    assert calward("doctor", "--write-checks", "server").code != 0
    assert calward("doctor", "--write-checks", "nobody", "--yes").code != 0


def test_only_a_calendar_made_to_try_things_on_is_removed(other: Other) -> None:
    with pytest.raises(NotPermitted, match="not made to try things on"):
        other.remote.remove_scratch(other.url)
    assert other.url in [one.url for one in other.remote.calendars()]

"""A feed through the whole program: read, kept, never written, and its address told to nobody."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Calward
from tests.operations.world import ics, vevent
from tests.system.conftest import titles_here
from tests.unit.remotes.scripted import Scripted, say, scripted

CANARY = "canary-4b1d"


def event(number: int, title: str = "") -> tuple[str, ...]:
    return vevent(f"e{number}", f"DTSTART:202603{number:02}T120000Z", f"SUMMARY:{title or f'Game {number}'}")


def club(*events: tuple[str, ...]) -> bytes:
    return ics("X-WR-CALNAME:Club", *(line for one in events for line in one)).encode()


GAMES = [event(number) for number in range(1, 11)]


@pytest.fixture
def server() -> Generator[Scripted]:
    with scripted(say(200, club(*GAMES), [("ETag", '"1"')])) as started:
        yield started


def connect(calward: Calward, server: Scripted) -> None:
    ran = calward("connect", "feed", given=f"{server.url}{CANARY}/basic.ics\n".encode())
    assert ran.code == 0, ran.err
    assert ran.out == "Connected Club, which can only be read: 10 events.\nClub: 10 from the server.\n"


def test_it_is_mirrored_and_kept_up_with(calward: Calward, server: Scripted) -> None:
    connect(calward, server)
    assert len(titles_here(calward, "Club")) == 10
    server.plays[:] = [say(304)]
    assert calward("sync", "Club").out == "Club: nothing new.\n"
    assert server.heard[-1].headers["if-none-match"] == '"1"'
    # What is over goes, much at once; what changed, changes.
    server.plays[:] = [say(200, club(*GAMES[7:9], event(10, "Final")), [("ETag", '"2"')])]
    assert calward("sync", "Club").out == "Club: 1 from the server, 7 removed here.\n"
    assert titles_here(calward, "Club") == ["Final", "Game 8", "Game 9"]


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (say(200, b"<html>Sign in</html>"), "web page"),
        (say(200, club(*GAMES)[:300]), "only a part"),
        (say(404), "no feed at this address"),
        (say(500), "trouble"),
    ],
)
def test_what_is_no_feed_leaves_the_last_good_copy(
    calward: Calward, server: Scripted, page: object, says: str
) -> None:
    connect(calward, server)
    server.plays[:] = [page]  # type: ignore[list-item]
    ran = calward("sync", "Club")
    assert ran.code == 9
    assert says in ran.out
    assert says in calward("status").out
    assert len(titles_here(calward, "Club")) == 10
    assert calward("doctor").code == 1


def test_a_feed_that_turns_empty_is_held_for_a_person(calward: Calward, server: Scripted) -> None:
    connect(calward, server)
    server.plays[:] = [say(200, club())]
    assert calward("sync", "Club").code == 0
    assert len(titles_here(calward, "Club")) == 10
    assert "10 of 10 events" in calward("held").out


def test_it_can_only_be_read(calward: Calward, server: Scripted) -> None:
    connect(calward, server)
    refused = calward("new", "Training", "2026-03-20T10:00", "--calendar", "Club")
    assert refused.code != 0
    assert "only be read" in refused.err
    found = calward("search", "Game 3", "--json").json["events"][0]["id"]
    assert "only be read" in calward("edit", found, "--title", "Mine").err
    assert {heard.method for heard in server.heard} == {"GET"}


def test_its_address_is_a_secret(calward: Calward, server: Scripted, tmp_path: Path) -> None:
    connect(calward, server)
    told = [calward(*words) for words in (("accounts",), ("status",), ("doctor",), ("history",))]
    told += [calward(*words, "--json") for words in (("accounts",), ("doctor",))]
    assert all(CANARY not in one.out + one.err for one in told)
    assert "http://127.0.0.1/…" in told[0].out
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert all(CANARY.encode() not in path.read_bytes() for path in kept)


def test_a_feed_that_moved_gets_its_new_address_under_its_old_name(calward: Calward, server: Scripted) -> None:
    connect(calward, server)
    with scripted(say(200, club(*GAMES[:2]))) as moved:
        ran = calward("connect", f"{moved.url}new.ics", "--name", "Club")
        assert ran.code == 0, ran.err
        assert titles_here(calward, "Club") == ["Game 1", "Game 2"]
    assert calward("accounts", "--json").out.count('"kind"') == 1


def test_a_feed_that_cannot_be_read_is_not_connected(calward: Calward, server: Scripted) -> None:
    server.plays[:] = [say(200, b"<html></html>")]
    ran = calward("connect", f"{server.url}{CANARY}.ics")
    assert ran.code == 9
    assert "web page" in ran.err
    assert CANARY not in ran.err
    assert "No account" in calward("accounts").out


def test_holidays_are_a_feed_that_is_made_here(calward: Calward) -> None:
    pytest.importorskip("holidays")
    ran = calward("connect", "holidays", "de-by")
    assert ran.out.startswith("Connected Holidays DE-BY, which can only be read: ")
    assert calward("sync", "Holidays DE-BY").out == "Holidays DE-BY: nothing new.\n"
    assert "holidays:de-by" in calward("accounts").out
    assert "DE-BY" in calward("connect", "holidays").err
    assert calward("connect", "holidays", "XX").code != 0

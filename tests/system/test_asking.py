"""What a person is asked at a terminal when they connect an account, and what they may answer."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import command, environment
from tests.system.conftest import another_client

Said = Sequence[tuple[bytes, bytes]]


def converse(folder: Path, arguments: Sequence[str], said: Said) -> tuple[int, str]:
    """A command at a terminal, each answer typed when its question is there: its exit code, and all shown."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env=environment(folder, {"TERM": "dumb"}),
    )
    os.close(theirs)
    shown, begun = b"", 0
    for question, answer in said:
        while question not in shown[begun:]:
            part = _read(ours)
            assert part, f"{question!r} was not asked: {shown.decode()}"
            shown += part
        begun = len(shown)
        os.write(ours, answer)
    while part := _read(ours):
        shown += part
    os.close(ours)
    return process.wait(), shown.decode().replace("\r\n", "\n")


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 4096)
    except OSError:  # the other side is gone, as Linux says it
        return b""


def server_with(address: Address, *names: str) -> None:
    for name in names:
        client = another_client(address, name)
        client.adds(name.lower(), f"Lunch with {name}")
        client.remote.close()


def test_the_name_the_password_and_the_calendars_are_asked_for(fresh: Address, tmp_path: Path) -> None:
    server_with(fresh, "Kim", "Sam")
    code, shown = converse(
        tmp_path / "data",
        ["connect", fresh.url],
        [
            (b"User: ", f"{fresh.user}\n".encode()),
            (b"Password: ", f"{fresh.password}\n".encode()),
            (b"[all]: ", b"7\n"),
            (b"[all]: ", b"two\n"),
            (b"[all]: ", b"2\n"),
        ],
    )
    assert code == 0, shown
    assert fresh.password not in shown
    assert shown.count("Numbers from 1 to 2, all or none.") == 2
    (chosen,) = re.findall(r"^ +2\. +(\w+)", shown, re.MULTILINE)
    assert f"{chosen} is mirrored from now on." in shown
    assert f"{chosen}: 1 from the server." in shown
    assert shown.count("is mirrored") == 1


def test_none_and_all_are_answers_too(fresh: Address, tmp_path: Path) -> None:
    server_with(fresh, "Kim", "Sam")
    signed = (b"Password: ", f"{fresh.password}\n".encode())
    connect = ["connect", fresh.url, "--user", fresh.user]
    code, shown = converse(tmp_path / "data", connect, [signed, (b"[all]: ", b"none\n")])
    assert (code, "Nothing is mirrored yet." in shown) == (0, True)
    code, shown = converse(tmp_path / "data", connect, [signed, (b"[all]: ", b"\n")])
    assert code == 0
    assert "Kim is mirrored from now on." in shown
    assert "Sam is mirrored from now on." in shown


def test_a_wrong_password_is_said_and_nothing_is_asked_after_it(fresh: Address, tmp_path: Path) -> None:
    connect = ["connect", fresh.url, "--user", fresh.user]
    code, shown = converse(tmp_path / "data", connect, [(b"Password: ", b"letmein\n")])
    assert code == 9
    assert "did not accept the name and password" in shown
    assert "Mirror which?" not in shown
    assert "letmein" not in shown


def test_a_service_says_which_password_it_wants_before_it_is_asked_for(tmp_path: Path) -> None:
    connect = ["connect", "icloud", "--user", "alex@lark.example"]
    code, shown = converse(tmp_path / "data", connect, [(b"Password: ", b"\x04")])
    assert code != 0
    assert "app-specific password" in shown
    assert "https://account.apple.com" in shown


def test_the_address_of_a_feed_is_asked_for_and_not_shown(tmp_path: Path) -> None:
    secret = b"http://127.0.0.1:9/canary/basic.ics\n"
    code, shown = converse(tmp_path / "data", ["connect", "feed"], [(b"Address: ", secret)])
    assert code == 9
    assert "Nothing takes connections at 127.0.0.1:9" in shown
    assert "canary" not in shown

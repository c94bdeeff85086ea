"""The password on the terminal, asked for where an assistant is connected on this machine."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from calward.bootstrap.app import App, open_app
from calward.operations.entrance import Entrance
from calward.operations.pipeline import Call
from calward.settings import resolve

from .conftest import Process, Ran, _read, command, environment, own_household

PASSWORD = "correct horse battery"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The household of ``process``, with a stdio assistant and a request of it that waits."""
    with open_app(resolve(own_household(tmp_path / "data"), {})) as app:
        pipeline = app.pipeline
        pipeline.execute(pipeline.owner(), Call("assistant_add", {"name": "desktop", "preset": "careful"}))
        yield app


def request(app: App, title: str) -> str:
    call = Call("calendar_create", {"title": title, "start": "2099-03-03T12:00"})
    asked = app.pipeline.execute(app.pipeline.assistant("desktop"), call).pending
    assert asked
    return asked


def connect(app: App) -> None:
    """What ``calward mcp --as desktop`` does first."""
    Entrance(app.sources).bind(app.pipeline.assistant("desktop"))


def at_own_terminal(folder: Path, *arguments: str, typed: tuple[tuple[str, str], ...]) -> Ran:
    """A process that a terminal of its own controls; ``typed`` is prompt by prompt what is answered there. Its
    standard input leads nowhere."""
    ours, theirs = pty.openpty()

    def take_the_terminal() -> None:
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    with subprocess.Popen(
        command(arguments),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=take_the_terminal,
        env=environment(folder, {}),
    ) as started:
        os.close(theirs)
        shown, answers = b"", list(typed)
        while part := _read(ours):
            shown += part
            while answers and answers[0][0].encode() in shown:
                prompt, answer = answers.pop(0)
                shown = shown.replace(prompt.encode(), prompt.upper().encode(), 1)
                os.write(ours, f"{answer}\n".encode())
        os.close(ours)
    assert not answers, shown
    return Ran(started.returncode, shown.decode().replace("\r\n", "\n"), "")


def choose(folder: Path, new: str = PASSWORD) -> Ran:
    return at_own_terminal(folder, "passphrase", typed=(("New password: ", new), ("The same again: ", new)))


def test_approving_asks_for_the_password_once_there_is_one_and_an_assistant_is_connected(
    app: App, tmp_path: Path, process: Process
) -> None:
    folder = tmp_path / "data"
    first, second, third = (request(app, title) for title in ("Lunch", "Tea", "Dinner"))
    assert choose(folder).code == 0
    assert process("approvals", "approve", first, "--yes").code == 0
    connect(app)
    alone = process("approvals", "approve", second, "--yes", given=f"{PASSWORD}\n".encode())
    assert (alone.code, "no terminal to type it on" in alone.err) == (4, True)
    wrong = at_own_terminal(folder, "approvals", "approve", second, "--yes", typed=(("Your password: ", "no"),))
    assert (wrong.code, "That is not the password." in wrong.out) == (4, True)
    right = at_own_terminal(
        folder, "approvals", "approve", second, "--yes", typed=(("Your password: ", PASSWORD),)
    )
    assert (right.code, PASSWORD in right.out, "it is done" in right.out) == (0, False, True)
    for closed in (
        ("call", "approval_decide", f'{{"id": "{third}", "approve": true}}'),
        ("grant", "desktop", "Home", "--preset", "helper"),
        ("members", "invite", "Ann"),
        ("token", "add"),
    ):
        refused = process(*closed, given=f"{PASSWORD}\n".encode(), CALWARD_PASSWORD=PASSWORD)
        assert (refused.code, "terminal" in refused.err) == (4, True), closed
    assert process("agenda").code == 0


def test_another_password_takes_the_one_before(app: App, tmp_path: Path, process: Process) -> None:
    folder = tmp_path / "data"
    assert choose(folder).code == 0
    asked = (("now: ", "wrong"), ("New password: ", "something else"), ("The same again: ", "something else"))
    assert at_own_terminal(folder, "passphrase", typed=asked).code == 4
    asked = (("now: ", PASSWORD), *asked[1:])
    assert at_own_terminal(folder, "passphrase", typed=asked).code == 0
    differ = (("now: ", "something else"), ("New password: ", "a" * 10), ("The same again: ", "b" * 10))
    assert at_own_terminal(folder, "passphrase", typed=differ).code == 2
    assert process("passphrase", given=b"x\n" * 3).code == 4


def test_without_a_password_approving_says_how_to_choose_one_and_goes_on(
    app: App, tmp_path: Path, process: Process
) -> None:
    first, second = (request(app, title) for title in ("Lunch", "Tea"))
    assert process("approvals", "approve", first, "--yes").err == ""
    connect(app)
    told = process("approvals", "approve", second, "--yes")
    assert (told.code, told.out.splitlines()[0]) == (0, "The person agreed, and it is done.")
    assert "calward passphrase" in told.err

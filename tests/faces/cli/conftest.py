"""The command line in this process, over a household whose clock stands still and whose ids count up."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from calward.__main__ import WIRING
from calward.faces.cli.program import run
from calward.faces.cli.wiring import Wiring
from calward.model.ids import ID_BYTES, id_from_bytes
from calward.operations.pipeline import Pipeline
from tests.faces.household import NOW, Home


@dataclass(frozen=True)
class Ran:
    """What one command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def id(self) -> str:
        """The first id that was printed."""
        found = re.search(r"\b[a-z2-7]{16}(\.\w+)?\b", self.out)
        assert found, self.out
        return found[0]


Calward = Callable[..., Ran]


@pytest.fixture
def wiring(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiring:
    """The real functions, but for the store: it is the household's, and stays open."""
    for name, value in no_services(tmp_path).items():
        monkeypatch.setenv(name, value)
    ids, tokens = count(1), count(1)
    pipeline = Pipeline(
        replace(
            home.app.sources,
            now=lambda: NOW,
            new_id=lambda: id_from_bytes(next(ids).to_bytes(ID_BYTES, "big")),
            new_token=lambda: f"calward_token{next(tokens)}",
        )
    )
    return replace(WIRING, pipeline=lambda: nullcontext(pipeline))


@pytest.fixture
def calward(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> Calward:
    """``calward("agenda", "week")``; ``given`` is what comes over standard input."""
    return over(wiring, monkeypatch)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calward:
    """The whole program in this process, over a store of its own in ``tmp_path / "data"``."""
    for name in [name for name in os.environ if name.startswith("CALWARD_")]:
        monkeypatch.delenv(name)
    for name, value in own_household(tmp_path / "data").items():
        monkeypatch.setenv(name, value)
    return over(WIRING, monkeypatch)


def over(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> Calward:
    """A command line over some wiring."""

    def calward(*arguments: str, given: bytes = b"") -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run(arguments, wiring)
        words = []
        for stream in (out, err):
            stream.flush()
            buffer = stream.buffer
            assert isinstance(buffer, io.BytesIO)
            words.append(buffer.getvalue().decode("utf-8", "surrogateescape"))
        return Ran(code, *words)

    return calward


Process = Callable[..., Ran]


def environment(folder: Path, changed: Mapping[str, str]) -> dict[str, str]:
    """A process's own household in a folder, and nothing of the one who runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CALWARD_", "COV"))}
    return {**kept, **own_household(folder), **changed}


def own_household(folder: Path) -> dict[str, str]:
    return {
        "CALWARD_DATA_DIR": str(folder),
        "CALWARD_CONFIG": os.devnull,
        "CALWARD_ZONE": "Europe/Berlin",
        "CALWARD_NAME": "Ann",
        **no_services(folder.parent),
    }


def no_services(home: Path) -> dict[str, str]:
    """A home in which nothing is installed, whatever the one who runs the tests has in theirs."""
    return {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config")}


def command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-P", "-m", "calward", *arguments]


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """The same as a process of its own, over a store of its own in ``tmp_path / "data"``."""

    def process(*arguments: str, given: bytes = b"", **changed: str) -> Ran:
        done = subprocess.run(
            command(arguments),
            input=given,
            capture_output=True,
            timeout=60,
            check=False,
            env=environment(tmp_path / "data", changed),
        )
        return Ran(done.returncode, done.stdout.decode(errors="surrogateescape"), done.stderr.decode())

    return process


@pytest.fixture
def at_terminal(tmp_path: Path) -> Process:
    """A process whose three streams are a terminal, on which ``typed`` is typed; all it shows is ``out``."""

    def at_terminal(*arguments: str, typed: bytes = b"", **changed: str) -> Ran:
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            command(arguments),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=environment(tmp_path / "data", {"TERM": "xterm-256color", **changed}),
        ) as started:
            os.close(theirs)
            os.write(ours, typed)
            shown = b""
            while part := _read(ours):
                shown += part
            os.close(ours)
        return Ran(started.returncode, shown.decode().replace("\r\n", "\n"), "")

    return at_terminal


def _read(handle: int) -> bytes:
    """What the terminal shows next; nothing once the other side is gone, which Linux reports as an error."""
    try:
        return os.read(handle, 4096)
    except OSError:
        return b""

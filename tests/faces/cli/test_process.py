"""The command line as a process: streams, terminals, signals, and stores that cannot be used."""

import json
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from calward.bootstrap.binding import listen

from .conftest import Calward, Process, command, environment

RED = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def folder(tmp_path: Path, program: Calward) -> Path:
    """A store with an event in it."""
    assert program("new", "Dentist 🦷", "2026-03-03T15:00").code == 0
    return tmp_path / "data"


def test_the_first_command_makes_a_household_and_the_next_finds_it(folder: Path, process: Process) -> None:
    ran = process("agenda", "2026-03-03")
    assert (ran.code, ran.err) == (0, "")
    assert "  15:00–16:00  Dentist 🦷  (Home)  " in ran.out
    assert folder.stat().st_mode & 0o077 == 0


def test_colour_is_for_a_terminal_that_wants_it(folder: Path, process: Process, at_terminal: Process) -> None:
    plain = process("agenda", "2026-03-03").out
    coloured = at_terminal("agenda", "2026-03-03").out
    assert not RED.search(plain)
    assert RED.search(coloured)
    assert RED.sub("", coloured) == plain
    assert at_terminal("agenda", "2026-03-03", NO_COLOR="1").out == plain
    assert at_terminal("agenda", "2026-03-03", TERM="dumb").out == plain


def test_a_narrow_locale_shows_what_it_cannot_spell(folder: Path, process: Process) -> None:
    ran = process("search", "dentist", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ran.code, ran.err) == (0, "")
    assert "Dentist \\U0001f9b7" in ran.out


def test_a_person_is_asked_before_harm_is_done(folder: Path, at_terminal: Process, program: Calward) -> None:
    ident = program("search", "dentist").id
    kept = at_terminal("delete", ident, typed=b"n\n")
    assert "Dentist 🦷" in kept.out
    assert "Delete? [y/N]" in kept.out
    assert (kept.code, "Nothing was changed." in kept.out) == (1, True)
    assert at_terminal("delete", ident, typed=b"y\n").code == 0
    undone = at_terminal("undo", typed=b"y\n")
    assert "deleted  Dentist" in RED.sub("", undone.out)
    assert undone.code == 0
    assert program("search", "dentist").id == ident


def test_an_interrupt_at_a_question_changes_nothing(folder: Path, program: Calward) -> None:
    ident = program("search", "dentist").id
    with subprocess_at_question(folder, ident) as asked:
        assert interrupted(asked) == 130
    assert program("search", "dentist").id == ident


def interrupted(process: "subprocess.Popen[bytes]") -> int:
    """Its exit code. A signal just before it begins to wait is not noticed there, so another follows."""
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=2)
    raise AssertionError("it does not end")


@contextmanager
def subprocess_at_question(folder: Path, ident: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A deletion that waits for its answer, on a terminal of its own.

    What runs in the background ignores interrupts and hands that down, so they are let through again.
    """
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command(["delete", ident]),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(folder, {}),
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as started:
        os.close(theirs)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(ours, 4096)
        try:
            yield started
        finally:
            started.kill()
    os.close(ours)


def test_a_reader_that_goes_away_is_no_trouble(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command(["history"]),
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(folder, {}),
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_full_disk_is_told(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command(["export"]),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(folder, {}),
            timeout=60,
            check=False,
        )
    assert done.returncode == 8
    assert done.stderr == b"calward: No space left on device.\n"


def test_a_locked_store_is_busy(folder: Path, program: Calward) -> None:
    holder = sqlite3.connect(folder / "calward.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    ran = program("new", "x", "2026-03-04", "--json")
    holder.close()
    assert (ran.code, ran.json["error"]["code"], ran.json["error"]["retryable"]) == (7, "busy", True)


def test_a_damaged_store_is_left_as_it_is(folder: Path, program: Calward) -> None:
    database = folder / "calward.db"
    for extra in folder.glob("calward.db-*"):
        extra.unlink()
    database.write_bytes(b"This is no database. " * 1000)
    before = database.read_bytes()
    ran = program("agenda")
    assert (ran.code, ran.out) == (8, "")
    first, hint = ran.err.splitlines()
    assert first.startswith("calward: The calendar store is damaged")
    assert str(database) in hint
    assert database.read_bytes() == before


def test_a_store_of_a_newer_calward_is_not_touched(folder: Path, program: Calward) -> None:
    newer = sqlite3.connect(folder / "calward.db")
    newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.commit()
    newer.close()
    ran = program("agenda", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (8, "store_error")
    assert "newer Calward" in ran.json["error"]["message"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"CALWARD_PORT": "many"}, "The setting port (environment CALWARD_PORT)"),
        ({"CALWARD_CONFIG": "/nowhere/calward.toml"}, "there is no such file"),
        ({"CALWARD_ZONE": "Middle/Earth"}, "no IANA time zone"),
        ({"CALWARD_DATABASE_URL": "mysql://localhost/calendar"}, "no other is supported"),
        ({"CALWARD_DATA_DIR": "/dev/null/data"}, "cannot be made"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    program: Calward, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], words: str
) -> None:
    for name, value in changed.items():
        monkeypatch.setenv(name, value)
    ran = program("status")
    assert (ran.code, ran.out) == (8, "")
    assert words in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_makes_the_demo_says_how_to_connect_and_stops_when_told(
    tmp_path: Path, program: Calward, process: Process, number: signal.Signals
) -> None:
    with listen("127.0.0.1", 0) as free:
        port = str(free.getsockname()[1])
    with subprocess.Popen(
        command(["serve", "--demo", "--port", port]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(tmp_path / "data", {}),
    ) as served:
        assert served.stdout
        assert served.stderr
        assert f"http://127.0.0.1:{port} " in served.stdout.readline()
        second = process("serve", "--port", port)
        assert program("agenda", "week").out.count("(Demo)") > 1
        served.send_signal(number)
        said, complaint = served.stdout.read(), served.stderr.read()
    assert (served.returncode, complaint) == (0, "")
    assert "calward assistant add NAME" in said
    (config,) = re.findall(r'\{"mcpServers".*\}', said)
    assert json.loads(config)["mcpServers"]["calward"]["env"] == {
        "CALWARD_DATA_DIR": str(tmp_path / "data"),
        "CALWARD_CONFIG": os.devnull,
    }
    assert (second.code, second.out) == (7, "")
    assert f"Port {port} on 127.0.0.1 is taken" in second.err


def test_an_mcp_client_finds_the_program_by_its_configuration(
    folder: Path, program: Calward, process: Process
) -> None:
    """Started from elsewhere, as a client does, it opens the same store and ends with its input."""
    shown = program("assistant", "add", "desktop").out
    entry = json.loads(shown.partition("its MCP settings are:\n")[2])["mcpServers"]["calward"]
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **entry["env"]},
    )
    assert (done.returncode, done.stdout) == (0, b"")
    unknown = process("mcp", "--as", "nobody")
    assert (unknown.code, unknown.out) == (3, "")

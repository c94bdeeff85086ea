"""The program as a whole: help, what it loads, how it fails."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

import click
import pytest
from click.testing import CliRunner

from calward.errors import Busy, CalwardError, SettingsError, StoreError
from calward.faces.cli.program import SECTIONS, Program, run
from calward.faces.cli.wiring import Wiring
from calward.operations.catalog import CATALOG
from calward.operations.pipeline import Pipeline

from .conftest import Calward

COMMANDS = [command for _, commands in SECTIONS for command in commands]
HEAVY = {"pydantic", "sqlalchemy", "alembic", "mcp", "rich", "fastapi", "uvicorn", "icalendar", "platformdirs"}
MOST_OF_OURS = 12
"""Modules of Calward that help may load: the program, what it hands around, and the packages they lie in."""


def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from walk(inner, f"{path} {name}")


EVERY = [pair for one in COMMANDS for pair in walk(one.load(), one.name or "")]


def test_help_loads_nothing_it_does_not_show() -> None:
    program = (
        "import sys, json; sys.argv = ['calward', '--help']\n"
        "from calward.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert HEAVY.isdisjoint(loaded)
    assert len([name for name in loaded if name.partition(".")[0] == "calward"]) <= MOST_OF_OURS


def test_help_lists_every_command_in_its_section() -> None:
    shown = CliRunner().invoke(Program(), ["--help"])
    assert shown.exit_code == 0
    for title, commands in SECTIONS:
        assert f"\n{title}:\n" in shown.output
        for command in commands:
            assert f"  {command.name} " in shown.output


@pytest.mark.parametrize("deferred", COMMANDS, ids=lambda one: one.name)
def test_the_list_names_a_command_as_it_names_itself(deferred: click.Command) -> None:
    loaded = deferred.load()  # type: ignore[attr-defined]
    assert loaded.name == deferred.name
    assert CliRunner().invoke(Program(), [deferred.name or "", "--help"]).exit_code == 0


@pytest.mark.parametrize(("path", "command"), EVERY, ids=[path for path, _ in EVERY])
def test_every_command_is_explained_and_takes_json(path: str, command: click.Command) -> None:
    assert command.help
    assert "--json" in {text for param in command.params for text in param.opts}
    for param in command.params:
        if isinstance(param, click.Option) and param.name != "title":
            assert param.help, param.name


def test_the_version_is_told(calward: Calward) -> None:
    assert calward("--version").out.startswith("calward, version ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["agendaa"], "Did you mean"),
        (["assistant", "ad"], "No such command 'ad'"),
        (["agenda", "--jsn"], "No such option '--jsn'"),
        (["new", "Dentist"], "Missing argument 'START'"),
        (["history", "--limit", "many"], "'many' is not a valid integer"),
        (["serve", "--port", "0"], "0 is not in the range"),
    ],
)
def test_what_is_not_understood_is_said_with_the_way_to_help(
    calward: Calward, arguments: list[str], words: str
) -> None:
    ran = calward(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.startswith("Usage: calward ")
    told = calward(*arguments, "--json")
    assert (told.code, told.err) == (2, "")
    assert told.json["error"]["code"] == "invalid_input"
    assert words in told.json["error"]["message"]


def test_json_after_the_end_of_options_is_text(calward: Calward) -> None:
    assert calward("search", "--", "--json").out == "Nothing found.\n"


def test_every_operation_can_be_called_by_its_name(calward: Calward) -> None:
    for operation in CATALOG:
        told = calward("call", operation.name, '{"no such argument": 1}', "--json").json["error"]
        assert told["code"] == "invalid_input"
        assert told["message"].startswith(f"{operation.name} ")


def test_a_call_takes_json_and_answers_json(calward: Calward) -> None:
    made = calward("call", "calendar_create", '{"title": "會議", "start": "2026-03-03T15:00"}').json
    assert made["event"]["title"] == "會議"
    listed = calward("call", "calendar_list", "-", given=b'{"range": "tomorrow"}').json
    assert [event["id"] for event in listed["events"]] == [made["event"]["id"]]
    assert calward("call", "calendar_status").json["zone"] == "Europe/Berlin"


@pytest.mark.parametrize("arguments", ["[]", "{", "1", '{"range": ', "[" * 100_000])
def test_a_call_takes_one_json_object(calward: Calward, arguments: str) -> None:
    ran = calward("call", "calendar_list", "-", given=arguments.encode())
    assert (ran.code, ran.out) == (2, "")
    assert "JSON" in ran.err


def test_without_an_operation_call_lists_all_of_them(calward: Calward) -> None:
    lines = calward("call").out.splitlines()
    assert [line.split()[0] for line in lines] == [operation.name for operation in CATALOG]
    assert [one["name"] for one in calward("call", "--json").json["operations"]] == [
        one.name for one in CATALOG
    ]
    assert calward("call", "calendar_destroy").code == 3


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StoreError("The store is damaged.", hint="It is /somewhere."), 8),
        (SettingsError("The setting port cannot be used."), 8),
        (Busy("Another program is writing."), 7),
    ],
)
def test_an_error_is_a_sentence_its_hint_and_an_exit_code(
    wiring: Wiring, capsys: pytest.CaptureFixture[str], error: CalwardError, code: int
) -> None:
    assert run(["status"], failing(wiring, error)) == code
    told = capsys.readouterr()
    hint = f"{error.hint}\n" if error.hint else ""
    assert (told.out, told.err) == ("", f"calward: {error.message}\n{hint}")
    assert run(["status", "--json"], failing(wiring, error)) == code
    body = json.loads(capsys.readouterr().out)["error"]
    assert body == {"code": error.code, "message": error.message, "retryable": error.retryable}


def test_what_the_system_refuses_is_a_sentence_too(wiring: Wiring, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["status"], failing(wiring, PermissionError(13, "Permission denied", "/data/epoch"))) == 8
    assert capsys.readouterr().err == "calward: /data/epoch: Permission denied.\n"


def test_what_was_not_foreseen_is_not_hidden(wiring: Wiring) -> None:
    with pytest.raises(ZeroDivisionError):
        run(["status"], failing(wiring, ZeroDivisionError()))


def test_the_trace_of_an_error_is_shown_on_request(
    wiring: Wiring, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALWARD_DEBUG", "1")
    assert run(["status"], failing(wiring, StoreError("Broken."))) == 8
    assert "Traceback" in capsys.readouterr().err


def failing(wiring: Wiring, error: Exception) -> Wiring:
    def pipeline() -> AbstractContextManager[Pipeline]:
        raise error

    return replace(wiring, pipeline=pipeline)


@pytest.mark.parametrize("path", [path for path, one in EVERY if isinstance(one, click.Group)])
def test_a_group_lists_by_itself_and_by_name(calward: Calward, path: str) -> None:
    by_itself, by_name = calward(*path.split()), calward(*path.split(), "list")
    assert by_itself.code == 0
    assert by_name == by_itself
    assert calward(*path.split(), "list", "--json").json == calward(*path.split(), "--json").json

"""The import contracts hold the house together, so they are shown to fail where they should."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tools.contracts import names_a_part

ROOT = Path(__file__).resolve().parents[2]
PURE = ("planning", "guard", "language", "sync", "dav", "recurrence", "ical", "model")

SOUND = {
    "__main__": "import calward.bootstrap",
    "bootstrap": "import calward.faces.mcp, calward.store.tables",
    "faces.mcp": "import calward.operations.pipeline",
    "operations.pipeline": "import calward.operations.view",
    "operations.view": "import calward.store.tables, calward.ical.lines",
    "operations.usecases.create": "import calward.operations.view",
    "store.tables": "import sqlalchemy",
    "dav.href": "import urllib.parse\nimport calward.errors",
    "ical.lines": "import calward.model.ids",
    "model.ids": "import base64",
    "errors": "",
}
"""A small house in good order: module → its text."""

BREACHES: Mapping[str, Mapping[str, str]] = {
    "Nobody imports upward": {"model.ids": "import calward.dav.href"},
    "No cycles": {"faces.a": "import calward.faces.b", "faces.b": "import calward.faces.a"},
    "The pure rooms": {"dav.href": "from urllib import parse, request"},
    "Faces and dialog": {"faces.mcp": "import calward.remotes.caldav", "remotes.caldav": ""},
    "A use case": {"operations.usecases.create": "import calward.operations.apply", "operations.apply": ""},
    "Only nine modules": {"operations.pipeline": "import calward.store.tables"},
}


@pytest.mark.parametrize("contract", BREACHES)
def test_each_contract_fails_on_its_breach_and_on_nothing_else(contract: str, tmp_path: Path) -> None:
    verdicts = lint({**SOUND, **BREACHES[contract]}, tmp_path)
    broken = [name for name, kept in verdicts.items() if not kept]
    assert len(broken) == 1
    assert broken[0].startswith(contract)


def test_a_house_in_order_keeps_every_contract(tmp_path: Path) -> None:
    verdicts = lint(SOUND, tmp_path)
    assert len(verdicts) == len(BREACHES)
    assert all(verdicts.values())


def test_a_new_room_fails_until_it_has_a_place(tmp_path: Path) -> None:
    assert not all(lint({**SOUND, "attic.boxes": ""}, tmp_path).values())


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("import urllib.request", True),
        ("from urllib.request import urlopen", True),
        ("from urllib import request", True),
        ("from urllib import parse, request", True),
        ("import json, urllib.request as web", True),
        ("import urllib.parse", False),
        ("from urllib.parse import quote", False),
        ("from urllib import parse", False),
        ("import urllib.requests", False),
    ],
)
def test_a_part_of_an_outside_package_is_told_from_its_siblings(statement: str, found: bool) -> None:
    assert names_a_part(statement, ["sqlalchemy", "urllib.request"]) is found


def test_the_pure_rooms_open_no_file_and_ask_no_clock() -> None:
    rooms = [ROOT / "src" / "calward" / room for room in PURE]
    calls = [call for room in rooms for path in sorted(room.rglob("*.py")) for call in impure_calls(path)]
    assert calls == []


def impure_calls(path: Path) -> Iterator[str]:
    """Calls that no import gives away: the built-in open and the clocks on datetime's classes."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        owner, _, name = ast.unparse(node.func).rpartition(".")
        is_clock = owner.split(".")[-1] in {"datetime", "date"} and name in {"now", "today", "utcnow"}
        if is_clock or (not owner and name in {"open", "input", "print", "__import__"}):
            yield f"{path.relative_to(ROOT)}:{node.lineno} {name}"


def lint(house: Mapping[str, str], root: Path) -> dict[str, bool]:
    """Build the house under ``root`` and run the project's contracts on it: contract → whether it is kept."""
    for module, text in house.items():
        path = root / "calward" / Path(*module.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        for package in path.parents[: path.parents.index(root)]:
            (package / "__init__.py").touch()
    for needed in ("pyproject.toml", "tools/contracts.py"):
        (root / needed).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / needed, root / needed)
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
        "--no-cache",
    ]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    lines = [line.rsplit(" ", 1) for line in told.stdout.splitlines() if line.endswith((" KEPT", " BROKEN"))]
    assert lines, told.stdout + told.stderr
    return {name: verdict == "KEPT" for name, verdict in lines}

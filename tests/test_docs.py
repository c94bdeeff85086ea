"""The documentation says what is so: what the code and a page both say is compared here."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools import error_codes, third_party

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")])
RECORDS = sorted(ROOT.glob("docs/adr/*.md"))
PLANNED = " ◌"
UNNAMED = {"__init__.py", "__main__.py"}

page_by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@page_by_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@page_by_page
def test_every_verb_of_the_front_door_that_is_named_exists(page: Path) -> None:
    usage = subprocess.run([ROOT / "run", "--help"], capture_output=True, text=True, check=True).stdout
    for verb in re.findall(r"\./run ([a-z]+)", page.read_text()):
        assert f"./run {verb}" in usage, verb


def test_the_page_of_third_parties_is_current() -> None:
    assert (ROOT / "THIRD_PARTY.md").read_text() == third_party.page()


def test_the_page_of_errors_is_current() -> None:
    assert (ROOT / "docs" / "errors.md").read_text() == error_codes.page()


def test_every_room_is_described_and_none_that_stands_is_called_planned() -> None:
    described = dict(re.findall(r"`([a-z_.]+)`(◌|)", architecture().replace(PLANNED, "◌")))
    for room in rooms():
        assert room in described, f"{room} is not in docs/architecture.md"
        assert described[room] == "", f"{room} is built, and docs/architecture.md calls it planned"


def test_every_module_of_operations_is_described() -> None:
    (table,) = re.findall(r"### Inside `operations`\n(.*?)\n#", architecture(), re.DOTALL)
    first_cells = " ".join(re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE))
    described = {name.removesuffix("/") for name in re.findall(r"`([a-z_]+(?:\.py|/))`", first_cells)}
    folder = ROOT / "src" / "calward" / "operations"
    stand = {path.name for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert described == stand - UNNAMED


def test_every_file_that_the_page_of_the_architecture_names_is_there() -> None:
    tops = [ROOT / top for top in ("src", "tests", "docs", "bench", "tools")]
    named = re.findall(r"`([\w/*]+(?:\.py|\.toml|\.md|/))`", architecture())
    assert [name for name in named if not any(any(top.rglob(name.rstrip("/"))) for top in tops)] == []


def test_the_import_rule_on_the_page_is_the_one_that_is_checked() -> None:
    (layers,) = (contract for contract in contracts() if contract["type"] == "layers")
    checked = [line.replace("(", "").replace(")", "") for line in layers["layers"]]
    (told,) = re.findall(r"```text\n(.*?)```", architecture(), re.DOTALL)
    assert told.splitlines() == checked


def test_the_site_lists_every_page_and_its_front_page_leads_to_all_but_later_records() -> None:
    pages = {str(path.relative_to(ROOT / "docs")) for path in ROOT.glob("docs/**/*.md")}
    assert set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)) == pages
    leads = set(re.findall(r"\]\((\S+\.md)\)", (ROOT / "docs" / "index.md").read_text()))
    assert {page for page in pages - leads if not page.startswith("adr/")} == {"index.md"}


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[\[<>=!~ ;]", one, maxsplit=1)[0] for one in project["dependencies"]}
    record = (ROOT / "docs" / "adr" / "0005-dependencies.md").read_text()
    assert set(re.findall(r"^\| ([a-z0-9.-]+) \|", record, re.MULTILINE)) - {"package"} == needed


def test_the_glossary_says_each_word_once_and_in_order() -> None:
    table = (ROOT / "docs" / "glossary.md").read_text()
    words = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE)[1:]
    assert [word.casefold() for word in words] == sorted({word.casefold() for word in words})


@pytest.mark.parametrize("number", range(1, len(RECORDS) + 1))
def test_decision_records_are_numbered_short_and_say_what_would_change_them(number: int) -> None:
    record = RECORDS[number - 1]
    text = record.read_text()
    assert record.name.startswith(f"{number:04d}-")
    assert text.startswith(f"# {number}. ")
    assert "**Would change it.**" in text
    assert len(text.splitlines()) <= 45


def architecture() -> str:
    return (ROOT / "docs" / "architecture.md").read_text()


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return listed


def rooms() -> Iterator[str]:
    """The rooms that stand: packages with code in them, and modules beside them."""
    house = ROOT / "src" / "calward"
    yield from sorted({path.relative_to(house).parts[0] for path in house.rglob("*.py")} - UNNAMED)

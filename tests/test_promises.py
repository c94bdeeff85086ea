"""The pages of promises name a test for each, and every test that they name is one that runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "docs" / "guarantees.md", ROOT / "docs" / "threat-model.md"]
NAMED = re.compile(r"`(tests/[\w/]+\.py::\w+)`")

page_by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@page_by_page
def test_every_line_names_its_test(page: Path) -> None:
    rows = [line for line in page.read_text().splitlines() if line.startswith("|")]
    promises = [row for row in rows if not re.match(r"\| (promise|adversary) \||\|-", row)]
    assert promises
    assert [row for row in promises if not NAMED.search(row)] == []


def test_every_test_that_is_named_is_collected() -> None:
    named = {name for page in PAGES for name in NAMED.findall(page.read_text())}
    files = sorted({name.partition("::")[0] for name in named})
    command = [sys.executable, "-P", "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    collected = {line.partition("[")[0] for line in listed.splitlines()}
    assert named - collected == set()


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_the_limit_is_said_plainly(page: Path) -> None:
    assert "assistant that has a shell under your account is you" in page.read_text()

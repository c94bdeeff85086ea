"""The page of servers is made of what a run found out, and is checked against the next run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.system import findings
from tests.system.facts import FACTS
from tests.system.findings import FAILS, HOLDS, note
from tests.system.scenarios import SCENARIOS
from tests.system.servers import SERVERS
from tools import servers_page

Run = Callable[..., Path]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Writes down what a run found: all is well, but for what is said of the last server."""

    def found(name: str, version: str = "1.0", fact: str = "yes", scenario: str = HOLDS) -> Path:
        folder = tmp_path / name
        monkeypatch.setattr(findings, "FOLDER", str(folder))
        *others, last = SERVERS
        for server in SERVERS:
            note(server, "version", "version", version)
            for asked in FACTS:
                note(server, "fact", asked, fact if server == last else "yes")
            for played in SCENARIOS:
                note(server, "scenario", played.name, scenario if server == last else HOLDS)
        assert others
        return folder

    monkeypatch.setattr(servers_page, "PAGE", tmp_path / "servers.md")
    return found


def test_a_page_names_every_server_and_every_question(found: Run) -> None:
    assert servers_page.main([str(found("first"))]) == 0
    page = servers_page.PAGE.read_text()
    assert [name for name in servers_page.NAMES.values() if f"| {name} |" not in page] == []
    assert [fact for fact in FACTS if f"| {fact} | yes |" not in page] == []
    assert servers_page.NAMES.keys() == SERVERS.keys()


def test_scenarios_that_differ_in_a_number_share_a_row_that_fails_as_a_whole(found: Run) -> None:
    servers_page.main([str(found("first", scenario=FAILS))])
    (row,) = [line for line in servers_page.PAGE.read_text().splitlines() if line.startswith("| killed at")]
    assert row.endswith("| holds | holds | holds | holds | fails |")


def test_a_page_is_current_on_other_versions_and_not_with_other_facts(
    found: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    servers_page.main([str(found("first"))])
    assert servers_page.main(["--check", str(found("newer", version="2.0"))]) == 0
    assert capsys.readouterr().err == ""
    assert servers_page.main(["--check", str(found("changed", fact="no: 501"))]) == 1
    assert "no: 501" in capsys.readouterr().err


def test_a_server_that_nothing_was_found_out_about_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert servers_page.main(["--check", str(tmp_path)]) == 1
    assert "radicale" in capsys.readouterr().err

"""The vault on the command line: set, allowed, denied, looked at, turned off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calward.bootstrap.workers import tools_of
from calward.workers.lanes import note_once
from calward.workers.worker import Duties
from tests.faces.household import NOW, Home

from .conftest import Calward


@pytest.fixture
def folder(tmp_path: Path, calward: Calward, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "Notes"
    (folder / "Work").mkdir(parents=True)
    (folder / "Work" / "Plan.md").write_text("The plan")
    monkeypatch.chdir(tmp_path)
    assert calward("vault", "set", "Notes").code == 0
    return folder


def look(home: Home) -> None:
    complaints: list[BaseException] = []
    duties = Duties(replace(tools_of(home.app), now=lambda: NOW), "tests", complaints.append)
    while note_once(duties):
        pass
    assert complaints == []


def test_an_assistant_is_allowed_a_folder_and_denied_it_again(calward: Calward, folder: Path) -> None:
    calward("assistant", "add", "robin")
    assert "may ask to write" in calward("vault", "allow", "robin", "Work/").out
    assert "robin may ask to write into: Work" in calward("vault").out
    assert calward("vault", "deny", "robin").code == 3
    assert calward("vault", "deny", "robin", "Work").code == 0
    assert "robin" not in calward("vault", "show").out
    for missing in ("Play", "Work/Plan.md"):
        assert calward("vault", "allow", "robin", missing).code == 3
    assert calward("vault", "allow", "robin", "../x").code == 2


def test_without_a_vault_nothing_is_allowed_and_none_turned_off(calward: Calward, folder: Path) -> None:
    calward("assistant", "add", "robin")
    assert calward("vault", "off").out == "There is no vault any more. Your notes stay as they are.\n"
    assert calward("vault", "allow", "robin").code == calward("vault", "off").code == 3
    assert "No vault" in calward("vault").out


def test_the_doctor_says_how_the_vault_stands(calward: Calward, folder: Path, home: Home) -> None:
    look(home)
    assert "Vault  1 note, 0 with a reminder" in calward("doctor").out
    (folder / "Odd.md").write_text("---\nreminder: tomorrow\n---\n")
    calward("vault", "set", str(folder))
    look(home)
    assert "1 reminder in notes cannot be followed" in calward("doctor").out
    folder.rename(folder.parent / "away")
    assert "The folder of the vault cannot be opened" in calward("doctor").out


def test_reminders_in_notes_are_listed_apart(calward: Calward, folder: Path) -> None:
    calward("remind", "Tea", "--at", "tomorrow")
    calward("remind", "--at", "tomorrow", "--note", "Work/Plan.md")
    (line,) = calward("vault", "reminders").out.splitlines()
    assert line.startswith("Tue 3 Mar 2026 09:00  Plan  in Work/Plan.md")
    assert len(calward("vault", "reminders", "--json").json["reminders"]) == 1

"""Calward from the start of the machine, with a systemd that does as it is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import Calward

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="the unit is for systemd")


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


@pytest.mark.usefixtures("systemd")
def test_a_service_is_installed_and_removed_again(program: Calward, tmp_path: Path) -> None:
    unit = tmp_path / "config" / "systemd" / "user" / "calward.service"
    printed = program("service", "install", "--print").out
    assert not unit.exists()

    assert "Calward runs" in program("service", "install", "--yes").out
    assert unit.read_text() == printed
    assert program("service", "status").out == "Installed, and running.\n"

    assert "Removed" in program("service", "remove", "--yes").out
    assert not unit.exists()


@pytest.mark.usefixtures("systemd")
def test_a_vault_that_is_named_later_is_out_of_its_reach_and_said_to_be(
    program: Calward, tmp_path: Path
) -> None:
    notes = tmp_path / "Notes"
    notes.mkdir()
    program("service", "install", "--yes")

    assert "calward service install" in program("vault", "set", str(notes)).err
    assert program("service", "status", "--json").json["stale"] is True

    program("service", "install", "--yes")
    assert str(notes) in program("service", "install", "--print").out
    assert program("service", "status", "--json").json["stale"] is False
    assert program("vault", "set", str(notes)).err == ""

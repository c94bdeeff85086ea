"""Calendars, members, assistants, grants, tokens, status and settings."""

import json
from pathlib import Path

import pytest

from calward.guard.presets import PRESETS

from .conftest import Calward


def test_calendars_are_listed_and_added(calward: Calward) -> None:
    assert calward("calendars", "add", "Work", "--offer", "reader").out.startswith("Added the calendar Work.")
    names = [line.partition("  ")[0] for line in calward("calendars").out.splitlines()]
    assert names == ["Home", "AI Assistant Shared", "Work"]
    assert calward("calendars", "add", "Work").code == 2
    assert "the presets are" in calward("calendars", "add", "Play", "--offer", "everything").err


def test_members_are_listed_added_and_edited(calward: Calward) -> None:
    added = calward("members", "add", "Sam", "--nickname", "Sammy", "--address", "sam@example.com")
    assert added.out.startswith("Added Sam.")
    calward("members", "edit", "Sam", "--nickname", "Sam the man")
    ann, sam = calward("members").out.splitlines()
    assert ann.startswith("Ann  owner")
    assert sam.startswith("Sam  adult  also Sam the man  sam@example.com  ")
    assert calward("members", "add", "Mia", "--role", "child", "--json").json["name"] == "Mia"
    assert calward("members", "edit", "Nobody", "--nickname", "No").code == 3
    assert calward("members", "edit", "Sam").code == 2
    assert "e-mail address" in calward("members", "edit", "Sam", "--address", "not one").err


def test_an_assistant_is_added_with_its_token_and_the_ways_it_connects(calward: Calward) -> None:
    assert calward("assistant").out.startswith("No assistant yet.")
    ran = calward("assistant", "add", "desktop", "--days", "30")
    head, config = ran.out.split("its MCP settings are:\n")
    assert "Home: sees nothing and changes nothing" in head
    assert head.count("calward_token1") == 2
    entry = json.loads(config)["mcpServers"]["calward"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-3:] == ["mcp", "--as", "desktop"]
    assert calward("assistant", "list").out.splitlines()[0].startswith("desktop  since Mon 2 Mar 2026 09:00")
    assert "until Wed 1 Apr 2026" in calward("token").out


def test_a_revoked_assistant_is_told_apart(calward: Calward) -> None:
    calward("assistant", "add", "desktop")
    assert calward("assistant", "revoke", "desktop", "--yes").out.startswith("Revoked desktop.")
    (line,) = calward("assistant", "list").out.splitlines()
    assert line.startswith("desktop  revoked Mon 2 Mar 2026 09:00")
    assert calward("assistant", "revoke", "desktop", "--yes").code == 3


def test_a_grant_is_a_preset_or_switches(calward: Calward) -> None:
    calward("assistant", "add", "desktop")
    assert calward("grant", "desktop", "Home", "--preset", "reader").out == "desktop on Home: reader.\n"
    assert calward("grant", "desktop", "Home", "--create", "ask").out == "desktop on Home: custom.\n"
    every = ("--own-level=titles", "--others-level=busy", "--read-private=never", "--own-update=free")
    more = ("--own-delete=free", "--others-update=ask", "--others-delete=never", "--invite=members")
    assert calward("grant", "desktop", "Home", *every, *more).code == 0
    assert "Home:  custom" in calward("assistant").out


def test_a_grant_of_nothing_is_refused(calward: Calward) -> None:
    calward("assistant", "add", "desktop")
    ran = calward("grant", "desktop", "Home")
    assert (ran.code, "--preset" in ran.err) == (2, True)
    assert calward("grant", "nobody", "Home", "--preset", "reader").code == 3
    assert calward("grant", "desktop", "Nowhere", "--preset", "reader").code == 3


@pytest.mark.parametrize("command", ["grant", "assistant add", "calendars add"])
def test_help_names_the_presets_there_are(calward: Calward, command: str) -> None:
    *first, last = PRESETS
    words = " ".join(calward(*command.split(), "--help").out.split())
    assert f"{', '.join(first)} or {last}" in words


def test_tokens_are_made_shown_once_and_revoked(calward: Calward) -> None:
    assert calward("token").out.startswith("No token yet.")
    made = calward("token", "add")
    assert "calward_token1" in made.out
    assert "calward_token1" not in calward("token", "list").out
    assert calward("token", "revoke", made.id, "--yes").out == f"Revoked the token {made.id}.\n"
    assert "revoked Mon 2 Mar 2026 09:00" in calward("token").out
    assert calward("token", "revoke", "aaaaaaaaaaaaaaaa", "--yes").code == 3


def test_the_status_counts_events_and_what_waits(calward: Calward) -> None:
    calward("new", "Dentist", "2026-03-03T15:00")
    status = calward("status").out
    assert "Mon 2 Mar 2026 09:00  Europe/Berlin" in status
    assert "  Home  1 event\n" in status
    assert "All is well." in status


def test_settings_are_shown_with_their_origins(
    calward: Calward, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "calward.toml"
    file.write_text('port = 9000\nhost = "127.0.0.2"\n')
    monkeypatch.setenv("CALWARD_CONFIG", str(file))
    monkeypatch.setenv("CALWARD_HOST", "127.0.0.3")
    shown = calward("config", "show", "--origin").out
    assert 'host = "127.0.0.3"  # environment CALWARD_HOST\n' in shown
    assert f"port = 9000  # file {file}\n" in shown
    assert 'zone = ""  # default\n' in shown
    assert calward("config").out == calward("config", "show").out
    settings = {one["name"]: one for one in calward("config", "show", "--json").json["settings"]}
    assert settings["port"] == {"name": "port", "value": 9000, "origin": f"file {file}"}

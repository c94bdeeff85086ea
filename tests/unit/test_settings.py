"""Settings: environment over file over default, and where each came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from calward.bootstrap import machine, places
from calward.errors import SettingsError
from calward.settings import Settings, resolve


def given(**values: str) -> Settings:
    return Settings.model_validate(values)


def test_the_environment_wins_over_the_file_and_the_file_over_the_default() -> None:
    found = resolve({"CALWARD_PORT": "9000", "CALWARD_HOST": ""}, {"port": 8000, "name": "Kim"}, "c.toml")
    assert (found.settings.port, found.settings.name, found.settings.host) == (9000, "Kim", "127.0.0.1")
    assert [found.origins[name] for name in ("port", "name", "host")] == [
        "environment CALWARD_PORT",
        "file c.toml",
        "default",
    ]


@pytest.mark.parametrize(
    ("environment", "file", "words"),
    [
        ({"CALWARD_PORT": "x"}, {}, "The setting port (environment CALWARD_PORT) cannot be used"),
        ({}, {"port": 0}, "The setting port (file c.toml) cannot be used"),
        ({}, {"ports": 1}, "There is no setting 'ports' (file c.toml); there are: data_dir"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_with_its_origin(
    environment: dict[str, str], file: dict[str, object], words: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        resolve(environment, file, "c.toml")
    assert words in str(refused.value)


def test_a_settings_file_is_read_from_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.toml"
    monkeypatch.setenv("CALWARD_CONFIG", str(path))
    monkeypatch.delenv("CALWARD_DATA_DIR", raising=False)
    with pytest.raises(SettingsError, match="no such file"):
        places.read_settings()
    path.write_text("port = ")
    with pytest.raises(SettingsError, match="cannot be read"):
        places.read_settings()
    path.write_text(f"data_dir = '{tmp_path / 'data'}'\n")
    resolved = places.read_settings()
    assert places.database(resolved) == str(tmp_path / "data" / "calward.db")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").write_text("")
    path.write_text(f"data_dir = '{tmp_path / 'file' / 'data'}'\n")
    with pytest.raises(SettingsError, match="cannot be made"):
        places.data_dir(places.read_settings())


def test_the_epoch_is_made_once_and_stays(tmp_path: Path) -> None:
    assert places.read_epoch(tmp_path, "first") == "first"
    assert places.read_epoch(tmp_path, "second") == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["epoch"]
    assert (tmp_path / "epoch").stat().st_mode & 0o777 == 0o600


def test_the_zone_is_the_settings_then_tz_then_the_machines_then_utc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Asia/Tokyo")
    monkeypatch.setattr(machine, "LOCALTIME", link)
    monkeypatch.setenv("TZ", ":Europe/Paris")
    assert machine.zone_name(given(zone="Europe/Berlin")) == "Europe/Berlin"
    assert machine.zone_name(given()) == "Europe/Paris"
    monkeypatch.setenv("TZ", "nowhere")
    assert machine.zone_name(given()) == "Asia/Tokyo"
    monkeypatch.setattr(machine, "LOCALTIME", tmp_path / "missing")
    assert machine.zone_name(given()) == "UTC"
    with pytest.raises(SettingsError, match="no IANA time zone"):
        machine.zone_name(given(zone="Mars"))


def test_an_owner_is_called_as_set_or_by_login(monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.owner_name(given(name="Kim")) == "Kim"
    monkeypatch.setenv("LOGNAME", "sam")
    assert machine.owner_name(given()) == "sam"

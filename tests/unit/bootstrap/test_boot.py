"""What starts Calward with the machine: texts that the systems read as they were meant."""

import plistlib
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from calward.bootstrap.boot import Boot, agent, install, is_stale, remove, runs, unit
from calward.errors import Unsupported

ODD = '/home/ann/100% $HOME/it\'s "here"'


def test_a_unit_quotes_what_systemd_would_read_as_something_else() -> None:
    text = unit([f"{ODD}/calward", "serve"], {"CALWARD_DATA_DIR": ODD}, [Path(ODD)])

    assert 'ExecStart="/home/ann/100%% $$HOME/it\'s \\"here\\"/calward" serve' in text
    assert 'Environment="CALWARD_DATA_DIR=/home/ann/100%% $HOME/it\'s \\"here\\""' in text


def test_a_unit_may_write_into_its_folders_and_vaults_alone() -> None:
    vaults = [Path("/home/ann/My notes")]
    lines = unit(["/usr/bin/calward", "serve"], {}, [Path("/data"), Path("/store")], vaults).splitlines()

    assert "ProtectSystem=strict" in lines
    assert 'ReadWritePaths=/data /store "-/home/ann/My notes"' in lines
    assert "NoNewPrivileges=yes" in lines


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_finds_nothing_wrong_with_a_unit(tmp_path: Path) -> None:
    program = shutil.which("true")
    assert program is not None
    file = tmp_path / "calward.service"
    file.write_text(unit([program, "serve"], {"CALWARD_DATA_DIR": str(tmp_path)}, [tmp_path]))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(file)],
        env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert "calward.service" not in done.stderr


def test_an_agent_says_what_launchd_has_to_know() -> None:
    facts = plistlib.loads(agent(["/opt/calward", "serve"], {"CALWARD_DATA_DIR": ODD}).encode())

    assert facts["ProgramArguments"] == ["/opt/calward", "serve"]
    assert facts["EnvironmentVariables"] == {"CALWARD_DATA_DIR": ODD}
    assert facts["RunAtLoad"] is True


@pytest.fixture
def small(tmp_path: Path) -> Boot:
    """A system that takes up whatever it is given."""
    file = tmp_path / "units" / "calward.service"
    test = shutil.which("test")
    assert test is not None
    there = (test, "-f", str(file))
    return Boot(file, "text", start=(there,), stop=(there, ("true",)), ask=there)


def test_what_is_installed_runs_and_is_removed_again(small: Boot) -> None:
    assert not runs(small)
    install(small)
    assert runs(small)
    assert small.file.read_text() == "text"
    assert small.file.stat().st_mode & 0o077 == 0
    assert not is_stale(small)
    assert is_stale(replace(small, text="another"))

    assert remove(small)
    assert not small.file.exists()
    assert not remove(small)
    assert not is_stale(small)


def test_a_system_that_refuses_is_told_of_and_keeps_no_file(tmp_path: Path) -> None:
    refusing = Boot(tmp_path / "unit", "text", start=(("false",),), stop=(), ask=("false",))

    with pytest.raises(Unsupported, match="did not work"):
        install(refusing)
    assert not refusing.file.exists()


def test_a_system_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    missing = Boot(tmp_path / "unit", "text", start=(("no-such-program",),), stop=(), ask=("false",))

    with pytest.raises(Unsupported, match="cannot be run here"):
        install(missing)

"""The front door: ``./run`` finds a Python, makes ``.venv`` once, and survives what happens to a set-up.

The set-up tests run the real scripts in a checkout of their own, in a folder with a space in its name. That
checkout needs no package but itself and builds itself, so nothing is fetched.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-docs.lock")
"""What the front door installs from."""
ALL_LOCKS = sorted(path.name for path in ROOT.glob("*.lock"))
"""These, and those of other clients, each for an environment of its own."""
SHELL_TOOLS = ("sh", "dirname", "cat", "head")

BACKEND = '''\
"""A build backend that needs nothing: the editable wheel of one module."""
import zipfile

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    about = "calward-1.dist-info"
    with zipfile.ZipFile(f"{wheel_directory}/calward-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("calward.py", "import sys; print('calward', *sys.argv[1:])")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: calward\\nVersion: 1\\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{about}/RECORD", "")
    return "calward-1-py3-none-any.whl"
'''


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with our scripts, empty locks and a project that builds itself."""
    root = tmp_path / "a checkout"
    (root / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "run", root / "run")
    shutil.copy(ROOT / "tools" / "install.py", root / "tools" / "install.py")
    (root / "backend.py").write_text(BACKEND)
    (root / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "calward"\nversion = "1"\n'
    )
    for lock in LOCKS:
        (root / lock).write_text("# nothing\n")
    return root


def run(
    root: Path, *arguments: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(root / "run"), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd or root,
        env={**os.environ, "CALWARD_PYTHON": sys.executable, **environment},
        check=False,
    )


def stamp(root: Path) -> Mapping[str, object]:
    read: Mapping[str, object] = json.loads((root / ".venv" / "calward-stamp.json").read_text())
    return read


def test_the_first_run_sets_up_and_the_second_only_starts(checkout: Path, tmp_path: Path) -> None:
    first = run(checkout, "calward", "agenda", "a week", cwd=tmp_path)
    assert (first.returncode, first.stdout) == (0, "calward agenda a week\n")
    assert "setting up" in first.stderr
    second = run(checkout, "calward")
    assert (second.stdout, second.stderr) == ("calward\n", "")


def test_without_a_verb_it_serves_the_demo_and_hands_options_on(checkout: Path) -> None:
    assert run(checkout).stdout == "calward serve --demo\n"
    assert run(checkout, "--port", "9000").stdout == "calward serve --demo --port 9000\n"
    assert run(checkout, "serve", "--port", "9000").stdout == "calward serve --port 9000\n"


def test_a_set_up_that_was_cut_short_is_started_over(checkout: Path) -> None:
    run(checkout, "calward")
    (checkout / ".venv" / "calward-stamp.json").unlink()
    leftover = checkout / ".venv" / "lib" / "half-installed"
    leftover.touch()
    again = run(checkout, "calward")
    assert (again.returncode, again.stdout) == (0, "calward\n")
    assert not leftover.exists()


def test_an_environment_whose_python_is_gone_is_made_anew(checkout: Path) -> None:
    run(checkout, "calward")
    for interpreter in (checkout / ".venv" / "bin").glob("python*"):
        interpreter.unlink()
    assert run(checkout, "calward").stdout == "calward\n"


def test_a_checkout_that_was_moved_makes_its_environment_anew(checkout: Path) -> None:
    run(checkout, "calward")
    moved = checkout.rename(checkout.with_name("elsewhere"))
    again = run(moved, "calward")
    assert "setting up" in again.stderr
    assert stamp(moved)["path"] == str(moved / ".venv")


def test_a_new_lock_is_installed_over_the_old(checkout: Path) -> None:
    run(checkout, "calward")
    kept = checkout / ".venv" / "kept"
    kept.touch()
    (checkout / "requirements.lock").write_text("# nothing yet\n")
    assert "setting up" in run(checkout, "calward").stderr
    assert kept.exists()


def test_two_at_once_make_one_environment(checkout: Path) -> None:
    environment = {**os.environ, "CALWARD_PYTHON": sys.executable}
    both = [
        subprocess.Popen(
            [str(checkout / "run"), "calward"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [out for out, _ in answers] == ["calward\n", "calward\n"]
    assert sum("setting up" in err for _, err in answers) == 1


def test_a_folder_that_is_no_environment_is_left_alone(checkout: Path) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "diary.txt").write_text("mine")
    refused = run(checkout, "calward")
    assert refused.returncode == 1
    assert "is not a virtual environment" in refused.stderr
    assert (checkout / ".venv" / "diary.txt").read_text() == "mine"


def test_a_failed_installation_says_so_and_leaves_no_stamp(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("calward-has-no-such-package==1\n")
    failed = run(checkout, "calward")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "set-up failed" in failed.stderr
    assert not (checkout / ".venv" / "calward-stamp.json").exists()


def test_where_no_python_fits_it_says_what_was_looked_at(checkout: Path, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in SHELL_TOOLS:
        (tools / name).symlink_to(shutil.which(name) or "")
    none = run(checkout, "test", PATH=str(tools), CALWARD_PYTHON="")
    assert none.returncode == 1
    assert "needs Python 3.11 or newer" in none.stderr
    assert "none of them is on PATH" in none.stderr

    old = tools / "python3"
    old.write_text("#!/bin/sh\necho is Python 3.9 >&2\nexit 1\n")
    old.chmod(0o755)
    assert "python3 is Python 3.9" in run(checkout, "test", PATH=str(tools), CALWARD_PYTHON="").stderr


def test_an_unknown_verb_is_refused_with_the_list(checkout: Path) -> None:
    refused = run(checkout, "sevre")
    assert refused.returncode == 1
    assert "there is no 'sevre'" in refused.stderr
    assert "./run check" in refused.stderr
    assert not (checkout / ".venv").exists()


def test_help_sets_nothing_up(checkout: Path) -> None:
    shown = run(checkout, "--help")
    assert shown.returncode == 0
    assert "./run docs" in shown.stdout
    assert not (checkout / ".venv").exists()


def test_every_lock_of_the_front_door_is_there() -> None:
    assert set(LOCKS) < set(ALL_LOCKS)


@pytest.mark.parametrize("name", ALL_LOCKS)
def test_a_lock_pins_hashes_and_names_no_place_to_fetch_from(name: str) -> None:
    text = (ROOT / name).read_text()
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[a-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert "://" not in text
    assert "index" not in text


def test_the_locks_agree_and_the_wider_ones_hold_the_program() -> None:
    program, *wider = (pins(name) for name in LOCKS)
    for lock in wider:
        assert program.items() <= lock.items()


def test_what_the_project_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    asked = {
        "requirements.lock": project["project"]["dependencies"] + groups["build"],
        "requirements-dev.lock": groups["dev"],
        "requirements-docs.lock": groups["docs"],
    }
    for lock, wanted in asked.items():
        written = {re.split(r"[\[<>=!~ ;]", one, maxsplit=1)[0] for one in wanted}
        names = {re.sub(r"[-_.]+", "-", name) for name in written}  # as a lock writes them
        assert names <= pins(lock).keys()


def pins(name: str) -> Mapping[str, str]:
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))

"""The settings of the test run keep what they promise: nothing is left out in silence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
SAMPLE = """\
import pytest

def test_plain():
    pass

@pytest.mark.skip(reason="no server here")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    assert False

@pytest.mark.corpus
def test_on_outside_data(corpus):
    assert corpus.is_dir()

@pytest.mark.interop
def test_with_a_server():
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    (tmp_path / "test_sample.py").write_text(SAMPLE)
    return tmp_path


def run(suite: Path, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    plain = {name: text for name, text in os.environ.items() if name not in {"CI", "CALWARD_CORPUS"}}
    markers = ["-o", "markers=corpus\ninterop", "-p", "no:cacheprovider", "-c", os.devnull]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *markers, *options, "--rootdir", str(suite), str(suite)],
        capture_output=True,
        text=True,
        timeout=60,
        # Without the plugins that are only there: looking for them takes longer than these tests do.
        env={**plain, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **settings},
        check=False,
    )


def test_what_is_left_out_is_said_in_a_line_each(suite: Path) -> None:
    told = run(suite)
    assert told.returncode == 0
    assert "1 corpus tests left out: CALWARD_CORPUS is not set" in told.stdout
    assert "1 interop tests left out" in told.stdout
    assert "2 deselected" in told.stdout


def test_several_workers_say_it_once(suite: Path) -> None:
    told = run(suite, "-p", "xdist", "-n", "2")
    assert told.returncode == 0
    assert told.stdout.count("1 corpus tests left out: CALWARD_CORPUS is not set") == 1


def test_with_the_outside_data_its_tests_run(suite: Path) -> None:
    told = run(suite, CALWARD_CORPUS=str(suite))
    assert "2 passed" in told.stdout
    assert "corpus tests left out" not in told.stdout


def test_outside_data_that_is_not_there_is_an_error(suite: Path) -> None:
    told = run(suite, CALWARD_CORPUS=str(suite / "nowhere"))
    assert told.returncode != 0
    assert "which is not a folder" in told.stderr


def test_interop_tests_run_where_they_are_asked_for(suite: Path) -> None:
    assert "1 passed" in run(suite, "-m", "interop").stdout


def test_in_ci_a_skip_fails_and_an_expected_failure_does_not(suite: Path) -> None:
    told = run(suite, CI="true")
    assert told.returncode == 1
    assert "skipped, which CI does not allow" in told.stdout
    assert "1 passed, 2 deselected, 1 xfailed, 1 error" in told.stdout


def test_in_ci_a_module_that_skips_itself_fails(suite: Path) -> None:
    (suite / "test_module.py").write_text("import pytest\npytest.importorskip('no_such_package')\n")
    assert run(suite).returncode == 0
    assert run(suite, CI="true").returncode != 0

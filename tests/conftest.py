"""What every test run shares: the outside data, what CI demands, how hard hypothesis looks.

``CALWARD_CORPUS`` names a folder of calendar files and sentences from other projects. It is not part of this
repository: without it the tests marked ``corpus`` are left out. Tests marked ``interop`` need servers and
clients that only the interop job installs; they run where ``-m`` asks for them. With ``CI=true`` a skip is a
failure: a part that is missing there is a hole in the test, and not a reason to look away.
"""

import gc
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

CORPUS = os.environ.get("CALWARD_CORPUS", "")
IN_CI = os.environ.get("CI") == "true"

# The same examples each time, and few; the profile `long` looks wider, `wide` also elsewhere each time.
settings.register_profile("fast", max_examples=50, deadline=None, derandomize=True)
settings.register_profile(
    "long",
    max_examples=500,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "wide",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fast")

left_out = pytest.StashKey[dict[str, int]]()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of outside data."""
    return Path(CORPUS)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[left_out] = {}
    if CORPUS and not Path(CORPUS).is_dir():
        raise pytest.UsageError(f"CALWARD_CORPUS is {CORPUS}, which is not a folder")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    absent = {
        "corpus": not CORPUS,
        "interop": "interop" not in config.option.markexpr,
    }
    for marker, is_absent in absent.items():
        dropped = [item for item in items if item.get_closest_marker(marker)] if is_absent else []
        if dropped:
            config.stash[left_out][marker] = len(dropped)
            config.hook.pytest_deselected(items=dropped)
            items[:] = [item for item in items if not item.get_closest_marker(marker)]


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: to look through it for rubbish again and again
    would be a sixth of all the work."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of several tells what it left out; each of them collects the same tests."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash[left_out]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[left_out].update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    why = {"corpus": "CALWARD_CORPUS is not set", "interop": "they run with -m interop"}
    for marker, count in config.stash[left_out].items():
        terminalreporter.write_line(f"{count} {marker} tests left out: {why[marker]}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if IN_CI and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report

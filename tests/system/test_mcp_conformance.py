"""The official suite for servers of MCP, and the inspector, on what Calward serves.

``CALWARD_MCP_SUITE`` names the folder where they are installed (tests/system/conformance/package.json); the
interop job does that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.interop

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240.0


@pytest.fixture(scope="session")
def suite() -> Path:
    named = os.environ.get("CALWARD_MCP_SUITE", "")
    if not (Path(named) / "node_modules" / "node").is_dir():
        pytest.skip("CALWARD_MCP_SUITE names no folder with the suite; run: .ci/interop mcp")
    return Path(named)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server with the suite's fixtures, until the test ends."""
    command = [sys.executable, "-m", "tests.system.conformance.serve", str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as run:
        assert run.stdout is not None
        try:
            yield run.stdout.readline().strip()
        finally:
            run.terminate()


def node(suite: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = suite / "node_modules" / "node" / "bin" / "node"
    return subprocess.run(
        [program, suite / "node_modules" / script, *arguments],
        cwd=suite,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_nothing_that_a_revision_requires_fails(
    suite: Path, address: str, revision: str, tmp_path: Path
) -> None:
    found = tmp_path / "found"
    script = "@modelcontextprotocol/conformance/dist/index.js"
    ran = node(suite, script, "server", "--url", address, "--requirements", revision, "-o", str(found))
    assert ran.returncode == 0, ran.stdout[-4000:]
    scenarios = list(found.glob("*/checks.json"))
    assert len(scenarios) > 30
    assert any(check["status"] == "SUCCESS" for one in scenarios for check in json.loads(one.read_text()))


def test_the_inspector_lists_our_tools_and_calls_one(suite: Path, tmp_path: Path) -> None:
    def inspect(*arguments: str) -> Any:
        ours = str(Path(sys.executable).with_name("calward"))
        script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        store = f"CALWARD_DATA_DIR={tmp_path}"  # it hands on nothing of its own environment
        ran = node(suite, script, "--cli", "-e", store, ours, "mcp", *arguments)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    listed = inspect("--method", "tools/list")
    assert {"calendars", "calendar_list", "calendar_create"} <= {one["name"] for one in listed["tools"]}
    called = inspect("--method", "tools/call", "--tool-name", "calendar_list", "--tool-arg", "range=today")
    assert called["structuredContent"]["events"] == []
    assert not called.get("isError")

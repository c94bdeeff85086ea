"""``calward serve``: what it refuses before it makes anything, and what it tells a program."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import httpx2

from calward.bootstrap.binding import listen

from .conftest import Process, command, environment


def test_a_port_that_is_taken_is_told_before_anything_is_made(tmp_path: Path, process: Process) -> None:
    with listen("127.0.0.1", 0) as taken:
        ran = process("serve", "--demo", "--port", str(taken.getsockname()[1]))
    assert (ran.code, ran.out) == (7, "")
    assert not (tmp_path / "data").exists()


def test_an_address_others_can_reach_is_refused_before_anything_is_made(
    tmp_path: Path, process: Process
) -> None:
    ran = process("serve", "--host", "0.0.0.0", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (8, "settings_error")
    assert "--tls-cert" in ran.json["error"]["message"]
    assert not (tmp_path / "data").exists()


def test_a_program_is_told_where_the_server_is_and_how_the_owner_gets_in(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as free:
        port = str(free.getsockname()[1])
    with subprocess.Popen(
        command(["serve", "--json", "--port", port]),
        stdout=subprocess.PIPE,
        text=True,
        env=environment(tmp_path / "data", {}),
    ) as served:
        assert served.stdout
        told = json.loads(served.stdout.readline())
        page = httpx2.get(told["first_run"]["page"], timeout=60)
        served.send_signal(signal.SIGTERM)
    address = f"http://127.0.0.1:{port}"
    assert (told["address"], told["mcp"], told["api"]) == (address, f"{address}/mcp", f"{address}/api/v1")
    assert "mcpServers" in told["stdio"]
    assert told["first_run"]["page"] == f"{address}/welcome"
    assert re.fullmatch(r"[a-z2-7]{4}(-[a-z2-7]{4}){3}", told["first_run"]["code"])
    assert (page.status_code, "One-time code" in page.text) == (200, True)
    assert told["first_run"]["code"] not in page.text

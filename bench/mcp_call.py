"""MCP over standard streams, through the SDK's own client, against the least server that the SDK makes.

A server is ready when it has shaken hands. What it then needs first is its list of tools, which is told beside
that: ours reads its catalog and opens the store meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from bench.measure import Result
from calward.bootstrap.app import open_app
from calward.bootstrap.demo import ensure_demo
from calward.operations.pipeline import Call
from calward.settings import resolve

READY_BUDGET = 1.2
LISTING = "beyond the handshake: imports, half the operations, a third SQLAlchemy and the store; the schemas"
ROOT = Path(__file__).parent.parent


def results(quick: bool) -> Iterator[Result]:
    starts, calls = (1, 2) if quick else (9, 200)
    with TemporaryDirectory(prefix="calward-bench-") as folder:
        environment = {"CALWARD_DATA_DIR": folder}
        with open_app(resolve(environment, {})) as app:
            ensure_demo(app.pipeline)
            owner = app.pipeline.owner()
            app.pipeline.execute(owner, Call("assistant_add", {"name": "Robin"}))
            grant = {"assistant": "Robin", "calendar": "Home", "preset": "reader"}
            app.pipeline.execute(owner, Call("grant_set", grant))
        ours = StdioServerParameters(
            command=sys.executable, args=["-P", "-m", "calward", "mcp", "--as", "Robin"], env=environment
        )
        bare = StdioServerParameters(command=sys.executable, args=[str(ROOT / "bench" / "bare_mcp.py")])
        ready, listed, call = anyio.run(_measure, ours, bare, starts, calls)
    peer = "bare SDK server"
    yield Result("MCP on standard streams, from start to ready", peer, ready, READY_BUDGET)
    yield Result("MCP on standard streams, from start to list of tools", peer, listed, note=LISTING)
    yield Result("MCP call on standard streams: calendar_list of today", f"{peer}, empty tool", call)


async def _measure(
    ours: StdioServerParameters, bare: StdioServerParameters, starts: int, calls: int
) -> tuple[float, float, float]:
    await _start(ours), await _start(bare)  # bytecode and the files' cache
    rounds = [(await _start(ours), await _start(bare)) for _ in range(starts)]
    async with Client(ours) as calendar, Client(bare) as echo:
        await _call(calendar, "calendar_list"), await _call(echo, "echo")
        called = [await _call(calendar, "calendar_list") / await _call(echo, "echo") for _ in range(calls)]
    ready, listed = (median(mine[step] / theirs[step] for mine, theirs in rounds) for step in (0, 1))
    return ready, listed, median(called)


async def _start(server: StdioServerParameters) -> tuple[float, float]:
    """Seconds from the start of the process until it is ready, and until its tools are listed."""
    start = perf_counter()
    async with Client(server) as client:
        ready = perf_counter() - start
        await client.list_tools()
        return ready, perf_counter() - start


async def _call(client: Client, tool: str) -> float:
    start = perf_counter()
    result = await client.call_tool(tool, {})
    seconds = perf_counter() - start
    if result.is_error:
        raise RuntimeError(f"{tool} failed: {result.structured_content}")
    return seconds

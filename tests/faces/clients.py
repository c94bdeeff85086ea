"""Servers and clients as they are in use: a real server on a free port, the SDK's own client."""

import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, Literal

import httpx2
from mcp import Client
from mcp.client.session import ElicitationFnT
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from calward.bootstrap.binding import listen
from calward.bootstrap.serve import application, server
from calward.faces.http.hosts import Names
from calward.faces.mcp.desk import Desk
from calward.faces.mcp.server import mcp_server
from calward.operations.pipeline import Pipeline
from tests.faces.household import Home

Transport = Literal["memory", "stdio", "http"]
PAGES = "https://calendar.example"
"""Where people find the pages of the household, as standard input and output is told it."""
TRANSPORTS: tuple[Transport, ...] = ("memory", "stdio", "http")
REVISIONS = {"2026-07-28": "auto", "2025-11-25": "legacy"}
"""Protocol revision → how the SDK's client is told to speak it."""


@contextmanager
def served(home: Home) -> Iterator[str]:
    """The address of a server. Its port accepts before it runs, so nobody has to wait for it."""
    with listen("127.0.0.1", 0) as listener:
        port: int = listener.getsockname()[1]
        pipeline = Pipeline(replace(home.pipeline.sources, pages=f"http://127.0.0.1:{port}"))
        running = server(application(pipeline, Names.of("127.0.0.1", ["calendar.example"])))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            running.should_exit = True
            thread.join()


@asynccontextmanager
async def connected(
    home: Home,
    transport: Transport = "memory",
    revision: str = "2026-07-28",
    preset: str | None = None,
    shows: ElicitationFnT | None = None,
) -> AsyncIterator[Client]:
    """A client for a new assistant named Robin; ``shows`` is how it shows its person a page, if it can."""
    robin, token = home.assistant("Robin", preset)
    mode = REVISIONS[revision]
    async with AsyncExitStack() as stack:
        match transport:
            case "memory":
                desk = Desk(home.pipeline, lambda _: robin)
                client = Client(mcp_server(lambda: desk), mode=mode, elicitation_callback=shows)
            case "stdio":
                known = {"CALWARD_PUBLIC_URL": PAGES} if shows else {}
                program = stdio_program(home, "Robin", **known)
                client = Client(program, mode=mode, elicitation_callback=shows)
            case "http":
                address = stack.enter_context(served(home))
                headers = {"Authorization": f"Bearer {token}"}
                http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=120))
                door = streamable_http_client(f"{address}/mcp", http_client=http)
                client = Client(door, mode=mode, elicitation_callback=shows)
        yield await stack.enter_async_context(client)


def stdio_program(home: Home, name: str, **environment: str) -> StdioServerParameters:
    """``calward mcp --as NAME`` on the household's store."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "calward", "mcp", "--as", name],
        env={"CALWARD_DATA_DIR": str(home.folder), **environment},
    )


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a call that works answers."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.structured_content
    content: dict[str, Any] = result.structured_content
    return content


async def refused(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a call that fails answers."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    content: dict[str, Any] = result.structured_content
    return content

"""The server that Calward makes, with the suite's fixtures beside its own tools, on a port of this machine.

Run as ``python -m tests.system.conformance.serve FOLDER``: it makes a household in the folder, prints its
address and serves until it is stopped. Our tools answer as an assistant of that household.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import HandlerEntry
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    ListToolsResult,
    PaginatedRequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from calward.bootstrap.serve import server as web_server
from calward.faces.http.hosts import CheckHosts, Names
from calward.faces.mcp.desk import Connection, Desk
from calward.faces.mcp.server import mcp_server
from tests.faces.household import opened
from tests.system.conformance.fixtures import fixtures, set_level, subscribe

THEIRS = (
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
    "subscriptions/listen",
)


def with_fixtures(ours: Server[Any]) -> Server[Any]:
    """Our server, which answers also what the fixtures answer."""
    theirs: Server[Any] = fixtures()._lowlevel_server
    our_list, our_call = _entry(ours, "tools/list"), _entry(ours, "tools/call")
    their_list, their_call = _entry(theirs, "tools/list"), _entry(theirs, "tools/call")

    async def list_tools(connection: Connection, params: PaginatedRequestParams | None) -> ListToolsResult:
        own: Any = await our_list.handler(connection, params)
        added: Any = await their_list.handler(connection, params)
        return ListToolsResult(tools=[*own.tools, *added.tools])

    async def call_tool(connection: Connection, params: CallToolRequestParams) -> Any:
        entry = their_call if params.name.startswith("test_") else our_call
        return await entry.handler(connection, params)

    ours.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    ours.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    for method in THEIRS:
        entry = _entry(theirs, method)
        ours.add_request_handler(method, entry.params_type, entry.handler)
    ours.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)
    ours.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
    ours.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, subscribe)
    if not any(isinstance(one, RequestStateBoundary) for one in ours.middleware):
        ours.middleware.append(
            RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="calward")
        )
    return ours


def _entry(server: Server[Any], method: str) -> HandlerEntry[Any]:
    entry = server.get_request_handler(method)
    assert entry is not None, method
    return entry


@dataclass(frozen=True)
class Endpoint:
    manager: StreamableHTTPSessionManager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.manager.handle_request(scope, receive, send)


def main(folder: Path) -> None:
    with opened(folder) as home, listen() as listener:
        assistant, _ = home.assistant("Conformance", "helper")
        desk = Desk(home.pipeline, lambda _: assistant)
        manager = StreamableHTTPSessionManager(with_fixtures(mcp_server(lambda: desk)))

        @asynccontextmanager
        async def running(_: object) -> AsyncIterator[None]:
            async with manager.run():
                yield

        app = Router(routes=[Route("/mcp", Endpoint(manager))], lifespan=running)
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        web_server(CheckHosts(app, Names.of("127.0.0.1", ()))).run(sockets=[listener])


@contextmanager
def listen() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


if __name__ == "__main__":
    main(Path(sys.argv[1]))

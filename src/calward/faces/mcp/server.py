"""An MCP server for any transport (revisions 2026-07-28 and 2025-11-25) in front of a desk.

The desk may still be on its way when the first request comes: the store is opened beside the handshake, so that
a client need not wait for it. That is why nothing heavy of the house is imported here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from calward import __version__
from calward.faces.failures import failure_of
from calward.faces.mcp.instructions import INSTRUCTIONS
from calward.faces.mcp.offering import offered

if TYPE_CHECKING:
    from calward.faces.mcp.desk import Connection, Desk

LISTED_FOR_MS = 5 * 60 * 1000
"""How long a client may keep the list of tools: it changes only with the program."""

OFFERED_SECONDS = 24 * 60 * 60.0
"""How long a client may take to call again after its person was offered a page: as long as requests wait."""


def mcp_server(desk: Callable[[], Desk]) -> Server[Any]:
    """A server in front of a desk. ``desk`` is called in a thread and may wait; what it raises is what every
    request gets, as a protocol error."""

    async def list_tools(_: Connection, __: PaginatedRequestParams | None) -> ListToolsResult:
        return (await to_thread.run_sync(_reached, desk)).listing

    async def call_tool(
        connection: Connection, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        reached = await to_thread.run_sync(_reached, desk)
        if params.request_state is not None:
            return await to_thread.run_sync(reached.take_up, connection, params.request_state)
        answer, begun = await to_thread.run_sync(reached.answer, connection, params)
        return await offered(reached, connection, begun, answer)

    hint = CacheHint(ttl_ms=LISTED_FOR_MS, scope="private")
    server: Server[Any] = Server(
        "calward",
        version=__version__,
        title="Calward",
        description="The person's calendar",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": hint, "server/discover": hint},
        get_tool_input_schema=lambda name: desk().schemas.get(name),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    sealed = RequestStateSecurity.ephemeral(ttl=OFFERED_SECONDS)
    server.middleware.append(RequestStateBoundary(sealed, default_audience="calward"))
    return server


def _reached(desk: Callable[[], Desk]) -> Desk:
    try:
        return desk()
    except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
        failure = failure_of(error)
        raise MCPError(INTERNAL_ERROR, failure.message, failure.body) from None

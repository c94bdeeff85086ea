"""An MCP server made from the catalog, for any transport (revisions 2026-07-28 and 2025-11-25).

Results are structured; the text beside them is the same in JSON, for clients that show a model nothing else. An
error is a result too, ``{code, message, retryable}``, so that the model can read it and mend its call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from anyio import to_thread
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from calward import __version__
from calward.faces.failures import failure_of
from calward.faces.mcp.instructions import INSTRUCTIONS
from calward.faces.mcp.tools import tools
from calward.model.principal import Principal
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.operation import Callers, Operation
from calward.operations.pipeline import Call, Pipeline

Connection = ServerRequestContext[Any, Any]

LISTED_FOR_MS = 5 * 60 * 1000
"""How long a client may keep the list of tools: it changes only with the program."""


def mcp_server(
    pipeline: Pipeline,
    principal_of: Callable[[Connection], Principal],
    listed: Iterable[Operation] = CATALOG,
    unlisted: Iterable[Operation] = ALIASES,
) -> Server[Any]:
    """A server whose tools are the ``listed`` operations that everybody may call; ``unlisted`` ones answer when
    called. ``principal_of`` says who is at the other end of a connection."""
    listing = ListToolsResult(tools=tools(listed))
    callable_names = {
        operation.name for operation in (*listed, *unlisted) if operation.callers is Callers.EVERYBODY
    }

    async def list_tools(_: Connection, __: PaginatedRequestParams | None) -> ListToolsResult:
        return listing

    async def call_tool(connection: Connection, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in callable_names:
            raise MCPError(INVALID_PARAMS, f"There is no tool named {params.name!r} here; list the tools.")
        call = Call(params.name, params.arguments or {})
        return await to_thread.run_sync(_answer, pipeline, principal_of(connection), call)

    schemas = {tool.name: tool.input_schema for tool in listing.tools}
    hint = CacheHint(ttl_ms=LISTED_FOR_MS, scope="private")
    return Server(
        "calward",
        version=__version__,
        title="Calward",
        description="The person's calendar",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": hint, "server/discover": hint},
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _answer(pipeline: Pipeline, principal: Principal, call: Call) -> CallToolResult:
    """Blocking; whatever goes wrong comes back as a result."""
    try:
        answer = pipeline.execute(principal, call).answer
        return _result(answer.model_dump(mode="json", by_alias=True, exclude_none=True), is_error=False)
    except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
        return _result(failure_of(error).body, is_error=True)


def _result(content: Mapping[str, Any], *, is_error: bool) -> CallToolResult:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(content), is_error=is_error
    )

"""MCP over standard input and output, bound to one assistant: whoever starts the process chose which."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server

from calward.errors import NotFound
from calward.faces.mcp.server import mcp_server
from calward.model.principal import Assistant
from calward.operations.pipeline import Call, Pipeline

DEFAULT_NAME = "Assistant"
"""Who a connection is when nobody was named; made at the first use."""


def assistant_for(pipeline: Pipeline, name: str | None = None) -> Assistant:
    """The assistant a connection on this machine is bound to.

    Raises ``NotFound`` for a name that no live assistant has; the default one is made where there is none, by
    the owner and through the pipeline like any other. Its token is thrown away: only this machine opens it.
    """
    if name is not None:
        return pipeline.assistant(name)
    try:
        return pipeline.assistant(DEFAULT_NAME)
    except NotFound:
        pipeline.execute(pipeline.owner(), Call("assistant_add", {"name": DEFAULT_NAME}))
        return pipeline.assistant(DEFAULT_NAME)


def run(pipeline: Pipeline, principal: Assistant) -> None:
    """Serve until the other side closes standard input, or an interrupt."""
    try:
        anyio.run(_serve, pipeline, principal)
    except KeyboardInterrupt:
        return


async def _serve(pipeline: Pipeline, principal: Assistant) -> None:
    server = mcp_server(pipeline, lambda _: principal)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

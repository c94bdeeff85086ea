"""MCP over standard input and output, bound to one assistant: whoever starts the process chose which."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import TYPE_CHECKING, cast

import anyio
from mcp.server.stdio import stdio_server

from calward.errors import NotAllowed, NotFound
from calward.faces.mcp.lines import StrictLines
from calward.faces.mcp.server import mcp_server

if TYPE_CHECKING:
    from calward.faces.mcp.desk import Desk
    from calward.model.principal import Assistant
    from calward.operations.pipeline import Pipeline

DEFAULT_NAME = "Assistant"
REVOKED = (
    "The assistant of this connection was revoked by a person. To let another in: calward assistant add NAME, "
    "and start it with: calward mcp --as NAME"
)
"""Who a connection is when nobody was named; made at the first use."""

Opened = Callable[[], AbstractContextManager["Pipeline"]]


def run(opened: Opened, name: str | None = None) -> None:
    """Serve the assistant ``name`` until the other side closes standard input, or an interrupt.

    The store is opened while the client shakes hands. What keeps it from opening is what every request is told,
    and is raised in the end.
    """
    with ExitStack() as house, ThreadPoolExecutor(max_workers=1) as opening:
        desk = opening.submit(_open, house, opened, name)
        with suppress(KeyboardInterrupt):
            anyio.run(_serve, desk.result)
        desk.result()


def assistant_for(pipeline: Pipeline, name: str | None = None) -> Assistant:
    """The assistant a connection on this machine is bound to.

    Raises ``NotFound`` for a name that no live assistant has. The default one is made where there never was
    one, by the owner and through the pipeline like any other; ``NotAllowed`` where a person revoked it. Its
    token is thrown away: only this machine opens it.
    """
    from calward.operations.pipeline import Call  # here and below: beside the handshake, not before it

    if name is not None:
        return pipeline.assistant(name)
    try:
        return pipeline.assistant(DEFAULT_NAME)
    except NotFound:
        known = pipeline.execute(pipeline.owner(), Call("assistant_list", {})).answer.model_dump()
        if any(one["name"] == DEFAULT_NAME for one in known["assistants"]):
            raise NotAllowed(REVOKED) from None
        pipeline.execute(pipeline.owner(), Call("assistant_add", {"name": DEFAULT_NAME}))
        return pipeline.assistant(DEFAULT_NAME)


def _open(house: ExitStack, opened: Opened, name: str | None) -> Desk:
    from calward.faces.mcp.desk import Desk
    from calward.operations.entrance import Entrance

    pipeline = house.enter_context(opened())
    assistant = assistant_for(pipeline, name)
    Entrance(pipeline.sources).bind(assistant)
    return Desk(pipeline, lambda _: assistant)


async def _serve(desk: Callable[[], Desk]) -> None:
    server = mcp_server(desk)
    lines = StrictLines(sys.stdin.buffer)
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (incoming, outgoing):
        lines.answer = outgoing.send
        await server.run(incoming, outgoing, server.create_initialization_options())

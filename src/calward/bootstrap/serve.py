"""One server for everything: pages for people, the HTTP API under /api/v1 and MCP at /mcp.

The same doorkeepers stand before all of it: who is in front (a proxy or nobody), whether the request arrives at
all, whether it is meant for this server. Behind them pages know people by their session, all else by a token.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import uvicorn
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from calward.bootstrap.app import App
from calward.bootstrap.binding import Bind
from calward.bootstrap.connections import MOST_AT_ONCE, Connection
from calward.bootstrap.welcome import Welcome, welcome
from calward.errors import NotFound
from calward.faces.failures import failure_of
from calward.faces.http.api import PREFIX, http_api
from calward.faces.http.hosts import CheckHosts, Names
from calward.faces.http.last_resort import LastResort
from calward.faces.http.patience import Patience
from calward.faces.http.proxy import BehindProxy, networks
from calward.faces.http.refusal import refusal
from calward.faces.http.sign_in import SignIn
from calward.faces.mcp.streamable import PATH, McpOverHttp
from calward.faces.page.pages import Pages
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.entrance import Entrance
from calward.operations.pipeline import Pipeline

GRACE_SECONDS = 5


def serve(
    app: App, listener: socket.socket, bind: Bind, say: Callable[[Welcome], None], stdio: Mapping[str, Any]
) -> None:
    """Serve on a socket that listens until interrupted, and say where. ``stdio`` is what an MCP client on this
    machine has to be told."""
    port: int = listener.getsockname()[1]
    told = welcome(replace(bind, port=port), stdio)
    if code := Entrance(app.sources).make_code():
        told = replace(told, first_run=(f"{told.address}/welcome", code[0]))
    say(told)
    pipeline = Pipeline(replace(app.sources, pages=app.sources.pages or _own_pages(bind, told)))
    served = application(pipeline, names(app, bind.host))
    if bind.proxy:
        served = BehindProxy(served, networks(bind.proxy))
    server(served, bind).run(sockets=[listener])


def application(pipeline: Pipeline, own: Names) -> ASGIApp:
    """Everything that is served, as one ASGI application."""
    mcp = McpOverHttp(pipeline, CATALOG, ALIASES)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        async with mcp.running():
            yield

    with_token = Router(
        routes=[Mount(PREFIX, http_api(pipeline, CATALOG, ALIASES)), Route(PATH, mcp)],
        redirect_slashes=False,
        default=_nothing_here,
    )
    rooms = Router(
        routes=Pages(pipeline, Entrance(pipeline.sources)).routes,
        redirect_slashes=False,
        default=SignIn(with_token, pipeline.principal_of),
        lifespan=lifespan,
    )
    return Patience(LastResort(CheckHosts(rooms, own)))


def _own_pages(bind: Bind, told: Welcome) -> str | None:
    """Where people find the pages of a server that nobody named; unknown behind a proxy, and where it is bound
    to every address at once."""
    return None if bind.proxy or bind.host in ("0.0.0.0", "::") else told.address


def names(app: App, host: str) -> Names:
    """What this server answers to: where it is bound, and the setting ``hosts``."""
    return Names.of(host, app.resolved.settings.hosts.split(","))


def server(served: ASGIApp, bind: Bind | None = None) -> uvicorn.Server:
    """uvicorn, silent: no line of its log may hold what somebody asked for."""
    config = uvicorn.Config(
        served,
        http=Connection,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        limit_concurrency=MOST_AT_ONCE,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=bind.tls_cert or None if bind else None,
        ssl_keyfile=bind.tls_key or None if bind else None,
    )
    return uvicorn.Server(config)


async def _nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    missing = NotFound(f"There is nothing here; MCP is at {PATH}, the HTTP API at {PREFIX}.")
    await refusal(failure_of(missing))(scope, receive, send)

"""One server for everything: the HTTP API under /api/v1 and MCP at /mcp, behind the same two doorkeepers."""

from __future__ import annotations

import errno
import json
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from calward.bootstrap.app import App
from calward.errors import Busy, NotFound, SettingsError
from calward.faces.failures import failure_of
from calward.faces.http.api import PREFIX, http_api
from calward.faces.http.hosts import CheckHosts, Names
from calward.faces.http.last_resort import LastResort
from calward.faces.http.refusal import refusal
from calward.faces.http.sign_in import SignIn
from calward.faces.mcp.streamable import PATH, McpOverHttp
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.pipeline import Pipeline

BACKLOG = 128
GRACE_SECONDS = 5


def serve(app: App, host: str, port: int, stdio: Mapping[str, Any] | None = None) -> None:
    """Serve until interrupted, and say where. ``stdio`` is what an MCP client on this machine has to be told.

    Raises ``Busy`` where the port is taken, ``SettingsError`` for a bad address.
    """
    with listen(host, port) as listener:
        print(welcome(host, listener.getsockname()[1], stdio), flush=True)
        server(application(app.pipeline, names(app, host))).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A socket that accepts from now on: who connects before the server runs is answered when it does."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Busy(
                f"Port {port} on {host} is taken, perhaps by another calward serve. Stop that one, "
                "or choose another port with --port."
            ) from None
        raise SettingsError(
            f"Cannot serve on {host}, port {port}: {error.strerror}. Choose another address with --host, or "
            "another port with --port."
        ) from None
    return listener


def application(pipeline: Pipeline, own: Names) -> ASGIApp:
    """Everything that is served, as one ASGI application."""
    mcp = McpOverHttp(pipeline, CATALOG, ALIASES)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        async with mcp.running():
            yield

    rooms = Router(
        routes=[Mount(PREFIX, http_api(pipeline, CATALOG, ALIASES)), Route(PATH, mcp)],
        redirect_slashes=False,
        default=_nothing_here,
        lifespan=lifespan,
    )
    return LastResort(CheckHosts(SignIn(rooms, pipeline.principal_of), own))


def names(app: App, host: str) -> Names:
    """What this server answers to: where it is bound, and the setting ``hosts``."""
    return Names.of(host, app.resolved.settings.hosts.split(","))


def server(served: ASGIApp) -> uvicorn.Server:
    """uvicorn, silent: no line of its log may hold what somebody asked for."""
    config = uvicorn.Config(
        served,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return uvicorn.Server(config)


def welcome(host: str, port: int, stdio: Mapping[str, Any] | None = None) -> str:
    """Where it is, and how an assistant gets in."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    address = f"http://{shown}:{port}"
    here = f"of this machine starts it with\n  {json.dumps(stdio)}" if stdio else "of this machine: calward mcp"
    return f"""\
Calward serves on {address} (Ctrl-C stops it).

An assistant {here}
An assistant over HTTP: {address}{PATH} with the token from: calward assistant add NAME
Programs: {address}{PREFIX} with your own token from: calward token (see {PREFIX}/openapi.json)"""


async def _nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    missing = NotFound(f"There is nothing here; MCP is at {PATH}, the HTTP API at {PREFIX}.")
    await refusal(failure_of(missing))(scope, receive, send)

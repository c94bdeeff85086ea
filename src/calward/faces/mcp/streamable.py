"""MCP over HTTP: one endpoint, stateless, for assistants' tokens (Streamable HTTP, both revisions).

Host, origin and token of a request are settled when it gets here. A person's token opens the HTTP API, not
this: what assistants may do is decided for an assistant.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from calward.errors import CalwardError, InvalidInput, NotAllowed
from calward.faces.failures import failure_of
from calward.faces.http.body import NotJson, read_body, status_of
from calward.faces.http.refusal import refusal
from calward.faces.http.sign_in import signed_in
from calward.faces.mcp.desk import Connection, Desk
from calward.faces.mcp.server import mcp_server
from calward.faces.strict_json import MAX_BYTES, read_value
from calward.model.principal import Assistant, Principal
from calward.operations.operation import Operation
from calward.operations.pipeline import Pipeline

PATH = "/mcp"


class NotAMessage(InvalidInput):
    """The body is JSON, and no message of JSON-RPC."""


PEOPLE = (
    "This token is a person's, and this door is for assistants. Use it on /api/v1, or make a token for an "
    "assistant with: calward assistant add NAME."
)


class McpOverHttp:
    """ASGI. Run ``running()`` around its life."""

    def __init__(self, pipeline: Pipeline, listed: Sequence[Operation], unlisted: Sequence[Operation]) -> None:
        desk = Desk(pipeline, _caller, listed, unlisted)
        self._manager = StreamableHTTPSessionManager(
            mcp_server(lambda: desk), json_response=True, stateless=True, max_request_body_size=MAX_BYTES
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if not isinstance(signed_in(request), Assistant):
            answer: Response = refusal(failure_of(NotAllowed(PEOPLE)))
        elif request.method != "POST":
            wrong = failure_of(
                InvalidInput("MCP is spoken in POST here; there are no sessions and no streams.")
            )
            answer = refusal(wrong, HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "POST"})
        else:
            try:
                body = await read_body(request)
                _check_message(read_value(body))
            except ClientDisconnect:
                return
            except CalwardError as error:
                answer = _protocol_error(error)
            else:
                await self._manager.handle_request(scope, _again(body, receive), send)
                return
        await answer(scope, receive, send)


def _caller(connection: Connection) -> Principal:
    assert isinstance(connection.request, Request)
    return signed_in(connection.request)


def _check_message(value: Any) -> None:
    """One request or notification of JSON-RPC 2.0 §4; neither revision knows batches."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0" or not isinstance(value.get("method"), str):
        raise NotAMessage("Send one JSON-RPC 2.0 request or notification, as MCP has it.")
    if not isinstance(value.get("params", {}), dict) or not isinstance(value.get("id", 0), str | int):
        raise NotAMessage("A request has an id, text or a whole number, and params, an object.")


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more; then whatever the connection says."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _protocol_error(error: CalwardError) -> Response:
    """A body that cannot be read, in the words of JSON-RPC 2.0 §5.1."""
    failure = failure_of(error)
    code = INVALID_REQUEST if isinstance(error, NotJson | NotAMessage) else PARSE_ERROR
    said = {"code": code, "message": failure.message, "data": failure.body}
    content = {"jsonrpc": "2.0", "id": None, "error": said}
    return JSONResponse(content, status_of(error) or failure.meaning.status)

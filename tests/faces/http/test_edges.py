"""What a well-behaved client never shows a server: breaking off, missing headers, errors nobody foresaw."""

from collections.abc import Iterable
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calward.bootstrap.serve import application
from calward.faces.failures import INTERNAL_MESSAGE
from calward.faces.http.hosts import CheckHosts, Names
from calward.faces.http.last_resort import LastResort
from tests.faces.household import Home

pytestmark = pytest.mark.anyio
Headers = list[tuple[bytes, bytes]]
HOST: Headers = [(b"host", b"127.0.0.1")]
OWN = Names.of("127.0.0.1")


async def sent(app: ASGIApp, path: str, headers: Headers, received: Iterable[Message] = ()) -> list[Message]:
    """What an application sends for a request that is not whole."""
    incoming = iter([*received, {"type": "http.disconnect"}])
    outgoing: list[Message] = []

    async def receive() -> Message:
        return next(incoming)

    async def send(message: Message) -> None:
        outgoing.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": headers,
        "http_version": "1.1",
        "scheme": "http",
    }
    await app(scope, receive, send)
    return outgoing


@pytest.mark.parametrize("path", ["/api/v1/calendar_create", "/mcp"])
async def test_a_request_that_breaks_off_changes_nothing(home: Home, path: str) -> None:
    _, token = home.assistant(preset="helper")
    headers = [
        *HOST,
        (b"authorization", f"Bearer {token}".encode()),
        (b"content-type", b"application/json"),
        (b"content-length", b"60"),
    ]
    begun: Message = {"type": "http.request", "body": b'{"title": "x", ', "more_body": True}
    answer = await sent(application(home.pipeline, OWN), path, headers, [begun])
    assert [message.get("status") for message in answer[:1]] in ([], [400])
    assert home.answer("history").changes[0].operation == "assistant_add"


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"host", b"")],
        [(b"host", b"127.0.0.1"), (b"host", b"127.0.0.1")],
        [(b"host", b"127.0.0.1"), (b"origin", b"http://127.0.0.1"), (b"origin", b"http://evil.example")],
    ],
)
async def test_a_request_has_one_host_and_no_foreign_origin(home: Home, headers: Headers) -> None:
    start, _ = await sent(application(home.pipeline, OWN), "/", headers)
    assert start["status"] == 403


@pytest.mark.parametrize("count", [0, 2])
async def test_a_request_has_one_token(home: Home, count: int) -> None:
    headers = [*HOST, *[(b"authorization", f"Bearer {home.token()}".encode())] * count]
    start, _ = await sent(application(home.pipeline, OWN), "/api/v1/calendars", headers)
    assert start["status"] == 401


async def test_an_error_nobody_foresaw_is_answered_plainly_and_logged_without_its_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("the secret dinner with Sam")

    start, body = await sent(LastResort(CheckHosts(breaks, OWN)), "/", HOST)
    assert start["status"] == 500
    assert INTERNAL_MESSAGE.encode() in body["body"]
    logged = capsys.readouterr().err
    assert "RuntimeError at test_edges.py:" in logged
    assert "secret" not in logged


async def test_an_answer_that_had_begun_just_ends(capsys: pytest.CaptureFixture[str]) -> None:
    async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("the secret dinner with Sam")

    (start,) = await sent(LastResort(breaks), "/", HOST)
    assert start["status"] == 200
    assert "secret" not in capsys.readouterr().err

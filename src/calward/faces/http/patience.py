"""How long a request may take to arrive, and nothing of how long it takes to answer.

Who sends a byte now and then would hold a place for as long as they like. The head of a request is limited
where bytes become requests (``bootstrap.connections``), its body here.
"""

from __future__ import annotations

from http import HTTPStatus

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calward.errors import Busy
from calward.faces.failures import failure_of
from calward.faces.http.refusal import refusal

BODY_SECONDS = 20.0


class Patience:
    """ASGI: a body has to be there ``seconds`` after the head; else the request ends with 408."""

    def __init__(self, app: ASGIApp, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        until = anyio.current_time() + self._seconds
        complete = late = begun = False

        async def hurried() -> Message:
            nonlocal complete, late
            if complete:
                return await receive()
            with anyio.move_on_at(until):
                message = await receive()
                complete = message["type"] != "http.request" or not message.get("more_body", False)
                return message
            complete = late = True
            return {"type": "http.disconnect"}

        async def watched(message: Message) -> None:
            nonlocal begun
            if not late or begun:
                begun = True
                await send(message)

        await self._app(scope, hurried, watched)
        if late and not begun:
            slow = failure_of(Busy(f"The request did not arrive within {self._seconds:g} seconds."))
            await refusal(slow, HTTPStatus.REQUEST_TIMEOUT, {"Connection": "close"})(scope, receive, send)

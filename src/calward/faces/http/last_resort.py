"""What nobody foresaw, caught outside of everything: a plain answer, and nothing of it in a server's log."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from calward.faces.failures import failure_of
from calward.faces.http.refusal import refusal


class LastResort:
    """ASGI: an error that gets here becomes ``internal``, or the end of an answer that had begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:  # noqa: BLE001  the outermost edge
            failure = failure_of(error)
            if not begun:
                await refusal(failure)(scope, receive, send)

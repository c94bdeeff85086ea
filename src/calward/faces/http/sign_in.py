"""Every request needs a token: who it belongs to is known before anything else of the request is read."""

from __future__ import annotations

from collections.abc import Callable

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from calward.errors import NotSignedIn
from calward.faces.failures import failure_of
from calward.faces.http.refusal import refusal
from calward.model.principal import Principal

MISSING = (
    "Send a token as Authorization: Bearer TOKEN. A person makes one with: calward assistant add NAME, "
    "or for their own use: calward token add."
)
LONGEST = 500


class SignIn:
    """ASGI: turns a bearer token into a principal (RFC 6750 §2.1); one in a query or form is not looked at."""

    def __init__(self, app: ASGIApp, principal_of: Callable[[str], Principal]) -> None:
        self._app = app
        self._principal_of = principal_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            token = _bearer(Headers(scope=scope))
            principal = await to_thread.run_sync(self._principal_of, token)
        except Exception as error:  # noqa: BLE001  a full disk or a locked store is an answer as well
            await refusal(failure_of(error))(scope, receive, send)
            return
        scope["state"] = {**scope.get("state", {}), "principal": principal}
        await self._app(scope, receive, send)


def signed_in(request: Request) -> Principal:
    """Who sent a request that came through ``SignIn``."""
    principal: Principal = request.state.principal
    return principal


def _bearer(headers: Headers) -> str:
    given = headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise NotSignedIn(MISSING)
    return token[:LONGEST]

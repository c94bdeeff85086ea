"""The cookie of a session: for this host alone, never shown to a script, never sent from another site.

Over TLS, or behind a proxy that speaks it, the name begins with ``__Host-``: no other host and no plain page
can set it (RFC 6265bis §4.1.3.2). Browsers refuse that name without ``Secure``, and some ``Secure`` on plain
loopback, so there it has a plain name. Cookies know no ports: what else serves on the same address gets it too.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

SECURE_NAME, PLAIN_NAME = "__Host-calward", "calward_session"
LONGEST = 500


def shown_by(request: Request) -> str:
    """What a browser shows of its session; empty where it has none."""
    return request.cookies.get(_name(request), "")[:LONGEST]


def keep(request: Request, response: Response, shown: str, seconds: int) -> Response:
    response.set_cookie(
        _name(request),
        shown,
        max_age=seconds,
        path="/",
        secure=_is_secure(request),
        httponly=True,
        samesite="strict",
    )
    return response


def forget(request: Request, response: Response) -> Response:
    response.delete_cookie(
        _name(request), path="/", secure=_is_secure(request), httponly=True, samesite="strict"
    )
    return response


def _name(request: Request) -> str:
    return SECURE_NAME if _is_secure(request) else PLAIN_NAME


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"

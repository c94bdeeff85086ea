"""A proxy in front that speaks TLS: declared by a person, and then the only way in.

A server that is bound to a network and trusts a proxy would trust anybody there who sends the same headers. So
where a proxy is declared, requests from other machines than it and this one are refused, and only the last
address it names counts (RFC 7239 §5.2 on what came before it, which the client can have made up).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from calward.errors import NotAllowed, SettingsError
from calward.faces.failures import failure_of
from calward.faces.http.refusal import refusal

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def networks(declared: str) -> tuple[Network, ...]:
    """The addresses and networks of the setting ``proxy``. Raises ``SettingsError``."""
    try:
        return tuple(ipaddress.ip_network(one.strip()) for one in declared.split(",") if one.strip())
    except ValueError:
        raise SettingsError(
            f"The proxy {declared!r} is no address; use one as 10.0.0.5, or a network as 10.0.0.0/24."
        ) from None


class BehindProxy:
    """ASGI: what comes through the proxy was sent over TLS, by the client that the proxy names."""

    def __init__(self, app: ASGIApp, proxies: Sequence[Network]) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        peer = _address((scope.get("client") or ("", 0))[0])
        if peer is not None and any(peer in network for network in self._proxies):
            named = Headers(scope=scope).get("x-forwarded-for", "").rpartition(",")[2].strip()
            client = _address(named) or peer
            scope = {**scope, "scheme": "https", "client": (str(client), 0)}
        elif peer is None or not peer.is_loopback:
            why = NotAllowed("This server is reached through its proxy only; use the proxy's address.")
            await refusal(failure_of(why))(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _address(text: str) -> Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found

"""Who may be spoken to and from where: Host and Origin, on every route, against DNS rebinding.

A page from anywhere can make a browser send requests to this machine under a name of the page's own. Its name
is then in Host and its address in Origin, so both are compared with the names this server goes by. An address
cannot be rebound, so a server on all interfaces answers to any.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from calward.errors import NotAllowed
from calward.faces.failures import failure_of
from calward.faces.http.refusal import refusal

LOCAL = ("localhost", "127.0.0.1", "::1")
AUTHORITY = re.compile(
    r"(?:\[(?P<address>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9._-]{1,253}))(?::(?P<port>[0-9]{0,5}))?"
)
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Names:
    """The names a server goes by. ``configured`` ones are those a person added, such as a proxy's."""

    bound: str
    configured: frozenset[str] = frozenset()

    @classmethod
    def of(cls, bound: str, configured: Iterable[str] = ()) -> Names:
        names = (name.strip().lower() for name in configured)
        return cls(bound.lower(), frozenset(name for name in names if name))

    def answers_to(self, name: str) -> bool:
        """Whether a request for ``name`` is for this server."""
        if name in LOCAL or name == self.bound or name in self.configured:
            return True
        return _is_wildcard(self.bound) and _is_address(name)

    def admits(self, origin: str, host: str) -> bool:
        """Whether a page at ``origin`` may send requests for ``host``: the server's own or a configured one."""
        scheme, separator, authority = origin.partition("://")
        default = DEFAULT_PORTS.get(scheme.lower())
        name, port = _authority(authority)
        if not separator or not name or default is None:
            return False
        if name in self.configured:
            return True
        wanted, wanted_port = _authority(host)
        return name == wanted and (port or default) == (wanted_port or default)


class CheckHosts:
    """ASGI: refuses what is not for this server, before anything looks at it."""

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (why := self._wrong(Headers(scope=scope))):
            await refusal(failure_of(NotAllowed(why)))(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _wrong(self, headers: Headers) -> str | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._names.answers_to(named(hosts[0])):
            return (
                "This server does not answer to that host name; use its own address, "
                "or add the name to the setting hosts."
            )
        if any(not self._names.admits(origin, hosts[0]) for origin in origins):
            return (
                "Requests from pages of other origins are refused; add the origin's host to the setting hosts."
            )
        return None


def named(host: str) -> str:
    """The name in a Host header, in lower case and without brackets; empty where it is none."""
    return _authority(host)[0]


def _authority(text: str) -> tuple[str, int | None]:
    """Host and port (RFC 3986 §3.2)."""
    found = AUTHORITY.fullmatch(text)
    if found is None:
        return "", None
    port = found["port"]
    return (found["address"] or found["name"]).lower(), int(port) if port else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_wildcard(name: str) -> bool:
    return name in ("0.0.0.0", "::")

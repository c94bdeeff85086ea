"""A server before a real one on which, when it is told to, one thing goes wrong; all else passes as it is.

Nothing is left to chance: the trouble strikes the first request it can strike, and that is the end of it.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from tests.contract.caldav_servers import Address
from tests.system.forward import Middle, Reply, serving
from tests.system.two_writers import Trouble

WRITES = ("PUT", "DELETE")
AFTER = "1"
"""Seconds to wait, by ``Retry-After``."""
TOO_LONG = 30.0
"""Seconds after which a silence ends, unless the proxy ends before."""


@dataclass
class FaultProxy:
    """``address`` is where the server seems to be; ``trouble`` strikes once; ``struck`` is what has struck."""

    address: Address
    trouble: Trouble | None = None
    struck: list[Trouble] = field(default_factory=list)
    ending: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def strike(self, method: str, depth: str | None) -> Trouble | None:
        """What goes wrong with a request."""
        with self._lock:
            if self.trouble is None or not _can_strike(self.trouble, method, depth):
                return None
            struck, self.trouble = self.trouble, None
            self.struck.append(struck)
            return struck


@contextmanager
def between(address: Address) -> Generator[FaultProxy]:
    """A proxy before the server at an address."""
    parts = urlsplit(address.url)
    proxy = FaultProxy(address)
    with serving(_handler(proxy, parts.netloc)) as url:
        proxy.address = replace(address, url=parts._replace(netloc=urlsplit(url).netloc).geturl())
        try:
            yield proxy
        finally:
            proxy.ending.set()


def _can_strike(trouble: Trouble, method: str, depth: str | None) -> bool:
    if trouble is Trouble.CUT:
        return method == "REPORT" or (method == "PROPFIND" and depth == "1")
    return method in WRITES


def _handler(proxy: FaultProxy, real: str) -> type[Middle]:
    class Handler(Middle):
        def handle_request(self, body: bytes) -> None:
            match proxy.strike(self.command, self.headers.get("Depth")):
                case None:
                    self.hand_back(self.hand_on(body))
                case Trouble.RESET:
                    self.reset()
                case Trouble.LOST:
                    self.hand_on(body)
                    self.reset()
                case Trouble.SILENT:
                    self.hand_on(body)
                    proxy.ending.wait(TOO_LONG)
                    self.reset()
                case Trouble.TWICE:
                    self.hand_on(body)
                    self.hand_back(self.hand_on(body))
                case Trouble.BUSY:
                    self.hand_back(Reply(503, (("Retry-After", AFTER),), b""))
                case trouble:
                    self.hand_back(_bent(trouble, self.hand_on(body)))

    Handler.real = real
    return Handler


def _bent(trouble: Trouble, reply: Reply) -> Reply:
    match trouble:
        case Trouble.CUT:
            return replace(reply, body=reply.body[: len(reply.body) // 2])
        case Trouble.WEAK_ETAG:
            return replace(reply, headers=tuple(map(_weak, reply.headers)))
        case _:
            return replace(reply, headers=tuple(one for one in reply.headers if one[0].lower() != "etag"))


def _weak(header: tuple[str, str]) -> tuple[str, str]:
    name, value = header
    return (name, f"W/{value}") if name.lower() == "etag" and not value.startswith("W/") else header

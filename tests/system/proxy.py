"""A server that stands before a real one and, when told to, behaves as badly as servers do."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.system.forward import Middle, Reply, serving

MODES = ("refuses", "redirects", "web page", "closes", "cuts off", "floods", "slow", "forbids", "stutters")
PIECE = bytes(1024 * 1024)


@dataclass
class Proxy:
    """``mode`` is what it does from now on, to the method ``only`` or to all; empty: what the real one does."""

    url: str
    mode: str = ""
    only: str = ""
    elsewhere: str = "https://elsewhere.invalid/"
    signed: int = 0
    """Requests that came with credentials."""
    stopping: threading.Event = field(default_factory=threading.Event)


@contextmanager
def standing_before(url: str) -> Generator[Proxy]:
    """A proxy on a free port of the loopback."""
    proxy = Proxy("")
    with serving(_handler(proxy, urlsplit(url).netloc)) as proxy.url:
        try:
            yield proxy
        finally:
            proxy.stopping.set()


def _handler(proxy: Proxy, real: str) -> type[Middle]:
    class Handler(Middle):
        def handle_request(self, body: bytes) -> None:
            proxy.signed += "authorization" in self.headers
            if proxy.mode and proxy.only in ("", self.command):
                self.misbehave(body)
            else:
                self.hand_back(self.hand_on(body))

        def misbehave(self, body: bytes) -> None:
            self.close_connection = True
            match proxy.mode:
                case "refuses":
                    self.short(503, b"")
                case "forbids":
                    self.short(401, b"", ("WWW-Authenticate", 'Basic realm="x"'))
                case "redirects":
                    self.short(301, b"", ("Location", proxy.elsewhere + self.path.lstrip("/")))
                case "web page":
                    self.short(200, b"<!doctype html><title>Welcome</title>", ("Content-Type", "text/html"))
                case "closes":
                    self.hand_on(body)
                case "cuts off":
                    reply = self.hand_on(body)
                    self.begin(reply.status, len(reply.body) + 10)
                    self.wfile.write(reply.body[: len(reply.body) // 2])
                case "floods":
                    self.begin(207, 100 * len(PIECE))
                    for _ in range(100):
                        self.wfile.write(PIECE)
                case "slow":
                    proxy.stopping.wait(20)
                case "stutters":
                    self.begin(207, 1000)
                    for _ in range(200):
                        self.wfile.write(b" ")
                        self.wfile.flush()
                        if proxy.stopping.wait(0.1):
                            break

        def short(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
            self.hand_back(Reply(status, headers, body))

        def begin(self, status: int, length: int) -> None:
            """An answer that says it is so long."""
            self.send_response(status)
            self.send_header("Content-Type", "application/xml; charset=utf-8")
            self.send_header("Content-Length", str(length))
            self.end_headers()

    Handler.real = real
    return Handler

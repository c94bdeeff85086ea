"""A server that stands before a real one and, when told to, behaves as badly as servers do."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

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
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(proxy, urlsplit(url).netloc))
    server.daemon_threads = True
    proxy.url = f"http://127.0.0.1:{server.server_address[1]}/"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(proxy: Proxy, real: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            proxy.signed += "authorization" in self.headers
            with suppress(ConnectionError):
                if proxy.mode and proxy.only in ("", self.command):
                    self.misbehave(body)
                else:
                    self.pass_on(body)

        def pass_on(self, body: bytes) -> tuple[int, bytes]:
            there = http.client.HTTPConnection(real, timeout=10)
            there.request(self.command, self.path, body, dict(self.headers.items()))
            got = there.getresponse()
            data = got.read()
            there.close()
            if proxy.mode in ("cuts off", "closes") and proxy.only in ("", self.command):
                return got.status, data
            self.send_response(got.status)
            for name, value in got.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            if got.status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)
            return got.status, data

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
                    self.pass_on(body)
                case "cuts off":
                    status, data = self.pass_on(body)
                    self.send_response(status)
                    self.send_header("Content-Type", "application/xml; charset=utf-8")
                    self.send_header("Content-Length", str(len(data) + 10))
                    self.end_headers()
                    self.wfile.write(data[: len(data) // 2])
                case "floods":
                    self.send_response(207)
                    self.send_header("Content-Type", "application/xml; charset=utf-8")
                    self.send_header("Content-Length", str(100 * len(PIECE)))
                    self.end_headers()
                    for _ in range(100):
                        self.wfile.write(PIECE)
                case "slow":
                    proxy.stopping.wait(20)
                case "stutters":
                    self.send_response(207)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    for _ in range(200):
                        self.wfile.write(b" ")
                        self.wfile.flush()
                        if proxy.stopping.wait(0.1):
                            break

        def short(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    for method in ("GET", "PUT", "DELETE", "PROPFIND", "REPORT", "OPTIONS", "MKCALENDAR", "HEAD"):
        setattr(Handler, f"do_{method}", Handler.answer)
    return Handler

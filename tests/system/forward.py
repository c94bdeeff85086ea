"""What every server in the middle does: take a request, hand it on, hand the answer back."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

METHODS = ("GET", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "OPTIONS", "MKCALENDAR", "HEAD")
OWN = ("content-length", "transfer-encoding", "connection")
"""Headers of one leg of the way."""
PATIENCE = 60.0
"""Seconds that the real server may take."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Middle(BaseHTTPRequestHandler):
    """Hands on each request, on a connection of its own; ``handle_request`` may do otherwise."""

    protocol_version = "HTTP/1.1"
    real = ""
    """Host and port of the real server."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def take(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            self.handle_request(body)
        except OSError:
            self.close_connection = True

    def handle_request(self, body: bytes) -> None:
        self.hand_back(self.hand_on(body))

    def hand_on(self, body: bytes) -> Reply:
        there = http.client.HTTPConnection(self.real, timeout=PATIENCE)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
            there.request(self.command, self.path, body or None, headers | {"Connection": "close"})
            got = there.getresponse()
            return Reply(got.status, tuple(got.getheaders()), got.read())
        finally:
            there.close()

    def hand_back(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers:
            if name.lower() not in OWN:
                self.send_header(name, value)
        if reply.status != 204:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def reset(self) -> None:
        """Break the connection off, so that the other side is told of it."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


for _method in METHODS:
    setattr(Middle, f"do_{_method}", Middle.take)


@contextmanager
def serving(handler: type[Middle]) -> Generator[str]:
    """The address of a server with this handler, on a free port of the loopback."""
    server = _Quiet(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def front(real: str, entry: str) -> Generator[str]:
    """A plain web server before one that is not meant to stand alone; ``real`` is its host and port. Who asks
    at the well-known place is sent to ``entry``."""
    real_one, sent_to = real, Reply(301, (("Location", entry),), b"")

    class Front(Middle):
        real = real_one

        def handle_request(self, body: bytes) -> None:
            self.hand_back(sent_to if self.path == "/.well-known/caldav" else self.hand_on(body))

    with serving(Front) as url:
        yield url


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that broke off is what such a server is for."""

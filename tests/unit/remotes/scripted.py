"""An HTTP server that does exactly what a test says, to the byte: for everything a good server never does."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heard:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Play = Callable[[socket.socket, Heard], bool | None]
"""Answers one request on a connection; False closes the connection."""


@dataclass
class Scripted:
    """``plays`` are used up one a request, over all connections; the last one serves all that follow."""

    host: str
    port: int
    plays: list[Play]
    context: ssl.SSLContext | None = None
    heard: list[Heard] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http{'s' if self.context else ''}://{self.host}:{self.port}/"

    def next(self) -> Play:
        return self.plays.pop(0) if len(self.plays) > 1 else self.plays[0]


@contextmanager
def scripted(*plays: Play, context: ssl.SSLContext | None = None) -> Generator[Scripted]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        server = Scripted("127.0.0.1", listener.getsockname()[1], list(plays), context)
        thread = threading.Thread(target=_serve, args=(listener, server))
        thread.start()
        try:
            yield server
        finally:
            server.stopping.set()
            thread.join(10)
            assert not thread.is_alive()


def say(status: int, body: bytes = b"", headers: Sequence[tuple[str, str]] = ()) -> Play:
    """An ordinary answer."""

    def play(connection: socket.socket, heard: Heard) -> bool:
        lines = [
            f"HTTP/1.1 {status} X",
            f"Content-Length: {len(body)}",
            *(f"{key}: {value}" for key, value in headers),
        ]
        connection.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        return True

    return play


def raw(*pieces: bytes) -> Play:
    """Exactly these bytes, then the connection is closed."""

    def play(connection: socket.socket, heard: Heard) -> bool:
        for piece in pieces:
            connection.sendall(piece)
        return False

    return play


def hang_up(connection: socket.socket, heard: Heard) -> bool:
    """Close without a word."""
    return False


def reset(connection: socket.socket, heard: Heard) -> bool:
    """Close with a TCP reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    return False


def _serve(listener: socket.socket, server: Scripted) -> None:
    threads: list[threading.Thread] = []
    while not server.stopping.is_set():
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        threads.append(threading.Thread(target=_talk, args=(connection, server)))
        threads[-1].start()
    for thread in threads:
        thread.join(10)


def _talk(connection: socket.socket, server: Scripted) -> None:
    with connection:
        try:
            connection.settimeout(5)
            if server.context:
                connection = server.context.wrap_socket(connection, server_side=True)
            connection.settimeout(0.05)
            while (heard := _hear(connection, server)) is not None:
                server.heard.append(heard)
                connection.settimeout(5)
                if server.next()(connection, heard) is False:
                    return
                connection.settimeout(0.05)
        except OSError:
            return  # the client left, which is what some tests are about
        finally:
            connection.close()


def _hear(connection: socket.socket, server: Scripted) -> Heard | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = _more(connection, server)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", "0")):
        body += _more(connection, server)
    method, path, _ = first.split(" ")
    return Heard(method, path, headers, body)


def _more(connection: socket.socket, server: Scripted) -> bytes:
    while not server.stopping.is_set():
        try:
            return connection.recv(65536)
        except TimeoutError:
            continue
    return b""

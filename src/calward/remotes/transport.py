"""Connections with a deadline for the whole request, however the server spreads its bytes.

The HTTP library has a time-out for each read; a server that sends one byte before each runs out would hold a
worker for ever. So every read and write here is given the smaller of that and what is left of the request.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

import httpcore2

from calward.remotes.outgoing import Reach, Resolve, addresses, resolve_by_system


class Deadline(threading.local):
    """The moment (on ``monotonic``) by which this thread's request must be over."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._until = float("inf")

    @contextmanager
    def within(self, seconds: float) -> Generator[None]:
        before, self._until = self._until, self._monotonic() + seconds
        try:
            yield
        finally:
            self._until = before

    @property
    def passed(self) -> bool:
        return self._monotonic() >= self._until

    def cut(self, timeout: float | None, late: type[Exception]) -> float | None:
        """``timeout`` or what is left, whichever is less; raises ``late`` where nothing is left."""
        left = self._until - self._monotonic()
        if left <= 0:
            raise late("the whole request took too long")
        return left if timeout is None else min(timeout, left)


def pool(
    deadline: Deadline,
    context: ssl.SSLContext | None,
    connections: int,
    reach: Reach,
    resolve: Resolve = resolve_by_system,
) -> httpcore2.ConnectionPool:
    """A connection pool whose every wait ends with ``deadline`` and whose every connection stays within
    ``reach``. HTTP/1.1, no proxies, no cookies."""
    return httpcore2.ConnectionPool(
        ssl_context=context,
        max_connections=connections,
        keepalive_expiry=KEEP_ALIVE,
        network_backend=_Backend(deadline, reach, resolve),
    )


KEEP_ALIVE = 15.0
"""Seconds an idle connection is kept: less than servers do, so that they seldom close it under a request."""


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, deadline: Deadline, reach: Reach, resolve: Resolve) -> None:
        self._deadline = deadline
        self._reach = reach
        self._resolve = resolve
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to an address that was judged; the name is not asked for again. TLS still names the host."""
        try:
            *others, last = addresses(host, port, self._reach, self._resolve)
        except socket.gaierror as error:
            raise httpcore2.ConnectError(str(error)) from error
        for address in others:
            try:
                return self._connect(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return self._connect(last, port, timeout, local_address, socket_options)

    def _connect(
        self,
        address: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.NetworkStream:
        timeout = self._deadline.cut(timeout, httpcore2.ConnectTimeout)
        stream = self._inner.connect_tcp(address, port, timeout, local_address, socket_options or ())
        return _Stream(stream, self._deadline)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.cut(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), WRITE_PIECE):
            piece = buffer[start : start + WRITE_PIECE]
            self._inner.write(piece, self._deadline.cut(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        timeout = self._deadline.cut(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


WRITE_PIECE = 256 * 1024
"""Bytes written between two looks at the deadline."""

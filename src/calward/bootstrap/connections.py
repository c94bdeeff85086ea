"""Connections that do not last longer than they are used: a head of a request has to be there in time.

uvicorn limits how long a connection rests between requests, and not how long a request takes to begin.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
MOST_AT_ONCE = 100
"""Connections and answers in the making; one more is told 503. What each may hold is capped elsewhere."""


class Connection(H11Protocol):
    """HTTP/1.1 that closes where no whole head of a request came within ``head_seconds``."""

    head_seconds: ClassVar[float] = HEAD_SECONDS
    _waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
            self._wait()

    def _wait(self) -> None:
        self._stop_waiting()
        self._waits = self.loop.call_later(self.head_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()

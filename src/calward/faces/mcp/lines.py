"""Lines of standard input, read strictly: what the SDK gets of them is JSON that can be read one way only.

A line is one message of JSON-RPC. The same rules hold as over HTTP (``faces.strict_json``): each key once, no
NaN, so deep and so long. A line that breaks them is answered with an error and goes no further.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import BinaryIO

from anyio import to_thread
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

from calward.errors import CalwardError, InvalidInput, TooLarge
from calward.faces.failures import failure_of
from calward.faces.strict_json import MAX_BYTES, read_value, too_large

Answer = Callable[[SessionMessage], Awaitable[None]]


class StrictLines:
    """An asynchronous iterator of lines, as the SDK's stdio transport reads its input. ``answer`` is set once
    there is somewhere to answer to."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.answer: Answer | None = None

    def __aiter__(self) -> StrictLines:
        return self

    async def __anext__(self) -> str:
        while line := await to_thread.run_sync(self._next):
            try:
                if len(line) > MAX_BYTES:
                    raise too_large()
                if not isinstance(read_value(line), dict):
                    raise InvalidInput("Send one JSON-RPC 2.0 request or notification a line, as MCP has it.")
                return line.decode()
            except CalwardError as error:
                await self._refuse(error)
        raise StopAsyncIteration

    def _next(self) -> bytes:
        """The next line that is not empty; of one that is too long, only as much as shows that it is."""
        while line := self._source.readline(MAX_BYTES + 1):
            rest = line
            while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
                rest = self._source.readline(MAX_BYTES + 1)
            if line.strip():
                return line
        return b""

    async def _refuse(self, error: CalwardError) -> None:
        failure = failure_of(error)
        code = INVALID_REQUEST if isinstance(error, TooLarge) else PARSE_ERROR
        said = ErrorData(code=code, message=failure.message, data=failure.body)
        if self.answer is not None:
            await self.answer(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=said)))

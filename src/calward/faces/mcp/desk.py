"""What is behind a connection: the catalog as tools, and calls to it.

Results are structured; the text beside them is the same in JSON, for clients that show a model nothing else. An
error is a result too, ``{code, message, retryable}``, so that the model can read it and mend its call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, CallToolResult, ListToolsResult, TextContent

from calward.faces.failures import failure_of
from calward.faces.mcp.tools import tools
from calward.model.principal import Principal
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.operation import Callers, Operation
from calward.operations.pipeline import Call, Pipeline

Connection = ServerRequestContext[Any, Any]


class Desk:
    """The ``listed`` operations that everybody may call are its tools; ``unlisted`` ones answer when called.

    ``principal_of`` says who is at the other end of a connection.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        principal_of: Callable[[Connection], Principal],
        listed: Sequence[Operation] = CATALOG,
        unlisted: Sequence[Operation] = ALIASES,
    ) -> None:
        self._pipeline = pipeline
        self._principal_of = principal_of
        self._callable = {one.name for one in (*listed, *unlisted) if one.callers is Callers.EVERYBODY}
        self.listing = ListToolsResult(tools=tools(listed))
        self.schemas: Mapping[str, Mapping[str, Any]] = {
            tool.name: tool.input_schema for tool in self.listing.tools
        }

    def answer(self, connection: Connection, params: CallToolRequestParams) -> CallToolResult:
        """Carry out a call; blocking. Whatever goes wrong is a result, but for a tool that does not exist."""
        if params.name not in self._callable:
            raise MCPError(INVALID_PARAMS, f"There is no tool named {params.name!r} here; list the tools.")
        try:
            call = Call(params.name, params.arguments or {})
            answer = self._pipeline.execute(self._principal_of(connection), call).answer
            return _result(answer.model_dump(mode="json", by_alias=True, exclude_none=True), is_error=False)
        except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
            return _result(failure_of(error).body, is_error=True)


def _result(content: Mapping[str, Any], *, is_error: bool) -> CallToolResult:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(content), is_error=is_error
    )

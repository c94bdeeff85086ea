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

from calward.errors import NotAllowed, NotSignedIn, Stale
from calward.faces.failures import failure_of
from calward.faces.mcp.rounds import Round, Rounds
from calward.faces.mcp.tools import tools
from calward.model.principal import Principal
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.operation import Callers, Operation
from calward.operations.pipeline import Call, Pipeline
from calward.operations.wording import approval_page

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
        self._callable = {one.name: one for one in (*listed, *unlisted) if one.callers is Callers.EVERYBODY}
        self._rounds = Rounds()
        self.listing = ListToolsResult(tools=tools(listed))
        self.schemas: Mapping[str, Mapping[str, Any]] = {
            tool.name: tool.input_schema for tool in self.listing.tools
        }

    def answer(
        self, connection: Connection, params: CallToolRequestParams
    ) -> tuple[CallToolResult, Round | None]:
        """Carry out a call; blocking. Beside the result the round to offer, where a person is asked and has a
        page for it.

        Whatever goes wrong is a result, but for a tool that does not exist.
        """
        if params.name not in self._callable:
            raise MCPError(INVALID_PARAMS, f"There is no tool named {params.name!r} here; list the tools.")
        try:
            return self._carry_out(self._principal_of(connection), Call(params.name, params.arguments or {}))
        except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
            return _failed(error), None

    def keep(self, begun: Round) -> str:
        """Keep a round for when the client calls again; the state to call with."""
        state = self._pipeline.sources.new_token()
        self._rounds.begin(state, begun)
        return state

    def take_up(self, connection: Connection, state: str) -> CallToolResult:
        """What a call that comes again is answered. A state that was brought before is refused as one that was
        never given."""
        begun = self._rounds.take_up(state)
        if begun is None:
            raise MCPError(INVALID_PARAMS, "Invalid or expired requestState", {"reason": "used_request_state"})
        return self.became(connection, begun)

    def became(self, connection: Connection, begun: Round) -> CallToolResult:
        """What has become of a request by now; blocking. What the client said of it is not asked for here.

        A write is never called again: it was carried out as the person was shown it, or it was not.
        """
        try:
            principal = self._principal_of(connection)
            if principal.id != begun.principal.id:
                raise NotSignedIn("Somebody else made this call. Call anew.")
            asked = Call("approval_status", {"id": begun.approval})
            now: Any = self._pipeline.execute(principal, asked).answer
            match now.state:
                case "pending":
                    return begun.pending
                case "approved" if self._callable[begun.call.operation].writes:
                    return _result(_done(begun.pending, now.message, now.result))
                case "approved":
                    return self._carry_out(principal, begun.call)[0]
                case "renewed":
                    raise Stale(f"{now.message} The id: {now.result['approval']}.")
                case "denied" | "void":
                    raise NotAllowed(now.message)
                case _:
                    raise Stale(now.message)
        except Exception as error:  # noqa: BLE001  the edge of the house: nothing internal goes past it
            return _failed(error)

    def _carry_out(self, principal: Principal, call: Call) -> tuple[CallToolResult, Round | None]:
        outcome = self._pipeline.execute(principal, call)
        result = _result(outcome.answer.model_dump(mode="json", by_alias=True, exclude_none=True))
        pages = self._pipeline.sources.pages
        speaks_of_it = "approval" in self._callable[call.operation].output.model_fields
        if outcome.pending is None or pages is None or not speaks_of_it:
            return result, None
        page = approval_page(pages, outcome.pending)
        return result, Round(principal, call, outcome.pending, page, result)


def _done(pending: CallToolResult, message: str, result: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """A waiting answer, done: the same shape, as the tool's output schema has it."""
    was = pending.structured_content or {}
    return {**was, "status": "done", **(result or {}), "approval": {**was["approval"], "message": message}}


def _failed(error: Exception) -> CallToolResult:
    return _result(failure_of(error).body, is_error=True)


def _result(content: Mapping[str, Any], *, is_error: bool = False) -> CallToolResult:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(content), is_error=is_error
    )

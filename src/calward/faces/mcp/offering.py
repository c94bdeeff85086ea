"""Offering a person the page where a request waits for them, through the client (elicitation in URL mode).

A comfort and never an authority: what a client answers, that its person agreed, that they declined, anything,
is not looked at. The request is decided on the page by who is signed in there, and afterwards the call answers
what has become of it by then.

Revision 2026-07-28 asks in a result, and the client calls again with the state it was given. 2025-11-25 asks
beside the call, which takes a connection that the server can speak on first: stdio. Over stateless HTTP that
revision has only an error that makes a client call anew once its person is done, which would ask for the same
again; there nothing is offered, and the answer names the page in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import move_on_after, to_thread
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitRequest, ElicitRequestURLParams, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from calward.faces.mcp.desk import Connection, Desk
    from calward.faces.mcp.rounds import Round

WORDS = (
    "A change of your calendar waits for you. On this page of Calward you see what it would do; sign in there "
    "and decide."
)
PATIENCE_SECONDS = 300.0
"""How long a call waits for the client to say that its person was shown the page."""


async def offered(
    desk: Desk, connection: Connection, begun: Round | None, answer: CallToolResult
) -> CallToolResult | InputRequiredResult:
    """The answer to a call, after the page was offered where there is one and the client can show it."""
    if begun is None or not _shows_pages(connection):
        return answer
    if connection.protocol_version in MODERN_PROTOCOL_VERSIONS:
        asked = ElicitRequest(params=ElicitRequestURLParams(message=WORDS, url=begun.page))
        return InputRequiredResult(input_requests={"approval": asked}, request_state=desk.keep(begun))
    if not connection.session.can_send_request:
        return answer
    with move_on_after(PATIENCE_SECONDS):
        try:
            await connection.session.elicit_url(WORDS, begun.page, begun.approval, connection.request_id)
        except MCPError:
            return answer
    return await to_thread.run_sync(desk.became, connection, begun)


def _shows_pages(connection: Connection) -> bool:
    able = connection.session.client_capabilities
    return able is not None and able.elicitation is not None and able.elicitation.url is not None

"""Calls that wait for a person whose page was offered through the client, each to be taken up again once.

The SDK seals the state that a client brings back and binds it to its request; it can still be brought back
twice. So the state is a name for what is kept here, and whoever takes it up takes it away.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcp_types import CallToolResult

from calward.model.ids import ApprovalId
from calward.model.principal import Principal
from calward.operations.pipeline import Call

MOST = 1000
"""Rounds under way; one more lets the oldest go. Its request waits on: only the offer is over."""


@dataclass(frozen=True, slots=True)
class Round:
    """A call, who made it, the request it left with a person at ``page``, and what it answered."""

    principal: Principal
    call: Call
    approval: ApprovalId
    page: str
    pending: CallToolResult


class Rounds:
    """Kept in this process alone, as the key is that states are sealed with. Safe to share between threads:
    what is taken up is taken out of a dict in one step."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._open: dict[str, Round] = {}

    def begin(self, state: str, begun: Round) -> None:
        """Keep a round under a state that nobody can guess."""
        self._open[state] = begun
        while len(self._open) > self._most:
            self._open.pop(next(iter(self._open), state), None)

    def take_up(self, state: str) -> Round | None:
        """The round, to whoever comes first; None to all others."""
        return self._open.pop(state, None)

"""Requests that wait for a person, or did, as one principal may know of them. Part of the view."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from calward.errors import NotFound
from calward.model.grant import Level
from calward.model.ids import (
    ApprovalId,
)
from calward.model.principal import Person
from calward.operations.approval_states import STATES, state_at
from calward.operations.identity import Access
from calward.store import approvals
from calward.store.approvals import ApprovalRow


@dataclass(frozen=True, slots=True)
class Request:
    """A request for approval as the person who decides it, or who asked, may see it."""

    id: ApprovalId
    state: str
    asked_by_name: str
    operation: str
    risk: int
    reasons: tuple[str, ...]
    summary: str
    preview: tuple[str, ...]
    offers_details: bool
    """Whether it asks for a look that may show less or all."""
    made_at: datetime
    expires_at: datetime
    result: dict[str, Any] | None


class Requests:
    """A person finds what they decide, an assistant what it asked for itself; the rest is not there."""

    def __init__(self, conn: Connection, access: Access, now: datetime) -> None:
        self._conn = conn
        self._access = access
        self._now = now
        self._household = access.household.id

    def approvals(self, *, everything: bool) -> tuple[Request, ...]:
        """What waits for this person, or all there was; oldest first."""
        states = STATES if everything else (approvals.PENDING,)
        rows = approvals.list_approvals(
            self._conn, self._household, states=states, member=self._access.person.member
        )
        found = (self._request(row) for row in rows)
        return tuple(one for one in found if everything or one.state == approvals.PENDING)

    def approval(self, ident: ApprovalId) -> Request:
        """A request this person decides."""
        row = approvals.get_approval(self._conn, self._household, ident)
        if row is None or row.member_id != self._access.person.member:
            raise NotFound("There is no such request waiting for you; list them with: calward approvals")
        return self._request(row)

    def own_approval(self, ident: ApprovalId) -> Request:
        """A request this principal made, or for a person also one they decide."""
        row = approvals.get_approval(self._conn, self._household, ident)
        principal = self._access.principal
        mine = row is not None and (row.asked_by_kind, row.asked_by_id) == (principal.kind, principal.id)
        decides = row is not None and isinstance(principal, Person) and row.member_id == principal.member
        if row is None or not (mine or decides):
            raise NotFound("There is no request of yours with that id.")
        return self._request(row)

    def count_pending(self) -> int:
        """How many requests wait: an assistant's own, or those a person has to decide."""
        rows = approvals.list_approvals(self._conn, self._household)
        live = [row for row in rows if self._request(row).state == approvals.PENDING]
        if isinstance(self._access.principal, Person):
            return sum(row.member_id == self._access.person.member for row in live)
        return sum(row.asked_by_id == self._access.principal.id for row in live)

    def _request(self, row: ApprovalRow) -> Request:
        return Request(
            id=row.id,
            state=state_at(row.state, row.expires_at, row.epoch, now=self._now, epoch=self._access.epoch),
            asked_by_name=row.asked_by_name,
            operation=row.operation,
            risk=row.risk,
            reasons=tuple(row.reasons),
            summary=row.summary,
            offers_details=any(
                change["kind"] == "GrantRead" and change["level"] < Level.DETAILS for change in row.changes
            ),
            preview=tuple(row.preview),
            made_at=row.made_at,
            expires_at=row.expires_at,
            result=row.result,
        )

"""Approvals: changes that wait for a person. Deciding one is a guarded claim, so that it happens once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import ApprovalId, HouseholdId, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import approvals

PENDING = "pending"
EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class ApprovalRow:
    """One request. ``changes`` are what would be applied and ``digest`` names them; two that would do the same
    are equal in ``sameness``, whatever fresh ids and moments they hold.

    ``member_id`` is who decides; ``result`` is what became of it then. ``summary`` says it in one line.
    """

    id: ApprovalId
    state: str
    operation: str
    asked_by_kind: str
    asked_by_id: str
    asked_by_name: str
    member_id: MemberId
    risk: int
    reasons: list[Any]
    preview: Any
    changes: list[Any]
    digest: str
    epoch: str
    made_at: datetime
    expires_at: datetime
    decided_at: datetime | None = None
    decided_by: MemberId | None = None
    result: Any = None
    sameness: str = ""
    summary: str = ""


_COLUMNS = columns_of(ApprovalRow, approvals)


def insert_approval(connection: Connection, household: HouseholdId, approval: ApprovalRow) -> ApprovalId:
    """Store a request and return its id: the earlier one where the same asker still waits for the same.

    A request that can no longer be decided (expired, or of another epoch) makes way for the new one.
    """
    expire_approvals(connection, household, approval.made_at, approval.epoch)
    same = sa.select(approvals.c.id).where(
        approvals.c.household == household,
        approvals.c.asked_by_id == approval.asked_by_id,
        approvals.c.sameness == approval.sameness,
        approvals.c.state == PENDING,
    )
    earlier: ApprovalId | None = connection.scalar(same)
    if earlier is not None:
        return earlier
    connection.execute(approvals.insert(), values_of(household, approval))
    return approval.id


def get_approval(connection: Connection, household: HouseholdId, approval: ApprovalId) -> ApprovalRow | None:
    """One request, by id, whatever its state."""
    query = sa.select(*_COLUMNS).where(approvals.c.household == household, approvals.c.id == approval)
    row = connection.execute(query).first()
    return ApprovalRow(*row) if row else None


def list_approvals(
    connection: Connection,
    household: HouseholdId,
    *,
    states: Sequence[str] = (PENDING,),
    member: MemberId | None = None,
    limit: int = 200,
) -> list[ApprovalRow]:
    """The last ``limit`` requests in these states, oldest first; those one member decides, or everybody's."""
    query = sa.select(*_COLUMNS).where(approvals.c.household == household, approvals.c.state.in_(states))
    if member is not None:
        query = query.where(approvals.c.member_id == member)
    query = query.order_by(approvals.c.rowid.desc()).limit(limit)
    return [ApprovalRow(*row) for row in connection.execute(query)][::-1]


def count_waiting(
    connection: Connection, household: HouseholdId, asked_by_id: str, at: datetime, *, but: str = ""
) -> int:
    """How many requests of one asker wait, not counting those whose ``sameness`` is ``but``."""
    query = sa.select(sa.func.count()).where(
        approvals.c.household == household,
        approvals.c.state == PENDING,
        approvals.c.asked_by_id == asked_by_id,
        approvals.c.expires_at > at,
        approvals.c.sameness != but,
    )
    return connection.scalar(query) or 0


def claim_approval(
    connection: Connection,
    household: HouseholdId,
    approval: ApprovalId,
    *,
    state: str,
    decided_by: MemberId,
    at: datetime,
    epoch: str,
) -> ApprovalRow | None:
    """Take a pending request into ``state``, once: None where it is not pending, past its time, or of
    another epoch."""
    claim = (
        approvals.update()
        .where(
            approvals.c.household == household,
            approvals.c.id == approval,
            approvals.c.state == PENDING,
            approvals.c.expires_at > at,
            approvals.c.epoch == epoch,
        )
        .values(state=state, decided_by=decided_by, decided_at=at)
        .returning(*_COLUMNS)
    )
    row = connection.execute(claim).first()
    return ApprovalRow(*row) if row else None


def settle_approval(
    connection: Connection, household: HouseholdId, approval: ApprovalId, *, state: str, result: Any
) -> None:
    """Write what became of a claimed request."""
    connection.execute(
        approvals.update().where(approvals.c.household == household, approvals.c.id == approval),
        {"state": state, "result": result},
    )


def expire_approvals(
    connection: Connection, household: HouseholdId, at: datetime, epoch: str
) -> list[ApprovalId]:
    """End the pending requests whose time is past or that are from another epoch. Returns their ids."""
    expire = (
        approvals.update()
        .where(
            approvals.c.household == household,
            approvals.c.state == PENDING,
            sa.or_(approvals.c.expires_at <= at, approvals.c.epoch != epoch),
        )
        .values(state=EXPIRED, decided_at=at)
        .returning(approvals.c.id)
    )
    return list(connection.scalars(expire))


def void_approvals(
    connection: Connection, household: HouseholdId, asked_by_id: str, *, state: str, at: datetime
) -> list[ApprovalId]:
    """End all requests that a principal still waits for. Returns their ids."""
    void = (
        approvals.update()
        .where(
            approvals.c.household == household,
            approvals.c.state == PENDING,
            approvals.c.asked_by_id == asked_by_id,
        )
        .values(state=state, decided_at=at)
        .returning(approvals.c.id)
    )
    return list(connection.scalars(void))

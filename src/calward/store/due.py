"""What happens later: rows with a due moment, claimed with a lease.

The database picks the winner of a claim; no lock in Python. ``claimed_by`` and ``attempt`` together name one
claim: what its holder writes afterwards is guarded by them, so one that overslept its lease changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId
from calward.store.rows import columns_of, values_of
from calward.store.tables import due

ARMED = "armed"
CLAIMED = "claimed"
DEAD = "dead"
AGAIN = "again"
"""In the payload of a claimed row: it was armed anew meanwhile."""


@dataclass(frozen=True, slots=True)
class DueRow:
    """One piece of work on a target. ``attempt`` counts claims since it last succeeded."""

    id: str
    kind: str
    target: str
    state: str
    fire_at: datetime
    payload: dict[str, Any]
    attempt: int
    claimed_by: str | None
    lease_until: datetime | None
    last_error: str | None
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """A row as it was when it was claimed."""

    household: HouseholdId
    row: DueRow


_COLUMNS = columns_of(DueRow, due)


def arm(connection: Connection, household: HouseholdId, row: DueRow) -> None:
    """Have this done at ``row.fire_at``, or earlier where it is armed for an earlier moment already.

    A row that is claimed stays claimed and is due again when it is finished. A dead one lives again. The
    payloads of both askings hold, the newer one's values first.
    """
    known = _get(connection, household, row.kind, row.target, lock=True)
    if known is None:
        connection.execute(due.insert(), values_of(household, row))
        return
    values: dict[str, Any] = {"payload": known.payload | row.payload}
    match known.state:
        case "armed":
            values["fire_at"] = min(known.fire_at, row.fire_at)
        case "claimed":
            values |= {"fire_at": row.fire_at, "payload": values["payload"] | {AGAIN: True}}
        case _:
            values |= {"state": ARMED, "fire_at": row.fire_at, "attempt": 0}
    connection.execute(due.update().where(_named(household, row.kind, row.target)), values)


def claim(
    connection: Connection,
    *,
    now: datetime,
    claimed_by: str,
    lease_until: datetime,
    kinds: Collection[str],
    limit: int,
) -> list[Claim]:
    """Claim what is due, and what was claimed by somebody whose lease ran out; the longest overdue first."""
    ready = sa.or_(
        sa.and_(due.c.state == ARMED, due.c.fire_at <= now),
        sa.and_(due.c.state == CLAIMED, due.c.lease_until <= now),
    )
    picked = (
        sa.select(due.c.rowid)
        .where(ready, due.c.kind.in_(kinds))
        .order_by(due.c.fire_at, due.c.rowid)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return _claim(connection, due.c.rowid.in_(picked.scalar_subquery()), claimed_by, lease_until)


def claim_target(
    connection: Connection,
    household: HouseholdId,
    kind: str,
    target: str,
    *,
    now: datetime,
    claimed_by: str,
    lease_until: datetime,
) -> Claim | None:
    """Claim one row whether it is due or not; None where there is none or somebody is at it."""
    free = sa.or_(due.c.state != CLAIMED, due.c.lease_until <= now)
    found = _claim(connection, sa.and_(_named(household, kind, target), free), claimed_by, lease_until)
    return found[0] if found else None


def renew(connection: Connection, claimed: Claim, lease_until: datetime) -> bool:
    """Hold a claim for longer; False where it was lost. In a writing transaction it fences what is written."""
    result = connection.execute(due.update().where(_held(claimed)), {"lease_until": lease_until})
    return result.rowcount == 1


def finish(
    connection: Connection,
    claimed: Claim,
    *,
    next_at: datetime,
    payload: dict[str, Any] | None = None,
) -> bool:
    """The work is done: due again at ``next_at``, with ``payload``. False where the claim was lost.

    Where it was armed anew meanwhile, it is due when that said, with what that asked for.
    """
    known = _get(connection, claimed.household, claimed.row.kind, claimed.row.target, lock=True)
    values: dict[str, Any] = {
        "state": ARMED,
        "attempt": 0,
        "last_error": None,
        "claimed_by": None,
        "lease_until": None,
    }
    if known is not None and known.payload.get(AGAIN):
        values["payload"] = {name: value for name, value in known.payload.items() if name != AGAIN}
    else:
        values |= {"fire_at": next_at, "payload": payload or {}}
    result = connection.execute(due.update().where(_held(claimed)), values)
    return result.rowcount == 1


def give_back(connection: Connection, claimed: Claim, *, error: str, next_at: datetime | None) -> bool:
    """The work failed: tried again at ``next_at``; None: it is dead until it is armed anew.

    The payload stays. False where the claim was lost.
    """
    values: dict[str, Any] = {
        "state": DEAD if next_at is None else ARMED,
        "last_error": error,
        "claimed_by": None,
        "lease_until": None,
    }
    if next_at is not None:
        values["fire_at"] = next_at
    result = connection.execute(due.update().where(_held(claimed)), values)
    return result.rowcount == 1


def next_moment(connection: Connection, kinds: Collection[str]) -> datetime | None:
    """When there is something to claim next, as far as is known now."""
    wanted = due.c.kind.in_(kinds)
    armed = sa.select(sa.func.min(due.c.fire_at, type_=due.c.fire_at.type)).where(due.c.state == ARMED, wanted)
    leased = sa.select(sa.func.min(due.c.lease_until, type_=due.c.lease_until.type)).where(
        due.c.state == CLAIMED, wanted
    )
    moments = [moment for query in (armed, leased) if (moment := connection.scalar(query)) is not None]
    return min(moments, default=None)


def list_due(connection: Connection, household: HouseholdId, kind: str) -> dict[str, DueRow]:
    """The rows of a kind by target, dead ones too."""
    query = sa.select(*_COLUMNS).where(due.c.household == household, due.c.kind == kind)
    rows = (DueRow(*row) for row in connection.execute(query))
    return {row.target: row for row in rows}


def disarm(connection: Connection, household: HouseholdId, kind: str, target: str) -> None:
    """Have it done no more."""
    connection.execute(due.delete().where(_named(household, kind, target)))


def _claim(
    connection: Connection, which: sa.ColumnElement[bool], claimed_by: str, lease_until: datetime
) -> list[Claim]:
    taken = (
        due.update()
        .where(which)
        .values(state=CLAIMED, claimed_by=claimed_by, lease_until=lease_until, attempt=due.c.attempt + 1)
        .returning(due.c.household, *_COLUMNS)
    )
    rows = [Claim(HouseholdId(row[0]), DueRow(*row[1:])) for row in connection.execute(taken)]
    return sorted(rows, key=lambda one: one.row.fire_at)


def _get(
    connection: Connection, household: HouseholdId, kind: str, target: str, *, lock: bool
) -> DueRow | None:
    query = sa.select(*_COLUMNS).where(_named(household, kind, target))
    row = connection.execute(query.with_for_update() if lock else query).first()
    return DueRow(*row) if row else None


def _named(household: HouseholdId, kind: str, target: str) -> sa.ColumnElement[bool]:
    return sa.and_(due.c.household == household, due.c.kind == kind, due.c.target == target)


def _held(claimed: Claim) -> sa.ColumnElement[bool]:
    row = claimed.row
    return sa.and_(
        _named(claimed.household, row.kind, row.target),
        due.c.state == CLAIMED,
        due.c.claimed_by == row.claimed_by,
        due.c.attempt == row.attempt,
    )

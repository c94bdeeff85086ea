"""What happens later: rows with a due moment, claimed with a lease.

The database picks the winner of a claim; no lock in Python. ``claimed_by`` and ``attempt`` together name one
claim: what its holder writes afterwards is guarded by them, so one that overslept its lease changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId
from calward.store.columns import Instant
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

    @property
    def key(self) -> str:
        """Names this piece of work for ever: whatever happens because of it carries the key, so that what is
        done twice is seen to be the same."""
        return key_of(self.row.id, self.row.fire_at)


class Taken(NamedTuple):
    """A piece of work that was taken out of the rows, to be done in the transaction that took it."""

    household: HouseholdId
    id: str
    kind: str
    target: str
    fire_at: datetime

    @property
    def key(self) -> str:
        """As of a claim."""
        return key_of(self.id, self.fire_at)


_COLUMNS = columns_of(DueRow, due)


def key_of(row: str, fire_at: datetime) -> str:
    """The idempotency key of a row at a moment."""
    return f"{row}@{Instant.stored(fire_at)}"


def arm(connection: Connection, household: HouseholdId, row: DueRow) -> None:
    """Have this done at ``row.fire_at``, or earlier where it is armed for an earlier moment already.

    A row that is claimed stays claimed and is due again when it is finished. A dead one lives again. The
    payloads of both askings hold, the newer one's values first.
    """
    known = _locked(connection, household, row.kind, row.target)
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
    connection.execute(_CHANGE_NAMED, _name(household, row.kind, row.target) | values)


def move(connection: Connection, household: HouseholdId, row: DueRow) -> None:
    """Have this done at ``row.fire_at``, whatever moment it was armed for, with ``row.payload`` alone.

    A claim on it is taken back: its holder has not done anything yet that lasts, or it would be finished.
    """
    values: dict[str, Any] = {"state": ARMED, "fire_at": row.fire_at, "payload": row.payload, "attempt": 0}
    values |= {"claimed_by": None, "lease_until": None, "last_error": None}
    moved = connection.execute(_CHANGE_NAMED, _name(household, row.kind, row.target) | values)
    if not moved.rowcount:
        connection.execute(due.insert(), values_of(household, row))


def claim(
    connection: Connection,
    *,
    now: datetime,
    claimed_by: str,
    lease_until: datetime,
    kinds: Collection[str],
    limit: int,
) -> list[Claim]:
    """Claim what is due, the longest overdue first, and then what was claimed by somebody whose lease ran out.

    A lease that ends later than this one would, and by far, was taken before the clock was set back: nobody
    renews it, or it would be shorter.
    """
    bound = {
        "now": now,
        "beyond": lease_until + (lease_until - now),
        "kinds": list(kinds),
        "by": claimed_by,
        "until": lease_until,
    }
    found = _claims(connection.execute(_CLAIM_ARMED, bound | {"most": limit}))
    if len(found) < limit:
        found += _claims(connection.execute(_CLAIM_LAPSED, bound | {"most": limit - len(found)}))
    return found


def take(connection: Connection, *, now: datetime, kinds: Collection[str], limit: int) -> list[Taken]:
    """Take what is due out of the rows, the longest overdue first: it is done for good when the transaction is.

    What is to go on is armed anew in the same transaction. What was claimed, and whose lease ran out, is taken
    too.
    """
    bound = {"now": now, "kinds": list(kinds)}
    found = list(map(Taken._make, connection.execute(_TAKE_ARMED, bound | {"most": limit}).all()))
    if len(found) < limit:
        lapsed = connection.execute(_TAKE_LAPSED, bound | {"most": limit - len(found)})
        found += map(Taken._make, lapsed)
    return sorted(found, key=lambda one: one.fire_at)


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
    bound = _name(household, kind, target) | {"now": now, "by": claimed_by, "until": lease_until}
    return next(iter(_claims(connection.execute(_CLAIM_TARGET, bound))), None)


def renew(connection: Connection, claimed: Claim, lease_until: datetime) -> bool:
    """Hold a claim for longer; False where it was lost. In a writing transaction it fences what is written."""
    return connection.execute(_RENEW, _holding(claimed) | {"until": lease_until}).rowcount == 1


def put_off(
    connection: Connection,
    household: HouseholdId,
    kind: str,
    targets: Collection[str],
    *,
    until: datetime,
    attempt: int,
) -> None:
    """What is armed for these targets waits at least so long, as after so many attempts of its own."""
    connection.execute(
        due.update().where(
            due.c.household == household,
            due.c.kind == kind,
            due.c.target.in_(targets),
            due.c.state == ARMED,
            due.c.fire_at < until,
        ),
        {"fire_at": until, "attempt": attempt},
    )


def bring_forward(
    connection: Connection, kind: str, *, to: datetime, beyond: datetime, failing_beyond: datetime
) -> int:
    """Have what is armed for a moment beyond one of these be due at ``to``; what failed last time has a later
    bound. How many rows that were."""
    stray = _stray(kind, beyond, failing_beyond)
    return connection.execute(due.update().where(stray), {"fire_at": to}).rowcount


def any_beyond(connection: Connection, kind: str, *, beyond: datetime, failing_beyond: datetime) -> bool:
    """Whether ``bring_forward`` would find something."""
    query = sa.select(due.c.rowid).where(_stray(kind, beyond, failing_beyond)).limit(1)
    return connection.scalar(query) is not None


def holders(connection: Connection, kinds: Collection[str]) -> list[str]:
    """Who holds claims now."""
    query = sa.select(due.c.claimed_by).where(due.c.state == CLAIMED, due.c.kind.in_(kinds)).distinct()
    return [holder for holder in connection.scalars(query) if holder is not None]


def end_leases(connection: Connection, claimed_by: str, now: datetime) -> None:
    """What this holder had claimed is free for others; what it still writes is fenced off once one took it."""
    connection.execute(
        due.update().where(due.c.state == CLAIMED, due.c.claimed_by == claimed_by), {"lease_until": now}
    )


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
    known = _locked(connection, claimed.household, claimed.row.kind, claimed.row.target)
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
    return connection.execute(_CHANGE_HELD, _holding(claimed) | values).rowcount == 1


def complete(connection: Connection, claimed: Claim) -> bool:
    """The work is done for good: the row is gone. False where the claim was lost; it is another's then."""
    return connection.execute(_DROP_HELD, _holding(claimed)).rowcount == 1


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
    return connection.execute(_CHANGE_HELD, _holding(claimed) | values).rowcount == 1


def next_moment(connection: Connection, kinds: Collection[str]) -> datetime | None:
    """When there is something to claim next, as far as is known now."""
    moments = [
        moment
        for state, column in ((ARMED, due.c.fire_at), (CLAIMED, due.c.lease_until))
        # Not the minimum: along the index the first row is found at once, however many there are.
        if (
            moment := connection.scalar(
                sa.select(column).where(due.c.state == state, due.c.kind.in_(kinds)).order_by(column).limit(1)
            )
        )
        is not None
    ]
    return min(moments, default=None)


def list_due(connection: Connection, household: HouseholdId, kind: str) -> dict[str, DueRow]:
    """The rows of a kind by target, dead ones too."""
    query = sa.select(*_COLUMNS).where(due.c.household == household, due.c.kind == kind)
    rows = (DueRow(*row) for row in connection.execute(query))
    return {row.target: row for row in rows}


def dead_rows(connection: Connection, household: HouseholdId, kinds: Collection[str]) -> list[DueRow]:
    """What is tried no more, by kind, the latest last."""
    query = (
        sa.select(*_COLUMNS)
        .where(due.c.household == household, due.c.state == DEAD, due.c.kind.in_(kinds))
        .order_by(due.c.fire_at)
    )
    return [DueRow(*row) for row in connection.execute(query)]


def disarm(connection: Connection, household: HouseholdId, kind: str, target: str) -> None:
    """Have it done no more."""
    connection.execute(_DROP_NAMED, _name(household, kind, target))


def _claims(rows: Iterable[Sequence[Any]]) -> list[Claim]:
    claims = [Claim(HouseholdId(row[0]), DueRow(*row[1:])) for row in rows]
    return sorted(claims, key=lambda one: one.row.fire_at)


def _locked(connection: Connection, household: HouseholdId, kind: str, target: str) -> DueRow | None:
    row = connection.execute(_LOCK_NAMED, _name(household, kind, target)).first()
    return DueRow(*row) if row else None


def _name(household: HouseholdId, kind: str, target: str) -> dict[str, Any]:
    """What ``_NAMED`` is told of."""
    return {"of": household, "of_kind": kind, "of_target": target}


def _holding(claimed: Claim) -> dict[str, Any]:
    """What ``_HELD`` is told of."""
    row = claimed.row
    holder = {"holder": row.claimed_by, "of_attempt": row.attempt}
    return _name(claimed.household, row.kind, row.target) | holder


def _stray(kind: str, beyond: datetime, failing_beyond: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(
        due.c.state == ARMED,
        due.c.kind == kind,
        due.c.fire_at > beyond,
        sa.or_(due.c.attempt == 0, due.c.fire_at > failing_beyond),
    )


def _taking(which: sa.ColumnElement[bool]) -> sa.UpdateBase:
    return (
        due.update()
        .where(which)
        .values(
            state=CLAIMED,
            claimed_by=sa.bindparam("by"),
            lease_until=sa.bindparam("until", type_=Instant),
            attempt=due.c.attempt + 1,
        )
        .returning(due.c.household, *_COLUMNS)
    )


def _first(ready: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    picked = (
        sa.select(due.c.rowid)
        .where(ready, due.c.kind.in_(sa.bindparam("kinds", expanding=True)))
        .order_by(due.c.fire_at, due.c.rowid)
        .limit(sa.bindparam("most", type_=sa.Integer))
        .with_for_update(skip_locked=True)
    )
    return due.c.rowid.in_(picked.scalar_subquery())


def _taking_out(ready: sa.ColumnElement[bool]) -> sa.UpdateBase:
    return due.delete().where(_first(ready)).returning(*(due.c[name] for name in Taken._fields))


# Built once: workers ask these again and again.
_NOW = sa.bindparam("now", type_=Instant)
_NAMED = sa.and_(
    due.c.household == sa.bindparam("of"),
    due.c.kind == sa.bindparam("of_kind"),
    due.c.target == sa.bindparam("of_target"),
)
_HELD = sa.and_(
    _NAMED,
    due.c.state == CLAIMED,
    due.c.claimed_by == sa.bindparam("holder"),
    due.c.attempt == sa.bindparam("of_attempt"),
)
_LOCK_NAMED = sa.select(*_COLUMNS).where(_NAMED).with_for_update()
_CHANGE_NAMED, _DROP_NAMED = due.update().where(_NAMED), due.delete().where(_NAMED)
_CHANGE_HELD, _DROP_HELD = due.update().where(_HELD), due.delete().where(_HELD)
_RENEW = _CHANGE_HELD.values(lease_until=sa.bindparam("until", type_=Instant))
_CLAIM_TARGET = _taking(sa.and_(_NAMED, sa.or_(due.c.state != CLAIMED, due.c.lease_until <= _NOW)))
_DUE = sa.and_(due.c.state == ARMED, due.c.fire_at <= _NOW)
_CLAIM_ARMED = _taking(_first(_DUE))
_CLAIM_LAPSED = _taking(
    _first(
        sa.and_(
            due.c.state == CLAIMED,
            sa.or_(due.c.lease_until <= _NOW, due.c.lease_until > sa.bindparam("beyond", type_=Instant)),
        )
    )
)
_TAKE_ARMED = _taking_out(_DUE)
_TAKE_LAPSED = _taking_out(sa.and_(due.c.state == CLAIMED, due.c.lease_until <= _NOW))

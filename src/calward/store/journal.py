"""The journal: what was done, by whom, each row chained to the one before it; and the bytes it speaks of.

Rows hold facts and digests and stay for good. Bytes are kept once by content and let go of after a while; the
chain stays valid without them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import ApprovalId, AssistantId, CalendarId, ChangeId, EventId, HouseholdId, MemberId
from calward.store.columns import Instant
from calward.store.databases import dialect_of
from calward.store.digests import canonical_json, digest_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import approvals, change_bytes, changes, households

FIRST = ""
"""What the first row of a household names as the one before it."""
DELETES = "deletes"
"""The fact that a row's event was deleted by it, or as good as deleted."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One thing that was done. The rows of one transaction share ``batch``, which is the id of one of them.

    ``before_digest`` and ``after_digest`` name an object's bytes (SHA-256, hex). ``undoes`` is the batch that
    this one takes back. ``facts`` hold no text from an event.
    """

    id: ChangeId
    batch: ChangeId
    at: datetime
    principal_kind: str
    principal_id: str
    principal_name: str
    operation: str
    kind: str
    event_id: EventId | None
    calendar_id: CalendarId | None
    before_digest: str | None
    after_digest: str | None
    facts: dict[str, Any]
    approval_id: ApprovalId | None = None
    undoes: ChangeId | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain does not hold: this row, or the one before it, is not what was written."""

    id: ChangeId


_COLUMNS = columns_of(ChangeRow, changes)


def append(connection: Connection, household: HouseholdId, rows: Sequence[ChangeRow]) -> None:
    """Write rows at the end of the chain, in order."""
    if not rows:
        return
    # Where transactions run side by side, this lock gives each row one successor.
    connection.execute(sa.select(households.c.id).where(households.c.id == household).with_for_update())
    previous = _last_chain(connection, household)
    values = []
    for row in rows:
        chain = _chain(previous, row)
        values.append({**values_of(household, row), "previous": previous, "chain": chain})
        previous = chain
    connection.execute(changes.insert(), values)


def batch_of(connection: Connection, household: HouseholdId, batch: ChangeId) -> list[ChangeRow]:
    """The rows of one transaction, in order; none where there is no such batch."""
    query = (
        sa.select(*_COLUMNS)
        .where(changes.c.household == household, changes.c.batch == batch)
        .order_by(changes.c.rowid)
    )
    return [ChangeRow(*row) for row in connection.execute(query)]


def last_batch(
    connection: Connection,
    household: HouseholdId,
    principal_kind: str,
    principal_id: str,
    *,
    agreed_by: MemberId | None = None,
) -> ChangeId | None:
    """The newest batch of a principal that touched an event, is not undone and is no undoing itself.

    With ``agreed_by``, also what others did because this member approved it.
    """
    undone = changes.alias("undone")
    theirs = sa.and_(changes.c.principal_kind == principal_kind, changes.c.principal_id == principal_id)
    if agreed_by is not None:
        agreed = sa.select(approvals.c.id).where(
            approvals.c.household == household, approvals.c.decided_by == agreed_by
        )
        theirs = sa.or_(theirs, changes.c.approval_id.in_(agreed))
    query = (
        sa.select(changes.c.batch)
        .where(
            changes.c.household == household,
            theirs,
            changes.c.event_id.is_not(None),
            changes.c.undoes.is_(None),
            ~sa.exists().where(undone.c.household == household, undone.c.undoes == changes.c.batch),
        )
        .order_by(changes.c.rowid.desc())
        .limit(1)
    )
    return connection.scalar(query)


def undone_among(
    connection: Connection, household: HouseholdId, batches: Collection[ChangeId]
) -> frozenset[ChangeId]:
    """Those of these batches that were taken back."""
    query = sa.select(changes.c.undoes).where(
        changes.c.household == household, changes.c.undoes.in_(list(batches))
    )
    return frozenset(connection.scalars(query))


def history(
    connection: Connection,
    household: HouseholdId,
    *,
    calendars: Collection[CalendarId] | None = None,
    administration: bool = True,
    event: EventId | None = None,
    who: str | None = None,
    since: datetime | None = None,
    limit: int,
) -> list[ChangeRow]:
    """What was done, newest first: to one event, or at all; by ``who``, a name or an id, and from ``since`` on;
    to events in these calendars only, and with ``administration`` what touched no event."""
    query = sa.select(*_COLUMNS).where(changes.c.household == household)
    if calendars is not None:
        query = query.where(changes.c.event_id.is_(None) | changes.c.calendar_id.in_(list(calendars)))
    if not administration:
        query = query.where(changes.c.event_id.is_not(None))
    if event is not None:
        query = query.where(changes.c.event_id == event)
    if who is not None:
        query = query.where(sa.or_(changes.c.principal_name == who, changes.c.principal_id == who))
    if since is not None:
        query = query.where(changes.c.at >= since)
    return [ChangeRow(*row) for row in connection.execute(query.order_by(changes.c.rowid.desc()).limit(limit))]


def facts_since(
    connection: Connection, household: HouseholdId, principal_kind: str, principal_id: str, at: datetime
) -> list[dict[str, Any]]:
    """The facts of what a principal did from a moment on, oldest first."""
    query = (
        sa.select(changes.c.facts)
        .where(
            changes.c.household == household,
            changes.c.principal_kind == principal_kind,
            changes.c.principal_id == principal_id,
            changes.c.at >= at,
        )
        .order_by(changes.c.rowid)
    )
    return list(connection.scalars(query))


def writes_since(connection: Connection, household: HouseholdId, assistant: AssistantId, at: datetime) -> int:
    """How many batches of an assistant changed an event from a moment on without a person's approval."""
    query = sa.select(sa.func.count(sa.distinct(changes.c.batch))).where(
        changes.c.household == household,
        changes.c.principal_kind == "assistant",
        changes.c.principal_id == assistant,
        changes.c.event_id.is_not(None),
        changes.c.approval_id.is_(None),
        changes.c.at >= at,
    )
    return connection.scalar(query) or 0


def deleted_since(
    connection: Connection, household: HouseholdId, principal_kind: str, principal_id: str, at: datetime
) -> frozenset[EventId]:
    """The events that a principal deleted, or as good as, from a moment on, by the ``DELETES`` of the facts."""
    query = sa.select(changes.c.event_id, changes.c.facts).where(
        changes.c.household == household,
        changes.c.principal_kind == principal_kind,
        changes.c.principal_id == principal_id,
        changes.c.event_id.is_not(None),
        changes.c.at >= at,
    )
    return frozenset(event for event, facts in connection.execute(query) if facts.get(DELETES))


def verify(connection: Connection, household: HouseholdId) -> Break | None:
    """Walk the whole chain; None where it holds.

    It shows that no row was altered, left out or put in. That rows were cut off at the end it cannot show.
    """
    query = (
        sa.select(changes.c.previous, changes.c.chain, *_COLUMNS)
        .where(changes.c.household == household)
        .order_by(changes.c.rowid)
        .execution_options(yield_per=500)
    )
    expected = FIRST
    for previous, chain, *values in connection.execute(query):
        row = ChangeRow(*values)
        if previous != expected or chain != _chain(previous, row):
            return Break(row.id)
        expected = chain
    return None


def count(connection: Connection, household: HouseholdId) -> int:
    """How many rows there are."""
    query = sa.select(sa.func.count()).select_from(changes).where(changes.c.household == household)
    return connection.scalar(query) or 0


def forget_bytes(
    connection: Connection, household: HouseholdId, *, event: EventId | None, before: datetime | None
) -> int:
    """Delete the bytes named by rows about one event, or by all rows before a moment, unless other rows name
    them too. Returns how many versions went."""
    here = changes.c.household == household
    meant = changes.c.event_id == event if event is not None else changes.c.at < before
    named = [
        sa.select(column).where(here, meant, column.is_not(None))
        for column in (changes.c.before_digest, changes.c.after_digest)
    ]
    others = [
        sa.select(column).where(here, sa.not_(sa.func.coalesce(meant, sa.false())), column.is_not(None))
        for column in (changes.c.before_digest, changes.c.after_digest)
    ]
    result = connection.execute(
        change_bytes.delete().where(
            change_bytes.c.household == household,
            change_bytes.c.digest.in_(sa.union(*named)),
            change_bytes.c.digest.not_in(sa.union(*others)),
        )
    )
    return result.rowcount


def bytes_about(connection: Connection, household: HouseholdId, event: EventId) -> list[bytes]:
    """Every version of an event that is kept, oldest first."""
    here = sa.and_(changes.c.household == household, changes.c.event_id == event)
    named = (sa.select(column).where(here) for column in (changes.c.before_digest, changes.c.after_digest))
    query = (
        sa.select(change_bytes.c.bytes)
        .where(change_bytes.c.household == household, change_bytes.c.digest.in_(sa.union(*named)))
        .order_by(change_bytes.c.rowid)
    )
    return list(connection.scalars(query))


def keep_bytes(connection: Connection, household: HouseholdId, data: Sequence[bytes], at: datetime) -> None:
    """Keep bytes by content; those kept already are marked as used at this moment."""
    if not data:
        return
    upsert = dialect_of(connection).upsert
    connection.execute(
        upsert(change_bytes, unique=("household", "digest"), update=("used_at",)),
        [{"household": household, "digest": digest_of(each), "bytes": each, "used_at": at} for each in data],
    )


def kept_bytes(connection: Connection, household: HouseholdId, digest: str) -> bytes | None:
    """The bytes of a digest, unless they were pruned or forgotten."""
    query = sa.select(change_bytes.c.bytes).where(
        change_bytes.c.household == household, change_bytes.c.digest == digest
    )
    return connection.scalar(query)


def prune_bytes(connection: Connection, household: HouseholdId, unused_since: datetime) -> int:
    """Delete bytes last used before this moment. Returns how many versions went."""
    result = connection.execute(
        change_bytes.delete().where(
            change_bytes.c.household == household, change_bytes.c.used_at < unused_since
        )
    )
    return result.rowcount


def _last_chain(connection: Connection, household: HouseholdId) -> str:
    query = (
        sa.select(changes.c.chain)
        .where(changes.c.household == household)
        .order_by(changes.c.rowid.desc())
        .limit(1)
    )
    return connection.scalar(query) or FIRST


def _chain(previous: str, row: ChangeRow) -> str:
    written = {name: _plain(getattr(row, name)) for name in _NAMES}
    return hashlib.sha256(f"{previous}\n{canonical_json(written)}".encode()).hexdigest()


def _plain(value: Any) -> Any:
    return Instant.stored(value) if isinstance(value, datetime) else value


_NAMES = tuple(field.name for field in fields(ChangeRow))

"""Conflicts: our version of an object that the server's replaced, kept until a person has looked at it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, HouseholdId
from calward.store.rows import columns_of, values_of
from calward.store.tables import conflicts


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """``ours`` are the bytes that were here, ``base`` what both sides last had in common."""

    id: str
    event_id: EventId
    calendar_id: CalendarId
    made_at: datetime
    resolved_at: datetime | None
    ours: bytes
    base: bytes | None


def insert_conflict(connection: Connection, household: HouseholdId, row: ConflictRow) -> None:
    """Add one."""
    connection.execute(conflicts.insert(), values_of(household, row))


def open_conflicts(connection: Connection, household: HouseholdId) -> list[ConflictRow]:
    """Those nobody has settled yet, oldest first."""
    query = (
        sa.select(*columns_of(ConflictRow, conflicts))
        .where(conflicts.c.household == household, conflicts.c.resolved_at.is_(None))
        .order_by(conflicts.c.rowid)
    )
    return [ConflictRow(*row) for row in connection.execute(query)]


def count_conflicts(connection: Connection, household: HouseholdId) -> dict[CalendarId, int]:
    """Open ones by calendar; a calendar without any is left out."""
    query = (
        sa.select(conflicts.c.calendar_id, sa.func.count())
        .where(conflicts.c.household == household, conflicts.c.resolved_at.is_(None))
        .group_by(conflicts.c.calendar_id)
    )
    return {CalendarId(calendar): count for calendar, count in connection.execute(query)}


def close_conflict(connection: Connection, household: HouseholdId, ident: str, at: datetime) -> bool:
    """Somebody has settled it; False where it is settled, or there is none."""
    result = connection.execute(
        conflicts.update().where(
            conflicts.c.household == household, conflicts.c.id == ident, conflicts.c.resolved_at.is_(None)
        ),
        {"resolved_at": at},
    )
    return result.rowcount == 1

"""Read permits: single events that an assistant may see more of, for a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AssistantId, EventId, HouseholdId
from calward.store.databases import dialect_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import read_permits

LONGEST = timedelta(hours=1)
"""No permit is made for longer. One that would count for longer than that was made later than it is now: the
clock was set back, and what was permitted then does not count again."""


@dataclass(frozen=True, slots=True)
class PermitRow:
    """``level`` is a ``calward.model.grant.Level``; the permit counts before ``until``, for ``LONGEST`` at
    most, in its epoch."""

    assistant_id: AssistantId
    event_id: EventId
    level: int
    until: datetime
    epoch: str


def set_permit(connection: Connection, household: HouseholdId, permit: PermitRow) -> None:
    """Permit this; what was permitted before for the same event is replaced."""
    upsert = dialect_of(connection).upsert(
        read_permits,
        unique=("household", "assistant_id", "event_id"),
        update=("level", "until", "epoch"),
    )
    connection.execute(upsert, values_of(household, permit))


def permits_of(
    connection: Connection, household: HouseholdId, assistant: AssistantId, *, at: datetime, epoch: str
) -> list[PermitRow]:
    """What counts at a moment."""
    query = (
        sa.select(*columns_of(PermitRow, read_permits))
        .where(
            read_permits.c.household == household,
            read_permits.c.assistant_id == assistant,
            read_permits.c.until > at,
            read_permits.c.until <= at + LONGEST,
            read_permits.c.epoch == epoch,
        )
        .order_by(read_permits.c.rowid)
    )
    return [PermitRow(*row) for row in connection.execute(query)]


def drop_permits(connection: Connection, household: HouseholdId, assistant: AssistantId) -> None:
    """Take back all that an assistant was permitted."""
    connection.execute(
        read_permits.delete().where(
            read_permits.c.household == household, read_permits.c.assistant_id == assistant
        )
    )


def prune_permits(connection: Connection, household: HouseholdId, at: datetime) -> int:
    """Delete permits that no longer count. Returns how many they were."""
    result = connection.execute(
        read_permits.delete().where(read_permits.c.household == household, read_permits.c.until <= at)
    )
    return result.rowcount

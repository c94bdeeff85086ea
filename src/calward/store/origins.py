"""Origins: which assistant made an event, and how far what it says is still that assistant's alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AssistantId, EventId, HouseholdId
from calward.store.databases import dialect_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import origins


@dataclass(frozen=True, slots=True)
class OriginRow:
    """``authored`` holds digests of what the assistant wrote, by part; ``reach`` is a
    ``calward.model.grant.Level``: up to it, all there is to see is still the assistant's own."""

    event_id: EventId
    assistant_id: AssistantId
    authored: dict[str, str]
    reach: int
    made_at: datetime


def set_origin(connection: Connection, household: HouseholdId, origin: OriginRow) -> None:
    """Record who made an event, or what became of it since; who made it never changes."""
    upsert = dialect_of(connection).upsert
    connection.execute(
        upsert(origins, unique=("household", "event_id"), update=("authored", "reach")),
        values_of(household, origin),
    )


def origins_of(
    connection: Connection, household: HouseholdId, events: Sequence[EventId]
) -> dict[EventId, OriginRow]:
    """The origins of these events; those no assistant made have none."""
    query = sa.select(*columns_of(OriginRow, origins)).where(
        origins.c.household == household, origins.c.event_id.in_(events)
    )
    return {row.event_id: row for row in (OriginRow(*found) for found in connection.execute(query))}

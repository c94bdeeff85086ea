"""One object as the store holds it now."""

from __future__ import annotations

from sqlalchemy import Connection

from calward.model.grant import Level
from calward.model.ids import EventId, HouseholdId
from calward.operations.stored import Stored
from calward.store import objects, origins


def load(conn: Connection, household: HouseholdId, event: EventId) -> Stored | None:
    """An object as it is now, a tombstone too."""
    row = objects.get_object(conn, household, event)
    if row is None:
        return None
    origin = origins.origins_of(conn, household, [event]).get(event)
    return Stored(
        event=row.id,
        calendar=row.calendar_id,
        uid=row.uid,
        href=row.href,
        data=row.local,
        digest=row.local_digest,
        meaning=row.meaning,
        created_at=row.created_at,
        updated_at=row.updated_at,
        deleted_at=row.deleted_at,
        maker=origin.assistant_id if origin else None,
        reach=Level(origin.reach) if origin else Level.NONE,
    )

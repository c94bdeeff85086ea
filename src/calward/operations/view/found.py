"""One object as the store holds it now."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from calward.model.grant import Level
from calward.model.ids import EventId, HouseholdId
from calward.operations.stored import Stored
from calward.store import objects, origins
from calward.store.objects import ObjectRow
from calward.store.origins import OriginRow


def load(conn: Connection, household: HouseholdId, event: EventId) -> Stored | None:
    """An object as it is now, a tombstone too."""
    return next(iter(load_all(conn, household, [event])), None)


def load_all(conn: Connection, household: HouseholdId, events: Sequence[EventId]) -> list[Stored]:
    """Objects as they are now, tombstones too; ids that name nothing are passed over."""
    made = origins.origins_of(conn, household, events)
    return [_stored(row, made.get(row.id)) for row in objects.get_objects(conn, household, events)]


def _stored(row: ObjectRow, origin: OriginRow | None) -> Stored:
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

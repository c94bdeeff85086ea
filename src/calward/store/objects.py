"""Calendar objects: the bytes that are the truth, and what of them is not yet pushed.

Every change of bytes is guarded by the digest it rests on: of two writers with the same idea of before, one
is told that it came second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, EventUid, HouseholdId, Href, UploadId
from calward.store.rows import columns_of, values_of
from calward.store.tables import objects


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """One calendar object.

    ``local`` are the bytes as they stand here and ``local_digest`` their SHA-256; ``meaning`` is the digest of
    what they mean. ``base`` and ``base_etag`` are what the server had at the last sync (RFC 4791 §5.3.4).
    ``deleted_at`` marks a tombstone, which keeps its bytes so that it can be restored. ``sent`` is the meaning
    of what was last sent to the server while no answer told what became of it. ``moved_to`` marks the trace
    that an event leaves where it moved away from: a tombstone of its old place, by the event's id.
    """

    id: EventId
    calendar_id: CalendarId
    uid: EventUid
    href: Href
    local_digest: str
    meaning: str
    base_etag: str | None
    push_state: str
    upload_id: UploadId | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    local: bytes
    base: bytes | None
    sent: str | None = None
    moved_to: EventId | None = None


_COLUMNS = columns_of(ObjectRow, objects)


def insert_objects(connection: Connection, household: HouseholdId, rows: Sequence[ObjectRow]) -> None:
    """Add many. Raises sqlalchemy's IntegrityError where an id or an href of the calendar is taken."""
    if rows:
        connection.execute(objects.insert(), [values_of(household, row) for row in rows])


def get_object(
    connection: Connection, household: HouseholdId, event: EventId, *, lock: bool = False
) -> ObjectRow | None:
    """One object by id, a tombstone too. ``lock`` holds its row till the transaction ends."""
    found = get_objects(connection, household, [event], lock=lock)
    return found[0] if found else None


def get_objects(
    connection: Connection, household: HouseholdId, events: Sequence[EventId], *, lock: bool = False
) -> list[ObjectRow]:
    """Objects by id, tombstones too, in the order they were made; ids that name nothing are passed over."""
    query = sa.select(*_COLUMNS).where(objects.c.household == household, objects.c.id.in_(events))
    query = query.order_by(objects.c.rowid)
    return [ObjectRow(*row) for row in connection.execute(query.with_for_update() if lock else query)]


def objects_with_uid(
    connection: Connection, household: HouseholdId, calendars: Sequence[CalendarId], uid: EventUid
) -> list[ObjectRow]:
    """Objects of this UID that are not deleted; a UID may stand in several calendars, or twice in one."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            objects.c.household == household,
            objects.c.calendar_id.in_(calendars),
            objects.c.uid == uid,
            objects.c.deleted_at.is_(None),
        )
        .order_by(objects.c.rowid)
    )
    return [ObjectRow(*row) for row in connection.execute(query)]


def made_between(
    connection: Connection,
    household: HouseholdId,
    calendar: CalendarId,
    start: datetime,
    end: datetime,
    limit: int,
) -> list[EventId]:
    """The objects of a calendar that are not deleted and came here then, the newest first; both ends count."""
    query = (
        sa.select(objects.c.id)
        .where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            objects.c.deleted_at.is_(None),
            objects.c.created_at.between(start, end),
        )
        .order_by(objects.c.rowid.desc())
        .limit(limit)
    )
    return list(connection.scalars(query))


def objects_by_uid(
    connection: Connection, household: HouseholdId, calendar: CalendarId, uids: Sequence[EventUid]
) -> dict[EventUid, ObjectRow]:
    """The oldest object of each UID in a calendar that is not deleted; a UID that is not there is left out."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            objects.c.uid.in_(uids),
            objects.c.deleted_at.is_(None),
        )
        .order_by(objects.c.rowid.desc())
    )
    return {row.uid: row for row in (ObjectRow(*found) for found in connection.execute(query))}


def object_at(
    connection: Connection, household: HouseholdId, calendar: CalendarId, href: Href
) -> ObjectRow | None:
    """The object at an href, a tombstone too."""
    query = sa.select(*_COLUMNS).where(
        objects.c.household == household, objects.c.calendar_id == calendar, objects.c.href == href
    )
    row = connection.execute(query).first()
    return ObjectRow(*row) if row else None


def replace_local(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    *,
    expected: str,
    local: bytes,
    local_digest: str,
    meaning: str,
    push_state: str,
    at: datetime,
) -> bool:
    """Put new bytes in; False, and nothing changed, where the digest is not ``expected`` or it is deleted."""
    return _change(
        connection,
        household,
        event,
        sa.and_(objects.c.local_digest == expected, objects.c.deleted_at.is_(None)),
        {
            "local": local,
            "local_digest": local_digest,
            "meaning": meaning,
            "push_state": push_state,
            "updated_at": at,
        },
    )


def bury(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    *,
    expected: str,
    push_state: str,
    at: datetime,
) -> bool:
    """Make it a tombstone; False where the digest is not ``expected`` or it is one already."""
    return _change(
        connection,
        household,
        event,
        sa.and_(objects.c.local_digest == expected, objects.c.deleted_at.is_(None)),
        {"deleted_at": at, "updated_at": at, "push_state": push_state},
    )


def unbury(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    *,
    href: Href,
    push_state: str,
    at: datetime,
) -> bool:
    """Bring a tombstone back with the bytes it had; False where it is none."""
    return _change(
        connection,
        household,
        event,
        objects.c.deleted_at.is_not(None),
        {"deleted_at": None, "updated_at": at, "href": href, "push_state": push_state},
    )


def remove_object(connection: Connection, household: HouseholdId, event: EventId) -> None:
    """Take an object away for good, with all that was read from it."""
    connection.execute(objects.delete().where(objects.c.household == household, objects.c.id == event))


def objects_in(connection: Connection, household: HouseholdId, calendar: CalendarId) -> list[ObjectRow]:
    """All that a calendar holds, tombstones aside, in the order they were made."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            objects.c.deleted_at.is_(None),
        )
        .order_by(objects.c.rowid)
    )
    return [ObjectRow(*row) for row in connection.execute(query)]


def is_unsent(connection: Connection, household: HouseholdId, event: EventId) -> bool:
    """Whether an object has something that is still to be sent to its server."""
    query = sa.select(objects.c.push_state).where(objects.c.household == household, objects.c.id == event)
    return connection.scalar(query) not in (None, "clean")


def _change(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    condition: sa.ColumnElement[bool],
    values: Mapping[str, object],
) -> bool:
    result = connection.execute(
        objects.update().where(objects.c.household == household, objects.c.id == event, condition), values
    )
    return result.rowcount == 1

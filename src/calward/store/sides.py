"""The sides of objects as a sync sees them: what is here, what the server last had, what is on its way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, EventUid, HouseholdId, Href
from calward.store.objects import ObjectRow
from calward.store.rows import columns_of
from calward.store.tables import objects

CLEAN = "clean"
UNPUSHED = "unpushed"
IN_FLIGHT = "in_flight"
REFUSED = "refused"
"""The server will not take it as it is; it is sent again after it was changed, or when a person says so."""
HELD = "held"
"""The server has it older than it had it before; it is sent once a person says so, or after it was changed."""


@dataclass(frozen=True, slots=True)
class Side:
    """An object without its bytes. ``based``: the server had it when it was last looked at."""

    id: EventId
    href: Href
    base_etag: str | None
    based: bool
    push_state: str
    deleted: bool
    moved: bool
    """It is the trace of an event that lives in another calendar."""


_COLUMNS = columns_of(ObjectRow, objects)


def list_sides(connection: Connection, household: HouseholdId, calendar: CalendarId) -> list[Side]:
    """Everything of a calendar, tombstones too, without bytes."""
    query = sa.select(
        objects.c.id,
        objects.c.href,
        objects.c.base_etag,
        objects.c.base.is_not(None),
        objects.c.push_state,
        objects.c.deleted_at.is_not(None),
        objects.c.moved_to.is_not(None),
    ).where(objects.c.household == household, objects.c.calendar_id == calendar)
    return [Side(*row) for row in connection.execute(query)]


def objects_at(
    connection: Connection, household: HouseholdId, calendar: CalendarId, hrefs: Sequence[Href]
) -> dict[Href, ObjectRow]:
    """Objects by href, tombstones too; locked till the transaction ends."""
    query = (
        sa.select(*_COLUMNS)
        .where(objects.c.household == household, objects.c.calendar_id == calendar, objects.c.href.in_(hrefs))
        .with_for_update()
    )
    rows = (ObjectRow(*row) for row in connection.execute(query))
    return {row.href: row for row in rows}


def based_with_uid(
    connection: Connection, household: HouseholdId, calendar: CalendarId, uid: EventUid
) -> list[ObjectRow]:
    """Objects of a UID that the server had when it was last looked at, oldest first, tombstones too; locked
    till the transaction ends."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            objects.c.uid == uid,
            objects.c.base.is_not(None),
        )
        .order_by(objects.c.rowid)
        .with_for_update()
    )
    return [ObjectRow(*row) for row in connection.execute(query)]


def waiting_ids(
    connection: Connection, household: HouseholdId, calendar: CalendarId, states: Collection[str]
) -> list[EventId]:
    """Objects in these push states, oldest change first."""
    query = (
        sa.select(objects.c.id)
        .where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            objects.c.push_state != CLEAN,
            objects.c.push_state.in_(states),
        )
        .order_by(objects.c.updated_at, objects.c.rowid)
    )
    return list(connection.scalars(query))


def take(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    *,
    uid: EventUid,
    local: bytes,
    digest: str,
    meaning: str,
    etag: str | None,
    at: datetime,
) -> None:
    """The server's bytes become what is here and the base of it; a tombstone lives again."""
    values = {
        "uid": uid,
        "local": local,
        "local_digest": digest,
        "meaning": meaning,
        "base": local,
        "base_etag": etag,
        "push_state": CLEAN,
        "sent": None,
        "updated_at": at,
        "deleted_at": None,
        "moved_to": None,
    }
    _change(connection, household, event, values)


def set_base(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    *,
    base: bytes | None,
    etag: str | None,
    push_state: str,
) -> None:
    """Remember what the server has (None: nothing); the bytes here stay, nothing is on its way any more."""
    values = {"base": base, "base_etag": etag, "push_state": push_state, "sent": None}
    _change(connection, household, event, values)


def settle_at(
    connection: Connection,
    household: HouseholdId,
    event: EventId,
    *,
    calendar: CalendarId,
    href: Href,
    push_state: str,
    at: datetime,
    base: bytes | None = None,
    etag: str | None = None,
    sent: str | None = None,
) -> None:
    """Put an object into another calendar, whose server has of it what is said, or nothing."""
    values = {
        "calendar_id": calendar,
        "href": href,
        "push_state": push_state,
        "base": base,
        "base_etag": etag,
        "sent": sent,
        "updated_at": at,
        "upload_id": None,
    }
    _change(connection, household, event, values)


def trace_of(
    connection: Connection, household: HouseholdId, event: EventId, calendar: CalendarId | None = None
) -> ObjectRow | None:
    """The newest trace that an event left where it moved away from, in that calendar or in any."""
    query = sa.select(*_COLUMNS).where(objects.c.household == household, objects.c.moved_to == event)
    if calendar is not None:
        query = query.where(objects.c.calendar_id == calendar)
    row = connection.execute(query.order_by(objects.c.rowid.desc()).limit(1)).first()
    return ObjectRow(*row) if row else None


def not_landed(connection: Connection, household: HouseholdId, calendar: CalendarId) -> frozenset[EventId]:
    """Traces in a calendar whose events lie on no other server yet and are to: they cannot go before that."""
    event = objects.alias("event")
    query = (
        sa.select(objects.c.id)
        .join(event, sa.and_(event.c.household == objects.c.household, event.c.id == objects.c.moved_to))
        .where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            event.c.deleted_at.is_(None),
            event.c.base.is_(None),
            event.c.push_state != CLEAN,
        )
    )
    return frozenset(connection.scalars(query))


def set_etag(connection: Connection, household: HouseholdId, event: EventId, etag: str | None) -> None:
    """The server's name for what it has is another; what it has is not."""
    _change(connection, household, event, {"base_etag": etag})


def set_href(connection: Connection, household: HouseholdId, event: EventId, href: Href) -> None:
    """The server has it in another place of the same collection."""
    _change(connection, household, event, {"href": href})


def set_out(
    connection: Connection, household: HouseholdId, event: EventId, *, expected: str, sent: str
) -> bool:
    """Its bytes, of this digest, go out now; False where it has others by now."""
    result = connection.execute(
        objects.update().where(
            objects.c.household == household, objects.c.id == event, objects.c.local_digest == expected
        ),
        {"push_state": IN_FLIGHT, "sent": sent},
    )
    return result.rowcount == 1


def set_push_state(connection: Connection, household: HouseholdId, event: EventId, push_state: str) -> None:
    """Nothing of it is on its way; how it stands with sending it."""
    _change(connection, household, event, {"push_state": push_state, "sent": None})


def unpush_all(connection: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    """A calendar moves to a server: everything in it has yet to be sent."""
    connection.execute(
        objects.update().where(
            objects.c.household == household,
            objects.c.calendar_id == calendar,
            objects.c.deleted_at.is_(None),
        ),
        {"push_state": UNPUSHED, "base": None, "base_etag": None, "sent": None},
    )


def forget_server(connection: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    """A calendar leaves its server: nothing in it is there, or has to be sent."""
    connection.execute(
        objects.update().where(objects.c.household == household, objects.c.calendar_id == calendar),
        {"push_state": CLEAN, "base": None, "base_etag": None, "sent": None},
    )


def _change(
    connection: Connection, household: HouseholdId, event: EventId, values: Mapping[str, object]
) -> None:
    connection.execute(
        objects.update().where(objects.c.household == household, objects.c.id == event), dict(values)
    )

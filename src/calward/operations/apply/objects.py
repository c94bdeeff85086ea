"""Changes of objects → rows: the bytes, and who made them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.ical.meaning import meaning
from calward.model.grant import Level
from calward.model.ids import EventId
from calward.operations.apply import moves
from calward.operations.apply.authorship import after_own_edit, after_split, authored, reach_of
from calward.operations.apply.journalling import Stamp
from calward.operations.changes import (
    CreateObject,
    DeleteObject,
    EditObject,
    MoveObject,
    ObjectChange,
    ReplaceObject,
    RestoreObject,
    digest_bytes,
)
from calward.operations.identity import Access
from calward.operations.stored import Prepared, Stored, Superseded
from calward.store import objects, origins
from calward.store.objects import ObjectRow
from calward.store.origins import OriginRow

CLEAN = "clean"
UNPUSHED = "unpushed"


def write_object(
    conn: Connection, access: Access, change: CreateObject | ObjectChange, one: Prepared, stamp: Stamp
) -> None:
    """Write one change of an object. Raises ``Superseded`` where its bytes are not those it was prepared on."""
    household = access.household.id
    push_state = CLEAN if one.calendar is None or access.calendars[one.calendar].account is None else UNPUSHED
    if isinstance(change, CreateObject):
        assert one.after is not None
        objects.insert_objects(conn, household, [_new_row(change, one.after, push_state, stamp.now)])
        if (origin := _origin(conn, access, change, one.after, one.source, stamp.now)) is not None:
            origins.set_origin(conn, household, origin)
        return
    before = one.before
    assert before is not None
    match change:
        case EditObject() | ReplaceObject():
            assert one.after is not None
            done = objects.replace_local(
                conn,
                household,
                before.event,
                expected=before.digest,
                local=one.after,
                local_digest=digest_bytes(one.after),
                meaning=meaning(one.after),
                push_state=push_state,
                at=stamp.now,
            )
            reconsider_origin(conn, access, before.event, before.data, one.after)
        case DeleteObject():
            done = objects.bury(
                conn, household, before.event, expected=before.digest, push_state=push_state, at=stamp.now
            )
        case RestoreObject():
            done = objects.unbury(
                conn, household, before.event, href=before.href, push_state=push_state, at=stamp.now
            )
        case MoveObject():
            done = moves.move(
                conn,
                access,
                before.event,
                expected=before.digest,
                calendar=change.calendar,
                at=stamp.now,
                new_id=stamp.new_id,
            )
        case _:
            assert_never(change)
    if not done:
        raise Superseded


def reconsider_origin(conn: Connection, access: Access, event: EventId, before: bytes, after: bytes) -> None:
    """An assistant's event stays its own as far as the assistant alone wrote what it says."""
    household = access.household.id
    origin = origins.origins_of(conn, household, [event]).get(event)
    if origin is None:
        return
    written, now = origin.authored, authored(after)
    if access.assistant == origin.assistant_id:
        written = after_own_edit(written, authored(before), now)
    origins.set_origin(conn, household, replace(origin, authored=written, reach=reach_of(written, now)))


def _origin(
    conn: Connection, access: Access, change: CreateObject, data: bytes, source: Stored | None, now: datetime
) -> OriginRow | None:
    """Who made a new object: whoever asks, or whoever made the series that it was split from."""
    if source is None:
        maker = access.assistant
        return OriginRow(change.event, maker, authored(data), Level.DETAILS, now) if maker else None
    made = origins.origins_of(conn, access.household.id, [source.event]).get(source.event)
    if made is None:
        return None
    by_maker = access.assistant == made.assistant_id
    written = after_split(made.authored, source.data, data, by_maker=by_maker)
    return OriginRow(change.event, made.assistant_id, written, reach_of(written, authored(data)), now)


def _new_row(change: CreateObject, data: bytes, push_state: str, now: datetime) -> ObjectRow:
    return ObjectRow(
        id=change.event,
        calendar_id=change.calendar,
        uid=change.uid,
        href=change.href,
        local_digest=digest_bytes(data),
        meaning=meaning(data),
        base_etag=None,
        push_state=push_state,
        upload_id=None,
        created_at=now,
        updated_at=now,
        deleted_at=None,
        local=data,
        base=None,
    )

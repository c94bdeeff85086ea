"""What each change rests on and what it would leave, found before anything is judged or written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import NotFound
from calward.ical.edit import apply_edits
from calward.ical.meaning import meaning
from calward.model.grant import Level
from calward.model.ids import AssistantId, CalendarId, EventId
from calward.operations.apply import moves, vault
from calward.operations.apply.echoes import echoes
from calward.operations.changes import (
    Change,
    CreateObject,
    DeleteObject,
    EditObject,
    GrantRead,
    ImportUpload,
    MoveObject,
    ObjectChange,
    ReplaceObject,
    RestoreObject,
    SetAlarms,
    digest_bytes,
)
from calward.operations.identity import Access
from calward.operations.later_changes import CancelInNote, RemindInNote
from calward.operations.mirror_changes import CloseConflict, DecideHeld, RequestRun
from calward.operations.people_changes import SetGrant, ShareCalendar
from calward.operations.stored import Prepared, Stored, Superseded
from calward.operations.view.found import load, load_all
from calward.store import journal
from calward.store.cut import Cut
from calward.store.permits import permits_of


def prepare(conn: Connection, access: Access, changes: Sequence[Change], now: datetime) -> tuple[Prepared, ...]:
    """Find what each change rests on and what it would leave; a later change sees what an earlier one leaves.

    Raises ``Superseded`` where an object or a note is not as the draft found it, ``NotFound`` where earlier
    bytes are no longer kept, ``InvalidInput`` for edits that do not fit.
    """
    left: dict[EventId, Stored] = {}
    prepared = []
    for change in changes:
        one = _prepare(conn, access, change, left)
        if access.assistant is not None and isinstance(change, CreateObject | ObjectChange):
            one = _regarded(conn, access, access.assistant, change.event, one, now)
        if one.before is not None:
            left[one.before.event] = _after(one, one.before, now)
        prepared.append(one)
    return tuple(prepared)


def _prepare(conn: Connection, access: Access, change: Change, left: dict[EventId, Stored]) -> Prepared:
    match change:
        case CreateObject():
            data = change.data.encode("utf-8", "surrogateescape")
            source = _source(conn, access, change) if change.split_from is not None else None
            return Prepared(change, None, data, change.calendar, source)
        case GrantRead():
            return Prepared(change, calendar=change.calendar, shown=_shown(conn, access, change))
        case EditObject():
            before = _find(conn, access, change, left)
            return Prepared(change, before, apply_edits(before.data, change.edits), before.calendar)
        case ReplaceObject():
            before = _find(conn, access, change, left)
            earlier = (
                journal.kept_bytes(conn, access.household.id, change.digest)
                if change.data is None
                else change.data.encode("utf-8", "surrogateescape")
            )
            if earlier is None:
                raise NotFound("What it was before is no longer kept (30 days), so it cannot be taken back.")
            return Prepared(change, before, earlier, before.calendar)
        case MoveObject():
            before = _find(conn, access, change, left)
            if any(access.calendars[one].account for one in (before.calendar, change.calendar)):
                moves.refuse_invitations(before.data)
            return Prepared(change, before, before.data, change.calendar)
        case DeleteObject():
            before = _find(conn, access, change, left)
            return Prepared(change, before, None, before.calendar)
        case RestoreObject():
            before = _find(conn, access, change, left, buried=True)
            return Prepared(change, before, before.data, before.calendar)
        case RemindInNote() | CancelInNote():
            vault.check(conn, access, change)
            return Prepared(change)
        case _:
            return Prepared(change, calendar=_calendar_of(change))


def _regarded(
    conn: Connection, access: Access, assistant: AssistantId, event: EventId, one: Prepared, now: datetime
) -> Prepared:
    """With what only counts for an assistant: what it was permitted to see, and whose words it writes."""
    permits = permits_of(conn, access.household.id, assistant, at=now, epoch=access.epoch)
    permitted = max((permit.level for permit in permits if permit.event_id == event), default=Level.NONE)
    before = one.before or one.source
    cut = Cut(access.sights, now, access.epoch, assistant)
    said = before.data if before else None
    repeated = echoes(conn, access, cut, event, said, one.after) if one.after is not None else ()
    return replace(one, permitted=Level(permitted), echoes=repeated)


def _find(
    conn: Connection,
    access: Access,
    change: ObjectChange,
    left: dict[EventId, Stored],
    *,
    buried: bool = False,
) -> Stored:
    found = left.get(change.event) or load(conn, access.household.id, change.event)
    if found is None or (found.deleted_at is not None) is not buried or found.meaning != change.rests_on:
        raise Superseded
    return found


def _source(conn: Connection, access: Access, change: CreateObject) -> Stored:
    """The series that a new object goes on with; the edit of it in the same batch sees to what it rests on."""
    found = load(conn, access.household.id, change.split_from) if change.split_from else None
    if found is None or found.deleted_at is not None or found.calendar != change.calendar:
        raise Superseded
    return found


def _shown(conn: Connection, access: Access, change: GrantRead) -> tuple[Stored, ...]:
    """The events of a permit that are still in the calendar it is about."""
    found = load_all(conn, access.household.id, change.events)
    shown = tuple(one for one in found if one.deleted_at is None and one.calendar == change.calendar)
    if not shown:
        raise Superseded
    return shown


def _after(one: Prepared, before: Stored, now: datetime) -> Stored:
    data = before.data if one.after is None else one.after
    return replace(
        before,
        calendar=one.calendar or before.calendar,
        data=data,
        digest=digest_bytes(data),
        meaning=meaning(data),
        deleted_at=now if one.after is None else None,
    )


def _calendar_of(change: Change) -> CalendarId | None:
    """The calendar that a change which touches no object is about."""
    named = SetGrant | SetAlarms | ShareCalendar | ImportUpload | RequestRun | DecideHeld | CloseConflict
    return change.calendar if isinstance(change, named) else None

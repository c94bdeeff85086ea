"""Changes → rows: prepared and checked, then written with their journal, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import NotFound
from calward.ical.edit import apply_edits
from calward.ical.meaning import meaning
from calward.model.grant import Level
from calward.model.ids import ApprovalId, AssistantId, ChangeId, EventId
from calward.model.principal import Principal
from calward.operations.apply import administer, channels, mirrors, moves, prompts, reminders, vault
from calward.operations.apply.authorship import after_own_edit, after_split, authored, reach_of
from calward.operations.apply.echoes import echoes
from calward.operations.apply.following import lay_down
from calward.operations.changes import (
    Change,
    CreateObject,
    DeleteObject,
    EditObject,
    GrantRead,
    MirrorChange,
    MoveObject,
    ObjectChange,
    ReplaceObject,
    RestoreObject,
    Undoes,
    digest_bytes,
)
from calward.operations.due import arm_sync
from calward.operations.identity import Access
from calward.operations.later_changes import (
    CancelInNote,
    ChannelChange,
    NoteChange,
    PromptChange,
    ReminderChange,
    RemindInNote,
    VaultChange,
)
from calward.operations.materialise import Source
from calward.operations.shapes import Receipt
from calward.operations.stored import Prepared, Stored
from calward.operations.view.found import load, load_all
from calward.store import journal, objects, origins
from calward.store.cut import Cut
from calward.store.journal import ChangeRow
from calward.store.objects import ObjectRow
from calward.store.origins import OriginRow
from calward.store.permits import permits_of

CLEAN = "clean"
UNPUSHED = "unpushed"


class Superseded(Exception):
    """What a change rests on is no longer so: somebody else was faster."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who does a batch of changes, by which operation, when; ``approval``: the one a person gave to it."""

    principal: Principal
    operation: str
    now: datetime
    batch: ChangeId
    new_id: Callable[[], str]
    approval: ApprovalId | None = None


def prepare(conn: Connection, access: Access, changes: Sequence[Change], now: datetime) -> tuple[Prepared, ...]:
    """Find what each change rests on and what it would leave; a later change sees what an earlier one leaves.

    Raises ``Superseded`` where an object is not as the draft found it, ``NotFound`` where earlier bytes are no
    longer kept, ``InvalidInput`` for edits that do not fit.
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


def carry_out(
    conn: Connection,
    access: Access,
    prepared: Sequence[Prepared],
    stamp: Stamp,
    *,
    deleting: Collection[EventId] = (),
) -> tuple[Receipt, ...]:
    """Write prepared changes, what is read from them, and the journal, which notes the events that this is
    ``deleting``, by whatever means. All or nothing is the caller's transaction."""
    undone = next((one.change.batch for one in prepared if isinstance(one.change, Undoes)), None)
    receipts = []
    for one in prepared:
        change = one.change
        if isinstance(change, Undoes):
            receipts.append(Receipt())
        elif isinstance(change, CreateObject | ObjectChange):
            _write_object(conn, access, one, stamp)
            receipts.append(Receipt())
        elif isinstance(change, ReminderChange):
            receipts.append(reminders.carry_out(conn, access, change, stamp.now))
        elif isinstance(change, PromptChange):
            receipts.append(prompts.carry_out(conn, access, change, stamp.now))
        elif isinstance(change, ChannelChange):
            receipts.append(channels.carry_out(conn, access, change, stamp.now))
        elif isinstance(change, VaultChange):
            with _as_superseded():
                receipts.append(vault.carry_out(conn, access, change, stamp.now, stamp.new_id))
        elif isinstance(change, MirrorChange):
            receipts.append(mirrors.carry_out(conn, access, change, stamp.now, stamp.new_id))
        else:
            receipts.append(administer.carry_out(conn, access, one, stamp.now))
    _index(conn, access, prepared, stamp.now)
    rows = [
        _journal_row(one, stamp, undone, deleting) for one in prepared if not isinstance(one.change, Undoes)
    ]
    journal.append(conn, access.household.id, rows)
    befores = [one.before.data for one in prepared if one.before is not None]
    journal.keep_bytes(conn, access.household.id, befores, stamp.now)
    _have_sent(conn, access, prepared, stamp)
    for one in prepared:
        if isinstance(one.change, NoteChange):
            with _as_superseded():
                vault.write(conn, access, one.change, stamp.now)
    return tuple(receipts)


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
            with _as_superseded():
                vault.check(conn, access, change)
            return Prepared(change)
        case _:
            return Prepared(change, calendar=administer.calendar_of(change))


@contextmanager
def _as_superseded() -> Iterator[None]:
    try:
        yield
    except vault.NoteChanged:
        raise Superseded from None


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


def _write_object(conn: Connection, access: Access, one: Prepared, stamp: Stamp) -> None:
    household, change = access.household.id, one.change
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
            raise TypeError(f"{type(change).__name__} does not change an object")
    if not done:
        raise Superseded


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


def _have_sent(conn: Connection, access: Access, prepared: Sequence[Prepared], stamp: Stamp) -> None:
    """What was changed in a calendar that lives on a server is sent there now."""
    touched = {one.calendar for one in prepared if isinstance(one.change, CreateObject | ObjectChange)}
    touched |= {one.before.calendar for one in prepared if one.before is not None}
    for calendar in sorted(filter(None, touched)):
        if access.calendars[calendar].account is not None:
            arm_sync(conn, access.household.id, calendar, stamp.now, stamp.new_id)


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


def _index(conn: Connection, access: Access, prepared: Sequence[Prepared], now: datetime) -> None:
    """Lay down rows for what the last change of each object left."""
    last: dict[EventId, Prepared] = {}
    for one in prepared:
        if isinstance(one.change, CreateObject | ObjectChange):
            last[one.change.event] = one
    sources = [
        Source(event, one.calendar, one.after) for event, one in last.items() if one.calendar is not None
    ]
    if sources:
        created = (one.change for one in prepared if isinstance(one.change, CreateObject))
        links = {one.split_from: one.event for one in created if one.split_from is not None}
        lay_down(conn, access, sources, now, links)


def _journal_row(
    one: Prepared, stamp: Stamp, undone: ChangeId | None, deleting: Collection[EventId]
) -> ChangeRow:
    change = one.change
    event = change.event if isinstance(change, CreateObject | ObjectChange) else None
    deletes = {journal.DELETES: True} if event in deleting else {}
    return ChangeRow(
        id=ChangeId(stamp.new_id()),
        batch=stamp.batch,
        at=stamp.now,
        principal_kind=stamp.principal.kind,
        principal_id=stamp.principal.id,
        principal_name=stamp.principal.name,
        operation=stamp.operation,
        kind=type(change).__name__,
        event_id=event,
        calendar_id=one.calendar,
        before_digest=one.before.digest if one.before else None,
        after_digest=digest_bytes(one.after) if one.after is not None else None,
        facts={**administer.facts_of(change, one), **deletes},
        approval_id=stamp.approval,
        undoes=undone,
    )

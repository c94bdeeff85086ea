"""Files into calendars: chunk by chunk, each one transaction, so that a stop anywhere is gone on from.

An event is known by UID and RECURRENCE-ID within its calendar. What is there already and says the same is left
alone; what differs is updated component by component; what an object here has beyond the file is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from calward.ical.edit import AddComponent, Edit, RemoveComponent, apply_edits
from calward.ical.find import component_key, events
from calward.ical.frames import Framed, split
from calward.ical.meaning import meaning
from calward.ical.tree import parse
from calward.ical.zones import Zones
from calward.model.ids import ChangeId, EventId, Href, RecurrenceKey, UploadId
from calward.model.principal import Principal
from calward.operations import identity
from calward.operations.apply.following import lay_down
from calward.operations.apply.objects import CLEAN, UNPUSHED, reconsider_origin
from calward.operations.changes import digest_bytes
from calward.operations.due import arm_sync
from calward.operations.identity import Access
from calward.operations.materialise import Source
from calward.operations.shapes import Receipt
from calward.operations.upload_states import DONE, OPEN
from calward.store import journal, objects, uploads
from calward.store.journal import ChangeRow
from calward.store.objects import ObjectRow
from calward.store.uploads import UploadRow

CHUNK = 500

Progress = Callable[[int, int], None]


class Sources(Protocol):
    """The part of the pipeline's sources that carrying an upload over needs."""

    @property
    def writing(self) -> Callable[[], AbstractContextManager[Connection]]: ...
    @property
    def now(self) -> Callable[[], datetime]: ...
    @property
    def new_id(self) -> Callable[[], str]: ...
    @property
    def epoch(self) -> str: ...


def finish(
    principal: Principal,
    receipts: tuple[Receipt, ...],
    batch: ChangeId,
    sources: Sources,
    progress: Progress | None,
) -> tuple[Receipt, ...]:
    """Carry the uploads among the receipts over to their end; the receipts then hold the counts."""
    return tuple(
        carry_over(principal, UploadId(receipt.facts["upload"]), batch, sources, progress)
        if "upload" in receipt.facts
        else receipt
        for receipt in receipts
    )


def carry_over(
    principal: Principal,
    upload: UploadId,
    batch: ChangeId,
    sources: Sources,
    progress: Progress | None = None,
) -> Receipt:
    """Go on with an upload from wherever it is. Safe to call again, also from another process at once.

    All that it does is one batch, so that it is taken back as one.
    """
    counts: Counter[str] = Counter()
    framed: tuple[Framed, ...] | None = None
    while True:
        with sources.writing() as conn:
            access = identity.access(conn, principal, sources.epoch)
            row = uploads.get_upload(conn, access.household.id, upload)
            if row is None or row.state != OPEN:
                break
            if framed is None:
                framed = split(row.bytes).objects
            chunk = framed[row.done : row.done + CHUNK]
            counts += _carry(conn, access, row, chunk, batch, sources)
            done = row.done + len(chunk)
            uploads.advance_upload(
                conn,
                access.household.id,
                upload,
                expected=row.done,
                done=done,
                state=DONE if done >= len(framed) else OPEN,
                problems=row.problems,
            )
        if progress:
            progress(done, len(framed))
    return Receipt({"upload": upload, **{name: counts[name] for name in ("added", "updated", "unchanged")}})


def _carry(
    conn: Connection,
    access: Access,
    upload: UploadRow,
    chunk: Sequence[Framed],
    batch: ChangeId,
    sources: Sources,
) -> Counter[str]:
    household, now = access.household.id, sources.now()
    push_state = CLEAN if access.calendars[upload.calendar_id].account is None else UNPUSHED
    counts: Counter[str] = Counter()
    new: list[ObjectRow] = []
    changed: list[Source] = []
    rows: list[ChangeRow] = []
    before: list[bytes] = []
    known = objects.objects_by_uid(conn, household, upload.calendar_id, [framed.uid for framed in chunk])
    for framed in chunk:
        here = known.get(framed.uid)
        if here is None:
            row = _new_row(framed, upload, EventId(sources.new_id()), push_state, now)
            new.append(row)
            changed.append(Source(row.id, upload.calendar_id, row.local))
            rows.append(_journal(access, batch, row, None, now, sources))
            counts["added"] += 1
            continue
        merged = merge(here.local, framed.data)
        if merged == here.local:
            counts["unchanged"] += 1
            continue
        objects.replace_local(
            conn,
            household,
            here.id,
            expected=here.local_digest,
            local=merged,
            local_digest=digest_bytes(merged),
            meaning=meaning(merged),
            push_state=push_state,
            at=now,
        )
        reconsider_origin(conn, access, here.id, here.local, merged)
        changed.append(Source(here.id, upload.calendar_id, merged))
        rows.append(_journal(access, batch, here, merged, now, sources))
        before.append(here.local)
        counts["updated"] += 1
    objects.insert_objects(conn, household, new)
    if changed:
        lay_down(conn, access, changed, now)
    journal.append(conn, household, rows)
    journal.keep_bytes(conn, household, before, now)
    if push_state == UNPUSHED:
        arm_sync(conn, household, upload.calendar_id, now, sources.new_id)
    return counts


def merge(here: bytes, file: bytes) -> bytes:
    """What an object becomes when a file has it too.

    Bytes of the file where it holds every component that is here; else those that differ, put in one by one.
    """
    ours, theirs = _components(here), _components(file)
    if set(ours) <= set(theirs) or None in theirs:
        return here if ours == theirs else file
    edits: list[Edit] = []
    for key, text in theirs.items():
        if key is not None and ours.get(key) != text:
            if key in ours:
                edits.append(RemoveComponent(key))
            edits.append(AddComponent(text))
    return apply_edits(here, edits)


def _components(data: bytes) -> dict[RecurrenceKey | None, str]:
    """The events of an object by key, unfolded, so that folding and line endings make no difference."""
    document = parse(data)
    zones = Zones(document)
    return {
        component_key(component, zones): "\n".join(component.lines.texts[component.first : component.end])
        for component in events(document)
    }


def _new_row(framed: Framed, upload: UploadRow, event: EventId, push_state: str, now: datetime) -> ObjectRow:
    return ObjectRow(
        id=event,
        calendar_id=upload.calendar_id,
        uid=framed.uid,
        href=Href(f"{event}.ics"),
        local_digest=digest_bytes(framed.data),
        meaning=meaning(framed.data),
        base_etag=None,
        push_state=push_state,
        upload_id=upload.id,
        created_at=now,
        updated_at=now,
        deleted_at=None,
        local=framed.data,
        base=None,
    )


def _journal(
    access: Access, batch: ChangeId, row: ObjectRow, after: bytes | None, now: datetime, sources: Sources
) -> ChangeRow:
    """One row an object, so that an import is undone like anything else; ``after`` None: the object is new."""
    return ChangeRow(
        id=ChangeId(sources.new_id()),
        batch=batch,
        at=now,
        principal_kind=access.principal.kind,
        principal_id=access.principal.id,
        principal_name=access.principal.name,
        operation="import",
        kind="CreateObject" if after is None else "ReplaceObject",
        event_id=row.id,
        calendar_id=row.calendar_id,
        before_digest=None if after is None else row.local_digest,
        after_digest=row.local_digest if after is None else digest_bytes(after),
        facts={},
    )

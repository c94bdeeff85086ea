"""What a server has → rows: its bytes become ours, are merged with ours, or both versions are kept.

Each call is part of one transaction, and decides anew on the rows as they are in it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from calward.dav.multiget import RemoteObject
from calward.errors import TooLarge
from calward.ical.frames import DERIVED_UID
from calward.ical.meaning import meaning
from calward.ical.tree import Document, parse
from calward.model.ids import ETag, EventId, EventUid, Href
from calward.operations.apply.objects import reconsider_origin
from calward.operations.apply.standing import DELETION, base_of, local_of
from calward.operations.apply.taking import Arrival, Taken, Taking, finish
from calward.operations.changes import digest_bytes
from calward.operations.materialise import Source
from calward.store import conflicts, objects, origins, sides
from calward.store.conflicts import ConflictRow
from calward.store.objects import ObjectRow
from calward.sync.merge import Merged, merge
from calward.sync.plan import Kind, decide
from calward.sync.sides import Content, RemoteView, There


def take_over(taking: Taking, arrivals: Sequence[Arrival], gone: Collection[Href] = ()) -> Taken:
    """Work versions of the server in. What only we changed stays as it is and is sent later.

    ``gone`` are hrefs that the server no longer has: what turns up elsewhere under the UID of one was moved.
    """
    taken = Taken()
    conn, household = taking.conn, taking.household
    known = sides.objects_at(conn, household, taking.calendar, [one.href for one in arrivals])
    made = origins.origins_of(conn, household, [row.id for row in known.values()])
    new: list[ObjectRow] = []
    for arrival in arrivals:
        row = known.get(arrival.href)
        body = arrival.remote.body
        if row is not None and row.base == body and row.push_state == sides.CLEAN and not row.deleted_at:
            _move_etag(taking, row, arrival.remote.etag)
            continue
        try:
            document = parse(body)
        except TooLarge:
            taken.unreadable += 1
            continue
        if row is None and gone:
            row = _moved(taking, arrival.href, _uid(document, arrival.href), gone)
        if row is None:
            fresh = _new_row(taking, arrival, document)
            new.append(fresh)
            taken.sources.append(Source(fresh.id, taking.calendar, body, document))
            taken.added += 1
            continue
        _settle(taking, row, arrival.remote, document, taken)
        if row.id in made and row.id in taken.changed:
            says = taken.sources[-1].data  # as the server has it, or merged
            assert says is not None
            reconsider_origin(conn, taking.access, row.id, row.local, says)
    objects.insert_objects(conn, household, new)
    finish(taking, taken)
    return taken


def drop_gone(taking: Taking, hrefs: Sequence[Href]) -> Taken:
    """Work in that the server no longer has these. What was edited here since stays, and is sent anew."""
    taken = Taken()
    conn, household = taking.conn, taking.household
    own = taking.access.addresses
    for row in sides.objects_at(conn, household, taking.calendar, hrefs).values():
        if row.sent == DELETION and row.deleted_at is None:
            # Our own deletion came through, and was taken back here since.
            sides.set_base(conn, household, row.id, base=None, etag=None, push_state=sides.UNPUSHED)
            continue
        action = decide(row.href, base_of(row, own), local_of(row, own), RemoteView({}, frozenset({row.href})))
        match action.kind:
            case Kind.DROP_LOCAL:
                _drop(taking, row, taken)
            case Kind.FORGET:
                sides.set_base(conn, household, row.id, base=None, etag=None, push_state=sides.CLEAN)
            case Kind.CREATE:
                sides.set_base(conn, household, row.id, base=None, etag=None, push_state=sides.UNPUSHED)
            case _:
                continue
    finish(taking, taken)
    return taken


def give_way(taking: Taking, event: EventId) -> Taken | None:
    """The server will not have two objects of one UID: the one it has stays, and ours is kept as a version of
    that where it says something else. None where the one it has is not here."""
    taken = Taken()
    conn, household = taking.conn, taking.household
    row = objects.get_object(conn, household, event, lock=True)
    if row is None or row.deleted_at is not None:
        return None
    other = next((one for one in sides.based_with_uid(conn, household, taking.calendar, row.uid)), None)
    if other is None or other.id == row.id or other.deleted_at is not None:
        return None
    own = taking.access.addresses
    if meaning(row.local, own) != meaning(other.local, own):
        _keep_version(taking, other.id, row)
        taken.conflicts += 1
    _drop(taking, row, taken)
    finish(taking, taken)
    return taken


def _settle(taking: Taking, row: ObjectRow, remote: RemoteObject, document: Document, taken: Taken) -> None:
    """One object that is known here, and of which the server has bytes that are not our base."""
    own = taking.access.addresses
    there = Content(digest_bytes(remote.body), meaning(document, own))
    local = local_of(row, own)
    if row.deleted_at is None and (row.push_state == sides.CLEAN or row.local == remote.body):
        _take(taking, row, remote, document, taken)
        return
    if row.sent is not None and row.sent == there.meaning:
        _arrived(taking, row, remote, document, there, taken)
        return
    view = RemoteView({row.href: There(remote.etag, there)})
    match decide(row.href, base_of(row, own), local, view, merges=True).kind:
        case Kind.PULL:
            _take(taking, row, remote, document, taken)
        case Kind.MERGE:
            _merge(taking, row, remote, document, taken)
        case Kind.CONFLICT:
            _keep_both(taking, row, remote, document, taken)
        case Kind.DROP_REMOTE | Kind.UPDATE:
            # Only its name is new to us; what is to be sent names it.
            _rest_on(
                taking, row, remote, sides.UNPUSHED if row.push_state == sides.IN_FLIGHT else row.push_state
            )
        case _:
            _move_etag(taking, row, remote.etag)


def _arrived(
    taking: Taking, row: ObjectRow, remote: RemoteObject, document: Document, there: Content, taken: Taken
) -> None:
    """What we sent is there. Where nothing was changed here since, the server's bytes are ours too."""
    unchanged = row.deleted_at is None and meaning(row.local, taking.access.addresses) == there.meaning
    if unchanged:
        _take(taking, row, remote, document, taken)
        return
    _rest_on(taking, row, remote, sides.UNPUSHED)


def _take(taking: Taking, row: ObjectRow, remote: RemoteObject, document: Document, taken: Taken) -> None:
    same = row.local == remote.body and row.deleted_at is None
    sides.take(
        taking.conn,
        taking.household,
        row.id,
        uid=_uid(document, remote.href),
        local=remote.body,
        digest=digest_bytes(remote.body),
        meaning=meaning(document),
        etag=remote.etag,
        at=row.updated_at if same else taking.now,
    )
    if same:
        return
    taken.changed[row.id] = row.local_digest
    taken.before.append(row.local)
    taken.sources.append(Source(row.id, taking.calendar, remote.body, document))


def _merge(taking: Taking, row: ObjectRow, remote: RemoteObject, document: Document, taken: Taken) -> None:
    """Both sides changed it: our edits go into the server's version, to be sent; where they exclude each other
    it is a conflict."""
    assert row.base is not None  # Without a version in common it is no merge.
    own = taking.access.addresses
    try:
        found = merge(row.base, row.local, remote.body, own)
    except TooLarge:
        found = None
    if not isinstance(found, Merged):
        _keep_both(taking, row, remote, document, taken)
        return
    if found.data == remote.body:
        _take(taking, row, remote, document, taken)
        return
    taken.merged.append(row.id)
    if found.data != row.local:
        taken.changed[row.id] = row.local_digest
        taken.before.append(row.local)
        taken.sources.append(Source(row.id, taking.calendar, found.data))
        objects.replace_local(
            taking.conn,
            taking.household,
            row.id,
            expected=row.local_digest,
            local=found.data,
            local_digest=digest_bytes(found.data),
            meaning=meaning(found.data),
            push_state=sides.UNPUSHED,
            at=taking.now,
        )
    _rest_on(taking, row, remote, sides.UNPUSHED)


def _rest_on(taking: Taking, row: ObjectRow, remote: RemoteObject, push_state: str) -> None:
    """The server's version is what ours is an edit of from now on."""
    sides.set_base(
        taking.conn, taking.household, row.id, base=remote.body, etag=remote.etag, push_state=push_state
    )


def _keep_both(taking: Taking, row: ObjectRow, remote: RemoteObject, document: Document, taken: Taken) -> None:
    """The server's version is live from now on; ours is kept until a person has looked at both."""
    _keep_version(taking, row.id, row)
    taken.conflicts += 1
    _take(taking, row, remote, document, taken)


def _keep_version(taking: Taking, event: EventId, ours: ObjectRow) -> None:
    conflict = ConflictRow(
        id=taking.new_id(),
        event_id=event,
        calendar_id=taking.calendar,
        made_at=taking.now,
        resolved_at=None,
        ours=ours.local,
        base=ours.base,
    )
    conflicts.insert_conflict(taking.conn, taking.household, conflict)


def _drop(taking: Taking, row: ObjectRow, taken: Taken) -> None:
    """Neither side has it from now on; its bytes can be restored."""
    conn, household = taking.conn, taking.household
    objects.bury(conn, household, row.id, expected=row.local_digest, push_state=sides.CLEAN, at=taking.now)
    sides.set_base(conn, household, row.id, base=None, etag=None, push_state=sides.CLEAN)
    taken.removed.append(row.id)
    taken.sources.append(Source(row.id, taking.calendar, None))


def _moved(taking: Taking, href: Href, uid: EventUid, gone: Collection[Href]) -> ObjectRow | None:
    """The object that another client moved to ``href``; it stays the same event."""
    for row in sides.based_with_uid(taking.conn, taking.household, taking.calendar, uid):
        if row.href in gone:
            sides.set_href(taking.conn, taking.household, row.id, href)
            return replace(row, href=href)
    return None


def _move_etag(taking: Taking, row: ObjectRow, etag: ETag | None) -> None:
    if etag != row.base_etag:
        sides.set_etag(taking.conn, taking.household, row.id, etag)


def _new_row(taking: Taking, arrival: Arrival, document: Document) -> ObjectRow:
    body = arrival.remote.body
    return ObjectRow(
        id=EventId(taking.new_id()),
        calendar_id=taking.calendar,
        uid=_uid(document, arrival.href),
        href=arrival.href,
        local_digest=digest_bytes(body),
        meaning=meaning(document),
        base_etag=arrival.remote.etag,
        push_state=sides.CLEAN,
        upload_id=None,
        created_at=taking.now,
        updated_at=taking.now,
        deleted_at=None,
        local=body,
        base=body,
    )


def _uid(document: Document, href: str) -> EventUid:
    """The UID of an object (RFC 4791 §4.1: all its components have the same), or one that stands for none."""
    for component, _ in document.top():
        if component.name != "VTIMEZONE":
            for uid in component.texts("UID"):
                return EventUid(uid)
    return EventUid(DERIVED_UID + digest_bytes(href.encode())[:16])

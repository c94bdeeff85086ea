"""From here to the server: one object at a time, each recorded before and after.

An object goes out with a precondition, so it never replaces what we have not seen. Where the answer is lost,
the server is asked what it has before anything else is done.
"""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import Connection

from calward.dav.errors import (
    BadCertificate,
    DavError,
    Locked,
    Missing,
    NoSpace,
    NotPermitted,
    ObjectRefused,
    PreconditionFailed,
    SignInRefused,
    Throttled,
    UidConflict,
    Unreachable,
    UnsafeTarget,
)
from calward.dav.objects import is_weak
from calward.ical.meaning import meaning
from calward.model.ids import ETag, EventId, Href
from calward.operations.apply import pulled
from calward.operations.apply.standing import DELETION, base_of, local_of
from calward.operations.apply.taking import Arrival, record
from calward.operations.due import arm_sync
from calward.operations.held_kinds import HeldKind
from calward.operations.sync_run.ground import Ground
from calward.operations.sync_run.pull import count, report, taking
from calward.operations.sync_run.removals import COUNTED, keep_only, let_through
from calward.store import held as held_rows
from calward.store import objects, sides
from calward.store.held import HeldRow
from calward.store.objects import ObjectRow
from calward.sync.plan import Action, Kind, decide
from calward.sync.removals import Side
from calward.sync.sides import RemoteView

TRIES = 3
"""How often one object is looked at anew within a run, because the server's changed under us."""
REFUSALS = (ObjectRefused, NotPermitted, NoSpace)
"""Answers that stay the same until the object or the account is changed."""
UNDONE = (Unreachable, BadCertificate, UnsafeTarget, SignInRefused, Throttled)
"""Failures after which nothing was done for certain; after any other the server is asked."""


def push(ground: Ground) -> None:
    """Send what the server does not have yet. Raises a remote's errors that concern more than one object."""
    for event in _waiting(ground):
        for attempt in range(TRIES):
            if _push_once(ground, event, looked=attempt > 0):
                break


def _waiting(ground: Ground) -> list[EventId]:
    """What to send now: all that waits, less the deletions that are held for a person, and the traces of events
    that have not landed where they move to."""
    with ground.tools.reading() as conn:
        waiting = sides.waiting_ids(conn, ground.household, ground.id, (sides.UNPUSHED, sides.IN_FLIGHT))
        if not waiting:
            return []
        known = {side.id: side for side in sides.list_sides(conn, ground.household, ground.id)}
        early = sides.not_landed(conn, ground.household, ground.id)
    waiting = [event for event in waiting if event not in early]
    # What was moved away is on another server by now: that is no deletion.
    lost = [side for event in waiting if (side := known[event]).deleted and side.based and not side.moved]
    buried = [side.href for side in lost]
    go = let_through(ground, Side.REMOTE, buried, sum(side.based for side in known.values()))
    keep_only(ground, Side.REMOTE, set(buried) - set(go))
    stays = set(buried) - set(go)
    return [event for event in waiting if known[event].href not in stays]


def _push_once(ground: Ground, event: EventId, *, looked: bool) -> bool:
    """Do the next thing about one object; False where it has to be looked at again.

    ``looked``: the server was asked for it just now, so its ETag is as good as this server's get.
    """
    with ground.tools.reading() as conn:
        row = objects.get_object(conn, ground.household, event)
        own = ground.access(conn).addresses
    if (
        row is None
        or row.calendar_id != ground.id
        or row.push_state in (sides.CLEAN, sides.REFUSED, sides.HELD)
    ):
        return True
    if row.push_state == sides.IN_FLIGHT or (_is_nameless(row) and not looked):
        _ask(ground, row)
        return False
    action = decide(row.href, base_of(row, own), local_of(row, own), RemoteView({}))
    try:
        match action.kind:
            case Kind.CREATE | Kind.UPDATE:
                return _put(ground, row, action, own)
            case Kind.DROP_REMOTE:
                return _delete(ground, row, action)
            case _:
                _settle(ground, row)
                return True
    except PreconditionFailed:
        _ask(ground, row)
    except Locked:
        _stay(ground, row)
        return True
    except UidConflict as error:
        if not _give_way(ground, row):
            _refuse(ground, row, error)
        return True
    except REFUSALS as error:
        _refuse(ground, row, error)
        return True
    except DavError as error:
        if isinstance(error, UNDONE) and not error.in_doubt:
            _stay(ground, row)
            raise
        try:
            _ask(ground, row)
        except DavError:
            raise error from None
    return False


def _put(ground: Ground, row: ObjectRow, action: Action, own: frozenset[str]) -> bool:
    if action.kind is Kind.UPDATE and action.etag is None:
        raise ObjectRefused("The server names no versions, so nothing there can be changed without risk.")
    if not _set_out(ground, row, meaning(row.local, own)):
        return False
    etag = ground.remote.put(ground.url, ground.wire(row.href), row.local, action.etag)
    ground.tally.pushed += 1
    certain = etag is not None and not is_weak(etag) and ground.remote.capabilities.keeps_bytes
    with ground.writing() as conn:
        now = objects.get_object(conn, ground.household, row.id)
        same = now is not None and now.local_digest == row.local_digest and now.deleted_at is None
        # Until it was fetched, the base has no name: what the server made of it is not known.
        sides.set_base(
            conn,
            ground.household,
            row.id,
            base=row.local,
            etag=etag if certain else None,
            push_state=sides.CLEAN if certain and same else sides.UNPUSHED,
        )
        _let_go(ground, conn, row.href)
        if row.base is None and (trace := sides.trace_of(conn, ground.household, row.id)) is not None:
            arm_sync(conn, ground.household, trace.calendar_id, ground.tools.now(), ground.tools.new_id)
        report(ground, conn)
    if not certain:
        _ask(ground, row, just_put=True)
    return same


def _delete(ground: Ground, row: ObjectRow, action: Action) -> bool:
    if action.etag is None:
        raise ObjectRefused("The server names no versions, so nothing there can be deleted without risk.")
    if not _set_out(ground, row, DELETION):
        return False
    with suppress(Missing):
        ground.remote.delete(ground.url, ground.wire(row.href), action.etag)
    ground.tally.deleted += 1
    with ground.writing() as conn:
        now = objects.get_object(conn, ground.household, row.id)
        gone = now is None or now.deleted_at is not None
        state = sides.CLEAN if gone else sides.UNPUSHED
        sides.set_base(conn, ground.household, row.id, base=None, etag=None, push_state=state)
        if row.moved_to is None:
            record(taking(ground, conn), "Deleted there", {COUNTED[Side.REMOTE]: [row.id]})
        _let_go(ground, conn, row.href)
        report(ground, conn)
    return gone


def _is_nameless(row: ObjectRow) -> bool:
    """The server has it, under an ETag that we do not know or that proves nothing."""
    return row.base is not None and (not row.base_etag or is_weak(ETag(row.base_etag)))


def _set_out(ground: Ground, row: ObjectRow, sent: str) -> bool:
    with ground.writing() as conn:
        return sides.set_out(conn, ground.household, row.id, expected=row.local_digest, sent=sent)


def _ask(ground: Ground, row: ObjectRow, *, just_put: bool = False) -> None:
    """Look at what the server has of one object, and work it in."""
    fetched = ground.remote.fetch(ground.url, [ground.wire(row.href)])
    for error in fetched.unreadable.values():
        raise error
    with ground.writing() as conn:
        if fetched.objects:
            taken = pulled.take_over(taking(ground, conn), [Arrival(row.href, fetched.objects[0])])
            if not just_put:
                count(ground, taken)
        elif not just_put:
            # Right after a PUT it may be that the server is not yet of one mind; the next run asks again.
            count(ground, pulled.drop_gone(taking(ground, conn), [row.href]))


def _settle(ground: Ground, row: ObjectRow) -> None:
    """There is nothing to send after all: what is here is what the server has, or neither has it."""
    with ground.writing() as conn:
        now = objects.get_object(conn, ground.household, row.id)
        if now is not None and (now.local_digest, now.deleted_at) == (row.local_digest, row.deleted_at):
            sides.set_push_state(conn, ground.household, row.id, sides.CLEAN)


def _give_way(ground: Ground, row: ObjectRow) -> bool:
    """The event is on the server in another place already, as another client put it: that one stays."""
    with ground.writing() as conn:
        taken = pulled.give_way(taking(ground, conn), row.id)
        if taken is None:
            return False
        count(ground, taken)
        _let_go(ground, conn, row.href)
    return True


def _stay(ground: Ground, row: ObjectRow) -> None:
    with ground.writing() as conn:
        sides.set_push_state(conn, ground.household, row.id, sides.UNPUSHED)


def _refuse(ground: Ground, row: ObjectRow, error: DavError) -> None:
    """The server will not have it: that is shown, and it is not sent again as it is."""
    ground.tally.refused += 1
    with ground.writing() as conn:
        now = objects.get_object(conn, ground.household, row.id)
        same = now is not None and now.local_digest == row.local_digest
        sides.set_push_state(conn, ground.household, row.id, sides.REFUSED if same else sides.UNPUSHED)
        _let_go(ground, conn, row.href)
        held = HeldRow(
            id=ground.tools.new_id(),
            calendar_id=ground.id,
            kind=HeldKind.PUSH,
            state=held_rows.OPEN,
            hrefs=[row.href],
            reason=error.message,
            made_at=ground.tools.now(),
        )
        held_rows.insert_held(conn, ground.household, held)


def _let_go(ground: Ground, conn: Connection, href: Href) -> None:
    """What was refused before went through, or is refused for a newer reason."""
    for held in held_rows.list_held(conn, ground.household, calendar=ground.id):
        if held.kind == HeldKind.PUSH and held.hrefs == [href]:
            held_rows.set_hrefs(conn, ground.household, held.id, [], "")

"""Requests that wait for a person: stored as changes, decided once, applied as they were shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from calward.errors import Busy, CalwardError, InvalidInput, NotFound, NotSignedIn
from calward.guard.verdict import Decision, Verdict
from calward.ical.meaning import meaning
from calward.model.grant import Level
from calward.model.ids import ApprovalId, MemberId
from calward.model.principal import Role
from calward.operations import identity
from calward.operations.apply.batch import carry_out
from calward.operations.apply.journalling import Stamp
from calward.operations.apply.judging import judge_now
from calward.operations.apply.preparing import prepare
from calward.operations.apply.telling import Notice, tell
from calward.operations.approval_states import WORDS, state_at
from calward.operations.changes import (
    Change,
    CreateObject,
    DecideApproval,
    DeleteObject,
    EditObject,
    GrantRead,
    MoveObject,
    canonical,
    digest,
    from_json,
    to_json,
)
from calward.operations.identity import Access
from calward.operations.preview import preview, summary
from calward.operations.shapes import Receipt
from calward.operations.show import plain
from calward.operations.stored import Prepared, Superseded
from calward.operations.told import APPROVAL
from calward.operations.view.found import load
from calward.store import approvals as rows
from calward.store.approvals import ApprovalRow

LASTS = timedelta(hours=24)
"""How long a request waits where the door it came through says nothing else."""
MOST_WAITING = 20
"""Requests of one asker that wait at once."""


@dataclass(frozen=True, slots=True)
class Asked:
    id: ApprovalId
    expires_at: datetime


def ask(
    conn: Connection,
    access: Access,
    operation: str,
    prepared: Sequence[Prepared],
    verdict: Verdict,
    now: datetime,
    new_id: Callable[[], str],
    lasts: timedelta = LASTS,
) -> Asked:
    """Store a request for the owner of the calendar it touches. One that would do the same and still waits is
    that one.

    Raises ``InvalidInput`` where it touches calendars of several members: each decides on their own; ``Busy``
    for one more than ``MOST_WAITING`` of one asker, so that nobody drowns what others ask.
    """
    changes = [one.change for one in prepared]
    same, asker = _sameness(access, prepared), access.principal.id
    if rows.count_waiting(conn, access.household.id, asker, now, but=same) >= MOST_WAITING:
        raise Busy(f"{MOST_WAITING} requests of yours wait for a person already; wait until some are decided.")
    row = ApprovalRow(
        id=ApprovalId(new_id()),
        state=rows.PENDING,
        operation=operation,
        asked_by_kind=access.principal.kind,
        asked_by_id=access.principal.id,
        asked_by_name=plain(access.principal.name),
        member_id=_decider(access, prepared),
        risk=int(verdict.risk),
        reasons=list(verdict.reasons),
        preview=preview(prepared, access),
        changes=[to_json(change) for change in changes],
        digest=digest(changes),
        sameness=same,
        summary=summary(prepared, access),
        epoch=access.epoch,
        made_at=now,
        expires_at=now + lasts,
    )
    ident = rows.insert_approval(conn, access.household.id, row)
    if ident == row.id:
        body = {"asked_by": row.asked_by_name, "summary": row.summary}
        notice = Notice(f"{APPROVAL}-{row.id}", row.member_id, APPROVAL, row.id, body)
        tell(conn, access.household.id, [notice], now)
        return Asked(ident, row.expires_at)
    earlier = rows.get_approval(conn, access.household.id, ident)
    return Asked(ident, earlier.expires_at if earlier else row.expires_at)


def decide(conn: Connection, access: Access, decision: DecideApproval, stamp: Stamp) -> Receipt:
    """Claim a request once, and carry out what it stores if the person agrees and it is still what was shown.

    The stored changes are judged with what the asking principal may do today; the use case is not called again.
    """
    household = access.household.id
    found = rows.get_approval(conn, household, decision.approval)
    if found is None or found.member_id != access.person.member:
        raise NotFound("There is no such request waiting for you.")
    claimed = rows.claim_approval(
        conn,
        household,
        decision.approval,
        state="approved" if decision.approve else "denied",
        decided_by=access.person.member,
        at=stamp.now,
        epoch=access.epoch,
    )
    if claimed is None:
        # Written down where its time is past, so that a clock that is set back revives nothing.
        rows.expire_approvals(conn, household, stamp.now, access.epoch)
        return _receipt(
            state_at(found.state, found.expires_at, found.epoch, now=stamp.now, epoch=access.epoch),
            None,
            already=True,
        )
    if not decision.approve:
        return _settled(conn, access, claimed, "denied")
    return _carry_out(conn, access, claimed, stamp, details=decision.details)


def _carry_out(conn: Connection, access: Access, row: ApprovalRow, stamp: Stamp, *, details: bool) -> Receipt:
    changes = [from_json(change) for change in row.changes]
    if digest(changes) != row.digest:
        return _settled(
            conn, access, row, "stale"
        )  # These are not what was asked for: the row was tampered with.
    if details:
        changes = [_in_detail(change) for change in changes]
    try:
        principal = identity.principal_of(conn, access.household.id, row.asked_by_kind, row.asked_by_id)
        asker = identity.access(conn, principal, access.epoch)
    except NotSignedIn:
        return _settled(conn, access, row, "void")
    try:
        prepared = prepare(conn, asker, changes, stamp.now)
    except Superseded:
        return _anew(conn, access, asker, row, changes, stamp)
    except CalwardError:
        return _settled(conn, access, row, "stale")
    judged = judge_now(conn, asker, prepared, stamp.now)
    if judged.verdict.decision is Decision.DENY:
        return _settled(conn, access, row, "void")
    done_by = replace(stamp, principal=principal, operation=row.operation, approval=row.id)
    carry_out(conn, asker, prepared, done_by, deleting=judged.deleting)
    return _settled(conn, access, row, "approved", {"change": stamp.batch})


def _anew(
    conn: Connection,
    access: Access,
    asker: Access,
    row: ApprovalRow,
    changes: Sequence[Change],
    stamp: Stamp,
) -> Receipt:
    """The object was changed since the request was made: ask again over what is there now, if it fits."""
    try:
        moved = [_resting_on_now(conn, asker, change) for change in changes]
        prepared = prepare(conn, asker, moved, stamp.now)
    except (Superseded, CalwardError):
        return _settled(conn, access, row, "stale")
    verdict = judge_now(conn, asker, prepared, stamp.now).verdict
    if verdict.decision is Decision.DENY:
        return _settled(conn, access, row, "void")
    again = ask(conn, asker, row.operation, prepared, verdict, stamp.now, stamp.new_id)
    return _settled(conn, access, row, "renewed", {"approval": again.id})


def _in_detail(change: Change) -> Change:
    return replace(change, level=int(Level.DETAILS)) if isinstance(change, GrantRead) else change


def _sameness(access: Access, prepared: Sequence[Prepared]) -> str:
    """What makes two requests the same: the meaning of what they find and of what they would leave, without
    fresh ids and the moments at which they were made."""
    return hashlib.sha256(canonical([_gist(access, one) for one in prepared])).hexdigest()


def _gist(access: Access, one: Prepared) -> list[Any]:
    change = one.change
    if not isinstance(change, CreateObject | EditObject):
        return [to_json(change)]
    assert one.after is not None  # Both leave an object.
    event, data = (
        (change.split_from, one.after) if isinstance(change, CreateObject) else (change.event, one.after)
    )
    if isinstance(change, CreateObject):
        data = data.replace(change.uid.encode(), b"new")
    left = meaning(data, access.addresses)
    rests_on = change.rests_on if isinstance(change, EditObject) else None
    if left == rests_on:
        return [to_json(change)]  # It changes what has no meaning to the hash.
    return [type(change).__name__, event, one.calendar, rests_on, left]


def _resting_on_now(conn: Connection, access: Access, change: Change) -> Change:
    if isinstance(change, CreateObject) and change.split_from is not None:
        raise Superseded  # It was written from what the series said then.
    if not isinstance(change, EditObject | DeleteObject | MoveObject):
        return change
    now = load(conn, access.household.id, change.event)
    if now is None or now.deleted_at is not None:
        raise Superseded
    return replace(change, rests_on=now.meaning)


def _decider(access: Access, prepared: Sequence[Prepared]) -> MemberId:
    """The owner of the calendar that is touched, or who is acted for where none is; for a child or a guest, the
    owner of the household."""
    touched = [one.calendar for one in prepared if one.calendar]
    touched += [one.before.calendar for one in prepared if one.before]
    owners = {access.calendars[calendar].member for calendar in touched} or {access.person.member}
    if len(owners) > 1:
        raise InvalidInput("That touches calendars of several people; ask for each calendar by itself.")
    roles = {member.id: member.role for member in access.members}
    owner = owners.pop()
    if roles[owner] in (Role.OWNER, Role.ADULT):
        return owner
    return next(member.id for member in access.members if member.role is Role.OWNER)


def _settled(
    conn: Connection, access: Access, row: ApprovalRow, state: str, result: dict[str, str] | None = None
) -> Receipt:
    rows.settle_approval(conn, access.household.id, row.id, state=state, result=result)
    return _receipt(state, result)


def _receipt(state: str, result: dict[str, str] | None, *, already: bool = False) -> Receipt:
    words = WORDS[state]
    return Receipt(
        {"state": state, "message": f"Already decided. {words}" if already else words, "result": result}
    )

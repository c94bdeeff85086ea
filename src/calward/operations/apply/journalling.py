"""The journal row of each change: who did what, when, and the facts that are kept of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from calward.model.grant import Rights
from calward.model.ids import ApprovalId, ChangeId, EventId
from calward.model.principal import Principal
from calward.operations.changes import (
    AddCalendar,
    Change,
    CreateObject,
    EditObject,
    Forget,
    GrantRead,
    ImportUpload,
    KeepFile,
    ObjectChange,
    SetAlarms,
    digest_bytes,
)
from calward.operations.later_changes import (
    CancelInNote,
    GrantFolder,
    RemindInNote,
    RemoveChannel,
    SetChannel,
    SetVault,
    TryChannel,
)
from calward.operations.mirror_changes import AddAccount, MirrorCalendar
from calward.operations.people_changes import (
    AddAssistant,
    AddMember,
    AddToken,
    EditMember,
    EndSession,
    RemoveMember,
    RevokeAssistant,
    RevokeToken,
    SetGrant,
    SetLimits,
    SetLockdown,
    SetPassword,
    ShareCalendar,
)
from calward.operations.stored import Prepared
from calward.store import journal
from calward.store.journal import ChangeRow


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who does a batch of changes, by which operation, when; ``approval``: the one a person gave to it."""

    principal: Principal
    operation: str
    now: datetime
    batch: ChangeId
    new_id: Callable[[], str]
    approval: ApprovalId | None = None


def journal_row(
    one: Prepared, stamp: Stamp, undone: ChangeId | None, deleting: Collection[EventId]
) -> ChangeRow:
    """The row of one change. ``undone`` is the batch that this one takes back; ``deleting`` are the events that
    are deleted by it, or as good as."""
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
        facts={**_facts_of(change, one), **deletes},
        approval_id=stamp.approval,
        undoes=undone,
    )


def _facts_of(change: Change, one: Prepared) -> dict[str, Any]:
    """What the journal says of a change beyond digests: never a text from an event, never a secret."""
    match change:
        case EditObject():
            return {"lines": sorted({getattr(edit, "name", type(edit).__name__) for edit in change.edits})}
        case GrantRead():
            shown = [stored.event for stored in one.shown]
            return {"assistant": change.assistant, "events": shown, "level": change.level}
        case AddCalendar() | AddAccount() | MirrorCalendar():
            return {"name": change.name}
        case SetChannel() | RemoveChannel() | TryChannel():
            return {"name": change.name}
        case SetVault():
            return {"on": change.root is not None}
        case GrantFolder():
            return {"assistant": change.assistant, "on": change.on}
        case RemindInNote() | CancelInNote():
            return {"reminder": change.reminder}
        case AddMember() | AddAssistant():
            return {"name": change.name}
        case EditMember() | RemoveMember() | SetPassword():
            return {"member": change.member}
        case ShareCalendar():
            return {"member": change.member, "share": change.share}
        case RevokeAssistant():
            return {"assistant": change.assistant}
        case AddToken():
            return {"credential": change.credential, "kind": change.kind}
        case RevokeToken() | EndSession():
            return {"credential": change.credential}
        case SetGrant():
            rights = {field.name: getattr(change.rights, field.name) for field in fields(Rights)}
            return {"assistant": change.assistant, "rights": {name: str(say) for name, say in rights.items()}}
        case SetLimits():
            limits = {"read_only": change.limits.read_only, "writes_an_hour": change.limits.writes_an_hour}
            return {"assistant": change.assistant, **limits}
        case SetLockdown() | SetAlarms():
            return {"on": change.on}
        case Forget():
            before = change.before.isoformat() if change.before else None
            return {"forgot": change.event} if change.event else {"before": before}
        case ImportUpload():
            return {"upload": change.upload, "kept": not change.again}
        case KeepFile():
            return {"upload": change.upload, "kept": change.kept}
        case _:
            return {"from": one.before.calendar} if one.before and one.before.calendar != one.calendar else {}

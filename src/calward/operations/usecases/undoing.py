"""Taking back what was done: inverse changes, judged like any other."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from calward.errors import Conflict, NotFound, Unsupported
from calward.ical.meaning import meaning
from calward.model.ids import ChangeId
from calward.operations.answers import EventView, Told
from calward.operations.changes import (
    Change,
    DeleteObject,
    KeepFile,
    MoveObject,
    ReplaceObject,
    RestoreObject,
    Undoes,
)
from calward.operations.context import Context
from calward.operations.invitations import Invitations, farthest, told_of
from calward.operations.operation import Draft, Nature, operation
from calward.operations.shapes import Arguments, Written
from calward.operations.stored import Stored
from calward.operations.view.records import Done


class Undo(Arguments):
    change: str | None = Field(None, description="Id of a change; default: your own last one")
    request_id: str | None = Field(None, max_length=200)


class Undone(Written):
    undid: str | None = None
    events: tuple[EventView, ...] = ()
    invitations: Told = None


@operation(nature=Nature.WRITE)
def calendar_undo(ctx: Context, undo: Undo) -> Draft[Undone]:
    """Take back your own last change, or one by id. Events get back exactly what they were."""
    batch = ChangeId(undo.change) if undo.change else ctx.view.records.last_change()
    if batch is None:
        raise NotFound("There is nothing of yours to undo.")
    done = [one for one in ctx.view.records.done_in(batch) if one.kind != "ImportUpload" or one.kept]
    if any(one.undone for one in done):
        raise Conflict("That change was undone already.")
    # What was chosen between two versions is taken back; that a person looked at both stays so.
    changes = [_inverse(ctx, one) for one in reversed(done) if one.kind != "CloseConflict" or len(done) == 1]
    told = farthest(_told(ctx, change) for change in changes)
    answer = Undone(undid=batch, events=_views(ctx, done), invitations=told)
    return Draft(answer, (Undoes(batch), *changes))


def _inverse(ctx: Context, done: Done) -> Change:
    if done.file is not None:
        return KeepFile(done.file, not done.kept)
    if done.event is None:
        raise Unsupported(f"{done.did} cannot be undone; change it back by hand.")
    now = ctx.view.stored(done.event, deleted=done.kind == "DeleteObject")
    match done.kind:
        case "CreateObject" | "RestoreObject":
            return DeleteObject(now.event, now.meaning)
        case "DeleteObject":
            return RestoreObject(now.event, now.meaning)
        case "EditObject" | "ReplaceObject" if done.before is not None:
            if now.digest != done.after and not _says_the_same(ctx, now, done.after):
                raise Conflict("The event was changed again since; undo that later change first.")
            return ReplaceObject(now.event, now.meaning, done.before)
        case "MoveObject" if done.moved_from is not None:
            return MoveObject(now.event, now.meaning, done.moved_from)
        case _:
            raise Unsupported(f"{done.did} cannot be undone; change it back by hand.")


def _told(ctx: Context, change: Change) -> Invitations | None:
    """What becomes of the news that this is as it was."""
    match change:
        case DeleteObject():
            now = ctx.view.stored(change.event)
            return told_of(ctx, now, now.data, None)
        case RestoreObject():
            now = ctx.view.stored(change.event, deleted=True)
            return told_of(ctx, now, None, now.data)
        case ReplaceObject():
            now = ctx.view.stored(change.event)
            return told_of(ctx, now, now.data, ctx.view.records.bytes_of(change.digest))
        case MoveObject():
            now = ctx.view.stored(change.event)
            return told_of(ctx, now, now.data, now.data)
        case _:
            return None  # A file is kept or let go of.


def _says_the_same(ctx: Context, now: Stored, after: str | None) -> bool:
    """Whether other bytes say what the change left: a server writes in its own way what is sent to it."""
    left = ctx.view.records.bytes_of(after) if after is not None else None
    return left is not None and meaning(left) == now.meaning


def _views(ctx: Context, done: Sequence[Done]) -> tuple[EventView, ...]:
    """The events as they will be; those that go are not shown."""
    shown = []
    for one in done:
        if one.event is None or one.kind in ("CreateObject", "RestoreObject"):
            continue
        before = ctx.view.records.bytes_of(one.before) if one.before else None
        if before is not None:
            now = ctx.view.stored(one.event, deleted=one.kind == "DeleteObject")
            shown.append(ctx.view.show_bytes(now, before))
    return tuple(shown)

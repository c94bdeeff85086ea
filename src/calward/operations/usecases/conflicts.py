"""Events that were changed here and on their server at once, and what a person makes of both versions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, NotFound
from calward.ical.reading import read_object
from calward.model.ids import EventId, EventUid, Href
from calward.operations.answers import Told
from calward.operations.changes import Change, CreateObject, ReplaceObject, RestoreObject, digest_bytes
from calward.operations.context import Context
from calward.operations.invitations import told_of
from calward.operations.mirror_changes import CloseConflict
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.show import plain
from calward.operations.stored import Stored
from calward.operations.usecases.calendars import NoArguments
from calward.operations.view.mirrors import BothVersions
from calward.sync.merge import Merged, merge
from calward.sync.versions import as_another, lines_apart

MOST_LINES = 20
"""Lines of one version that are shown; the rest are counted."""
MOST_TEXT = 200


class ConflictView(Answer):
    id: str
    event: str
    calendar: str
    now: str = Field(description="The title of the server's version, which is live")
    ours: str = Field(description="The title of the version that was made here, and is kept")
    only_now: tuple[str, ...] = Field(description="Lines that only the live version has")
    only_ours: tuple[str, ...] = Field(description="Lines that only the kept version has")
    deleted: bool = Field(False, description="The event was deleted since")
    since: str


class ConflictList(Answer):
    conflicts: tuple[ConflictView, ...]


@operation(callers=Callers.PEOPLE)
def conflict_list(ctx: Context, _: NoArguments) -> Draft[ConflictList]:
    """Events that were changed here and on the server at once. The server's version is live, ours is kept."""
    names = ctx.view.calendars.names
    return Draft(
        ConflictList(
            conflicts=tuple(
                _shown(ctx, one, names.get(one.calendar, one.calendar)) for one in ctx.view.mirrors.conflicts()
            )
        )
    )


class ResolveConflict(Arguments):
    id: str
    keep: Literal["server", "ours", "both"] = Field(
        description="server: as it is. ours: what was changed here stands, over the server's of today. both: "
        "ours becomes an event of its own, with nobody invited"
    )


class ConflictResolved(Written):
    event: str | None = None
    """The event that our version is in now."""
    message: str | None = None
    invitations: Told = None


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE)
def conflict_resolve(ctx: Context, asked: ResolveConflict) -> Draft[ConflictResolved]:
    """Choose between the two versions of an event; the one not chosen stays in the history for 30 days."""
    found = next((one for one in ctx.view.mirrors.conflicts() if one.id == asked.id), None)
    if found is None:
        raise NotFound("No event of yours has two versions under that id; list them with: calward conflicts")
    close = CloseConflict(found.id, found.calendar, asked.keep)
    match asked.keep:
        case "server":
            return Draft(ConflictResolved(message="The server's version stays."), (close,))
        case "ours":
            now = ctx.view.stored(found.event, deleted=found.deleted)
            data = _ours(ctx, found, now)
            told = told_of(ctx, now, None if found.deleted else now.data, data)
            answer = ConflictResolved(
                event=found.event, message="Ours is live, and sent now.", invitations=told
            )
            return Draft(answer, (*_put(now, data), close))
        case "both":
            new = _another(ctx, found)
            answer = ConflictResolved(event=new.event, message="Ours is an event of its own now.")
            return Draft(answer, (new, close))


def _ours(ctx: Context, found: BothVersions, now: Stored) -> bytes:
    """What we had changed, put into what the server has today; all of ours where that cannot be."""
    if found.base is None:
        return found.ours
    own = [address for member in ctx.view.members for address in member.addresses]
    merged = merge(found.base, found.ours, now.data, own, ours_stand=True)
    return merged.data if isinstance(merged, Merged) else found.ours


def _put(now: Stored, data: bytes) -> tuple[Change, ...]:
    """Have the event say this, alive again where it was deleted."""
    restored = (RestoreObject(now.event, now.meaning),) if now.deleted_at is not None else ()
    if data == now.data:
        return restored
    text = data.decode("utf-8", "surrogateescape")
    return (*restored, ReplaceObject(now.event, now.meaning, digest_bytes(data), text))


def _another(ctx: Context, found: BothVersions) -> CreateObject:
    event, uid = EventId(ctx.new_id()), EventUid(f"{ctx.new_id()}@calward")
    data = as_another(found.ours, uid)
    if not read_object(data).events:
        raise InvalidInput("Our version holds no event, so it cannot stand beside the server's.")
    text = data.decode("utf-8", "surrogateescape")
    return CreateObject(event, found.calendar, uid, Href(f"{event}.ics"), text)


def _shown(ctx: Context, one: BothVersions, calendar: str) -> ConflictView:
    now, ours = lines_apart(one.now, one.ours)
    return ConflictView(
        id=one.id,
        event=one.event,
        calendar=calendar,
        now=_title(one.now),
        ours=_title(one.ours),
        only_now=_told(now),
        only_ours=_told(ours),
        deleted=one.deleted,
        since=ctx.view.presenter.moment(one.made_at),
    )


def _told(lines: tuple[str, ...]) -> tuple[str, ...]:
    told = tuple(
        plain(line if len(line) <= MOST_TEXT else f"{line[:MOST_TEXT]}…") for line in lines[:MOST_LINES]
    )
    return (*told, f"and {len(lines) - MOST_LINES} more") if len(lines) > MOST_LINES else told


def _title(data: bytes) -> str:
    return plain(next((event.summary for event in read_object(data).events), ""))

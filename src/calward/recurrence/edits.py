"""Edits of events and series, planned: what to change, what to create, and which occurrences vanish.

Nothing is applied here. Every plan rests on the bytes it was made from; ``SeriesEdit`` says in which order its
parts are to be carried out.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, tzinfo

from calward.ical.edit import Edit, RemoveComponent
from calward.model.event import Event
from calward.model.ids import EventUid, RecurrenceKey
from calward.model.time import CalTime, TimeKind, recurrence_key
from calward.model.unset import UNSET, Unset
from calward.recurrence.future import rest, trim
from calward.recurrence.one import delete_one, edit_one, restore_one
from calward.recurrence.patch import Scope, SeriesEdit, SeriesPatch
from calward.recurrence.removal import removal, shows_anything
from calward.recurrence.stored import Stored, Target, read_key
from calward.recurrence.whole import edit_all


def plan_edit(
    data: bytes,
    target: RecurrenceKey,
    scope: Scope,
    patch: SeriesPatch,
    *,
    now: datetime,
    new_uid: EventUid,
    viewer: tzinfo,
) -> SeriesEdit:
    """Change the occurrence ``target`` (empty: the first, or the event itself) and those in ``scope`` with it.

    ``now`` (aware) dates the change, ``new_uid`` is for the object that ``this_and_future`` creates. Raises
    ``NotFound`` where there is no such occurrence, ``InvalidInput`` for a patch that makes no sense,
    ``Unsupported`` for a series that cannot be changed like that; nothing is changed then.
    """
    stored = Stored(data, viewer)
    at = stored.target(target)
    if patch.empty:
        return SeriesEdit()
    patch = replace(patch, start=_as_there(patch.start, at.start), end=_as_there(patch.end, at.end))
    if not stored.recurs:
        scope = Scope.ALL
    if scope is Scope.ONE:
        edits = edit_one(stored, at, patch, now)
        return SeriesEdit(tuple(edits), removed=removal(stored, [stored.after(edits)], first=at))
    if scope is Scope.THIS_AND_FUTURE and not _is_first(stored, at):
        return _edit_future(stored, at, patch, now, new_uid)
    whole = edit_all(stored, at, patch, now)
    removed = removal(stored, [stored.after(whole.edits)], whole.move)
    return SeriesEdit(tuple(whole.edits), removed=removed, notes=_notes(whole.dropped))


def plan_delete(
    data: bytes, target: RecurrenceKey, scope: Scope, *, now: datetime, viewer: tzinfo
) -> SeriesEdit:
    """Delete the occurrence ``target`` and those in ``scope`` with it; the object itself where nothing is left.

    Raises as ``plan_edit``.
    """
    stored = Stored(data, viewer)
    at = stored.target(target)
    if not stored.recurs or scope is Scope.ALL or (scope is Scope.THIS_AND_FUTURE and _is_first(stored, at)):
        return SeriesEdit(delete_object=True, removed=removal(stored, []))
    edits = delete_one(stored, at, now) if scope is Scope.ONE else trim(stored, at, now)
    if _nothing_left(stored, edits):
        return SeriesEdit(delete_object=True, removed=removal(stored, []))
    return SeriesEdit(tuple(edits), removed=removal(stored, [stored.after(edits)], first=at))


def plan_restore(data: bytes, target: RecurrenceKey, *, now: datetime, viewer: tzinfo) -> SeriesEdit:
    """Bring back one occurrence that was deleted or cancelled. What its override said is not in the object any
    more; undoing the change that deleted it brings that back too. Raises ``NotFound`` if it is not deleted."""
    stored = Stored(data, viewer)
    return SeriesEdit(tuple(restore_one(stored, target, read_key(target), now)))


def _edit_future(
    stored: Stored, at: Target, patch: SeriesPatch, now: datetime, new_uid: EventUid
) -> SeriesEdit:
    second = Stored(rest(stored, at, new_uid), stored.viewer)
    key = at.component.key if at.overridden else recurrence_key(at.original)
    whole = edit_all(second, second.target(key), patch, now)
    second = second.after(whole.edits)
    first = trim(stored, at, now, sibling=new_uid)
    removed = removal(stored, [second, stored.after(first)], whole.move, first=at)
    return SeriesEdit(tuple(first), created=second.data, removed=removed, notes=_notes(whole.dropped))


def _as_there(time: CalTime | Unset, there: CalTime) -> CalTime | Unset:
    """A new time in a zone that the event has under another name (as Windows names it) keeps that name."""
    same_zone = time is not UNSET and time.kind is there.kind is TimeKind.ZONED and time.zone is there.zone
    return there.at(time.wall) if same_zone and time is not UNSET else time


def _is_first(stored: Stored, at: Target) -> bool:
    """Whether nothing of the series is before this occurrence, so that the rest of it is the whole."""
    earlier = [
        event
        for event in stored.overrides
        if event.recurrence_id is not None and stored.slot(event.recurrence_id) < at.slot
    ]
    if any(event.status != "CANCELLED" for event in earlier):
        return False
    if stored.members is None:
        return True
    cancelled = {stored.slot(event.recurrence_id) for event in earlier if event.recurrence_id is not None}
    return all(slot in cancelled for slot in stored.members.before(at.original))


def _nothing_left(stored: Stored, edits: list[Edit]) -> bool:
    if stored.master is None and len(stored.events) == len(
        [it for it in edits if isinstance(it, RemoveComponent)]
    ):
        return True
    return not shows_anything(stored.after(edits))


def _notes(dropped: tuple[Event, ...]) -> tuple[str, ...]:
    if not dropped:
        return ()
    when = ", ".join(f"{event.recurrence_id.wall:%Y-%m-%d}" for event in dropped[:5] if event.recurrence_id)
    more = f" and {len(dropped) - 5} more" if len(dropped) > 5 else ""
    return (f"Changed occurrences that the new rule does not have are removed: {when}{more}.",)

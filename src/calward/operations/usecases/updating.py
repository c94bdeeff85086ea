"""Changing, deleting and bringing back events; a series asks which of its occurrences are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import Field

from calward.errors import InvalidInput, ScopeNeeded
from calward.ical.edit import apply_edits
from calward.ical.reading import read_object
from calward.model.event import Event
from calward.model.grant import Level
from calward.model.ids import EventId, EventUid, Href, RecurrenceKey, split_occurrence_id
from calward.model.time import CalTime, Duration, TimeKind
from calward.operations.answers import EventView, EventWritten
from calward.operations.changes import (
    Change,
    CreateObject,
    DeleteObject,
    EditObject,
    MoveObject,
    RestoreObject,
)
from calward.operations.context import Context
from calward.operations.invitations import Invitations, Tell, hold_to, invitations, quiet, told_of
from calward.operations.operation import Draft, Nature, operation
from calward.operations.seen import Seen
from calward.operations.shapes import Arguments
from calward.operations.show import moment_words
from calward.operations.stored import Stored
from calward.operations.usecases.creating import (
    DEFAULT_LENGTH,
    MOST_ATTENDEES,
    alarm,
    attendee,
    checked_rules,
    organizer,
)
from calward.operations.when import lasting, read_when, reading, zone_named
from calward.recurrence.edits import plan_delete, plan_edit, plan_restore
from calward.recurrence.patch import Removal, Scope, SeriesEdit, SeriesPatch

MOST_NAMED = 5
"""Vanishing occurrences that a note names; the rest are counted."""
HIDDEN = frozenset({"location", "notes", "attendees", "alarms"})
"""What only the level ``details`` shows, and so lets one change."""


class UpdateEvent(Arguments):
    id: str
    title: str | None = Field(None, min_length=1, max_length=1000)
    start: str | None = Field(None, description="Keeps the length unless end or duration is given")
    end: str | None = None
    duration: int | None = Field(None, ge=1, le=60 * 24 * 366)
    all_day: bool | None = None
    zone: str | None = None
    location: str | None = Field(None, max_length=1000, description="Empty removes, as for notes")
    notes: str | None = Field(None, max_length=50_000)
    attendees: tuple[str, ...] | None = Field(None, max_length=MOST_ATTENDEES)
    recurrence: str | None = Field(None, max_length=500)
    alarms: tuple[int, ...] | None = Field(None, max_length=10)
    calendar: str | None = Field(None, description="Moves it there")
    scope: Scope | None = Field(None, description="Required for a series")
    tell: Tell | None = None
    request_id: str | None = Field(None, max_length=200)


class WhichEvent(Arguments):
    id: str
    scope: Scope | None = Field(None, description="Required for a series")
    tell: Tell | None = None
    request_id: str | None = Field(None, max_length=200)


class WhichDeleted(Arguments):
    id: str
    request_id: str | None = Field(None, max_length=200)


@dataclass(frozen=True, slots=True)
class Aim:
    """What an edit is aimed at: the object, one occurrence of it as it is seen, and the scope."""

    stored: Stored
    seen: Seen
    key: RecurrenceKey
    scope: Scope


@operation(nature=Nature.WRITE)
def calendar_update(ctx: Context, asked: UpdateEvent) -> Draft[EventWritten]:
    """Change or move an event. What is left out stays as it is."""
    aim = aim_at(ctx, asked.id, asked.scope)
    patch, moves = _patch(ctx, asked, aim), _moves(ctx, asked, aim)
    if patch.empty and not moves:
        raise InvalidInput("There is nothing to change: give a title, start, end, location, notes or the like.")
    if patch.empty:
        told = told_of(ctx, aim.stored, aim.stored.data, aim.stored.data)
        return Draft(EventWritten(event=ctx.view.presenter.event(aim.seen), invitations=told), moves)
    if moves:
        raise InvalidInput("calendar: move the event by itself, then change it there.")
    edit = plan_edit(
        aim.stored.data,
        aim.key,
        aim.scope,
        patch,
        now=ctx.now,
        new_uid=EventUid(f"{ctx.new_id()}@calward"),
        viewer=ctx.zone,
    )
    changes = _changes(ctx, aim, edit)
    if not changes:
        raise InvalidInput("There is nothing to change: the event says all that already.")
    shown = _shown(ctx, aim, edit, changes)
    told = _told(ctx, aim, edit, asked.tell)
    return Draft(EventWritten(event=shown, note=_note(ctx, edit), invitations=told), changes)


@operation(nature=Nature.DESTROY)
def calendar_delete(ctx: Context, which: WhichEvent) -> Draft[EventWritten]:
    """Delete an event, or occurrences of a series. It can be restored for 30 days."""
    aim = aim_at(ctx, which.id, which.scope)
    shown = ctx.view.presenter.event(aim.seen)
    if aim.scope is Scope.ALL:
        change = DeleteObject(aim.stored.event, aim.stored.meaning)
        told = _told(ctx, aim, None, which.tell)
        return Draft(EventWritten(event=shown, invitations=told), (change,))
    edit = plan_delete(aim.stored.data, aim.key, aim.scope, now=ctx.now, viewer=ctx.zone)
    told = _told(ctx, aim, edit, which.tell)
    return Draft(EventWritten(event=shown, note=_note(ctx, edit), invitations=told), _changes(ctx, aim, edit))


@operation(nature=Nature.WRITE)
def calendar_restore(ctx: Context, which: WhichDeleted) -> Draft[EventWritten]:
    """Bring a deleted event back as it was, or one deleted occurrence of a series."""
    event, key = split_occurrence_id(which.id)
    if key and (series := ctx.view.living(event)):
        edit = plan_restore(series.data, key, now=ctx.now, viewer=ctx.zone)
        data = apply_edits(series.data, edit.edits)
        shown = ctx.view.show_bytes(series, data, key)
        told = told_of(ctx, series, series.data, data)
        return Draft(
            EventWritten(event=shown, invitations=told), (EditObject(event, series.meaning, edit.edits),)
        )
    stored = ctx.view.stored(event, deleted=True)
    shown = ctx.view.show_bytes(stored, stored.data)
    told = told_of(ctx, stored, None, stored.data)
    return Draft(EventWritten(event=shown, invitations=told), (RestoreObject(stored.event, stored.meaning),))


def aim_at(ctx: Context, ident: str, scope: Scope | None) -> Aim:
    """Raises ``ScopeNeeded`` for a series without scope, ``InvalidInput`` where none is named."""
    seen = ctx.view.find(ident)
    stored = ctx.view.stored(seen.event)
    key = split_occurrence_id(ident)[1]
    if not seen.recurs:
        return Aim(stored, seen, RecurrenceKey(""), Scope.ALL)
    if scope is None:
        raise ScopeNeeded(
            "That event repeats: say with scope whether you mean this occurrence (one), this and all later "
            "ones (this_and_future), or the whole series (all)."
        )
    if scope is not Scope.ALL and not key:
        raise InvalidInput("scope: name one occurrence by its own id, as calendar_list gives it.")
    return Aim(stored, seen, key, scope)


def _patch(ctx: Context, asked: UpdateEvent, aim: Aim) -> SeriesPatch:
    """What was asked as new values; an argument that was left out stays unset, null removes."""
    given = asked.model_fields_set
    values: dict[str, Any] = {}
    if aim.seen.level < Level.DETAILS and (unseen := sorted(given & HIDDEN)):
        # That a value is there already would be told apart from a change, and so could be guessed.
        raise InvalidInput(
            f"{', '.join(unseen)}: you are not shown these of that event; ask for them with calendar_details."
        )
    if given & {"start", "end", "duration", "all_day", "zone"}:
        values |= _times(ctx, asked, aim.seen)
    for name, line in (("title", "summary"), ("location", "location"), ("notes", "description")):
        if name in given:
            values[line] = getattr(asked, name)
    if "title" in given and not (asked.title or "").strip():
        raise InvalidInput("title: an event needs a title.")
    if "attendees" in given:
        people = tuple(attendee(ctx.view.members, named) for named in asked.attendees or ())
        if asked.tell == "nobody":
            people = quiet(people)
        values["attendees"] = people
        if people and not aim.seen.organizer:
            values["organizer"] = organizer(ctx)
    if "recurrence" in given:
        rules = checked_rules(asked.recurrence)
        values["rrule"] = rules[0] if rules else None
    if "alarms" in given:
        title = asked.title or aim.seen.summary
        values["alarms"] = tuple(alarm(minutes, title) for minutes in asked.alarms or ())
    return SeriesPatch(**values)


def _times(ctx: Context, asked: UpdateEvent, seen: Seen) -> dict[str, CalTime]:
    """A new start, end or both. A start alone keeps the length, an end alone the start, a day alone the time of
    day. Unless another zone is asked for, times keep the form they have in the event."""
    given = asked.model_fields_set
    start, all_day = _asked_start(ctx, asked, seen)
    when = read_when(ctx, start, asked.end, asked.duration, all_day=all_day, zone=asked.zone or _zone(seen))
    first, last = when.start, when.end
    if last is None and first.is_date is not seen.start.is_date:
        last = Duration(days=1).after(first, ctx.zone) if first.is_date else lasting(first, DEFAULT_LENGTH)
    if asked.zone is None:
        first, last = _as_there(ctx, first, seen), last and _as_there(ctx, last, seen)
    if last is None:
        return {"start": first}
    if first == seen.start and not given & {"start", "zone", "all_day"}:
        return {"end": last}
    return {"start": first, "end": last}


def _asked_start(ctx: Context, asked: UpdateEvent, seen: Seen) -> tuple[str, bool | None]:
    """The start as text, and whether the event is to be all-day."""
    now = ctx.view.presenter.slot(seen).start
    if asked.start is None:
        return now, seen.start.is_date if asked.all_day is None else asked.all_day
    if seen.start.is_date or asked.all_day is not None:
        return asked.start, asked.all_day
    found = reading(ctx, "start", asked.start, _place(ctx, asked, seen))
    if not found.all_day or found.start is None:
        return asked.start, None
    return f"{found.start:%Y-%m-%d}T{_local(ctx, asked, seen):%H:%M:%S}", False


def _local(ctx: Context, asked: UpdateEvent, seen: Seen) -> datetime:
    """The event's start on the wall of the zone that is asked in."""
    return seen.start.instant(ctx.zone).astimezone(_place(ctx, asked, seen))


def _place(ctx: Context, asked: UpdateEvent, seen: Seen) -> ZoneInfo:
    named = asked.zone or _zone(seen)
    return zone_named(named) if named else ctx.zone


def _as_there(ctx: Context, time: CalTime, seen: Seen) -> CalTime:
    """The same moment as the event writes its times: in UTC, without a zone, or in its own zone."""
    there = seen.start
    if time.is_date or there.is_date or (there.zone is None and there.kind is not TimeKind.FLOATING):
        return time
    if isinstance(there.zone, ZoneInfo):
        return time
    local = time.instant(ctx.zone).astimezone(there.zone or ctx.zone)
    return there.at(local.replace(tzinfo=None))


def _zone(seen: Seen) -> str | None:
    """The event's own zone, so that a move keeps it; None for the person's."""
    return seen.start.zone.key if isinstance(seen.start.zone, ZoneInfo) else None


def _moves(ctx: Context, asked: UpdateEvent, aim: Aim) -> tuple[Change, ...]:
    """To another calendar, which takes the whole event."""
    if asked.calendar is None:
        return ()
    target = ctx.view.calendars.named(asked.calendar)
    if target.id == aim.stored.calendar:
        return ()
    if aim.scope is not Scope.ALL:
        raise InvalidInput("calendar: a series moves to another calendar as a whole; say scope all.")
    return (MoveObject(aim.stored.event, aim.stored.meaning, target.id),)


def _changes(ctx: Context, aim: Aim, edit: SeriesEdit) -> tuple[Change, ...]:
    """What is created comes first, so that a stop in between loses nothing."""
    changes: list[Change] = []
    if edit.created is not None:
        event = EventId(ctx.new_id())
        data = edit.created.decode("utf-8", "surrogateescape")
        uid = read_object(edit.created).events[0].uid
        href = Href(f"{event}.ics")
        changes.append(CreateObject(event, aim.stored.calendar, uid, href, data, split_from=aim.stored.event))
    if edit.delete_object:
        changes.append(DeleteObject(aim.stored.event, aim.stored.meaning))
    elif edit.edits:
        changes.append(EditObject(aim.stored.event, aim.stored.meaning, edit.edits))
    return tuple(changes)


def _shown(ctx: Context, aim: Aim, edit: SeriesEdit, changes: Sequence[Change]) -> EventView:
    """The event as it will be: the occurrence that was named, or the series it is part of now."""
    for change in changes:
        if isinstance(change, CreateObject) and edit.created is not None:
            return ctx.view.show_bytes(replace(aim.stored, event=change.event), edit.created)
    data = apply_edits(aim.stored.data, edit.edits)
    return ctx.view.show_bytes(aim.stored, data, aim.key if aim.scope is Scope.ONE else RecurrenceKey(""))


def _told(ctx: Context, aim: Aim, edit: SeriesEdit | None, tell: Tell | None) -> Invitations | None:
    """What attendees hear of an edit, or of a deletion where it is None. Who is not shown them is not told of
    them either, and so can ask for nothing about them."""
    if aim.seen.level < Level.DETAILS:
        if tell is not None:
            raise InvalidInput(
                "tell: you are not shown who attends that event; ask for that with calendar_details."
            )
        return None
    after: tuple[Event, ...] = ()
    if edit is not None and not edit.delete_object:
        after = read_object(apply_edits(aim.stored.data, edit.edits)).events
    told = invitations(ctx, aim.stored.calendar, read_object(aim.stored.data).events, after)
    hold_to(tell, told)
    return told


def _note(ctx: Context, edit: SeriesEdit) -> str | None:
    """What vanishes, and whatever else the edit has to say."""
    parts = [_vanishing(ctx, edit.removed), *edit.notes]
    return " ".join(part for part in parts if part) or None


def _vanishing(ctx: Context, removed: Removal) -> str:
    if removed.endless:
        return "The series had no end; all later occurrences are gone."
    if not removed.count:
        return ""
    named = ", ".join(moment_words(time, ctx.zone) for time in removed.first[:MOST_NAMED])
    more = " and more" if removed.count > MOST_NAMED or removed.more else ""
    return f"{removed.count} occurrence{'s are' if removed.count > 1 else ' is'} removed: {named}{more}."

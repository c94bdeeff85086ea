"""Reminders: at a moment, or following an event wherever it goes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, NotFound, TooMuch
from calward.model.grant import Level
from calward.model.ids import EventId, RecurrenceKey, ReminderId, is_event_id, occurrence_id
from calward.model.note import Block, name_of
from calward.model.reminder import TOLD, Kind, State, due_moment
from calward.model.time import Span
from calward.operations.context import Context
from calward.operations.later_changes import (
    CancelInNote,
    CancelReminder,
    FinishReminder,
    RemindInNote,
    SetReminder,
    SnoozeReminder,
)
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.seen import Seen
from calward.operations.shapes import Answer, Arguments, Written
from calward.operations.show import UNTITLED, plain, weekday_name
from calward.operations.spans import ends
from calward.operations.view.anchors import named_by
from calward.operations.when import future_moment

YEAR = 366 * 24 * 3600
MOST_CHOICES = 5
WEEK = timedelta(days=7)
ONLY_NEAR = "Of the alarms of events only those within a week are listed; give from and to for others."
"""Said where all of them are too much for one answer."""
OPEN = (State.WAITING, State.ARMED)
OVER = (State.FIRED, State.MISSED, State.VOID)
ALL = tuple(State)


class NewReminder(Arguments):
    message: str | None = Field(None, max_length=2000)
    due: str | None = Field(None, description="A moment; wins over calendar_event")
    calendar_event: str | None = Field(
        None, min_length=1, max_length=500, description="Event id, or a part of its title"
    )
    offset: int = Field(0, ge=-YEAR, le=YEAR, description="Seconds; negative: before")
    every_occurrence: bool = False
    note: str | None = Field(None, max_length=1000, description="Path of a vault note to write it into")
    request_id: str | None = Field(None, max_length=200)


class EventOfReminder(Answer):
    id: str
    title: str


class ReminderView(Answer):
    """``due`` is in the person's zone. An assistant is not told of events it may not see (any more)."""

    id: str
    message: str
    state: str
    due: str | None = None
    weekday: str | None = None
    event: EventOfReminder | None = None
    waits_for: str | None = None
    offset: int | None = None
    every_occurrence: bool | None = None
    note: str | None = Field(None, description="The note of the vault that says it")
    made_by: str
    reason: str | None = None


class ReminderWritten(Written):
    reminder: ReminderView | None = None
    zone: str | None = None
    message: str | None = None


@operation(nature=Nature.WRITE)
def reminder_set(ctx: Context, new: NewReminder) -> Draft[ReminderWritten]:
    """Remind the person at a moment, or at an event, which is followed when it moves."""
    ident = ReminderId(ctx.new_id())
    if new.note is None:
        return _written(ctx, new, *_resolved(ctx, ident, new))
    path, block = ctx.view.vault.note(new.note)
    if new.message is not None:
        raise InvalidInput("message: a reminder in a note is told by the note's name; leave it out.")
    new = new.model_copy(update={"message": name_of(path), "note": path})
    return _written(ctx, new, *_resolved(ctx, ident, new), before=block)


Resolved = tuple[SetReminder, Seen | None, str | None]
"""The reminder, the event it hangs on, and what to say about it."""


def _resolved(ctx: Context, ident: ReminderId, new: NewReminder) -> Resolved:
    if new.due is not None:
        message = "due was used, not the event." if new.calendar_event else None
        return _at_moment(ctx, ident, new, new.due), None, message
    if new.calendar_event is None:
        raise InvalidInput("Give due, a moment, or calendar_event, an event's id or a part of its title.")
    seen = _by_id(ctx, new.calendar_event)
    kind = Kind.EVENT
    if seen is None:
        kind = Kind.TITLE
        seen = _by_title(ctx, new)
    if seen is None:
        message = "No event has that in its title yet; it is looked for again whenever events change."
        return _unbound(ident, new), None, message
    return _bound(ctx, ident, kind, new, seen), seen, None


class ReminderFilter(Arguments):
    state: Literal["open", "over", "all"] = "open"
    start: str | None = Field(None, alias="from")
    end: str | None = Field(None, alias="to")


class Reminders(Answer):
    zone: str
    reminders: tuple[ReminderView, ...]
    message: str | None = None


@operation()
def reminder_list(ctx: Context, asked: ReminderFilter) -> Draft[Reminders]:
    """The reminders to come, the next first; or those that fired, were missed or lost their event."""
    states = {"open": OPEN, "over": OVER, "all": ALL}[asked.state]
    window, message = ends(ctx, asked.start, asked.end), None
    try:
        rows = ctx.view.later.reminders(states, *window)
    except TooMuch:
        if window != (None, None):
            raise
        near = Span(ctx.now - WEEK, ctx.now + WEEK)
        rows, message = ctx.view.later.reminders(states, alarms=near), ONLY_NEAR
    titles = ctx.view.titles(list({row.event_id for row in rows if row.event_id is not None}))
    views = []
    for row in rows:
        event = None
        if row.event_id is not None:
            key = row.key or RecurrenceKey("")
            title = titles.get((row.event_id, key), titles.get((row.event_id, RecurrenceKey(""))))
            if title is not None:
                event = EventOfReminder(id=occurrence_id(row.event_id, key), title=title or UNTITLED)
        hidden = row.event_id is not None and event is None and row.state in OPEN
        views.append(
            _view(
                ctx,
                ident=row.id,
                message=row.message,
                state=row.state,
                due=None if hidden else row.fire_at,
                event=event,
                waits_for=row.wanted if row.state == State.WAITING else None,
                offset=row.offset if row.kind != Kind.MOMENT else None,
                every=row.every,
                note=row.note,
                made_by=row.made_by_name,
                reason=row.reason,
            )
        )
    return Draft(Reminders(zone=ctx.zone_name, reminders=tuple(views), message=message))


class WhichReminder(Arguments):
    id: str


class ReminderEnded(Written):
    message: str | None = None


@operation(nature=Nature.WRITE)
def reminder_cancel(ctx: Context, which: WhichReminder) -> Draft[ReminderEnded]:
    """Cancel a reminder that is still to come."""
    row = ctx.view.later.reminder(which.id)
    if row.state not in OPEN:
        raise NotFound("That reminder is not to come any more.")
    note = ctx.view.vault.note_of(row.id)
    change = CancelReminder(row.id) if note is None else CancelInNote(row.id, *note)
    return Draft(ReminderEnded(message="Cancelled."), (change,))


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def reminder_done(ctx: Context, which: WhichReminder) -> Draft[ReminderEnded]:
    """Be done with a reminder that fired."""
    row = ctx.view.later.fired(which.id)
    # One of every occurrence has gone on by itself.
    changes = (FinishReminder(row.id),) if row.state in TOLD else ()
    return Draft(ReminderEnded(message="Done."), changes)


class Snooze(Arguments):
    id: str
    until: str = Field("in 10 minutes", description="A moment")


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE)
def reminder_snooze(ctx: Context, asked: Snooze) -> Draft[ReminderWritten]:
    """Have a reminder that fired fire once more."""
    row = ctx.view.later.fired(asked.id)
    again, at = ReminderId(ctx.new_id()), future_moment(ctx, "until", asked.until)
    view = _view(
        ctx,
        ident=again,
        message=row.message,
        state=State.ARMED,
        due=at,
        made_by=ctx.principal.name,
    )
    return Draft(ReminderWritten(reminder=view, zone=ctx.zone_name), (SnoozeReminder(row.id, again, at),))


def _at_moment(ctx: Context, ident: ReminderId, new: NewReminder, text: str) -> SetReminder:
    at = future_moment(ctx, "due", text, instead="follow an event with every_occurrence, or use schedule")
    if not plain(new.message or ""):
        raise InvalidInput("message: say what to be reminded of.")
    return _change(ident, Kind.MOMENT, new, at=at)


def _bound(ctx: Context, ident: ReminderId, kind: Kind, new: NewReminder, seen: Seen) -> SetReminder:
    """Bound to the occurrence that is seen; one of every occurrence begins with the first that is ahead."""
    at = due_moment(seen.start, timedelta(seconds=new.offset), ctx.zone)
    every = new.every_occurrence and seen.recurs
    if at <= ctx.now and not every:
        raise InvalidInput(
            f"offset: that moment is past; the event starts {ctx.view.presenter.moment(ctx.view.starts(seen))}."
        )
    return _change(
        ident,
        kind,
        new,
        at=at,
        event=seen.event,
        key=seen.key,
        starts_at=ctx.view.original_start(seen),
        every=every,
    )


def _unbound(ident: ReminderId, new: NewReminder) -> SetReminder:
    return _change(ident, Kind.TITLE, new, every=new.every_occurrence)


def _change(
    ident: ReminderId,
    kind: Kind,
    new: NewReminder,
    *,
    at: datetime | None = None,
    event: EventId | None = None,
    key: RecurrenceKey = RecurrenceKey(""),  # noqa: B008  (a string)
    starts_at: datetime | None = None,
    every: bool = False,
) -> SetReminder:
    return SetReminder(
        reminder=ident,
        kind=kind,
        message=(new.message or "").strip(),
        at=at,
        event=event,
        key=key,
        starts_at=starts_at,
        wanted=new.calendar_event if kind is Kind.TITLE else None,
        offset=new.offset,
        every=every,
    )


def _by_id(ctx: Context, text: str) -> Seen | None:
    """The occurrence that is named by its id; None where the text is no id of anything here."""
    if not is_event_id(text):
        return None
    try:
        return ctx.view.find(text)
    except NotFound:
        return None


def _by_title(ctx: Context, new: NewReminder) -> Seen | None:
    """The one event that is meant. Raises ``InvalidInput`` with the choices where there are several."""
    title = (new.calendar_event or "").strip()
    if not plain(title):
        raise InvalidInput("calendar_event: give an event's id, or a part of its title.")
    found = [
        seen
        for seen in named_by(ctx.view, title, ctx.now)
        if new.every_occurrence or due_moment(seen.start, timedelta(seconds=new.offset), ctx.zone) > ctx.now
    ] or list(named_by(ctx.view, title, ctx.now))
    if len(found) > 1:
        raise InvalidInput(
            "calendar_event: several events have that in their title. Ask which is meant, and give its id: "
            f"{_choices(ctx, found)}."
        )
    return found[0] if found else None


def _choices(ctx: Context, found: list[Seen]) -> str:
    """Ids and moments: a title is somebody else's text, which no error repeats."""
    named = [f"{seen.id} ({ctx.view.presenter.slot(seen).start})" for seen in found[:MOST_CHOICES]]
    more = f" and {len(found) - MOST_CHOICES} more" if len(found) > MOST_CHOICES else ""
    return f"{', '.join(named)}{more}"


def _written(
    ctx: Context,
    new: NewReminder,
    change: SetReminder,
    seen: Seen | None,
    message: str | None,
    *,
    before: Block | None = None,
) -> Draft[ReminderWritten]:
    """``before`` is what the note said of a reminder, where it goes into one."""
    event = None
    if seen is not None and seen.level >= Level.TITLES:
        event = EventOfReminder(id=seen.id, title=seen.summary or UNTITLED)
    view = _view(
        ctx,
        ident=change.reminder,
        message=change.message,
        state=State.WAITING if change.at is None else State.ARMED,
        due=change.at,
        event=event,
        waits_for=change.wanted if change.at is None else None,
        offset=change.offset if change.event else None,
        every=change.every,
        note=new.note,
        made_by=ctx.principal.name,
    )
    written = ReminderWritten(reminder=view, zone=ctx.zone_name, message=message)
    if new.note is None:
        return Draft(written, (change,))
    block = _block(ctx, new, change)
    if before == block:
        raise InvalidInput("note: it has that reminder already.")
    rests_on = before.word if before else None
    return Draft(written, (RemindInNote(change.reminder, new.note, rests_on, block),))


def _block(ctx: Context, new: NewReminder, change: SetReminder) -> Block:
    """What a note says of a reminder: the moment that words meant, or the event as it was asked for."""
    if new.due is not None and change.at is not None:
        return Block(due=change.at.astimezone(ctx.zone).isoformat(timespec="seconds"))
    event = plain(new.calendar_event or "").strip()
    return Block(calendar_event=event, offset=new.offset, recurring=change.every)


def _view(
    ctx: Context,
    *,
    ident: ReminderId,
    message: str,
    state: str,
    due: datetime | None,
    made_by: str,
    event: EventOfReminder | None = None,
    waits_for: str | None = None,
    offset: int | None = None,
    every: bool = False,
    note: str | None = None,
    reason: str | None = None,
) -> ReminderView:
    return ReminderView(
        id=ident,
        message=plain(message),
        state=state,
        due=ctx.view.presenter.moment(due) if due else None,
        weekday=weekday_name(due.astimezone(ctx.zone).date()) if due else None,
        event=event,
        waits_for=waits_for,
        offset=offset,
        every_occurrence=True if every else None,
        note=plain(note) if note else None,
        made_by=made_by,
        reason=reason,
    )

"""Before and after → facts for the guard.

What a change does is read from the bytes it finds and the bytes it would leave, never from what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from calward.guard.effect import Act, Effect
from calward.ical.reading import read_object
from calward.model.calendar import Calendar
from calward.model.event import Event
from calward.model.ids import AssistantId, CalendarId
from calward.model.principal import Member
from calward.model.time import Span
from calward.operations.changes import (
    CreateObject,
    DeleteObject,
    EditObject,
    GrantRead,
    MoveObject,
    ReplaceObject,
    RestoreObject,
    Undoes,
)
from calward.operations.stored import Prepared
from calward.recurrence.bounds import bounds
from calward.recurrence.series import expand

MARGIN = timedelta(days=2)
COUNTED = timedelta(days=2 * 366)
"""How far from now occurrences are counted where a series goes on; its end itself is a fact of its own."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What facts are measured against."""

    calendars: Mapping[CalendarId, Calendar]
    members: Sequence[Member]
    assistant: AssistantId | None
    now: datetime


def effects_of(prepared: Iterable[Prepared], around: Surroundings) -> tuple[Effect, ...]:
    """The effects of prepared changes, in their order; one that changes nothing by itself has none."""
    return tuple(effect for one in prepared for effect in _effects(one, around))


def _effects(one: Prepared, around: Surroundings) -> tuple[Effect, ...]:
    change = one.change
    match change:
        case CreateObject():
            return (_object_effect(Act.CREATE, one, around),)
        case EditObject() | ReplaceObject():
            return (_object_effect(Act.UPDATE, one, around),)
        case DeleteObject():
            return (_object_effect(Act.DELETE, one, around),)
        case RestoreObject():
            return (_object_effect(Act.RESTORE, one, around),)
        case MoveObject():
            return _move_effects(one, around)
        case GrantRead():
            return (Effect(Act.READ_PRIVATE, one.calendar),)
        case Undoes():
            return ()
        case _:
            return (Effect(Act.ADMINISTER, one.calendar),)


def _object_effect(act: Act, one: Prepared, around: Surroundings) -> Effect:
    before = read_object(one.before.data).events if one.before else ()
    after = read_object(one.after).events if one.after is not None else ()
    if act is Act.RESTORE:
        before = ()
    if one.calendar is None:
        raise ValueError("a change of an object has a calendar")
    calendar = around.calendars[one.calendar]
    people_before, people_after = _outsiders(before, calendar, around), _outsiders(after, calendar, around)
    known = {address.lower() for member in around.members for address in member.addresses}
    everybody = tuple(dict.fromkeys((*people_before, *people_after)))
    lost = 0 if act in (Act.CREATE, Act.RESTORE, Act.DELETE) else _lost(before, after, around.now)
    own = act is Act.CREATE or (one.before is not None and one.before.is_own(around.assistant))
    return Effect(
        act=Act.DELETE if act is Act.UPDATE and lost != 0 and not after else act,
        calendar=one.calendar,
        own=own,
        writable=calendar.writable,
        outsiders=everybody,
        invited=tuple(address for address in people_after if address not in people_before),
        strangers=tuple(a for a in people_after if a not in people_before and a not in known),
        series=any(event.recurs for event in (*before, *after)),
        lost=lost,
    )


def _move_effects(one: Prepared, around: Surroundings) -> tuple[Effect, ...]:
    """Leaving one calendar is an update there, arriving in another a creation there."""
    if one.before is None or one.calendar is None:
        raise ValueError("a move starts somewhere")
    leaving = Prepared(one.change, one.before, one.before.data, one.before.calendar)
    arriving = Prepared(one.change, None, one.before.data, one.calendar)
    return (_object_effect(Act.UPDATE, leaving, around), _object_effect(Act.CREATE, arriving, around))


def _outsiders(events: Iterable[Event], calendar: Calendar, around: Surroundings) -> tuple[str, ...]:
    """Addresses on the event that are not the calendar owner's own, in their first order."""
    own = {
        address.lower()
        for member in around.members
        if member.id == calendar.member
        for address in member.addresses
    }
    found = (
        person.email or person.address.lower()
        for event in events
        for person in (*event.attendees, *((event.organizer,) if event.organizer else ()))
    )
    return tuple(dict.fromkeys(address for address in found if address not in own))


def _lost(before: Sequence[Event], after: Sequence[Event], now: datetime) -> int | None:
    """How many occurrences vanish; None where a series without end would get one."""
    if not any(event.recurs for event in before):
        return 0
    was, becomes = bounds(before, UTC), bounds(after, UTC)
    if was is None:
        return 0
    if was.last_end is None and (becomes is None or becomes.last_end is not None):
        return None
    start = min(was.first_start, becomes.first_start if becomes else now, now)
    window = Span(start - MARGIN, max(was.last_end or now, start, now) + COUNTED)
    return max(0, _count(before, window) - _count(after, window))


def _count(events: Sequence[Event], window: Span) -> int:
    return len(expand(events, window, UTC).occurrences)

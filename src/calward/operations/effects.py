"""Before and after → facts for the guard.

What a change does is read from the bytes it finds and the bytes it would leave, never from what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from calward.guard.effect import Act, Effect
from calward.guard.sight import Sight
from calward.ical.reading import read_object
from calward.model.calendar import Calendar
from calward.model.event import Event
from calward.model.grant import Level
from calward.model.ids import AssistantId, CalendarId, EventId, MemberId
from calward.model.principal import Member
from calward.model.prompt import Deliver
from calward.model.time import Span
from calward.operations.changes import (
    CreateObject,
    DeleteObject,
    EditObject,
    GrantRead,
    ImportUpload,
    KeepFile,
    MoveObject,
    ObjectChange,
    ReplaceObject,
    RestoreObject,
    Undoes,
)
from calward.operations.facts import blanked, moved_far, replied
from calward.operations.later_changes import (
    AddPrompt,
    CancelInNote,
    CancelPrompt,
    CancelReminder,
    EditPrompt,
    FinishReminder,
    RemindInNote,
    SetReminder,
    SnoozeReminder,
)
from calward.operations.mirror_changes import CloseConflict, DecideHeld, RequestRun
from calward.operations.people_changes import EndSession
from calward.operations.stored import Prepared, Stored
from calward.recurrence.bounds import bounds
from calward.recurrence.series import expand

MARGIN = timedelta(days=2)
COUNTED = timedelta(days=2 * 366)
"""How far from now occurrences are counted where a series goes on; its end itself is a fact of its own."""
_NOBODY: frozenset[MemberId] = frozenset()
EARLIEST, LATEST = datetime(1, 1, 3, tzinfo=UTC), datetime(9996, 1, 1, tzinfo=UTC)
"""Beyond these a margin would leave the calendar."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What facts are measured against."""

    calendars: Mapping[CalendarId, Calendar]
    members: Sequence[Member]
    member: MemberId
    """Who asks, or is acted for."""
    assistant: AssistantId | None
    sights: Mapping[CalendarId, Sight]
    now: datetime
    shared: frozenset[CalendarId] = frozenset()
    """Calendars of other members that they let this one write."""
    readers: Mapping[CalendarId, frozenset[MemberId]] = field(default_factory=dict)
    """The members who see all of a calendar."""

    def foreign(self, calendar: Calendar) -> bool:
        """Whether its owner has to be asked."""
        return calendar.member != self.member and calendar.id not in self.shared


def effects_of(prepared: Sequence[Prepared], around: Surroundings) -> tuple[Effect, ...]:
    """The effects of prepared changes, in their order; one that changes nothing by itself has none."""
    split: dict[EventId, tuple[Event, ...]] = {}
    for one in prepared:
        if one.source is not None:
            split[one.source.event] = (*split.get(one.source.event, ()), *_events(one.after))
    return tuple(effect for one in prepared for effect in _effects(one, split, around))


def _effects(
    one: Prepared, split: Mapping[EventId, tuple[Event, ...]], around: Surroundings
) -> tuple[Effect, ...]:
    change = one.change
    match change:
        case CreateObject():
            return (_object_effect(Act.UPDATE if one.source else Act.CREATE, one, around),)
        case EditObject() | ReplaceObject():
            return (_object_effect(Act.UPDATE, one, around, elsewhere=split.get(change.event, ())),)
        case DeleteObject():
            return (_object_effect(Act.DELETE, one, around),)
        case RestoreObject():
            return (_object_effect(Act.RESTORE, one, around),)
        case MoveObject():
            return _move_effects(one, around)
        case GrantRead():
            return (Effect(Act.READ_PRIVATE, change.calendar),)
        case ImportUpload():
            calendar = around.calendars[change.calendar]
            foreign = around.foreign(calendar)
            return (Effect(Act.CREATE, change.calendar, writable=calendar.writable, foreign=foreign),)
        case RequestRun():
            return (Effect(Act.RUN, change.calendar),)
        case DecideHeld(whole=True):
            return (Effect(Act.ADMINISTER, change.calendar),)  # As where a calendar is mirrored no longer.
        case DecideHeld():
            return (Effect(Act.DECIDE, change.calendar, lost=change.removes),)
        case CloseConflict():
            return (Effect(Act.DECIDE, change.calendar),)
        case AddPrompt() | EditPrompt():
            away = change.deliver == Deliver.WEBHOOK
            return (Effect(Act.LATER, outsiders=(change.deliver,) if away else ()),)
        case SetReminder() | CancelReminder() | FinishReminder() | SnoozeReminder() | CancelPrompt():
            return (Effect(Act.LATER),)
        case RemindInNote() | CancelInNote():
            return (Effect(Act.NOTE),)
        case Undoes() | KeepFile() | EndSession():
            return ()
        case _:
            return (Effect(Act.ADMINISTER, one.calendar),)


def _object_effect(
    act: Act, one: Prepared, around: Surroundings, *, elsewhere: tuple[Event, ...] = ()
) -> Effect:
    """``elsewhere`` are events that go on with this one's series in an object split off from it."""
    assert isinstance(one.change, CreateObject | ObjectChange)
    assert one.calendar is not None  # An object is in one, before and after.
    calendar, origin = around.calendars[one.calendar], one.source or one.before
    before = () if origin is None or act is Act.RESTORE else _events(origin.data)
    after = _events(one.after)
    people_before, people_after = _outsiders(before, calendar, around), _outsiders(after, calendar, around)
    known = {address.lower() for member in around.members for address in member.addresses}
    everybody = tuple(dict.fromkeys((*people_before, *people_after)))
    counts = act is Act.UPDATE and one.source is None
    people_there = _outsiders(_events(origin.data), calendar, around) if origin else ()
    return Effect(
        act=Act.DELETE if counts and before and not after else act,
        calendar=one.calendar,
        event=one.change.event,
        own=act is Act.CREATE or (origin is not None and origin.is_own(around.assistant)),
        writable=calendar.writable,
        foreign=around.foreign(calendar),
        outsiders=everybody,
        invited=tuple(address for address in people_after if address not in people_there),
        strangers=tuple(a for a in people_after if a not in people_there and a not in known),
        series=any(event.recurs for event in (*before, *after)),
        lost=_lost(before, (after, elsewhere), around.now) if counts else 0,
        blanked=counts and blanked(before, after),
        moved_far=counts and not elsewhere and moved_far(before, after),
        replies=counts and replied(before, after, _own_addresses(calendar, around)),
        private=_is_private(one, calendar, people_after, around),
        blind=_is_blind(one, origin, around),
    )


def _move_effects(one: Prepared, around: Surroundings) -> tuple[Effect, ...]:
    """Leaving one calendar is an update there, arriving in another a creation there; where more of it would be
    seen than before, it is a look at what is private too."""
    assert one.before is not None  # A move starts somewhere and ends somewhere.
    assert one.calendar is not None
    leaving = Prepared(one.change, one.before, one.before.data, one.before.calendar)
    arriving = Prepared(one.change, None, one.before.data, one.calendar)
    gained = around.readers.get(one.calendar, _NOBODY) - around.readers.get(one.before.calendar, _NOBODY)
    # Whoever is on it was on it before: moving invites nobody.
    there = replace(
        _object_effect(Act.CREATE, arriving, around),
        invited=(),
        strangers=(),
        gained=tuple(sorted(gained)),
        blind=_is_blind(one, one.before, around),
    )
    effects = (replace(_object_effect(Act.UPDATE, leaving, around), blind=there.blind), there)
    if _level(one.before, one.calendar, around) > _level(one.before, one.before.calendar, around):
        return (*effects, Effect(Act.READ_PRIVATE, one.before.calendar))
    return effects


def _is_private(one: Prepared, calendar: Calendar, outsiders: Sequence[str], around: Surroundings) -> bool:
    """Whether somebody who would read the event may not read one whose words it repeats."""
    readers = around.readers.get(calendar.id, _NOBODY)
    return any(
        not echo.people.issuperset(outsiders)
        or not around.readers.get(echo.calendar, _NOBODY).issuperset(readers)
        for echo in one.echoes
    )


def _is_blind(one: Prepared, origin: Stored | None, around: Surroundings) -> bool:
    """Whether an assistant is about to change what it does not see all of."""
    if around.assistant is None or origin is None:
        return False
    return max(_level(origin, origin.calendar, around), one.permitted) < Level.DETAILS


def _level(stored: Stored, calendar: CalendarId, around: Surroundings) -> Level:
    """What is seen of an object in a calendar."""
    sight = around.sights.get(calendar)
    made = around.assistant is not None and stored.maker == around.assistant
    return sight.level(made=made, reach=stored.reach) if sight else Level.NONE


def _outsiders(events: Iterable[Event], calendar: Calendar, around: Surroundings) -> tuple[str, ...]:
    """Addresses on the event that are not the calendar owner's own, in their first order."""
    own = _own_addresses(calendar, around)
    found = (
        person.email or person.address.lower()
        for event in events
        for person in (*event.attendees, *((event.organizer,) if event.organizer else ()))
    )
    return tuple(dict.fromkeys(address for address in found if address not in own))


def _own_addresses(calendar: Calendar, around: Surroundings) -> frozenset[str]:
    """The addresses of a calendar's owner, in lower case."""
    return frozenset(
        address.lower()
        for member in around.members
        if member.id == calendar.member
        for address in member.addresses
    )


def _lost(before: Sequence[Event], after: Sequence[Sequence[Event]], now: datetime) -> int | None:
    """How many occurrences vanish; None where a series without end would get one."""
    if not any(event.recurs for event in before):
        return 0
    was, becomes = bounds(before, UTC), [reach for events in after if (reach := bounds(events, UTC))]
    if was is None:
        return 0
    if was.last_end is None and all(reach.last_end is not None for reach in becomes):
        return None
    first = min(now, was.first_start, *(reach.first_start for reach in becomes))
    last = max(now, was.last_end or now)
    window = Span(max(first, EARLIEST) - MARGIN, min(last, LATEST) + COUNTED)
    return max(0, _count(before, window) - sum(_count(events, window) for events in after))


def _count(events: Sequence[Event], window: Span) -> int:
    return len(expand(events, window, UTC).occurrences)


def _events(data: bytes | None) -> tuple[Event, ...]:
    return read_object(data).events if data is not None else ()

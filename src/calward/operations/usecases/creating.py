"""New events."""

from __future__ import annotations

import hashlib

from pydantic import Field

from calward.errors import InvalidInput
from calward.ical.build import new_object
from calward.model.event import Alarm, Attendee, Event
from calward.model.ids import EventId, EventUid, Href
from calward.model.principal import Member
from calward.model.time import Duration
from calward.operations.answers import EventWritten
from calward.operations.changes import CreateObject, canonical
from calward.operations.context import Context
from calward.operations.invitations import Tell, hold_to, invitations, quiet
from calward.operations.operation import Draft, Nature, operation
from calward.operations.shapes import Arguments
from calward.operations.when import read_when
from calward.recurrence.rule import parse_rule

DEFAULT_LENGTH = Duration(seconds=3600)
MOST_ATTENDEES = 200


class CreateEvent(Arguments):
    title: str = Field(min_length=1, max_length=1000)
    start: str = Field(description="ISO 8601 or words; a date alone makes it all-day")
    end: str | None = Field(None, description="Exclusive; default: one hour, or one day")
    duration: int | None = Field(None, ge=1, le=60 * 24 * 366, description="Minutes, instead of end")
    all_day: bool | None = None
    zone: str | None = Field(None, description="IANA; default the person's")
    location: str | None = Field(None, max_length=1000)
    notes: str | None = Field(None, max_length=50_000)
    attendees: tuple[str, ...] = Field(
        (), max_length=MOST_ATTENDEES, description="Member names or e-mail addresses"
    )
    recurrence: str | None = Field(None, max_length=500, description="RRULE: FREQ=WEEKLY;BYDAY=TU")
    alarms: tuple[int, ...] = Field((), max_length=10, description="Minutes before")
    calendar: str | None = Field(None, description="Name or id")
    tell: Tell | None = Field(None, description="nobody: no invitations")
    request_id: str | None = Field(None, max_length=200, description="Makes a retry safe")


@operation(nature=Nature.WRITE)
def calendar_create(ctx: Context, new: CreateEvent) -> Draft[EventWritten]:
    """Create an event."""
    calendar = ctx.view.calendars.for_new(new.calendar)
    when = read_when(ctx, new.start, new.end, new.duration, all_day=new.all_day, zone=new.zone)
    event, uid = EventId(ctx.new_id()), EventUid(f"{ctx.new_id()}@calward")
    attendees = tuple(attendee(ctx.view.members, given) for given in new.attendees)
    if new.tell == "nobody":
        attendees = quiet(attendees)
    if not new.title.strip():
        raise InvalidInput("title: an event needs a title.")
    written = Event(
        uid=uid,
        start=when.start,
        end=when.end_or(DEFAULT_LENGTH),
        summary=new.title,
        location=new.location or "",
        description=new.notes or "",
        attendees=attendees,
        organizer=organizer(ctx) if attendees else None,
        rrules=checked_rules(new.recurrence),
        alarms=tuple(alarm(minutes, new.title) for minutes in new.alarms),
    )
    data = new_object([written], ctx.now)
    change = CreateObject(event, calendar.id, uid, Href(f"{event}.ics"), data.decode())
    told = invitations(ctx, calendar.id, (), (written,))
    hold_to(new.tell, told)
    answer = EventWritten(event=ctx.view.show_new(event, calendar, data), invitations=told)
    return Draft(answer, (change,), once=None if new.request_id else _same(new))


def alarm(minutes: int, title: str) -> Alarm:
    """A display alarm some minutes before the start."""
    if not 0 <= minutes <= 60 * 24 * 28:
        raise InvalidInput("alarms: minutes before the start, from 0 to 40320 (four weeks).")
    return Alarm("DISPLAY", offset=Duration(seconds=-60 * minutes), description=title)


def attendee(members: tuple[Member, ...], given: str) -> Attendee:
    """A member by id, name, nickname or address, else an e-mail address."""
    found = [member for member in members if member.answers_to(given)]
    if len(found) > 1:
        names = " or ".join(member.name for member in found)
        raise InvalidInput(f"attendees: {given!r} could be {names}; give the address.")
    if found and found[0].addresses:
        return Attendee(f"mailto:{found[0].addresses[0]}", name=found[0].name, rsvp=True)
    if found:
        raise InvalidInput(f"attendees: {found[0].name} has no e-mail address here; a person can add one.")
    address = given.strip().removeprefix("mailto:")
    if not is_address(address):
        known = ", ".join(member.name for member in members)
        raise InvalidInput(f"attendees: {given!r} is neither a member ({known}) nor an e-mail address.")
    return Attendee(f"mailto:{address}", rsvp=True)


def is_address(text: str) -> bool:
    """Whether it has the form of an e-mail address that a content line can hold."""
    name, _, host = text.partition("@")
    return bool(name) and "." in host and text.isprintable() and not any(char in ' <>,;:"' for char in text)


def organizer(ctx: Context) -> Attendee | None:
    """The person, where they have an address."""
    me = next((member for member in ctx.view.members if member.id == ctx.person.member), None)
    if me is None or not me.addresses:
        raise InvalidInput(
            "An event with attendees needs an organizer, and you have no e-mail address here; "
            "a person can add one with: calward members edit."
        )
    return Attendee(f"mailto:{me.addresses[0]}", name=me.name, role="CHAIR", partstat="ACCEPTED")


def checked_rules(text: str | None) -> tuple[str, ...]:
    """A recurrence rule that can be expanded, in the RFC's spelling, or a clear refusal."""
    if text is None or not text.strip():
        return ()
    rule = parse_rule(text)
    if not rule.supported:
        raise InvalidInput("recurrence: only rules of the Gregorian calendar can be expanded.")
    return (str(rule),)


def _same(new: CreateEvent) -> str:
    """What makes two creations the same: every argument."""
    return hashlib.sha256(canonical(new.model_dump(mode="json"))).hexdigest()

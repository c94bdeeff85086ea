"""Whether attendees are told of a change to their event. Calward itself sends no invitations.

A calendar server may (RFC 6638), in the name of its own user, when a change of an event that this user
organizes arrives there. Whether it does is what the server says of itself; which attendees it leaves to the
client is in the event (SCHEDULE-AGENT, RFC 6638 §7.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from calward.errors import InvalidInput
from calward.ical.reading import read_object
from calward.model.event import Attendee, Event
from calward.model.grant import Level
from calward.model.ids import CalendarId
from calward.operations.context import Context
from calward.operations.facts import replied
from calward.operations.stored import Stored
from calward.recurrence.bounds import bounds

Tell = Literal["everybody", "nobody"]
Invitations = Literal["sent_by_server", "not_sent", "unknown"]
"""What becomes of the news for attendees; unknown where the server does not say whether it sends any."""
_FAR: tuple[Invitations, ...] = ("sent_by_server", "unknown", "not_sent")
BY_CLIENT = frozenset({"CLIENT", "NONE"})
"""Attendees with this SCHEDULE-AGENT hear nothing from a server."""


def invitations(
    ctx: Context,
    calendar: CalendarId,
    before: Sequence[Event],
    after: Sequence[Event],
) -> Invitations | None:
    """Who tells the attendees of a change from ``before`` to ``after``, one of them empty where the event is
    made or deleted; None where there are none to tell. The person's answer to whoever organizes it is told
    too, as leaving it is."""
    own = _own(ctx)
    told = [one for event in (*before, *after) for one in _people(event) if _name(one) not in own]
    if not told:
        return None
    events = after or before
    replies = (not after or replied(before, after, own)) and not _organizes(before, own)
    if not (replies or _organizes(events, own)) or all(one.agent in BY_CLIENT for one in told):
        return "not_sent"
    server = ctx.view.mirrors.scheduling(calendar)
    if server.schedules is None:
        return "unknown"
    if not server.schedules or not (server.past_too or _goes_on(events, ctx.now)):
        return "not_sent"
    return "sent_by_server"


def told_of(ctx: Context, stored: Stored, before: bytes | None, after: bytes | None) -> Invitations | None:
    """The same for a change of an object's bytes, of which one are None where the event comes or goes; None as
    well for whoever is not shown who is on it."""
    if ctx.view.level_of(stored) < Level.DETAILS:
        return None
    was, becomes = (read_object(data).events if data else () for data in (before, after))
    return invitations(ctx, stored.calendar, was, becomes)


def farthest(told: Iterable[Invitations | None]) -> Invitations | None:
    """What becomes of the news of several changes together: as far as that of any of them goes."""
    found = set(told)
    return next((one for one in _FAR if one in found), None)


def quiet(attendees: Iterable[Attendee]) -> tuple[Attendee, ...]:
    """The same people, whom a server leaves to us, who tell them nothing."""
    return tuple(replace(one, agent="CLIENT") for one in attendees)


def hold_to(tell: Tell | None, told: Invitations | None) -> None:
    """Raises ``InvalidInput`` where nobody was to be told and that cannot be promised: a server that told
    people of an event once tells them of its changes and its end, and calls it off for those who are left to
    us from then on (RFC 6638 §3.2.1.2, a SCHEDULE-AGENT of SERVER that becomes CLIENT or NONE; §3.2.1.3)."""
    if tell == "nobody" and told not in (None, "not_sent"):
        raise InvalidInput(
            "tell: the calendar's server tells the attendees of this event by itself, and nothing can keep it "
            "from that. Leave tell out, or change nothing."
            if told == "sent_by_server"
            else "tell: whether the calendar's server tells the attendees by itself is not known. Leave tell "
            "out, or change nothing."
        )


def _own(ctx: Context) -> frozenset[str]:
    me = next((member for member in ctx.view.members if member.id == ctx.person.member), None)
    return frozenset(address.lower() for address in me.addresses) if me else frozenset()


def _people(event: Event) -> tuple[Attendee, ...]:
    return (*event.attendees, *((event.organizer,) if event.organizer else ()))


def _organizes(events: Sequence[Event], own: frozenset[str]) -> bool:
    """A server sends invitations for whoever organizes; that of others' events is theirs to send."""
    return any(event.organizer is not None and _name(event.organizer) in own for event in events)


def _name(person: Attendee) -> str:
    return person.email or person.address.lower()


def _goes_on(events: Sequence[Event], now: datetime) -> bool:
    reach = bounds(events, now.tzinfo) if now.tzinfo else None
    return reach is None or reach.last_end is None or reach.last_end > now

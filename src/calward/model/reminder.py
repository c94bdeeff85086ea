"""A reminder: what it hangs on, the states it goes through, when it is due, and what to do when it is.

Everything here is arithmetic on given facts; clocks and rows are elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import StrEnum

from calward.model.time import CalTime

MORNING = time(9)
"""When a day without a time of day is spoken of: an all-day event, and "tomorrow"."""
PUNCTUAL = timedelta(minutes=1)
"""Up to this much later nobody calls it late."""
GRACE = timedelta(hours=2)
"""Up to this much later a reminder is still worth firing, marked late; after that it is only reported."""


class Kind(StrEnum):
    """What a reminder hangs on."""

    MOMENT = "moment"
    EVENT = "event"
    TITLE = "title"
    """An event that was named by a part of its title; bound to it once there is one."""
    ALARM = "alarm"
    """An alarm of an event, in a calendar whose alarms are told."""


class State(StrEnum):
    WAITING = "waiting"
    """No event matches its title yet."""
    ARMED = "armed"
    FIRED = "fired"
    MISSED = "missed"
    """Nothing ran when it was due; it is told of afterwards."""
    VOID = "void"
    """What it followed is gone; it is armed again where that comes back."""
    CANCELLED = "cancelled"
    DONE = "done"


LIVE = (State.WAITING, State.ARMED)
TOLD = (State.FIRED, State.MISSED)
GONE = "The event was deleted."
CANCELLED = "The event was cancelled."
NO_LONGER = "That occurrence is no longer in the series."


@dataclass(frozen=True, slots=True)
class Fire:
    late: bool


@dataclass(frozen=True, slots=True)
class Miss:
    """Too late to be of use; it is reported with all others that were missed."""


@dataclass(frozen=True, slots=True)
class Move:
    at: datetime


@dataclass(frozen=True, slots=True)
class Void:
    reason: str


Fate = Fire | Miss | Move | Void


def fate(due: datetime | Void, now: datetime, grace: timedelta = GRACE) -> Fate:
    """What becomes of a reminder that is being worked on; ``due`` is when the event, as it is now, says."""
    if isinstance(due, Void):
        return due
    if due > now:
        return Move(due)
    if now - due > grace:
        return Miss()
    return Fire(late=now - due > PUNCTUAL)


def due_moment(start: CalTime, offset: timedelta, viewer: tzinfo) -> datetime:
    """When a reminder ``offset`` away from a start is due, in UTC; a negative offset is before it.

    From a time it is real time, which DST does not stretch. An all-day event counts from nine in the morning
    of its first day in the viewer's zone, and whole days of the offset are days on the calendar.
    """
    if not start.is_date:
        return start.instant(viewer) + offset
    days, rest = divmod(offset, timedelta(days=1))
    morning = datetime.combine(start.wall.date() + timedelta(days=days), MORNING, viewer)
    return morning.astimezone(UTC) + rest


def first_hour(day: datetime, zone: tzinfo) -> datetime:
    """The moment that a day without a time of day means to a reminder, in UTC."""
    return datetime.combine(day.astimezone(zone).date(), MORNING, zone).astimezone(UTC)

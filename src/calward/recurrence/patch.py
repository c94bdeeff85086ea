"""What is asked of a series, and what comes of it: both are data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from calward.ical.edit import Edit
from calward.model.event import Alarm, Attendee
from calward.model.time import CalTime
from calward.model.unset import UNSET, Unset


class Scope(StrEnum):
    """Which occurrences an edit means, seen from the one it names."""

    ONE = "one"
    THIS_AND_FUTURE = "this_and_future"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to an invitation: the PARTSTAT (RFC 5545 §3.2.12) of the attendee whose address, in lower case,
    is among ``addresses``."""

    addresses: frozenset[str]
    partstat: str


@dataclass(frozen=True, slots=True)
class SeriesPatch:
    """New values; ``UNSET`` leaves a property alone, ``None`` removes it.

    ``start`` and ``end`` are of the occurrence the edit names; others in its scope move with it. A start alone
    keeps the length, an end alone the start. ``rrule`` is RECUR text and only for ``all`` and
    ``this_and_future``; without it a move to another day moves the rule's days along. Attendees and alarms are
    whole lists; attendees who stay keep their lines as they are.
    """

    start: CalTime | Unset = UNSET
    end: CalTime | Unset = UNSET
    rrule: str | Unset | None = UNSET
    summary: str | Unset | None = UNSET
    description: str | Unset | None = UNSET
    location: str | Unset | None = UNSET
    url: str | Unset | None = UNSET
    status: str | Unset | None = UNSET
    classification: str | Unset | None = UNSET
    transparent: bool | Unset = UNSET
    categories: tuple[str, ...] | Unset = UNSET
    organizer: Attendee | Unset | None = UNSET
    attendees: tuple[Attendee, ...] | Unset = UNSET
    alarms: tuple[Alarm, ...] | Unset = UNSET
    reply: Reply | Unset = UNSET

    @property
    def empty(self) -> bool:
        return all(getattr(self, one.name) is UNSET for one in fields(self))

    @property
    def reschedules(self) -> bool:
        """Whether it changes what SEQUENCE counts (RFC 5546 §2.1.4)."""
        return any(value is not UNSET for value in (self.start, self.end, self.rrule, self.status))


@dataclass(frozen=True, slots=True)
class Removal:
    """The occurrences that an edit makes vanish."""

    count: int = 0
    """Exact, or where ``more`` says so, those found before the search was given up."""
    first: tuple[CalTime, ...] = ()
    """Where the first few of them are now."""
    endless: bool = False
    """The series went on without end, and does not any more."""
    more: bool = False


@dataclass(frozen=True, slots=True)
class SeriesEdit:
    """An edit worked out. ``created`` is to be stored and pushed first and ``edits`` after it: whatever happens
    between the two, no occurrence is lost (some are there twice until ``edits`` follow)."""

    edits: tuple[Edit, ...] = ()
    """On the stored object, in this order."""
    created: bytes | None = None
    """A new object: the part of the series from the named occurrence on."""
    delete_object: bool = False
    """Nothing of the object is left; ``edits`` are then empty."""
    removed: Removal = Removal()
    notes: tuple[str, ...] = ()
    """What else the person should know, one plain sentence each."""

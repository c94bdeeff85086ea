"""Facts about what a change would do, gathered before anything is decided."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from calward.model.ids import CalendarId, EventId, MemberId


class Act(StrEnum):
    """What is done, in the guard's eyes."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    RESTORE = "restore"
    READ_PRIVATE = "read_private"
    RUN = "run"
    """Work on what is already there, such as a sync."""
    DECIDE = "decide"
    """What a sync left to a person: which version stands, whether removals go through."""
    LATER = "later"
    """A reminder or prompt of whoever asks; where outsiders are named, it goes to another program."""
    NOTE = "note"
    """A reminder written into a note of the person, or taken out of it."""
    ADMINISTER = "administer"
    """Settings, credentials, grants, approvals, audit."""


class Risk(IntEnum):
    """How far an effect reaches."""

    R0 = 0
    """Reads what is granted."""
    R1 = 1
    """Creates or changes an event the assistant made, with no outsiders."""
    R2 = 2
    """Changes a person's event, or reads private detail."""
    R3 = 3
    """Reaches other people, deletes for good or en masse, shortens a series."""
    R4 = 4
    """Settings, credentials, approvals, audit."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One change, as facts.

    ``event``: the object it is about. ``own``: the asking assistant made the event and nobody else changed what
    it says. ``outsiders``: addresses of people other than the calendar's member who are on the event before or
    after and would learn of it. ``invited``: those among them that the change adds; ``strangers``: those that
    are no members either. ``lost``: occurrences that exist now and would not afterwards, None where a series
    without end loses its tail. ``foreign``: the calendar belongs to another member than the one who asks or is
    acted for.

    ``blanked``: it would say nothing any more where it said something; ``moved_far``: it would be more than a
    year from where it was. Both amount to a deletion. ``gained``: members who would see all of it and do not
    now. ``replies``: it answers an invitation for the person. ``private``: it would carry words of another
    event to people who may not see that one. ``blind``: the asking assistant does not see all of it.
    """

    act: Act
    calendar: CalendarId | None = None
    event: EventId | None = None
    own: bool = False
    writable: bool = True
    foreign: bool = False
    outsiders: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    series: bool = False
    lost: int | None = 0
    blanked: bool = False
    moved_far: bool = False
    gained: tuple[MemberId, ...] = ()
    replies: bool = False
    private: bool = False
    blind: bool = False

    @property
    def loses(self) -> bool:
        return self.lost is None or self.lost > 0

    @property
    def deletes(self) -> bool:
        """Whether it is a deletion, or amounts to one."""
        return self.act is Act.DELETE or self.blanked or self.moved_far

"""What an assistant was granted on one calendar."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from calward.model.ids import AssistantId, CalendarId


class Level(IntEnum):
    """How much of an event a principal sees; each level holds the ones below it."""

    NONE = 0
    BUSY = 1
    """Start, end, all-day: that time is taken, not by what."""
    TITLES = 2
    """Also id, title, calendar, recurrence."""
    DETAILS = 3
    """Everything."""


class Say(StrEnum):
    """What the person said beforehand about a kind of act."""

    FREE = "free"
    ASK = "ask"
    NEVER = "never"


class Invite(StrEnum):
    """Whom an assistant may name as attendee at all; that reaching them asks is the guard's floor."""

    NOBODY = "nobody"
    MEMBERS = "members"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Rights:
    """The two axes of a grant: what is seen (by origin) and what may be done.

    ``own`` is for events this assistant made, ``others`` for all the rest. ``read_private`` says what happens
    when it asks to see more of others' events than ``others_level`` shows.
    """

    own_level: Level
    others_level: Level
    read_private: Say
    create: Say
    own_update: Say
    own_delete: Say
    others_update: Say
    others_delete: Say
    invite: Invite

    def update(self, *, own: bool) -> Say:
        return self.own_update if own else self.others_update

    def delete(self, *, own: bool) -> Say:
        return self.own_delete if own else self.others_delete

    def level(self, *, own: bool) -> Level:
        return self.own_level if own else self.others_level


@dataclass(frozen=True, slots=True)
class Grant:
    """The rights of one assistant on one calendar."""

    assistant: AssistantId
    calendar: CalendarId
    rights: Rights

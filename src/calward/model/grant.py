"""What an assistant was granted on one calendar."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    """Whom an assistant may name as an attendee at all. Whether reaching them asks first is for the guard."""

    NOBODY = "nobody"
    MEMBERS = "members"
    LISTED = "listed"
    """Members, and the addresses and domains of ``Rights.invite_list``."""
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Rights:
    """The two axes of a grant: what is seen (by origin) and what may be done.

    ``own`` is for events this assistant made, ``others`` for all the rest. ``read_private`` says what happens
    when it asks to see more of others' events than ``others_level`` shows. ``invite_list`` holds addresses
    (``ann@example.com``) and domains (``example.com``) in lower case.
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
    invite_list: tuple[str, ...] = ()

    def update(self, *, own: bool) -> Say:
        return self.own_update if own else self.others_update

    def delete(self, *, own: bool) -> Say:
        return self.own_delete if own else self.others_delete

    def level(self, *, own: bool) -> Level:
        return self.own_level if own else self.others_level

    def lists(self, address: str) -> bool:
        """Whether an address is on the list, by itself or by its domain; a parent domain does not count."""
        address = address.lower()
        return address in self.invite_list or address.rpartition("@")[2] in self.invite_list

    def only_reading(self) -> Rights:
        """The same without anything that changes an event."""
        return replace(
            self,
            create=Say.NEVER,
            own_update=Say.NEVER,
            own_delete=Say.NEVER,
            others_update=Say.NEVER,
            others_delete=Say.NEVER,
            invite=Invite.NOBODY,
        )


@dataclass(frozen=True, slots=True)
class Grant:
    """The rights of one assistant on one calendar."""

    assistant: AssistantId
    calendar: CalendarId
    rights: Rights


WRITES_AN_HOUR = 60
"""What an assistant may change within an hour unless the person says otherwise."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What holds for an assistant on every calendar.

    ``writes_an_hour`` counts the changes to events it makes without asking; those a person agreed to are free.
    """

    read_only: bool = False
    writes_an_hour: int = WRITES_AN_HOUR

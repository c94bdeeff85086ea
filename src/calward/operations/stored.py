"""An object as the store holds it, and a change made ready to judge and to write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from calward.model.grant import Level
from calward.model.ids import AssistantId, CalendarId, EventId, EventUid, Href
from calward.operations.changes import Change


@dataclass(frozen=True, slots=True)
class Stored:
    """``maker`` is the assistant that made the event, None for everybody else's; ``reach`` is the level up to
    which what it says is still that assistant's alone."""

    event: EventId
    calendar: CalendarId
    uid: EventUid
    href: Href
    data: bytes
    digest: str
    meaning: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    maker: AssistantId | None = None
    reach: Level = Level.NONE

    def is_own(self, assistant: AssistantId | None) -> bool:
        """Whether this assistant made it and nobody else wrote into it since."""
        return assistant is not None and self.maker == assistant and self.reach is Level.DETAILS


@dataclass(frozen=True, slots=True)
class Echo:
    """Another event that says what a change would newly write: where it is, and the addresses on it."""

    calendar: CalendarId
    people: frozenset[str]


class Superseded(Exception):
    """What a change rests on is no longer so: somebody else was faster."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change with what it finds and what it would leave; None where there is nothing."""

    change: Change
    before: Stored | None = None
    after: bytes | None = None
    calendar: CalendarId | None = None
    """Where the object ends up; None for changes that touch no object."""
    source: Stored | None = None
    """The series that a new object was split from."""
    shown: tuple[Stored, ...] = ()
    """The events that a permit to read is about."""
    permitted: Level = Level.NONE
    """Up to which level a person opened the object to the asking assistant for now."""
    echoes: tuple[Echo, ...] = ()
    """Whose words an assistant would write into it."""

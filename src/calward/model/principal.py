"""Who is asking. A principal comes from the connection, never from the arguments of a call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from calward.model.ids import AssistantId, HouseholdId, MemberId


class Role(StrEnum):
    """What a member is in the household."""

    OWNER = "owner"
    ADULT = "adult"
    CHILD = "child"
    GUEST = "guest"


@dataclass(frozen=True, slots=True)
class Person:
    """A member, signed in. ``fresh`` says that they proved it just now, as somebody at the terminal has;
    ``reads_only`` that the token they came with opens nothing but reading."""

    household: HouseholdId
    member: MemberId
    name: str
    role: Role
    fresh: bool = False
    reads_only: bool = False

    @property
    def kind(self) -> str:
        return "person"

    @property
    def id(self) -> str:
        return self.member


@dataclass(frozen=True, slots=True)
class Assistant:
    """A program that acts for one member and never exceeds that member."""

    household: HouseholdId
    assistant: AssistantId
    name: str
    member: MemberId
    reads_only: bool = False

    @property
    def kind(self) -> str:
        return "assistant"

    @property
    def id(self) -> str:
        return self.assistant


Principal = Person | Assistant


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the household as others know them: names to call them by, addresses to invite them at."""

    id: MemberId
    name: str
    role: Role
    nicknames: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    def answers_to(self, text: str) -> bool:
        """Whether ``text`` is this member's id, name, nickname or address, letter case aside."""
        wanted = text.strip().casefold().removeprefix("mailto:")
        return wanted in {name.casefold() for name in (self.id, self.name, *self.nicknames, *self.addresses)}

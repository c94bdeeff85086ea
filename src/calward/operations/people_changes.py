"""Changes of who there is and what they may do. Part of ``calward.operations.changes``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from calward.model.grant import Limits, Rights
from calward.model.ids import AssistantId, CalendarId, MemberId


@dataclass(frozen=True, slots=True)
class AddMember:
    member: MemberId
    name: str
    role: str
    nicknames: tuple[str, ...]
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditMember:
    """A member with new nicknames and addresses; where they are given, another name and role. A role that
    changes ends the sessions of the member."""

    member: MemberId
    nicknames: tuple[str, ...]
    addresses: tuple[str, ...]
    name: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveMember:
    """The member, all ways in that they or their assistants have, and what those still wait for."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class ShareCalendar:
    """What a member sees and does of another's calendar; None: what their role says."""

    calendar: CalendarId
    member: MemberId
    share: str | None


@dataclass(frozen=True, slots=True)
class SetPassword:
    """Another password, of which ``hash`` is kept; it ends the sessions and one-time codes of the member."""

    member: MemberId
    hash: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """A session, ended by who began it."""

    credential: str


@dataclass(frozen=True, slots=True)
class AddAssistant:
    """A new assistant with what each calendar offers one."""

    assistant: AssistantId
    name: str
    member: MemberId
    preset: str | None


@dataclass(frozen=True, slots=True)
class RevokeAssistant:
    """The assistant, its tokens and what it still waits for."""

    assistant: AssistantId


@dataclass(frozen=True, slots=True)
class AddToken:
    """A way in. ``hash`` is of what was shown once; ``assistant`` is None for a member's own. ``kind`` is
    token, session, code or here; ``scope`` None is all that its holder may do."""

    credential: str
    hash: str
    member: MemberId
    assistant: AssistantId | None
    expires_at: datetime | None
    kind: str = "token"
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class RevokeToken:
    credential: str


@dataclass(frozen=True, slots=True)
class SetGrant:
    assistant: AssistantId
    calendar: CalendarId
    rights: Rights


@dataclass(frozen=True, slots=True)
class SetLimits:
    """What holds for an assistant on every calendar."""

    assistant: AssistantId
    limits: Limits


@dataclass(frozen=True, slots=True)
class SetLockdown:
    """Whether text from outside the household is kept from assistants."""

    on: bool


PeopleChange = (
    AddMember
    | EditMember
    | RemoveMember
    | ShareCalendar
    | SetPassword
    | EndSession
    | AddAssistant
    | RevokeAssistant
    | AddToken
    | RevokeToken
    | SetGrant
    | SetLimits
    | SetLockdown
)

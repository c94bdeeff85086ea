"""Who may enter, by what, and what they were granted: assistants, tokens, sessions. Part of the view."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from calward.guard.presets import NOTHING
from calward.model.grant import Grant, Limits, Rights
from calward.model.ids import (
    AssistantId,
    CalendarId,
    MemberId,
)
from calward.model.principal import Role
from calward.operations.identity import Access, limits_of, rights_of
from calward.store import assistants, credentials, shares
from calward.store.credentials import SESSION, TOKEN


@dataclass(frozen=True, slots=True)
class KnownAssistant:
    id: AssistantId
    name: str
    member: MemberId
    created_at: datetime
    revoked_at: datetime | None
    limits: Limits

    @property
    def live(self) -> bool:
        return self.revoked_at is None


@dataclass(frozen=True, slots=True)
class KnownSession:
    id: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class KnownShare:
    """What a member is shown of a calendar, by name."""

    calendar: str
    member: str
    share: str


@dataclass(frozen=True, slots=True)
class KnownToken:
    id: str
    of: str
    scope: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class People:
    """Looks up for one principal."""

    def __init__(self, conn: Connection, access: Access, now: datetime) -> None:
        self._conn = conn
        self._access = access
        self._now = now
        self._household = access.household.id

    def assistants(self) -> tuple[KnownAssistant, ...]:
        return tuple(
            KnownAssistant(row.id, row.name, row.member_id, row.created_at, row.revoked_at, limits_of(row))
            for row in assistants.list_assistants(self._conn, self._household)
        )

    def grants(self, assistant: AssistantId) -> tuple[Grant, ...]:
        return tuple(
            Grant(row.assistant_id, row.calendar_id, rights_of(row))
            for row in assistants.grants_of(self._conn, self._household, assistant)
        )

    def rights(self, assistant: AssistantId, calendar: CalendarId) -> Rights:
        granted = {grant.calendar: grant.rights for grant in self.grants(assistant)}
        return granted.get(calendar, NOTHING)

    def sessions(self) -> tuple[KnownSession, ...]:
        """Where this person is signed in."""
        rows = credentials.list_credentials(self._conn, self._household, SESSION)
        return tuple(
            KnownSession(row.id, row.created_at, row.expires_at)
            for row in rows
            if row.member_id == self._access.person.member
            and row.revoked_at is None
            and row.expires_at is not None
            and row.expires_at > self._now
            and row.epoch == self._access.epoch
        )

    def shares(self) -> tuple[KnownShare, ...]:
        """What this person shares otherwise than roles say."""
        names = {member.id: member.name for member in self._access.members}
        own = {one.id: one.name for one in self._access.calendars.values() if one.member == self._own}
        return tuple(
            KnownShare(own[row.calendar_id], names[row.member_id], row.share)
            for row in shares.list_shares(self._conn, self._household)
            if row.calendar_id in own and row.member_id in names
        )

    def tokens(self) -> tuple[KnownToken, ...]:
        """An adult's are all there are, anybody else's their own."""
        grown = self._access.person.role in (Role.OWNER, Role.ADULT)
        names = {member.id: member.name for member in self._access.members}
        return tuple(
            KnownToken(
                id=row.id,
                of=self._access.assistant_names.get(row.assistant_id, "")
                if row.assistant_id
                else names.get(row.member_id, ""),
                scope=row.scope or "all",
                created_at=row.created_at,
                expires_at=row.expires_at,
                revoked_at=row.revoked_at,
            )
            for row in credentials.list_credentials(self._conn, self._household, TOKEN)
            if grown or row.member_id == self._own
        )

    @property
    def _own(self) -> MemberId:
        return self._access.person.member

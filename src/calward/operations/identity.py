"""Tokens, sessions and names → principals; a principal → what it may see and do, as things are now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.errors import NotFound, NotSignedIn
from calward.guard.sight import Sight, member_level, sights
from calward.model.calendar import Calendar
from calward.model.grant import Invite, Level, Limits, Rights, Say
from calward.model.ids import AssistantId, CalendarId, HouseholdId, MemberId
from calward.model.principal import Assistant, Member, Person, Principal, Role
from calward.model.share import Share
from calward.operations.effects import Surroundings
from calward.operations.tokens import hash_token
from calward.store import assistants as assistant_rows
from calward.store import calendars as calendar_rows
from calward.store import credentials as credential_rows
from calward.store import people as people_rows
from calward.store import shares as share_rows
from calward.store.assistants import AssistantRow, GrantRow
from calward.store.calendars import CalendarRow
from calward.store.credentials import HERE, SESSION, TOKEN
from calward.store.people import HouseholdRow, MemberRow
from calward.store.settings import get_setting

FRESH = timedelta(minutes=15)
"""How long after signing in a person may change settings, credentials and rights, and decide approvals."""
READ = "read"
"""The scope of a token that opens nothing but reading."""
LOCKDOWN = "lockdown"
"""The household's setting of that name."""
GONE = (
    "This token is not valid: it is unknown, expired, revoked, or from before the store was put back from a "
    "copy. A person makes another with: calward token add --assistant NAME, or for their own use: calward "
    "token add."
)
SIGNED_OUT = "You are not signed in here, or not any more. Sign in again."


@dataclass(frozen=True, slots=True)
class Session:
    """A person who signed in with their password, and the name of that session."""

    id: str
    person: Person
    expires_at: datetime


@dataclass(frozen=True)
class Access:
    """What a principal may see and do at one moment: who it is, the calendars there are, its rights on each."""

    principal: Principal
    person: Person
    household: HouseholdRow
    epoch: str
    zone: ZoneInfo
    members: tuple[Member, ...]
    calendars: Mapping[CalendarId, Calendar]
    rights: Mapping[CalendarId, Rights]
    assistant_names: Mapping[AssistantId, str]
    shares: Mapping[CalendarId, Share]
    """What other members share with this one, by calendar."""
    everybodys: Mapping[tuple[CalendarId, MemberId], Share]
    """The same for every member."""
    lockdown: bool = False
    """Whether the household keeps text from outside from assistants."""
    limits: Limits | None = None
    """What holds for an assistant on every calendar; None for a person."""

    @property
    def assistant(self) -> AssistantId | None:
        return self.principal.assistant if isinstance(self.principal, Assistant) else None

    @property
    def locked_down(self) -> bool:
        return self.lockdown and isinstance(self.principal, Assistant)

    @cached_property
    def sights(self) -> tuple[Sight, ...]:
        return sights(self.principal, self.person, self.calendars.values(), self.rights, self.shares)

    @cached_property
    def addresses(self) -> frozenset[str]:
        """The household's own, in lower case."""
        return frozenset(address.lower() for member in self.members for address in member.addresses)

    def surroundings(self, now: datetime) -> Surroundings:
        sights = {sight.calendar: sight for sight in self.sights}
        shared = frozenset(calendar for calendar, share in self.shares.items() if share is Share.WRITE)
        member = self.person.member
        return Surroundings(
            self.calendars, self.members, member, self.assistant, sights, now, shared, self.readers
        )

    @cached_property
    def readers(self) -> Mapping[CalendarId, frozenset[MemberId]]:
        """The members who see all of each calendar."""
        people = [Person(self.household.id, one.id, one.name, one.role) for one in self.members]
        return {
            calendar.id: frozenset(
                person.member
                for person in people
                if member_level(person, calendar, self.everybodys.get((calendar.id, person.member)))
                is Level.DETAILS
            )
            for calendar in self.calendars.values()
        }


def access(conn: Connection, principal: Principal, epoch: str) -> Access:
    """``epoch`` is the one kept outside of the database: what was granted in another does not count.

    Raises ``NotSignedIn`` for an assistant that was revoked or a member that is gone."""
    household = people_rows.get_household(conn, principal.household)
    member_rows = people_rows.list_members(conn, principal.household)
    known = assistant_rows.list_assistants(conn, principal.household)
    own_id, here = principal.member, {row.id for row in member_rows}
    own = next((row for row in member_rows if row.id == own_id), None)
    if household is None or own is None:
        raise NotSignedIn(GONE)
    shared = {
        (row.calendar_id, row.member_id): Share(row.share)
        for row in share_rows.list_shares(conn, principal.household)
    }
    rights: dict[CalendarId, Rights] = {}
    limits: Limits | None = None
    if isinstance(principal, Assistant):
        live = next((row for row in known if row.id == principal.assistant and row.revoked_at is None), None)
        if live is None:
            raise NotSignedIn(GONE)
        limits = limits_of(live)
        granted = assistant_rows.grants_of(conn, principal.household, principal.assistant)
        rights = {row.calendar_id: rights_of(row) for row in granted}
        if limits.read_only:
            rights = {calendar: had.only_reading() for calendar, had in rights.items()}
        person = _person(principal.household, own, fresh=False)
    else:
        person = principal
    return Access(
        principal=principal,
        person=person,
        household=household,
        epoch=epoch,
        zone=ZoneInfo(own.zone or household.zone),
        members=tuple(map(member_of, member_rows)),
        calendars={
            row.id: calendar_of(row)
            for row in calendar_rows.list_calendars(conn, principal.household)
            if row.member_id in here
        },
        rights=rights,
        assistant_names={row.id: row.name for row in known},
        shares={calendar: share for (calendar, member), share in shared.items() if member == own_id},
        everybodys=shared,
        lockdown=bool(get_setting(conn, principal.household, LOCKDOWN)),
        limits=limits,
    )


def by_token(conn: Connection, token: str, now: datetime, epoch: str) -> Principal:
    """Who holds a token. Raises ``NotSignedIn``, the same for every reason."""
    found = credential_rows.live_credential(conn, hash_token(token), TOKEN, at=now, epoch=epoch)
    if found is None:
        raise NotSignedIn(GONE)
    household, row = found
    holder: Principal
    if row.assistant_id is not None:
        holder = _assistant(conn, household, row.assistant_id)
    else:
        holder = principal_of(conn, household, "person", row.member_id)
    return replace(holder, reads_only=row.scope == READ)


def by_session(conn: Connection, shown: str, now: datetime, epoch: str) -> Session:
    """Who signed in. Raises ``NotSignedIn``, the same for every reason."""
    found = credential_rows.live_credential(conn, hash_token(shown), SESSION, at=now, epoch=epoch)
    member = people_rows.get_member(conn, found[0], found[1].member_id) if found else None
    if found is None or member is None or found[1].expires_at is None:
        raise NotSignedIn(SIGNED_OUT)
    household, row = found
    fresh = timedelta(0) <= now - row.created_at < FRESH
    return Session(row.id, _person(household, member, fresh=fresh), found[1].expires_at)


def by_assistant_name(conn: Connection, household: HouseholdId, name: str) -> Assistant:
    """The live assistant of this name, for a connection bound to it on this machine."""
    row = assistant_rows.assistant_named(conn, household, name)
    if row is None:
        raise NotFound(f"There is no assistant named {name!r}. Make one with: calward assistant add {name!r}")
    return Assistant(household, row.id, row.name, row.member_id)


def owner(conn: Connection, household: HouseholdId) -> Person:
    """The member who owns the household, at the terminal of its own machine.

    They count as having proved it, unless there is a password to prove it with and an assistant has a door on
    this machine: then whoever types may be that assistant."""
    row = next(row for row in people_rows.list_members(conn, household) if row.role == Role.OWNER)
    fresh = row.password_hash is None or not credential_rows.has_live(conn, household, HERE)
    return _person(household, row, fresh=fresh)


def member(conn: Connection, household: HouseholdId, ident: MemberId) -> Person:
    """A member who just proved that it is them. Raises ``NotSignedIn`` where they are gone."""
    row = people_rows.get_member(conn, household, ident)
    if row is None:
        raise NotSignedIn(GONE)
    return _person(household, row, fresh=True)


def principal_of(conn: Connection, household: HouseholdId, kind: str, ident: str) -> Principal:
    """A principal named in a stored row, as it is today. Raises ``NotSignedIn`` where it is gone."""
    if kind == "assistant":
        return _assistant(conn, household, AssistantId(ident))
    member = people_rows.get_member(conn, household, MemberId(ident))
    if member is None:
        raise NotSignedIn(GONE)
    return _person(household, member, fresh=False)


def rights_of(row: GrantRow) -> Rights:
    return Rights(
        own_level=Level(row.own_level),
        others_level=Level(row.others_level),
        read_private=Say(row.read_private),
        create=Say(row.create),
        own_update=Say(row.own_update),
        own_delete=Say(row.own_delete),
        others_update=Say(row.others_update),
        others_delete=Say(row.others_delete),
        invite=Invite(row.invite),
        invite_list=tuple(row.invite_list),
    )


def limits_of(row: AssistantRow) -> Limits:
    return Limits(row.read_only, row.writes_an_hour)


def calendar_of(row: CalendarRow) -> Calendar:
    return Calendar(
        row.id, row.name, row.member_id, row.account_id, row.color, row.offer, row.writable, row.alarms
    )


def member_of(row: MemberRow) -> Member:
    return Member(row.id, row.name, Role(row.role), tuple(row.nicknames), tuple(row.addresses))


def _assistant(conn: Connection, household: HouseholdId, ident: AssistantId) -> Assistant:
    row = assistant_rows.get_assistant(conn, household, ident)
    if row is None or row.revoked_at is not None:
        raise NotSignedIn(GONE)
    return Assistant(household, row.id, row.name, row.member_id)


def _person(household: HouseholdId, row: MemberRow, *, fresh: bool) -> Person:
    return Person(household, row.id, row.name, Role(row.role), fresh)

"""Changes of who there is and what they may do → rows: members, assistants, ways in, grants."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.guard.presets import PRESETS
from calward.model.grant import Rights
from calward.model.ids import AssistantId, CalendarId
from calward.operations.apply import membership
from calward.operations.apply.following import MAKER_GONE
from calward.operations.identity import LOCKDOWN, Access
from calward.operations.people_changes import (
    AddAssistant,
    AddMember,
    AddToken,
    EditMember,
    EndSession,
    PeopleChange,
    RemoveMember,
    RevokeAssistant,
    RevokeToken,
    SetGrant,
    SetLimits,
    SetLockdown,
    SetPassword,
    ShareCalendar,
)
from calward.store import (
    approvals,
    assistants,
    credentials,
    people,
    permits,
    prompts,
    reminders,
)
from calward.store.assistants import AssistantRow, GrantRow
from calward.store.credentials import CredentialRow
from calward.store.people import MemberRow
from calward.store.settings import set_setting

VOID = "void"


def carry_out(conn: Connection, access: Access, change: PeopleChange, now: datetime) -> None:
    """Write one such change."""
    household = access.household.id
    match change:
        case AddMember():
            member = MemberRow(
                id=change.member,
                name=change.name,
                role=change.role,
                zone=None,
                nicknames=list(change.nicknames),
                addresses=[address.lower() for address in change.addresses],
                password_hash=None,
                created_at=now,
            )
            people.insert_member(conn, household, member)
            people.link_addresses(conn, household, change.member, member.addresses)
        case EditMember():
            addresses = [address.lower() for address in change.addresses]
            people.set_contact(
                conn, household, change.member, nicknames=list(change.nicknames), addresses=addresses
            )
            people.link_addresses(conn, household, change.member, addresses)
            membership.set_standing(conn, household, change, now)
        case RemoveMember():
            membership.remove(conn, household, change.member, now)
        case ShareCalendar():
            membership.share(conn, household, change)
        case SetPassword():
            membership.set_password(conn, household, change, now)
        case EndSession():
            credentials.revoke_credential(conn, household, change.credential, now)
        case AddAssistant():
            _add_assistant(conn, access, change, now)
        case RevokeAssistant():
            assistants.revoke_assistant(conn, household, change.assistant, now)
            approvals.void_approvals(conn, household, change.assistant, state=VOID, at=now)
            _void_later(conn, access, change.assistant, now)
        case AddToken():
            credential = CredentialRow(
                id=change.credential,
                kind=change.kind,
                hash=change.hash,
                member_id=change.member,
                assistant_id=change.assistant,
                epoch=access.epoch,
                created_at=now,
                expires_at=change.expires_at,
                scope=change.scope,
            )
            credentials.insert_credential(conn, household, credential)
        case RevokeToken():
            credentials.revoke_credential(conn, household, change.credential, now)
        case SetGrant():
            assistants.set_grant(conn, household, _grant(change.assistant, change.calendar, change.rights, now))
            permits.drop_permits(conn, household, change.assistant)
        case SetLimits():
            assistants.set_limits(
                conn,
                household,
                change.assistant,
                read_only=change.limits.read_only,
                writes_an_hour=change.limits.writes_an_hour,
            )
        case SetLockdown():
            set_setting(conn, household, LOCKDOWN, change.on)
        case _:
            assert_never(change)


def _add_assistant(conn: Connection, access: Access, change: AddAssistant, now: datetime) -> None:
    row = AssistantRow(change.assistant, change.member, change.name, now)
    assistants.insert_assistant(conn, access.household.id, row)
    for calendar in access.calendars.values():
        if calendar.member == change.member:
            rights = PRESETS[change.preset or calendar.offer]
            assistants.set_grant(conn, access.household.id, _grant(change.assistant, calendar.id, rights, now))


def _void_later(conn: Connection, access: Access, assistant: AssistantId, now: datetime) -> None:
    """What it left for later does not happen any more; its due rows find that out."""
    maker = ("assistant", assistant)
    reminders.void_of(conn, access.household.id, maker, reason=MAKER_GONE, at=now)
    prompts.cancel_of(conn, access.household.id, maker, reason=MAKER_GONE)


def _grant(assistant: AssistantId, calendar: CalendarId, rights: Rights, now: datetime) -> GrantRow:
    return GrantRow(
        assistant_id=assistant,
        calendar_id=calendar,
        own_level=rights.own_level,
        others_level=rights.others_level,
        read_private=rights.read_private,
        create=rights.create,
        own_update=rights.own_update,
        own_delete=rights.own_delete,
        others_update=rights.others_update,
        others_delete=rights.others_delete,
        invite=rights.invite,
        changed_at=now,
        invite_list=list(rights.invite_list),
    )

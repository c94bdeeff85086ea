"""Members who change their standing, share, prove themselves and leave: rows."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from calward.model.ids import HouseholdId, MemberId
from calward.operations.apply import vault
from calward.operations.people_changes import EditMember, SetPassword, ShareCalendar
from calward.store import approvals, assistants, credentials, deliveries, people, shares
from calward.store.credentials import CODE, HERE, SESSION, TOKEN
from calward.store.shares import ShareRow

VOID = "void"


def set_standing(conn: Connection, household: HouseholdId, change: EditMember, now: datetime) -> None:
    """Another name or role. Who signed in as something else signs in again."""
    known = people.get_member(conn, household, change.member)
    if known is None or (change.name is None and change.role is None):
        return
    role = change.role or known.role
    people.set_standing(conn, household, change.member, name=change.name or known.name, role=role)
    if role != known.role:
        credentials.revoke_kind_of(conn, household, change.member, (SESSION,), now)


def remove(conn: Connection, household: HouseholdId, member: MemberId, now: datetime) -> None:
    """Nothing that the member or their assistants hold opens anything from here on; what they asked is void."""
    known = people.get_member(conn, household, member)
    if known is None:
        return
    for assistant in assistants.list_assistants(conn, household):
        if assistant.member_id == member:
            assistants.revoke_assistant(conn, household, assistant.id, now)
            approvals.void_approvals(conn, household, assistant.id, state=VOID, at=now)
    approvals.void_approvals(conn, household, member, state=VOID, at=now)
    credentials.revoke_kind_of(conn, household, member, (TOKEN, SESSION, CODE, HERE), now)
    deliveries.drop_channels_of(conn, household, member)
    vault.drop(conn, household, member, now)
    people.link_addresses(conn, household, member, [])
    people.remove_member(conn, household, known, now)


def share(conn: Connection, household: HouseholdId, change: ShareCalendar) -> None:
    if change.share is None:
        shares.drop_share(conn, household, change.calendar, change.member)
    else:
        shares.put_share(conn, household, ShareRow(change.calendar, change.member, change.share))


def set_password(conn: Connection, household: HouseholdId, change: SetPassword, now: datetime) -> None:
    people.set_password(conn, household, change.member, change.hash)
    credentials.revoke_kind_of(conn, household, change.member, (SESSION, CODE), now)

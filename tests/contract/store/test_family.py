"""Who there is: households, members, assistants, grants, credentials, calendars."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from calward.model.ids import AssistantId, CalendarId, MemberId
from calward.store.assistants import (
    AssistantRow,
    GrantRow,
    assistant_named,
    get_assistant,
    grants_of,
    insert_assistant,
    list_assistants,
    revoke_assistant,
    set_grant,
)
from calward.store.calendars import (
    calendar_named,
    get_calendar,
    list_calendars,
    set_sync_state,
)
from calward.store.credentials import (
    CredentialRow,
    insert_credential,
    list_credentials,
    live_credential,
    revoke_credential,
)
from calward.store.engine import Store
from calward.store.people import (
    get_household,
    get_member,
    list_members,
    member_named,
    set_password,
)
from tests.contract.store.family import ANN, AWAY, EPOCH, FAMILY, HELPER, HOME, NOON, OTHER, a_calendar

LATER = NOON + timedelta(hours=1)


def a_credential(name: str, assistant: AssistantId | None = None) -> CredentialRow:
    return CredentialRow(name, "token", f"hash of {name}", ANN, assistant, EPOCH, NOON, LATER)


def a_grant(level: int) -> GrantRow:
    says = ("ask", "free", "free", "ask", "ask", "never", "nobody")
    return GrantRow(HELPER, FAMILY, 3, level, *says, NOON)


def test_a_household_and_its_members_are_found(store: Store) -> None:
    with store.writing() as connection:
        household = get_household(connection, HOME)
        assert household is not None
        assert (household.name, household.zone, household.created_at) == ("The Larks", "Europe/Berlin", NOON)
        ann = get_member(connection, HOME, ANN)
        assert ann is not None
        assert (ann.nicknames, ann.addresses) == (["annie"], ["ann@example.com"])
        assert member_named(connection, HOME, "Ann") == ann
        assert list_members(connection, HOME) == [ann]
        assert member_named(connection, HOME, "ann") is None
        assert get_member(connection, HOME, MemberId("bob")) is None

        set_password(connection, HOME, ANN, "argon")
        changed, untouched = get_member(connection, HOME, ANN), get_member(connection, AWAY, ANN)
        assert changed is not None
        assert untouched is not None
        assert (changed.password_hash, untouched.password_hash) == ("argon", None)


def test_two_live_assistants_never_share_a_name_but_a_revoked_one_gives_it_up(store: Store) -> None:
    twin = AssistantRow(AssistantId("twin"), ANN, "helper", NOON)
    with pytest.raises(sa.exc.IntegrityError), store.writing() as connection:
        insert_assistant(connection, HOME, twin)
    with store.writing() as connection:
        assert revoke_assistant(connection, HOME, HELPER, LATER)
        assert not revoke_assistant(connection, HOME, HELPER, LATER)
        assert assistant_named(connection, HOME, "helper") is None
        insert_assistant(connection, HOME, twin)
        assert assistant_named(connection, HOME, "helper") == twin
        assert [row.revoked_at for row in list_assistants(connection, HOME)] == [LATER, None, None]
        neighbour = get_assistant(connection, AWAY, HELPER)
        assert neighbour is not None
        assert neighbour.revoked_at is None


def test_a_later_grant_replaces_the_earlier_one(store: Store) -> None:
    with store.writing() as connection:
        set_grant(connection, HOME, a_grant(1))
        set_grant(connection, HOME, a_grant(2))
        assert grants_of(connection, HOME, HELPER) == [a_grant(2)]
        assert grants_of(connection, HOME, OTHER) == []
        assert grants_of(connection, AWAY, HELPER) == []


def test_a_credential_opens_its_household_while_it_counts(store: Store) -> None:
    token = a_credential("t", HELPER)
    with store.writing() as connection:
        insert_credential(connection, HOME, token)
        assert live_credential(connection, token.hash, "token", at=NOON, epoch=EPOCH) == (HOME, token)
        assert live_credential(connection, "another", "token", at=NOON, epoch=EPOCH) is None
        assert live_credential(connection, token.hash, "token", at=LATER, epoch=EPOCH) is None
        assert live_credential(connection, token.hash, "token", at=NOON, epoch="e2") is None
        assert not revoke_credential(connection, AWAY, "t", NOON)
        assert revoke_credential(connection, HOME, "t", NOON)
        assert not revoke_credential(connection, HOME, "t", NOON)
        assert live_credential(connection, token.hash, "token", at=NOON, epoch=EPOCH) is None
        assert len(list_credentials(connection, HOME, "token")) == 1


def test_revoking_an_assistant_ends_its_tokens_and_no_others(store: Store) -> None:
    with store.writing() as connection:
        for credential in (a_credential("its", HELPER), a_credential("anns"), a_credential("o", OTHER)):
            insert_credential(connection, HOME, credential)
        revoke_assistant(connection, HOME, HELPER, NOON)
        dead = [row.id for row in list_credentials(connection, HOME, "token") if row.revoked_at]
        assert dead == ["its"]


def test_calendars_are_found_and_remember_how_far_they_were_synced(store: Store) -> None:
    with store.writing() as connection:
        assert [row.id for row in list_calendars(connection, HOME)] == ["family", "work", "shared"]
        family = get_calendar(connection, HOME, FAMILY)
        assert family == a_calendar(FAMILY)
        assert calendar_named(connection, HOME, "Family") == family
        assert get_calendar(connection, HOME, CalendarId("no")) is None
        set_sync_state(connection, HOME, FAMILY, sync_token="t1", ctag=None, synced_at=NOON, listed_at=NOON)
        set_sync_state(connection, HOME, FAMILY, sync_token="t2", ctag=None, synced_at=LATER)
        synced = get_calendar(connection, HOME, FAMILY)
        assert synced is not None
        assert (synced.sync_token, synced.synced_at, synced.listed_at) == ("t2", LATER, NOON)
        assert get_calendar(connection, AWAY, FAMILY) == family

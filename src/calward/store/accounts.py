"""Accounts on calendar servers, and their sealed passwords."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AccountId, HouseholdId, MemberId
from calward.store.databases import dialect_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import accounts, calendars, objects, secrets


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account of a member. ``options`` are facts found when it was connected, as plain JSON values.

    ``last_error`` is what is wrong with it now, in words for its owner.
    """

    id: AccountId
    member_id: MemberId
    name: str
    kind: str
    url: str
    username: str | None
    options: dict[str, Any]
    state: str
    last_error: str | None
    created_at: datetime
    surveyed_at: datetime | None = None
    """When the server was looked over last, for calendars that came, went or changed their names."""


_COLUMNS = columns_of(AccountRow, accounts)


def put_account(connection: Connection, household: HouseholdId, account: AccountRow) -> None:
    """Add one, or give one that is there a new address, user and options; it is in order again then."""
    changing = ("url", "username", "options", "state", "last_error", "surveyed_at")
    upsert = dialect_of(connection).upsert(accounts, unique=("household", "id"), update=changing)
    connection.execute(upsert, values_of(household, account))


def list_accounts(connection: Connection, household: HouseholdId) -> list[AccountRow]:
    """All of them, in the order they were added."""
    query = sa.select(*_COLUMNS).where(accounts.c.household == household).order_by(accounts.c.rowid)
    return [AccountRow(*row) for row in connection.execute(query)]


def get_account(connection: Connection, household: HouseholdId, account: AccountId) -> AccountRow | None:
    """One account, by id."""
    query = sa.select(*_COLUMNS).where(accounts.c.household == household, accounts.c.id == account)
    row = connection.execute(query).first()
    return AccountRow(*row) if row else None


def set_state(
    connection: Connection, household: HouseholdId, account: AccountId, *, state: str, last_error: str | None
) -> None:
    """Remember how it stands with an account."""
    connection.execute(
        accounts.update().where(
            accounts.c.household == household,
            accounts.c.id == account,
            sa.or_(accounts.c.state != state, accounts.c.last_error.is_distinct_from(last_error)),
        ),
        {"state": state, "last_error": last_error},
    )


def set_options(
    connection: Connection, household: HouseholdId, account: AccountId, options: dict[str, Any]
) -> None:
    connection.execute(
        accounts.update().where(accounts.c.household == household, accounts.c.id == account),
        {"options": options},
    )


def set_survey(
    connection: Connection,
    household: HouseholdId,
    account: AccountId,
    *,
    options: dict[str, Any],
    surveyed_at: datetime,
) -> None:
    """Remember what was found when the server was looked over."""
    connection.execute(
        accounts.update().where(accounts.c.household == household, accounts.c.id == account),
        {"options": options, "surveyed_at": surveyed_at},
    )


@dataclass(frozen=True, slots=True)
class ETagCount:
    """How many objects of an account have an ETag that names their bytes (RFC 9110 §8.8.1), and how many of
    all that came from the server have one that is weak, or none."""

    strong: int
    other: int


def count_etags(connection: Connection, household: HouseholdId) -> dict[AccountId, ETagCount]:
    """By account; one without objects is left out."""
    strong = sa.and_(objects.c.base_etag.is_not(None), objects.c.base_etag.not_like("W/%"))
    query = (
        sa.select(
            calendars.c.account_id,
            sa.func.sum(sa.case((strong, 1), else_=0)),
            sa.func.sum(sa.case((strong, 0), else_=1)),
        )
        .join(
            calendars,
            sa.and_(calendars.c.household == objects.c.household, calendars.c.id == objects.c.calendar_id),
        )
        .where(
            objects.c.household == household,
            objects.c.base.is_not(None),
            calendars.c.account_id.is_not(None),
        )
        .group_by(calendars.c.account_id)
    )
    return {account: ETagCount(named, other) for account, named, other in connection.execute(query)}


def drop_account(connection: Connection, household: HouseholdId, account: AccountId) -> None:
    """Remove it with its password. Its calendars have to be gone."""
    connection.execute(accounts.delete().where(accounts.c.household == household, accounts.c.id == account))


def put_secret(
    connection: Connection, household: HouseholdId, account: AccountId, sealed: str, key_id: str
) -> None:
    """Keep a sealed password, over the one that is there."""
    upsert = dialect_of(connection).upsert(
        secrets, unique=("household", "account_id"), update=("sealed", "key_id")
    )
    row = {"household": household, "account_id": account, "sealed": sealed.encode(), "key_id": key_id}
    connection.execute(upsert, row)


def get_secret(connection: Connection, household: HouseholdId, account: AccountId) -> str | None:
    """The sealed password of an account; None where none is kept."""
    query = sa.select(secrets.c.sealed).where(secrets.c.household == household, secrets.c.account_id == account)
    sealed = connection.scalar(query)
    return sealed.decode() if sealed is not None else None

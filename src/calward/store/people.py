"""Households and their members."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import component_people, households, members


@dataclass(frozen=True, slots=True)
class HouseholdRow:
    """One family. ``zone`` is an IANA name; ``epoch`` is what was true of the outside when it was written."""

    id: HouseholdId
    name: str
    zone: str
    epoch: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One person. ``addresses`` are bare lower-case mail addresses; ``zone`` None means the household's."""

    id: MemberId
    name: str
    role: str
    zone: str | None
    nicknames: list[str]
    addresses: list[str]
    password_hash: str | None
    created_at: datetime
    removed_at: datetime | None = None


def insert_household(connection: Connection, household: HouseholdRow) -> None:
    """Add a family."""
    connection.execute(
        households.insert(),
        {
            "id": household.id,
            "name": household.name,
            "zone": household.zone,
            "epoch": household.epoch,
            "created_at": household.created_at,
        },
    )


def get_household(connection: Connection, household: HouseholdId) -> HouseholdRow | None:
    """One family, by its id."""
    row = connection.execute(_HOUSEHOLD, {"household": household}).first()
    return HouseholdRow(*row) if row else None


def insert_member(connection: Connection, household: HouseholdId, member: MemberRow) -> None:
    """Add a person. Raises sqlalchemy's IntegrityError where the name is taken; see ``member_named``."""
    connection.execute(members.insert(), values_of(household, member))


def list_members(connection: Connection, household: HouseholdId) -> list[MemberRow]:
    """Everybody who is here, in the order they were added; who was removed is not."""
    return [MemberRow(*row) for row in connection.execute(_MEMBERS, {"household": household})]


def get_member(connection: Connection, household: HouseholdId, member: MemberId) -> MemberRow | None:
    """One person, by id."""
    row = connection.execute(_BY_ID, {"household": household, "id": member}).first()
    return MemberRow(*row) if row else None


def member_named(connection: Connection, household: HouseholdId, name: str) -> MemberRow | None:
    """One person, by name as written."""
    row = connection.execute(_BY_NAME, {"household": household, "name": name}).first()
    return MemberRow(*row) if row else None


def set_contact(
    connection: Connection,
    household: HouseholdId,
    member: MemberId,
    *,
    nicknames: list[str],
    addresses: list[str],
) -> None:
    """Give a person other nicknames and addresses."""
    connection.execute(
        members.update().where(members.c.household == household, members.c.id == member),
        {"nicknames": nicknames, "addresses": addresses},
    )


def set_standing(
    connection: Connection, household: HouseholdId, member: MemberId, *, name: str, role: str
) -> None:
    """Give a person another name and role."""
    connection.execute(
        members.update().where(members.c.household == household, members.c.id == member),
        {"name": name, "role": role},
    )


def remove_member(connection: Connection, household: HouseholdId, member: MemberRow, at: datetime) -> None:
    """Take a person away. The row stays for what refers to it; its name is free again."""
    connection.execute(
        members.update().where(members.c.household == household, members.c.id == member.id),
        {
            "name": f"{member.name} ({member.id})",
            "nicknames": [],
            "addresses": [],
            "password_hash": None,
            "removed_at": at,
        },
    )


def link_addresses(
    connection: Connection, household: HouseholdId, member: MemberId, addresses: list[str]
) -> None:
    """Have the people of events who carry these addresses, in lower case, be this member, and no others."""
    theirs = sa.func.lower(component_people.c.address).in_(addresses)
    here = component_people.c.household == household
    was = component_people.c.member_id == member
    connection.execute(component_people.update().where(here, was, ~theirs).values(member_id=None))
    connection.execute(component_people.update().where(here, theirs).values(member_id=member))


def set_password(
    connection: Connection, household: HouseholdId, member: MemberId, password_hash: str | None
) -> None:
    """Give a person another password, or none."""
    connection.execute(
        members.update().where(members.c.household == household, members.c.id == member),
        {"password_hash": password_hash},
    )


# Asked by every call, so they are put together once.
_HOUSEHOLD = sa.select(*columns_of(HouseholdRow, households)).where(
    households.c.id == sa.bindparam("household")
)
_HERE = sa.select(*columns_of(MemberRow, members)).where(
    members.c.household == sa.bindparam("household"), members.c.removed_at.is_(None)
)
_MEMBERS = _HERE.order_by(members.c.rowid)
_BY_ID = _HERE.where(members.c.id == sa.bindparam("id"))
_BY_NAME = _HERE.where(members.c.name == sa.bindparam("name"))

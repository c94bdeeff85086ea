"""Calendars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AccountId, CalendarId, HouseholdId, Href, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import calendars, objects


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """One calendar of a member; ``account_id`` None means it lives here alone.

    ``offer`` names the preset of rights that a new assistant gets on it. ``alarms``: those of its events are
    told. ``href``, ``sync_token`` and ``ctag`` are the server's (RFC 6578 §3), ``synced_at`` the moment of the
    last sync and ``listed_at`` of the last full listing.
    """

    id: CalendarId
    member_id: MemberId
    account_id: AccountId | None
    name: str
    color: str | None
    offer: str
    writable: bool
    href: Href | None
    sync_token: str | None
    ctag: str | None
    synced_at: datetime | None
    listed_at: datetime | None
    created_at: datetime
    alarms: bool = False


def new_calendar(ident: CalendarId, *, member: MemberId, name: str, offer: str, at: datetime) -> CalendarRow:
    """The row of a calendar that is made at this moment and lives here alone."""
    return CalendarRow(
        id=ident,
        member_id=member,
        account_id=None,
        name=name,
        color=None,
        offer=offer,
        writable=True,
        href=None,
        sync_token=None,
        ctag=None,
        synced_at=None,
        listed_at=None,
        created_at=at,
    )


def insert_calendar(connection: Connection, household: HouseholdId, calendar: CalendarRow) -> None:
    """Add one. Raises sqlalchemy's IntegrityError where the name is taken; see ``calendar_named``."""
    connection.execute(calendars.insert(), values_of(household, calendar))


def list_calendars(connection: Connection, household: HouseholdId) -> list[CalendarRow]:
    """All of them, in the order they were added."""
    return [CalendarRow(*row) for row in connection.execute(_CALENDARS, {"household": household})]


def get_calendar(connection: Connection, household: HouseholdId, calendar: CalendarId) -> CalendarRow | None:
    """One calendar, by id."""
    return _calendar_where(connection, household, calendars.c.id == calendar)


def calendar_named(connection: Connection, household: HouseholdId, name: str) -> CalendarRow | None:
    """One calendar, by name as written."""
    return _calendar_where(connection, household, calendars.c.name == name)


def set_sync_state(
    connection: Connection,
    household: HouseholdId,
    calendar: CalendarId,
    *,
    sync_token: str | None,
    ctag: str | None,
    synced_at: datetime,
    listed_at: datetime | None = None,
) -> None:
    """Remember how far a sync came; ``listed_at`` None leaves the last full listing as it was."""
    values = {"sync_token": sync_token, "ctag": ctag, "synced_at": synced_at}
    if listed_at is not None:
        values["listed_at"] = listed_at
    connection.execute(
        calendars.update().where(calendars.c.household == household, calendars.c.id == calendar), values
    )


def set_place(
    connection: Connection,
    household: HouseholdId,
    calendar: CalendarId,
    *,
    account: AccountId,
    href: Href | None,
    writable: bool = True,
) -> None:
    """Say where on a server a calendar is (RFC 4918 §5.2); ``href`` None: that has yet to be found out."""
    connection.execute(
        calendars.update().where(calendars.c.household == household, calendars.c.id == calendar),
        {"account_id": account, "href": href, "writable": writable},
    )


def keep_here(connection: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    """It is on no server any more and lives only here."""
    connection.execute(
        calendars.update().where(calendars.c.household == household, calendars.c.id == calendar),
        {
            "account_id": None,
            "href": None,
            "writable": True,
            "sync_token": None,
            "ctag": None,
            "synced_at": None,
            "listed_at": None,
        },
    )


def set_look(
    connection: Connection,
    household: HouseholdId,
    calendar: CalendarId,
    *,
    name: str,
    color: str | None,
    writable: bool,
) -> None:
    """Give a calendar another name or colour, or say that it can (not) be written any more."""
    connection.execute(
        calendars.update().where(calendars.c.household == household, calendars.c.id == calendar),
        {"name": name, "color": color, "writable": writable},
    )


def set_alarms(connection: Connection, household: HouseholdId, calendar: CalendarId, *, on: bool) -> None:
    """Say whether the alarms of its events are told."""
    connection.execute(
        calendars.update().where(calendars.c.household == household, calendars.c.id == calendar),
        {"alarms": on},
    )


def drop_calendar(connection: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    """Remove a calendar and everything in it, for good, from this store."""
    connection.execute(
        objects.delete().where(objects.c.household == household, objects.c.calendar_id == calendar)
    )
    connection.execute(calendars.delete().where(calendars.c.household == household, calendars.c.id == calendar))


def _calendar_where(
    connection: Connection, household: HouseholdId, condition: sa.ColumnElement[bool]
) -> CalendarRow | None:
    query = sa.select(*columns_of(CalendarRow, calendars)).where(calendars.c.household == household, condition)
    row = connection.execute(query).first()
    return CalendarRow(*row) if row else None


@dataclass(frozen=True, slots=True)
class ObjectCount:
    """How many objects a calendar holds, tombstones aside, and how many of all its server does not have yet."""

    objects: int
    unpushed: int


def count_objects(connection: Connection, household: HouseholdId) -> dict[CalendarId, ObjectCount]:
    """Counts by calendar; an empty calendar is left out."""
    query = (
        sa.select(
            objects.c.calendar_id,
            sa.func.sum(sa.case((objects.c.deleted_at.is_(None), 1), else_=0)),
            sa.func.sum(sa.case((objects.c.push_state != "clean", 1), else_=0)),
        )
        .where(objects.c.household == household)
        .group_by(objects.c.calendar_id)
    )
    return {calendar: ObjectCount(held, unpushed) for calendar, held, unpushed in connection.execute(query)}


# Asked by every call, so it is put together once.
_CALENDARS = (
    sa.select(*columns_of(CalendarRow, calendars))
    .where(calendars.c.household == sa.bindparam("household"))
    .order_by(calendars.c.rowid)
)

"""The first start: a household with its owner, a calendar of their own and one shared with assistants."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection

from calward.model.ids import CalendarId, HouseholdId, MemberId
from calward.model.principal import Role
from calward.store.calendars import insert_calendar, new_calendar
from calward.store.people import HouseholdRow, MemberRow, get_household, insert_household, insert_member

HOME = HouseholdId(1)
OWN_CALENDAR = "Home"
SHARED_CALENDAR = "AI Assistant Shared"


def household_exists(conn: Connection) -> bool:
    return get_household(conn, HOME) is not None


def ensure_household(
    conn: Connection, owner: str, zone: str, epoch: str, now: datetime, new_id: Callable[[], str]
) -> bool:
    """Make the household unless another process just did; whether it was made here."""
    if household_exists(conn):
        return False
    insert_household(conn, HouseholdRow(HOME, owner, zone, epoch, now))
    member = MemberRow(
        id=MemberId(new_id()),
        name=owner,
        role=Role.OWNER,
        zone=None,
        nicknames=[],
        addresses=[],
        password_hash=None,
        created_at=now,
    )
    insert_member(conn, HOME, member)
    for name, offer in ((OWN_CALENDAR, "none"), (SHARED_CALENDAR, "careful")):
        row = new_calendar(CalendarId(new_id()), member=member.id, name=name, offer=offer, at=now)
        insert_calendar(conn, HOME, row)
    return True

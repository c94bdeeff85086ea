"""What members let each other see of their calendars, where it is not what their roles say."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, HouseholdId, MemberId
from calward.store.databases import dialect_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import shares


@dataclass(frozen=True, slots=True)
class ShareRow:
    """``share`` is a ``calward.model.grant.Share``."""

    calendar_id: CalendarId
    member_id: MemberId
    share: str


def put_share(connection: Connection, household: HouseholdId, share: ShareRow) -> None:
    """Share this; what was shared before of the calendar with the member is replaced."""
    upsert = dialect_of(connection).upsert(
        shares, unique=("household", "calendar_id", "member_id"), update=("share",)
    )
    connection.execute(upsert, values_of(household, share))


def drop_share(connection: Connection, household: HouseholdId, calendar: CalendarId, member: MemberId) -> None:
    """Go back to what the member's role says."""
    connection.execute(
        shares.delete().where(
            shares.c.household == household, shares.c.calendar_id == calendar, shares.c.member_id == member
        )
    )


def list_shares(connection: Connection, household: HouseholdId) -> list[ShareRow]:
    """All there are, in the order they were made."""
    return [ShareRow(*row) for row in connection.execute(_SHARES, {"household": household})]


# Asked by every call, so it is put together once.
_SHARES = (
    sa.select(*columns_of(ShareRow, shares))
    .where(shares.c.household == sa.bindparam("household"))
    .order_by(shares.c.rowid)
)

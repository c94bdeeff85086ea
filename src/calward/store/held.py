"""Held work: what a sync did not do by itself and leaves to a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, HouseholdId, Href, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import held

OPEN = "open"


@dataclass(frozen=True, slots=True)
class HeldRow:
    """Work on some hrefs of a calendar. ``kind`` and ``state`` are the sync's own words."""

    id: str
    calendar_id: CalendarId
    kind: str
    state: str
    hrefs: list[Href]
    reason: str
    made_at: datetime
    decided_at: datetime | None = None
    decided_by: MemberId | None = None


_COLUMNS = columns_of(HeldRow, held)
# Built once: each sync asks these.
_LISTED = (
    sa.select(*_COLUMNS)
    .where(held.c.household == sa.bindparam("of"), held.c.state.in_(sa.bindparam("states", expanding=True)))
    .order_by(held.c.rowid)
)
_LISTED_OF_ONE = _LISTED.where(held.c.calendar_id == sa.bindparam("calendar"))


def insert_held(connection: Connection, household: HouseholdId, row: HeldRow) -> None:
    """Add one."""
    connection.execute(held.insert(), values_of(household, row))


def list_held(
    connection: Connection,
    household: HouseholdId,
    *,
    states: Sequence[str] = (OPEN,),
    calendar: CalendarId | None = None,
) -> list[HeldRow]:
    """Rows in these states, oldest first."""
    query = _LISTED if calendar is None else _LISTED_OF_ONE
    values = {"of": household, "states": list(states), "calendar": calendar}
    return [HeldRow(*row) for row in connection.execute(query, values)]


def set_hrefs(
    connection: Connection, household: HouseholdId, ident: str, hrefs: Sequence[Href], reason: str
) -> None:
    """What is held became more or less; nothing left: the row goes."""
    which = sa.and_(held.c.household == household, held.c.id == ident)
    if hrefs:
        connection.execute(held.update().where(which), {"hrefs": list(hrefs), "reason": reason})
    else:
        connection.execute(held.delete().where(which))


def move_held(
    connection: Connection,
    household: HouseholdId,
    ident: str,
    *,
    expected: str,
    state: str,
    at: datetime,
    by: MemberId | None,
) -> bool:
    """Take it from the state ``expected`` to another; False where it is in none such."""
    result = connection.execute(
        held.update().where(held.c.household == household, held.c.id == ident, held.c.state == expected),
        {"state": state, "decided_at": at, "decided_by": by},
    )
    return result.rowcount == 1

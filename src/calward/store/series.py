"""Series: those that live in a window, to be expanded where occurrences are not laid down, and all of them."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AssistantId, CalendarId, EventId, HouseholdId
from calward.store.cut import HOUSEHOLD, Cut, seen
from calward.store.databases import dialect_of
from calward.store.dialect import Dialect
from calward.store.tables import components, objects


class SeriesRow(NamedTuple):
    """One series, whole. ``local`` are its object's bytes, of which no more may be shown than ``level``."""

    event_id: EventId
    calendar_id: CalendarId
    level: int
    own: bool
    alone: bool
    maker: AssistantId | None
    created_at: int
    updated_at: int
    local: bytes


def live_series(
    connection: Connection, household: HouseholdId, cut: Cut, start: int, end: int, *, limit: int
) -> list[SeriesRow]:
    """Series with an occurrence that may overlap the window (epoch seconds, half-open), by id."""
    values = cut.values(household) | {"start": start, "end": end, "limit": limit}
    return list(map(SeriesRow._make, connection.execute(_alive(dialect_of(connection)), values)))


def all_series(connection: Connection, household: HouseholdId) -> list[EventId]:
    """Objects with more than one occurrence, or with one that is part of a series."""
    query = (
        sa.select(components.c.event_id)
        .distinct()
        .where(components.c.household == household, sa.or_(components.c.recurs, components.c.key != ""))
    )
    return list(connection.scalars(query))


@cache
def _alive(dialect: Dialect) -> sa.Select[Any]:
    # Several components of one object may recur; the object is read once.
    here = (
        sa.select(components.c.event_id, components.c.calendar_id)
        .distinct()
        .where(
            components.c.household == HOUSEHOLD,
            components.c.recurs == sa.true(),
            components.c.first_start < sa.bindparam("end", type_=sa.BigInteger),
            sa.or_(
                components.c.last_end.is_(None),
                components.c.last_end > sa.bindparam("start", type_=sa.BigInteger),
            ),
        )
        .subquery("here")
    )
    row = seen(dialect, here)
    holder = sa.and_(
        objects.c.household == HOUSEHOLD, objects.c.id == row.c.event_id, objects.c.deleted_at.is_(None)
    )
    return (
        sa.select(
            *(row.c[name] for name in SeriesRow._fields[:-3]),
            sa.type_coerce(objects.c.created_at, sa.BigInteger),
            sa.type_coerce(objects.c.updated_at, sa.BigInteger),
            objects.c.local,
        )
        .select_from(row.join(objects, holder))
        .order_by(row.c.event_id)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )

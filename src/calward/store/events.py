"""Reading events under a cut: the occurrences of a window, and search.

Moments are epoch seconds and windows are half-open. Texts come empty where the row's level does not show them:
the title below TITLES, the rest below DETAILS. Rows whose level is NONE never appear.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.grant import Level
from calward.model.ids import AssistantId, CalendarId, EventId, HouseholdId, RecurrenceKey
from calward.store.columns import as_kept
from calward.store.cut import HOUSEHOLD, Cut, seen, text_at
from calward.store.databases import dialect_of
from calward.store.dialect import Dialect
from calward.store.indexed import SHORT
from calward.store.search import Shape, Wanted, matching, proposed
from calward.store.tables import components, objects, occurrences, search_text


class OccurrenceRow(NamedTuple):
    """One occurrence, with the component that describes it and the object that holds both.

    ``key`` is empty for an event that does not recur. Times with no zone of their own (``kind`` date and
    floating) have ``utc_start`` and ``utc_end`` widened, so the caller looks again with the viewer's zone.
    ``flags`` is JSON text, empty below TITLES; ``created_at`` and ``updated_at`` are stored moments, which
    ``calward.store.columns.Instant.read`` reads. ``maker`` is the assistant that made the event.
    """

    event_id: EventId
    key: RecurrenceKey
    calendar_id: CalendarId
    level: int
    own: bool
    alone: bool
    maker: AssistantId | None
    kind: str
    wall_start: str
    wall_end: str
    tzid: str | None
    utc_start: int
    utc_end: int
    component: int
    summary: str
    location: str
    description: str
    status: str
    transparent: bool
    rrule: str
    organizer: str
    url: str
    flags: str
    created_at: int
    updated_at: int


def occurrences_between(
    connection: Connection,
    household: HouseholdId,
    cut: Cut,
    start: int,
    end: int,
    *,
    wanted: Wanted | None = None,
    limit: int,
) -> list[OccurrenceRow]:
    """Occurrences that overlap the window, by start, event and key; at most ``limit``.

    One without length is in the window that holds its moment. With ``wanted``, only those that match.
    """
    dialect = dialect_of(connection)
    statement = _overlapping(dialect, wanted.shape(dialect) if wanted else None)
    values = cut.values(household) | _window(start, end) | {"limit": limit}
    if wanted:
        values |= wanted.values(dialect)
    return list(map(OccurrenceRow._make, connection.execute(statement, values).all()))


def _window(start: int, end: int) -> dict[str, int]:
    return {"start": start, "end": end, "earliest": start - SHORT}


@cache
def _overlapping(dialect: Dialect, shape: Shape | None) -> sa.Select[Any]:
    row = seen(dialect, _hits(dialect, indexed=shape is not None and shape.indexed))
    holder = sa.and_(
        objects.c.household == HOUSEHOLD, objects.c.id == row.c.event_id, objects.c.deleted_at.is_(None)
    )
    source = row.join(components, components.c.rowid == row.c.component).join(objects, holder)
    query = (
        sa.select(*_columns(row))
        .order_by(row.c.utc_start, row.c.event_id, row.c.key)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )
    if shape is None:
        return query.select_from(source)
    texts = source.join(search_text, search_text.c.component == row.c.component)
    return query.select_from(texts).where(matching(dialect, shape, row))


def _hits(dialect: Dialect, *, indexed: bool) -> sa.Subquery:
    """Occurrences of the window: short ones by start, which bounds the search, and the few long ones by end."""
    start, end, earliest = (sa.bindparam(name, type_=sa.BigInteger) for name in ("start", "end", "earliest"))
    here = sa.and_(occurrences.c.household == HOUSEHOLD, occurrences.c.utc_start < end)
    if indexed:
        here = sa.and_(here, occurrences.c.component.in_(sa.select(proposed(dialect).c.rowid)))
    short = sa.select(occurrences).where(
        here,
        occurrences.c.long == sa.false(),
        occurrences.c.utc_start >= earliest,
        sa.or_(occurrences.c.utc_end > start, occurrences.c.utc_start >= start),
    )
    long = sa.select(occurrences).where(here, occurrences.c.long == sa.true(), occurrences.c.utc_end > start)
    return sa.union_all(short, long).subquery("hit")


def _columns(row: sa.Subquery) -> list[sa.ColumnElement[Any]]:
    of_component: dict[str, sa.ColumnElement[Any]] = {
        "summary": text_at(Level.TITLES, row, components.c.summary),
        "location": text_at(Level.DETAILS, row, components.c.location),
        "description": text_at(Level.DETAILS, row, components.c.description),
        "status": components.c.status,
        "transparent": components.c.transparent,
        "rrule": text_at(Level.TITLES, row, components.c.rrule),
        "organizer": text_at(Level.TITLES, row, components.c.organizer),
        "url": text_at(Level.DETAILS, row, components.c.url),
        "flags": text_at(Level.TITLES, row, sa.cast(components.c.flags, sa.Text), hidden="[]"),
    }
    of_object = {
        "created_at": sa.type_coerce(objects.c.created_at, sa.BigInteger),
        "updated_at": sa.type_coerce(objects.c.updated_at, sa.BigInteger),
    }
    others = of_component | of_object
    columns = [others[name] if name in others else row.c[name] for name in OccurrenceRow._fields]
    return [as_kept(column) for column in columns]

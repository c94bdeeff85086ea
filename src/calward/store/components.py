"""Components under a cut: the events themselves, whether or not an occurrence of them is laid down."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.grant import Level
from calward.model.ids import AssistantId, CalendarId, EventId, EventUid, HouseholdId, MemberId, RecurrenceKey
from calward.store.columns import as_kept
from calward.store.cut import HOUSEHOLD, Cut, seen, text_at
from calward.store.databases import dialect_of
from calward.store.dialect import Dialect
from calward.store.digests import canonical_json
from calward.store.search import Shape, Wanted, matching, proposed
from calward.store.tables import component_people, components, objects, search_text


class ComponentRow(NamedTuple):
    """One component with what its object says of itself; ``key`` is empty for the master.

    ``first_start`` and ``last_end`` are epoch seconds, ``last_end`` None where it never ends. Texts, ``flags``
    and moments are as in ``calward.store.events.OccurrenceRow``.
    """

    event_id: EventId
    key: RecurrenceKey
    calendar_id: CalendarId
    level: int
    own: bool
    alone: bool
    maker: AssistantId | None
    component: int
    first_start: int | None
    last_end: int | None
    summary: str
    location: str
    description: str
    status: str
    transparent: bool
    recurs: bool
    rrule: str
    organizer: str
    url: str
    flags: str
    uid: EventUid
    meaning: str
    created_at: int
    updated_at: int


class PersonRow(NamedTuple):
    """One person on a component."""

    component: int
    member_id: MemberId | None
    address: str
    name: str
    role: str
    partstat: str
    organizer: bool


def components_of(
    connection: Connection, household: HouseholdId, cut: Cut, events: Sequence[EventId]
) -> list[ComponentRow]:
    """The components of these events, by event and key; what may not be known of is passed over."""
    dialect = dialect_of(connection)
    values = cut.values(household) | {"events": list(events)}
    return list(map(ComponentRow._make, connection.execute(_by_event(dialect), values)))


def components_matching(
    connection: Connection, household: HouseholdId, cut: Cut, wanted: Wanted, *, limit: int
) -> list[ComponentRow]:
    """Components at any time that match, by start, event and key; at most ``limit``."""
    dialect = dialect_of(connection)
    values = cut.values(household) | wanted.values(dialect) | {"limit": limit}
    statement = _found(dialect, wanted.shape(dialect))
    return list(map(ComponentRow._make, connection.execute(statement, values)))


def count_matching(connection: Connection, household: HouseholdId, cut: Cut, wanted: Wanted) -> int:
    """How many components ``components_matching`` finds without a limit."""
    dialect = dialect_of(connection)
    statement = _counted(dialect, wanted.shape(dialect))
    count: int = connection.execute(statement, cut.values(household) | wanted.values(dialect)).scalar_one()
    return count


def people_on(
    connection: Connection, household: HouseholdId, rows: Sequence[int]
) -> dict[int, list[PersonRow]]:
    """The people on components, by the components' rowids: for rows whose level is DETAILS, and no others."""
    values = {"household": household, "rows": canonical_json(list(rows))}
    people: dict[int, list[PersonRow]] = {}
    for person in map(PersonRow._make, connection.execute(_people(dialect_of(connection)), values).all()):
        people.setdefault(person.component, []).append(person)
    return people


@cache
def _by_event(dialect: Dialect) -> sa.Select[Any]:
    asked = components.c.event_id.in_(sa.bindparam("events", type_=sa.Text, expanding=True))
    row = seen(dialect, _here(components, asked))
    return _select(row).order_by(row.c.event_id, row.c.key)


@cache
def _found(dialect: Dialect, shape: Shape) -> sa.Select[Any]:
    row = seen(dialect, _proposed(dialect, shape))
    return (
        _select(row)
        .join_from(row, search_text, search_text.c.component == row.c.component)
        .where(matching(dialect, shape, row))
        .order_by(row.c.first_start, row.c.event_id, row.c.key)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


@cache
def _counted(dialect: Dialect, shape: Shape) -> sa.Select[int]:
    row = seen(dialect, _proposed(dialect, shape))
    texts = row.join(search_text, search_text.c.component == row.c.component).join(objects, _holder(row))
    return sa.select(sa.func.count()).select_from(texts).where(matching(dialect, shape, row))


@cache
def _people(dialect: Dialect) -> sa.Select[Any]:
    rows = dialect.numbers(sa.bindparam("rows", type_=sa.Text))
    return (
        sa.select(*(as_kept(component_people.c[name]) for name in PersonRow._fields))
        .where(component_people.c.household == HOUSEHOLD, component_people.c.component.in_(rows))
        .order_by(component_people.c.component, component_people.c.rowid)
    )


def _proposed(dialect: Dialect, shape: Shape) -> sa.Subquery:
    if not shape.indexed:
        return _here(components, sa.true())
    found = proposed(dialect)
    return _here(found.join(components, components.c.rowid == found.c.rowid), sa.true())


def _here(source: sa.FromClause, condition: sa.ColumnElement[bool]) -> sa.Subquery:
    own = [column for column in components.c if column.name not in ("rowid", "household")]
    return (
        sa.select(components.c.rowid.label("component"), *own)
        .select_from(source)
        .where(components.c.household == HOUSEHOLD, condition)
        .subquery("here")
    )


def _holder(row: sa.Subquery) -> sa.ColumnElement[bool]:
    return sa.and_(
        objects.c.household == HOUSEHOLD, objects.c.id == row.c.event_id, objects.c.deleted_at.is_(None)
    )


def _select(row: sa.Subquery) -> sa.Select[Any]:
    shown: dict[str, sa.ColumnElement[Any]] = {
        "summary": text_at(Level.TITLES, row, row.c.summary),
        "location": text_at(Level.DETAILS, row, row.c.location),
        "description": text_at(Level.DETAILS, row, row.c.description),
        "rrule": text_at(Level.TITLES, row, row.c.rrule),
        "organizer": text_at(Level.TITLES, row, row.c.organizer),
        "url": text_at(Level.DETAILS, row, row.c.url),
        "flags": text_at(Level.TITLES, row, sa.cast(row.c.flags, sa.Text), hidden="[]"),
        "uid": text_at(Level.TITLES, row, objects.c.uid),
        "meaning": objects.c.meaning,
        "created_at": sa.type_coerce(objects.c.created_at, sa.BigInteger),
        "updated_at": sa.type_coerce(objects.c.updated_at, sa.BigInteger),
    }
    columns = [shown[name] if name in shown else row.c[name] for name in ComponentRow._fields]
    return sa.select(*columns).join_from(row, objects, _holder(row))

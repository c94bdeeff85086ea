"""What is read from objects: components, the people on them, their occurrences and their search text.

Rows of an object are always replaced together. Only ``calward.operations.materialise`` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, HouseholdId, MemberId, RecurrenceKey
from calward.store.databases import dialect_of
from calward.store.tables import component_people, components, occurrences, search_text

SHORT = 31 * 24 * 3600
"""Seconds; an occurrence that lasts longer is kept apart, so that a window's search can be bounded."""


@dataclass(frozen=True, slots=True)
class PersonIndex:
    member_id: MemberId | None
    address: str
    name: str
    role: str
    partstat: str
    organizer: bool


class OccurrenceIndex(NamedTuple):
    """``utc_start`` and ``utc_end`` are epoch seconds, widened where the time has no zone of its own."""

    key: RecurrenceKey
    kind: str
    wall_start: str
    wall_end: str
    tzid: str | None
    utc_start: int
    utc_end: int
    tzdata: str


@dataclass(frozen=True, slots=True)
class ComponentIndex:
    """One component with all that hangs on it. ``text`` is normalised: title, notes, location, people."""

    event_id: EventId
    calendar_id: CalendarId
    kind: str
    key: RecurrenceKey
    summary: str
    location: str
    description: str
    status: str
    transparent: bool
    recurs: bool
    rrule: str
    organizer: str
    url: str
    first_start: int | None
    last_end: int | None
    flags: list[dict[str, Any]]
    text: tuple[str, str, str, str]
    people: tuple[PersonIndex, ...] = ()
    occurrences: tuple[OccurrenceIndex, ...] = field(default=())


def laid_by_other_rules(
    connection: Connection, household: HouseholdId, tzdata: str, limit: int
) -> list[EventId]:
    """Events with occurrences that were laid down by another version of the time zones' rules; at most
    ``limit``."""
    query = (
        sa.select(occurrences.c.event_id)
        .distinct()
        .where(occurrences.c.household == household, occurrences.c.tzdata != tzdata)
        .limit(limit)
    )
    return list(connection.scalars(query))


_OWN = (
    "event_id",
    "calendar_id",
    "kind",
    "key",
    "summary",
    "location",
    "description",
    "status",
    "transparent",
    "recurs",
    "rrule",
    "organizer",
    "url",
    "first_start",
    "last_end",
    "flags",
)

_OF_PEOPLE = ("household", "component", *(each.name for each in fields(PersonIndex)))
_OF_OCCURRENCES = ("household", "component", "event_id", "calendar_id", *OccurrenceIndex._fields, "long")
_OF_TEXT = ("component", "title", "notes", "location", "people")


def clear_index(connection: Connection, household: HouseholdId, events: Sequence[EventId]) -> None:
    """Remove all that was read from these objects; what hangs on components goes with them."""
    connection.execute(
        components.delete().where(components.c.household == household, components.c.event_id.in_(events))
    )


def insert_index(connection: Connection, household: HouseholdId, rows: Sequence[ComponentIndex]) -> None:
    """Add what was read from objects that have no rows yet, many at once."""
    if not rows:
        return
    inserted = connection.execute(
        sa.insert(components).returning(components.c.rowid, sort_by_parameter_order=True),
        [{"household": household} | {name: getattr(row, name) for name in _OWN} for row in rows],
    )
    placed = list(zip(inserted.scalars(), rows, strict=True))
    insert_plain = dialect_of(connection).insert_plain
    for table, columns, values in (
        (component_people, _OF_PEOPLE, _people(household, placed)),
        (occurrences, _OF_OCCURRENCES, _occurrences(household, placed)),
        (search_text, _OF_TEXT, [(component, *row.text) for component, row in placed]),
    ):
        if values:
            insert_plain(connection, table, columns, values)


_Placed = Sequence[tuple[int, ComponentIndex]]
"""Rows with the rowids that they were given."""


def _people(household: HouseholdId, placed: _Placed) -> list[tuple[Any, ...]]:
    return [
        (household, component, one.member_id, one.address, one.name, one.role, one.partstat, int(one.organizer))
        for component, row in placed
        for one in row.people
    ]


def _occurrences(household: HouseholdId, placed: _Placed) -> list[tuple[Any, ...]]:
    return [
        (household, component, row.event_id, row.calendar_id, *one, int(one.utc_end - one.utc_start > SHORT))
        for component, row in placed
        for one in row.occurrences
    ]

"""What is read from objects: components, the people on them, their occurrences and their search text.

Rows of an object are always replaced together. Only ``calward.operations.materialise`` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, HouseholdId, MemberId, RecurrenceKey
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
    ids = list(inserted.scalars())
    people = [
        {
            "household": household,
            "component": ident,
            "member_id": person.member_id,
            "address": person.address,
            "name": person.name,
            "role": person.role,
            "partstat": person.partstat,
            "organizer": person.organizer,
        }
        for ident, row in zip(ids, rows, strict=True)
        for person in row.people
    ]
    if people:
        connection.execute(component_people.insert(), people)
    moments = [
        {
            "household": household,
            "component": ident,
            "event_id": row.event_id,
            "calendar_id": row.calendar_id,
            "key": moment.key,
            "kind": moment.kind,
            "wall_start": moment.wall_start,
            "wall_end": moment.wall_end,
            "tzid": moment.tzid,
            "utc_start": moment.utc_start,
            "utc_end": moment.utc_end,
            "long": moment.utc_end - moment.utc_start > SHORT,
            "tzdata": moment.tzdata,
        }
        for ident, row in zip(ids, rows, strict=True)
        for moment in row.occurrences
    ]
    if moments:
        connection.execute(occurrences.insert(), moments)
    connection.execute(
        search_text.insert(),
        [
            dict(zip(("component", "title", "notes", "location", "people"), (ident, *row.text), strict=True))
            for ident, row in zip(ids, rows, strict=True)
        ],
    )

"""Reminders that are alarms of events: found and removed by their events, since those lay them down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, HouseholdId, ReminderId
from calward.store.reminders import ReminderRow
from calward.store.tables import components, objects, reminders

_BOUND = 500

Ident = TypeVar("Ident", EventId, ReminderId)


def alarms_of(
    connection: Connection, household: HouseholdId, events: Sequence[EventId]
) -> dict[EventId, dict[ReminderId, ReminderRow]]:
    """The alarms that are laid down of these events, whatever their state; an event without any is left out."""
    found: dict[EventId, dict[ReminderId, ReminderRow]] = {}
    for some in _parts(events):
        query = sa.select(*(reminders.c[name] for name in ReminderRow._fields)).where(_of(household, some))
        for row in map(ReminderRow._make, connection.execute(query)):
            if row.event_id is not None:
                found.setdefault(row.event_id, {})[row.id] = row
    return found


def remove_alarms(connection: Connection, household: HouseholdId, idents: Sequence[ReminderId]) -> None:
    for some in _parts(idents):
        connection.execute(
            reminders.delete().where(reminders.c.household == household, reminders.c.id.in_(some))
        )


def remove_past_alarms(
    connection: Connection, household: HouseholdId, events: Sequence[EventId], before: datetime
) -> None:
    """Let go of what is over since then, of these events."""
    for some in _parts(events):
        over = reminders.c.state.not_in(("armed", "missed"))
        connection.execute(reminders.delete().where(_of(household, some), over, reminders.c.fire_at < before))


def living_events(
    connection: Connection, household: HouseholdId, calendar: CalendarId, since: datetime
) -> list[EventId]:
    """The events of a calendar that are not over since then."""
    query = sa.select(components.c.event_id).where(
        components.c.household == household,
        components.c.calendar_id == calendar,
        components.c.last_end.is_(None) | (components.c.last_end >= int(since.timestamp())),
    )
    return list(connection.scalars(query.distinct()))


def alarmed_events(connection: Connection, household: HouseholdId, calendar: CalendarId) -> list[EventId]:
    """The events of a calendar of which an alarm is laid down, whatever its state."""
    here = (objects.c.household == reminders.c.household) & (objects.c.id == reminders.c.event_id)
    query = (
        sa.select(objects.c.id)
        .join(reminders, here)
        .where(objects.c.household == household, objects.c.calendar_id == calendar, reminders.c.kind == "alarm")
    )
    return list(connection.scalars(query.distinct()))


def _of(household: HouseholdId, events: Sequence[EventId]) -> sa.ColumnElement[bool]:
    return sa.and_(
        reminders.c.household == household,
        reminders.c.kind == "alarm",
        reminders.c.event_id.in_(events),
    )


def _parts(found: Sequence[Ident]) -> Iterator[Sequence[Ident]]:
    return (found[first : first + _BOUND] for first in range(0, len(found), _BOUND))

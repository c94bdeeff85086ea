"""Reminders: what each hangs on, its state, when it is due. Moves from state to state are guarded updates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import EventId, EventUid, HouseholdId, MemberId, RecurrenceKey, ReminderId
from calward.model.time import Span
from calward.store.databases import dialect_of
from calward.store.dialect import Dialect
from calward.store.digests import canonical_json
from calward.store.tables import components, objects, occurrences, reminders, search_text

_BOUND = 500


class ReminderRow(NamedTuple):
    """One reminder for a member, made by that member or an assistant of theirs.

    ``event_id``, ``uid`` and ``key`` name the occurrence it follows and ``starts_at`` is where that was in its
    series; ``wanted`` is the part of a title it was asked by. ``offset`` is in seconds. Where ``every`` is set
    it goes on with the next occurrence that is due after ``since``; without an event, as ``repeat`` says.
    ``note`` is the path of the note that says all this, in the member's vault.
    """

    id: ReminderId
    member_id: MemberId
    made_by_kind: str
    made_by_id: str
    made_by_name: str
    kind: str
    state: str
    message: str
    wanted: str | None
    event_id: EventId | None
    uid: EventUid | None
    key: RecurrenceKey | None
    starts_at: datetime | None
    offset: int
    every: bool
    since: datetime
    fire_at: datetime | None
    made_at: datetime
    fired_at: datetime | None = None
    ended_at: datetime | None = None
    reason: str | None = None
    note: str | None = None
    repeat: str | None = None


_COLUMNS = [reminders.c[name] for name in ReminderRow._fields]


def insert_reminder(connection: Connection, household: HouseholdId, row: ReminderRow) -> None:
    connection.execute(reminders.insert(), {"household": household} | row._asdict())


def get_reminders(
    connection: Connection, household: HouseholdId, idents: Sequence[ReminderId]
) -> dict[ReminderId, ReminderRow]:
    """Reminders by id; ids that name nothing are passed over."""
    bound = {"of": household, "ids": canonical_json(idents)}
    rows = connection.execute(_by_id(dialect_of(connection)), bound).all()
    return {row.id: row for row in map(ReminderRow._make, rows)}


def list_reminders(
    connection: Connection,
    household: HouseholdId,
    member: MemberId,
    *,
    states: Collection[str],
    start: datetime | None = None,
    end: datetime | None = None,
    made_by: tuple[str, str] | None = None,
    alarms: Span | None = None,
    limit: int,
) -> list[ReminderRow]:
    """A member's reminders in some states, those that are due next first: from ``start`` and before ``end``, of
    one maker (kind, id), and of alarms only those in a span. None leaves a limit out; what is due at no moment
    yet is in no window."""
    query = sa.select(*_COLUMNS).where(
        reminders.c.household == household, reminders.c.member_id == member, reminders.c.state.in_(states)
    )
    if start is not None:
        query = query.where(reminders.c.fire_at >= start)
    if end is not None:
        query = query.where(reminders.c.fire_at < end)
    if made_by is not None:
        query = query.where(reminders.c.made_by_kind == made_by[0], reminders.c.made_by_id == made_by[1])
    if alarms is not None:
        near = reminders.c.fire_at.between(alarms.start, alarms.end)
        query = query.where(sa.or_(reminders.c.kind != "alarm", near))
    order = (reminders.c.fire_at.is_(None), reminders.c.fire_at, reminders.c.rowid)
    return list(map(ReminderRow._make, connection.execute(query.order_by(*order).limit(limit))))


def count_live(connection: Connection, household: HouseholdId, made_by: tuple[str, str]) -> int:
    """How many of a maker's reminders are still to come, without alarms of events and those in notes."""
    query = sa.select(sa.func.count()).where(
        reminders.c.household == household,
        reminders.c.made_by_kind == made_by[0],
        reminders.c.made_by_id == made_by[1],
        reminders.c.state.in_(("waiting", "armed")),
        reminders.c.kind != "alarm",
        reminders.c.note.is_(None),
    )
    return connection.execute(query).scalar_one()


def following(connection: Connection, household: HouseholdId, events: Sequence[EventId]) -> list[ReminderRow]:
    """Reminders that hang on these events, or on others of the same UID: armed ones, and void ones whose event
    may have come back. Alarms are laid down by themselves (``calward.store.alarms``)."""
    known = sa.exists().where(
        reminders.c.household == household,
        reminders.c.state.in_(("armed", "void")),
        reminders.c.kind != "alarm",
    )
    if not connection.scalar(sa.select(known)):
        return []
    found: dict[str, ReminderRow] = {}
    for first in range(0, len(events), _BOUND):
        some = events[first : first + _BOUND]
        uids = sa.select(objects.c.uid).where(objects.c.household == household, objects.c.id.in_(some))
        query = sa.select(*_COLUMNS).where(
            reminders.c.household == household,
            reminders.c.state.in_(("armed", "void")),
            reminders.c.kind != "alarm",
            sa.or_(reminders.c.event_id.in_(some), reminders.c.uid.in_(uids)),
        )
        found |= {row.id: row for row in map(ReminderRow._make, connection.execute(query))}
    return list(found.values())


def lately_ended(
    connection: Connection, household: HouseholdId, since: datetime, reasons: Collection[str]
) -> list[ReminderRow]:
    """Reminders that ended since then for one of these reasons, alarms left out."""
    query = sa.select(*_COLUMNS).where(
        reminders.c.household == household,
        reminders.c.state.in_(("void", "done")),
        reminders.c.ended_at >= since,
        reminders.c.reason.in_(reasons),
        reminders.c.kind != "alarm",
    )
    return list(map(ReminderRow._make, connection.execute(query)))


def waiting(connection: Connection, household: HouseholdId) -> list[ReminderRow]:
    """Reminders for which there is no event yet, the oldest first."""
    query = (
        sa.select(*_COLUMNS)
        .where(reminders.c.household == household, reminders.c.state == "waiting")
        .order_by(reminders.c.rowid)
    )
    return list(map(ReminderRow._make, connection.execute(query)))


def titles_of(connection: Connection, household: HouseholdId, events: Sequence[EventId]) -> set[str]:
    """The titles of these events and of their exceptions, folded as ``calward.store.search.normalise`` does."""
    found: set[str] = set()
    for first in range(0, len(events), _BOUND):
        query = (
            sa.select(search_text.c.title)
            .join(components, components.c.rowid == search_text.c.component)
            .where(
                components.c.household == household,
                components.c.event_id.in_(events[first : first + _BOUND]),
            )
        )
        found.update(connection.scalars(query))
    return found


def missed(connection: Connection, household: HouseholdId, member: MemberId, limit: int) -> list[ReminderRow]:
    """What was missed and is not reported yet: it has no end so far."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            reminders.c.household == household,
            reminders.c.member_id == member,
            reminders.c.state == "missed",
            reminders.c.ended_at.is_(None),
        )
        .order_by(reminders.c.fire_at, reminders.c.rowid)
        .limit(limit)
    )
    return list(map(ReminderRow._make, connection.execute(query)))


class LaidStart(NamedTuple):
    """Where a laid-down occurrence starts, in epoch seconds; ``kind`` says whether that depends on a zone."""

    kind: str
    utc_start: int
    status: str


def laid_starts(
    connection: Connection, household: HouseholdId, events: Sequence[EventId]
) -> dict[tuple[EventId, RecurrenceKey], LaidStart]:
    """The laid-down occurrences of these events, by event and key."""
    query = (
        sa.select(
            occurrences.c.event_id,
            occurrences.c.key,
            occurrences.c.kind,
            occurrences.c.utc_start,
            components.c.status,
        )
        .join(components, components.c.rowid == occurrences.c.component)
        .where(occurrences.c.household == household, occurrences.c.event_id.in_(events))
    )
    return {(row[0], row[1]): LaidStart(*row[2:]) for row in connection.execute(query)}


def set_all(
    connection: Connection,
    household: HouseholdId,
    idents: Sequence[ReminderId],
    *,
    expected: Collection[str],
    **values: Any,
) -> int:
    """Give reminders that are in one of the ``expected`` states these values; how many there were."""
    bound = {"of": household, "ids": canonical_json(idents), "expected": canonical_json(tuple(expected))}
    return connection.execute(_moved(dialect_of(connection)), values | bound).rowcount


def void_of(
    connection: Connection, household: HouseholdId, made_by: tuple[str, str], *, reason: str, at: datetime
) -> None:
    """Void what a maker who is gone has left to come."""
    connection.execute(
        reminders.update().where(
            reminders.c.household == household,
            reminders.c.made_by_kind == made_by[0],
            reminders.c.made_by_id == made_by[1],
            reminders.c.state.in_(("waiting", "armed")),
        ),
        {"state": "void", "reason": reason, "ended_at": at},
    )


# Built once: a burst of reminders asks these again and again.
@cache
def _by_id(dialect: Dialect) -> sa.Select[Any]:
    return sa.select(*_COLUMNS).where(*_named(dialect))


@cache
def _moved(dialect: Dialect) -> sa.Update:
    # Not the bare column, or its index would be taken, which walks over all that are armed.
    state = reminders.c.state + ""
    return reminders.update().where(
        *_named(dialect), state.in_(dialect.texts(sa.bindparam("expected", type_=sa.Text)))
    )


def _named(dialect: Dialect) -> tuple[sa.ColumnElement[bool], ...]:
    idents = dialect.texts(sa.bindparam("ids", type_=sa.Text))
    return reminders.c.household == sa.bindparam("of"), reminders.c.id.in_(idents)

"""Changes of reminders → rows, and the due rows that go with them."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.errors import Busy, Conflict, NotFound
from calward.model.ids import EventUid, HouseholdId, ReminderId
from calward.model.reminder import LIVE, TOLD, Kind, State, Void
from calward.operations.apply.alarms import lay_again
from calward.operations.apply.eyes import Eyes
from calward.operations.apply.following import arm, bind, place
from calward.operations.due import REMINDER
from calward.operations.identity import Access
from calward.operations.later_changes import (
    CancelReminder,
    FinishReminder,
    ReminderChange,
    SetReminder,
    SnoozeReminder,
)
from calward.operations.shapes import Receipt
from calward.operations.view.found import load
from calward.store import due as due_rows
from calward.store import reminders
from calward.store.reminders import ReminderRow

MOST_LIVE = 500
"""Reminders of one maker that are to come."""
NO_SUCH = "There is no such reminder of yours."


def carry_out(conn: Connection, access: Access, change: ReminderChange, now: datetime) -> Receipt:
    """Write one change of a reminder. Raises ``NotFound`` where somebody else was faster."""
    household = access.household.id
    match change:
        case SetReminder():
            return _set(conn, access, change, now)
        case CancelReminder():
            _end(conn, household, change.reminder, LIVE, State.CANCELLED, now)
            due_rows.disarm(conn, household, REMINDER, change.reminder)
            _have_next_alarm(conn, access, change, now)
        case FinishReminder():
            _end(conn, household, change.reminder, TOLD, State.DONE, now)
        case SnoozeReminder():
            _snooze(conn, household, change, now)
        case _:
            assert_never(change)
    return Receipt()


def _set(conn: Connection, access: Access, change: SetReminder, now: datetime) -> Receipt:
    household, maker = access.household.id, access.principal
    if reminders.count_live(conn, household, (maker.kind, maker.id)) >= MOST_LIVE:
        raise Busy(f"{MOST_LIVE} reminders of yours are still to come; cancel some first.")
    row = ReminderRow(
        id=change.reminder,
        member_id=access.person.member,
        made_by_kind=maker.kind,
        made_by_id=maker.id,
        made_by_name=maker.name,
        kind=change.kind,
        state=State.WAITING if change.kind == Kind.TITLE and change.event is None else State.ARMED,
        message=change.message,
        wanted=change.wanted,
        event_id=change.event,
        uid=_uid(conn, household, change),
        key=change.key,
        starts_at=change.starts_at,
        offset=change.offset,
        every=change.every,
        since=now,
        fire_at=change.at,
        made_at=now,
    )
    if row.event_id is not None:
        found = place(conn, household, row, Eyes(conn, household, access.epoch, now))
        if isinstance(found, Void):
            raise Conflict("That event was changed just now; look again and retry.")
        row = row._replace(**bind(found))
    reminders.insert_reminder(conn, household, row)
    if row.fire_at is not None:
        arm(conn, household, row, row.fire_at, now)
    return Receipt({"fire_at": row.fire_at})


def _have_next_alarm(conn: Connection, access: Access, change: CancelReminder, now: datetime) -> None:
    """Where the alarm of one occurrence was cancelled, that of the next comes."""
    household = access.household.id
    row = reminders.get_reminders(conn, household, [change.reminder])[change.reminder]
    if row.kind == Kind.ALARM and row.event_id is not None:
        lay_again(conn, household, [row.event_id], Eyes(conn, household, access.epoch, now), now)


def _uid(conn: Connection, household: HouseholdId, change: SetReminder) -> EventUid | None:
    stored = load(conn, household, change.event) if change.event is not None else None
    return stored.uid if stored else None


def _end(
    conn: Connection,
    household: HouseholdId,
    ident: ReminderId,
    expected: tuple[State, ...],
    state: State,
    now: datetime,
) -> None:
    if not reminders.set_all(conn, household, [ident], expected=expected, state=state, ended_at=now):
        raise NotFound(NO_SUCH)


def _snooze(conn: Connection, household: HouseholdId, change: SnoozeReminder, now: datetime) -> None:
    row = reminders.get_reminders(conn, household, [change.reminder]).get(change.reminder)
    if row is None:
        raise NotFound(NO_SUCH)
    if row.state in TOLD:
        _end(conn, household, row.id, TOLD, State.DONE, now)
    again = row._replace(
        id=change.again,
        kind=Kind.MOMENT,
        state=State.ARMED,
        every=False,
        fire_at=change.at,
        since=now,
        fired_at=None,
        ended_at=None,
        reason=None,
        made_at=now,
    )
    reminders.insert_reminder(conn, household, again)
    arm(conn, household, again, change.at, now)

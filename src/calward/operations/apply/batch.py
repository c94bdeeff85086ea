"""A batch of prepared changes written, with what is read from them and their journal, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.model.ids import EventId
from calward.operations.apply import calendars, channels, mirrors, people, prompts, reminders, vault
from calward.operations.apply.following import lay_down
from calward.operations.apply.journalling import Stamp, journal_row
from calward.operations.apply.objects import write_object
from calward.operations.changes import CalendarChange, CreateObject, DecideApproval, ObjectChange, Undoes
from calward.operations.due import arm_sync
from calward.operations.identity import Access
from calward.operations.later_changes import (
    ChannelChange,
    NoteChange,
    PromptChange,
    ReminderChange,
    VaultChange,
)
from calward.operations.materialise import Source
from calward.operations.mirror_changes import MirrorChange
from calward.operations.people_changes import PeopleChange
from calward.operations.shapes import Receipt
from calward.operations.stored import Prepared
from calward.store import journal


def carry_out(
    conn: Connection,
    access: Access,
    prepared: Sequence[Prepared],
    stamp: Stamp,
    *,
    deleting: Collection[EventId] = (),
) -> tuple[Receipt, ...]:
    """Write prepared changes, the rows that are read from them, and their journal. Notes of a vault are files,
    and so are written last. The journal marks the events that this is ``deleting``, by whatever means.

    That all of it happens or nothing is the caller's transaction. Raises ``Superseded`` as ``prepare`` does.
    """
    undone = next((one.change.batch for one in prepared if isinstance(one.change, Undoes)), None)
    receipts = tuple(_write(conn, access, one, stamp) for one in prepared)
    _index(conn, access, prepared, stamp.now)
    rows = [journal_row(one, stamp, undone, deleting) for one in prepared if not isinstance(one.change, Undoes)]
    journal.append(conn, access.household.id, rows)
    befores = [one.before.data for one in prepared if one.before is not None]
    journal.keep_bytes(conn, access.household.id, befores, stamp.now)
    _have_sent(conn, access, prepared, stamp)
    for one in prepared:
        if isinstance(one.change, NoteChange):
            vault.write(conn, access, one.change, stamp.now)
    return receipts


def _write(conn: Connection, access: Access, one: Prepared, stamp: Stamp) -> Receipt:
    """The rows of one change, by whichever module has its kind."""
    change = one.change
    if isinstance(change, Undoes):
        return Receipt()
    if isinstance(change, CreateObject | ObjectChange):
        write_object(conn, access, change, one, stamp)
        return Receipt()
    if isinstance(change, ReminderChange):
        return reminders.carry_out(conn, access, change, stamp.now)
    if isinstance(change, PromptChange):
        return prompts.carry_out(conn, access, change, stamp.now)
    if isinstance(change, ChannelChange):
        return channels.carry_out(conn, access, change, stamp.now)
    if isinstance(change, VaultChange):
        return vault.carry_out(conn, access, change, stamp.now, stamp.new_id)
    if isinstance(change, MirrorChange):
        return mirrors.carry_out(conn, access, change, stamp.now, stamp.new_id)
    if isinstance(change, PeopleChange):
        people.carry_out(conn, access, change, stamp.now)
        return Receipt()
    if isinstance(change, CalendarChange):
        return calendars.carry_out(conn, access, change, one.shown, stamp.now)
    if isinstance(change, DecideApproval):
        raise TypeError("A decision is no part of a batch: calward.operations.approvals carries it out.")
    assert_never(change)


def _index(conn: Connection, access: Access, prepared: Sequence[Prepared], now: datetime) -> None:
    """Lay down rows for what the last change of each object left."""
    last: dict[EventId, Prepared] = {}
    for one in prepared:
        if isinstance(one.change, CreateObject | ObjectChange):
            last[one.change.event] = one
    sources = [
        Source(event, one.calendar, one.after) for event, one in last.items() if one.calendar is not None
    ]
    if sources:
        created = (one.change for one in prepared if isinstance(one.change, CreateObject))
        links = {one.split_from: one.event for one in created if one.split_from is not None}
        lay_down(conn, access, sources, now, links)


def _have_sent(conn: Connection, access: Access, prepared: Sequence[Prepared], stamp: Stamp) -> None:
    """What was changed in a calendar that lives on a server is sent there now."""
    touched = {one.calendar for one in prepared if isinstance(one.change, CreateObject | ObjectChange)}
    touched |= {one.before.calendar for one in prepared if one.before is not None}
    for calendar in sorted(filter(None, touched)):
        if access.calendars[calendar].account is not None:
            arm_sync(conn, access.household.id, calendar, stamp.now, stamp.new_id)

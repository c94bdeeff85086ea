"""Alarms of events → reminders, in calendars whose switch says so: laid down with the events, followed with
them, and gone with them without a word, since nobody asked for each.

Of an event the alarms of the next occurrence that has any ahead are laid down, and when one of them fired, or
was cancelled, what comes next. An alarm keeps its name while its event moves, so that what was cancelled of an
occurrence stays cancelled. Nothing is ever written back into an event.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.calendar import Calendar
from calward.model.event import Event
from calward.model.ids import (
    ID_BYTES,
    CalendarId,
    EventId,
    HouseholdId,
    RecurrenceKey,
    ReminderId,
    id_from_bytes,
)
from calward.model.reminder import CANCELLED, GONE, GRACE, NO_LONGER, Kind, State, Void
from calward.model.time import Span
from calward.operations.apply.eyes import Eyes
from calward.operations.due import REMINDER, work_row
from calward.operations.identity import Access, calendar_of
from calward.operations.materialise import Source, sources_of
from calward.operations.show import plain
from calward.operations.view.found import load, load_all
from calward.operations.view.rows import is_series, read_events
from calward.recurrence.alarms import FARTHEST, Ring, rings
from calward.recurrence.successor import successor
from calward.store import alarms, calendars, reminders
from calward.store import due as due_rows
from calward.store.reminders import ReminderRow

HORIZONS = tuple(timedelta(days=days) for days in (3, 60, 2 * 366, 30 * 366))
"""How far ahead the next alarm is looked for, one after the other until there is one."""
AROUND = timedelta(days=2)
"""How far another zone of the member, or of the world, can have put an alarm from where it was laid down."""
KEPT = timedelta(days=30)
"""How long an alarm that is over is remembered."""
MOST_TEXT = 500
AT_ONCE = 500
"""Events read at a time, where a whole calendar is."""
OVER = (State.FIRED, State.MISSED, State.DONE)
FOLLOWED = ("state", "member_id", "made_by_id", "made_by_name", "message", "starts_at", "offset", "fire_at")
"""Columns that say where an alarm is now."""

Rows = Mapping[ReminderId, ReminderRow]


def lay_alarms(
    conn: Connection,
    household: HouseholdId,
    known: Mapping[CalendarId, Calendar],
    sources: Sequence[Source],
    eyes: Eyes,
    now: datetime,
) -> None:
    """Have the alarms of these objects be reminders, as their bytes and the switches say now."""
    if not any(calendar.alarms for calendar in known.values()):
        return
    _lay(conn, household, known, sources, eyes, now)


def lay_again(
    conn: Connection, household: HouseholdId, events: Sequence[EventId], eyes: Eyes, now: datetime
) -> None:
    """The same for events that did not change: an alarm fired or was cancelled, and another is next."""
    known = {row.id: calendar_of(row) for row in calendars.list_calendars(conn, household)}
    _lay(conn, household, known, sources_of(load_all(conn, household, events)), eyes, now)


def switch(conn: Connection, access: Access, calendar: CalendarId, now: datetime, *, on: bool) -> None:
    """Turn the alarms of a whole calendar on or off."""
    household = access.household.id
    calendars.set_alarms(conn, household, calendar, on=on)
    if not on:
        leave(conn, household, calendar)
        return
    known = {calendar: replace(access.calendars[calendar], alarms=True)}
    eyes = Eyes(conn, household, access.epoch, now)
    living = alarms.living_events(conn, household, calendar, now - FARTHEST)
    for first in range(0, len(living), AT_ONCE):
        sources = sources_of(load_all(conn, household, living[first : first + AT_ONCE]))
        _lay(conn, household, known, sources, eyes, now)


def leave(conn: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    """Take away what is laid down of a calendar."""
    events = alarms.alarmed_events(conn, household, calendar)
    for rows in alarms.alarms_of(conn, household, events).values():
        _take_away(conn, household, rows)


def due_now(conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes) -> datetime | Void:
    """When a laid-down alarm is due by its event as it is now, seen from where its member is."""
    stored = load(conn, household, row.event_id) if row.event_id else None
    if stored is None or stored.deleted_at is not None or row.fire_at is None:
        return Void(GONE)
    near = Span(row.fire_at - AROUND, row.fire_at + AROUND)
    found = rings(read_events(stored.data), near, eyes.zone(row.member_id))
    return next((ring.at for ring in found if _ident(stored.event, ring) == row.id), Void(NO_LONGER))


def _lay(
    conn: Connection,
    household: HouseholdId,
    known: Mapping[CalendarId, Calendar],
    sources: Sequence[Source],
    eyes: Eyes,
    now: datetime,
) -> None:
    events = [source.event for source in sources]
    laid = alarms.alarms_of(conn, household, events)
    for source in sources:
        calendar, rows = known.get(source.calendar), laid.get(source.event, {})
        if calendar is None or not calendar.alarms or not eyes.lives("person", calendar.member):
            _take_away(conn, household, rows)
        else:
            _lay_event(conn, household, calendar, source, rows, eyes.zone(calendar.member), now)
    if laid:
        alarms.remove_past_alarms(conn, household, events, now - KEPT)


def _take_away(conn: Connection, household: HouseholdId, rows: Rows) -> None:
    """There is nobody to tell: what is to come is not any more. What fired or was cancelled stays as it is."""
    gone = [row.id for row in rows.values() if row.state in (State.ARMED, State.VOID)]
    alarms.remove_alarms(conn, household, gone)
    for ident in gone:
        due_rows.disarm(conn, household, REMINDER, ident)


def _lay_event(
    conn: Connection,
    household: HouseholdId,
    calendar: Calendar,
    source: Source,
    rows: Rows,
    zone: ZoneInfo,
    now: datetime,
) -> None:
    events = read_events(source.data) if source.data is not None else ()
    wanted = _wanted(events, source.event, rows, zone, now)
    for ident, ring in wanted.items():
        row, laid = rows.get(ident), _row(ident, calendar, source.event, ring, now)
        if row is None:
            reminders.insert_reminder(conn, household, laid)
        elif any(getattr(row, name) != getattr(laid, name) for name in FOLLOWED):
            changes = {name: getattr(laid, name) for name in FOLLOWED} | {"reason": None, "ended_at": None}
            reminders.set_all(conn, household, [ident], expected=(row.state,), **changes)
        else:
            continue
        due_rows.move(conn, household, work_row(REMINDER, ident, ring.at, now))
    left = [row.id for row in rows.values() if row.state == State.ARMED and row.id not in wanted]
    reason = _why_none(source, events)
    if reason is None:
        alarms.remove_alarms(conn, household, left)
    else:
        ended = {"state": State.VOID, "reason": reason, "ended_at": now}
        reminders.set_all(conn, household, left, expected=(State.ARMED,), **ended)
    for ident in left:
        due_rows.disarm(conn, household, REMINDER, ident)


def _wanted(
    events: Sequence[Event], event: EventId, rows: Rows, zone: ZoneInfo, now: datetime
) -> dict[ReminderId, Ring]:
    """The alarms that are to be armed: those of the next occurrence with one ahead, up to its last, and those
    that are due and that nobody has worked on yet. What is over at its moment, or cancelled, is left out."""
    armed = [row.fire_at for row in rows.values() if row.state == State.ARMED and row.fire_at]
    since = min((now - GRACE, *armed))
    cancelled = [row for row in rows.values() if row.state == State.CANCELLED]
    before, keys = {row.id for row in cancelled}, _keys_before(events, cancelled, zone)
    for horizon in HORIZONS if is_series(events) else HORIZONS[-1:]:
        found = {
            ident: ring
            for ring in rings(events, Span(since, now + horizon), zone)
            if _is_open(rows.get(ident := _ident(event, ring)), ring, now)
            and not any(_ident(event, replace(ring, key=key)) in before for key in keys.get(ring.key, ()))
        }
        ahead = [ring for ring in found.values() if ring.at > now]
        if ahead:
            last = max(ring.at for ring in ahead if ring.key == ahead[0].key)
            return {ident: ring for ident, ring in found.items() if ring.at <= last}
    return found


def _keys_before(
    events: Sequence[Event], cancelled: Sequence[ReminderRow], zone: ZoneInfo
) -> Mapping[RecurrenceKey, list[RecurrenceKey]]:
    """By the keys of today those that occurrences had when alarms of theirs were cancelled, where those differ:
    an edit of a whole series gives each of them another."""
    found: dict[RecurrenceKey, list[RecurrenceKey]] = {}
    for row in cancelled:
        if row.key and row.starts_at is not None:
            one = successor(events, row.key, row.starts_at, zone)
            if one is not None and one.key != row.key:
                found.setdefault(one.key, []).append(row.key)
    return found


def _is_open(row: ReminderRow | None, ring: Ring, now: datetime) -> bool:
    """Whether an alarm is still to go off. One that fired does so once more where its event was put off."""
    if row is None or row.state == State.VOID:
        return ring.at > now
    if row.state == State.ARMED:
        return True
    return row.state in OVER and ring.at > now and ring.at != row.fire_at


def _why_none(source: Source, events: Sequence[Event]) -> str | None:
    """Why an event has no alarms at all, where it is no more."""
    if source.data is None:
        return GONE
    return CANCELLED if events and all(event.status == "CANCELLED" for event in events) else None


def _row(ident: ReminderId, calendar: Calendar, event: EventId, ring: Ring, now: datetime) -> ReminderRow:
    """It belongs to the calendar's member, who turned the switch, and says which calendar it is from."""
    return ReminderRow(
        id=ident,
        member_id=calendar.member,
        made_by_kind="person",
        made_by_id=calendar.member,
        made_by_name=calendar.name,
        kind=Kind.ALARM,
        state=State.ARMED,
        message=plain(ring.text[:MOST_TEXT]),
        wanted=None,
        event_id=event,
        uid=None,
        key=ring.key,
        starts_at=ring.original,
        offset=int((ring.at - ring.start).total_seconds()),
        every=False,
        since=now,
        fire_at=ring.at,
        made_at=now,
    )


def _ident(event: EventId, ring: Ring) -> ReminderId:
    """The same for one alarm of one occurrence whenever it is laid down."""
    name = "\n".join((event, ring.key, ring.alarm, str(ring.number), str(ring.original is None)))
    return ReminderId(id_from_bytes(hashlib.sha256(name.encode()).digest()[:ID_BYTES]))

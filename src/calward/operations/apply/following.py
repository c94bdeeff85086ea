"""Reminders follow their events: wherever events change, what hangs on them is placed anew, in the same
transaction.

``lay_down`` is the one way for a change of events into rows, so that no change goes by unnoticed, whether a
person, an assistant, a file or a server made it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.event import Event, Occurrence
from calward.model.grant import Level
from calward.model.ids import EventId, EventUid, HouseholdId, RecurrenceKey
from calward.model.reminder import CANCELLED, GONE, NO_LONGER, Kind, State, Void, due_moment
from calward.model.time import Span
from calward.operations.apply.alarms import lay_alarms
from calward.operations.apply.eyes import Eyes
from calward.operations.apply.rests import TOGETHER, rest_of
from calward.operations.apply.telling import Notice, tell
from calward.operations.due import REMINDER, work_row
from calward.operations.identity import Access
from calward.operations.materialise import Source, materialise, window_of
from calward.operations.seen import Seen
from calward.operations.stored import Stored
from calward.operations.view.anchors import is_named, named_by
from calward.operations.view.found import load, load_all
from calward.operations.view.rows import is_series, read_events
from calward.recurrence.continuation import names
from calward.recurrence.series import expand
from calward.recurrence.successor import successor
from calward.store import due as due_rows
from calward.store import objects, reminders
from calward.store.columns import Instant
from calward.store.reminders import ReminderRow

OVER = "The series is over."
MAKER_GONE = "Whoever made it was revoked."
AHEAD = timedelta(days=2 * 366)
"""How far ahead the next occurrence of a series is looked for."""

Links = Mapping[EventId, EventId]
"""A series that was cut in two → the event that goes on with it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The occurrence that a reminder hangs on, as it is now, and the moment the reminder is due."""

    event: EventId
    uid: EventUid
    key: RecurrenceKey
    starts_at: datetime
    due: datetime


def lay_down(
    conn: Connection, access: Access, sources: Sequence[Source], now: datetime, links: Links | None = None
) -> None:
    """Write all rows that are read from these objects, and let follow what follows them."""
    household = access.household.id
    materialise(conn, household, sources, window_of(conn, household, now), access.members)
    eyes = Eyes(conn, household, access.epoch, now)
    follow(conn, household, [source.event for source in sources], eyes, now, links)
    lay_alarms(conn, household, access.calendars, sources, eyes, now)


def follow(
    conn: Connection,
    household: HouseholdId,
    events: Sequence[EventId],
    eyes: Eyes,
    now: datetime,
    links: Links | None = None,
) -> None:
    """Place anew every reminder that hangs on these events, and try those that wait for such a title."""
    hanging = {row.id: row for row in reminders.following(conn, household, events)}
    # What goes on with a series may come after the end of it did.
    ended = reminders.lately_ended(conn, household, now - TOGETHER, (NO_LONGER, OVER))
    for row in (hanging | {row.id: row for row in ended}).values():
        _settle(conn, household, row, place(conn, household, row, eyes, links), eyes, now)
    waiting = reminders.waiting(conn, household)
    titles = reminders.titles_of(conn, household, events) if waiting else set()
    for row in waiting:
        if is_named(row.wanted or "", titles):
            _try_to_bind(conn, household, row, eyes, now)


def place(
    conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes, links: Links | None = None
) -> Placed | Void:
    """Where the occurrence is that a reminder hangs on, or why there is none."""
    zone, why = eyes.zone(row.member_id), GONE
    for stored in _candidates(conn, household, row, eyes, links or {}):
        events = read_events(stored.data)
        found = _next_due(events, row, zone) if row.every else _same(events, row, zone)
        if found is None:
            why = OVER if row.every else NO_LONGER
        elif _is_cancelled(events, found):
            why = CANCELLED
        else:
            return placed(stored, events, found, row.offset, zone)
    if why in (OVER, NO_LONGER):
        return _in_the_rest(conn, household, row, eyes) or Void(why)
    return Void(why)


def placed(stored: Stored, events: Sequence[Event], found: Occurrence, offset: int, zone: ZoneInfo) -> Placed:
    return Placed(
        event=stored.event,
        uid=stored.uid,
        key=found.key if is_series(events) else RecurrenceKey(""),
        starts_at=found.original.instant(zone),
        due=due_moment(found.start, timedelta(seconds=offset), zone),
    )


def bind(at: Placed) -> dict[str, Any]:
    """The columns of a reminder that hangs on an occurrence."""
    return {
        "state": State.ARMED,
        "event_id": at.event,
        "uid": at.uid,
        "key": at.key,
        "starts_at": at.starts_at,
        "fire_at": at.due,
        "reason": None,
        "ended_at": None,
    }


def arm(conn: Connection, household: HouseholdId, row: ReminderRow, at: datetime, now: datetime) -> None:
    """Have a reminder fire at a moment, whatever it was armed for."""
    due_rows.move(conn, household, work_row(REMINDER, row.id, at, now))


def void(conn: Connection, household: HouseholdId, row: ReminderRow, reason: str, now: datetime) -> None:
    """End a reminder whose event is gone, and tell its member once. A series that is over has done its work,
    and of alarms, which nobody asked for, nothing is told."""
    state = State.DONE if reason == OVER else State.VOID
    ended = reminders.set_all(
        conn,
        household,
        [row.id],
        expected=(State.ARMED, State.WAITING),
        state=state,
        reason=reason,
        ended_at=now,
    )
    due_rows.disarm(conn, household, REMINDER, row.id)
    if ended and state is State.VOID and row.kind != Kind.ALARM:
        body = {"message": row.message, "reason": reason}
        key = f"{REMINDER}-{row.id}:void@{Instant.stored(now)}"
        tell(conn, household, [Notice(key, row.member_id, "void", row.id, body)], now)


def _settle(
    conn: Connection,
    household: HouseholdId,
    row: ReminderRow,
    found: Placed | Void,
    eyes: Eyes,
    now: datetime,
) -> None:
    if isinstance(found, Void):
        if row.state == State.ARMED:
            void(conn, household, row, found.reason, now)
        return
    if row.kind == Kind.MOMENT:
        _settle_snoozed(conn, household, row, eyes, now)
        return
    if row.state != State.ARMED and (found.due <= now or not eyes.lives(row.made_by_kind, row.made_by_id)):
        return
    values = bind(found)
    if all(getattr(row, name) == value for name, value in values.items()):
        return
    reminders.set_all(conn, household, [row.id], expected=(row.state,), **values)
    arm(conn, household, row, found.due, now)


def _settle_snoozed(
    conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes, now: datetime
) -> None:
    """What was put off stays at that moment wherever its event is, and ends and comes back with it."""
    if row.state == State.ARMED or row.fire_at is None or row.fire_at <= now:
        return
    if eyes.lives(row.made_by_kind, row.made_by_id):
        again = {"state": State.ARMED, "reason": None, "ended_at": None}
        reminders.set_all(conn, household, [row.id], expected=(row.state,), **again)
        arm(conn, household, row, row.fire_at, now)


def _try_to_bind(conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes, now: datetime) -> None:
    """Look for an event again, with the eyes of whoever asked; the next one that is still ahead is taken."""
    view = eyes.view(row.made_by_kind, row.made_by_id)
    if view is None:
        void(conn, household, row, MAKER_GONE, now)
        return
    zone = eyes.zone(row.member_id)
    for seen in named_by(view, row.wanted or "", now):
        found = _of_seen(conn, household, seen, row, zone)
        if found is not None and found.due > now:
            reminders.set_all(conn, household, [row.id], expected=(State.WAITING,), **bind(found))
            arm(conn, household, row, found.due, now)
            return


def _of_seen(
    conn: Connection, household: HouseholdId, seen: Seen, row: ReminderRow, zone: ZoneInfo
) -> Placed | None:
    stored = load(conn, household, seen.event)
    if stored is None:
        return None
    events = read_events(stored.data)
    found = successor(events, seen.key, seen.start.instant(zone), zone)
    return placed(stored, events, found, row.offset, zone) if found else None


def _candidates(
    conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes, links: Links
) -> Iterator[Stored]:
    """The event itself, what goes on with it, and one of the same UID elsewhere, which is how most programs
    move an event between calendars; that one only where whoever made the reminder may know of it."""
    if row.event_id is None:
        return
    own = load(conn, household, row.event_id)
    if own is not None and own.deleted_at is None:
        yield own
    if row.event_id in links:
        yield from load_all(conn, household, [links[row.event_id]])
    if (own is not None and own.deleted_at is None) or row.uid is None:
        return
    view = eyes.view(row.made_by_kind, row.made_by_id)
    if view is None:
        return
    calendars = [one.calendar.id for one in view.calendars.seen()]
    same = [found.id for found in objects.objects_with_uid(conn, household, calendars, row.uid)]
    for stored in load_all(conn, household, [ident for ident in same if ident != row.event_id]):
        if stored.deleted_at is None and view.level_of(stored) >= Level.TITLES:
            yield stored


def _in_the_rest(conn: Connection, household: HouseholdId, row: ReminderRow, eyes: Eyes) -> Placed | None:
    """The occurrence in what another program made of the rest of the series, where that is beyond doubt."""
    view = eyes.view(row.made_by_kind, row.made_by_id)
    former = load(conn, household, row.event_id) if row.event_id else None
    if view is None or former is None or former.deleted_at is not None:
        return None
    zone = eyes.zone(row.member_id)
    rest = rest_of(conn, household, former, view, zone)
    if rest is None:
        return None
    events = read_events(rest.data)
    found = _next_due(events, row, zone) if row.every else _same(events, row, zone)
    if found is None or _is_cancelled(events, found):
        return None
    if not row.every and found.original.instant(zone) != row.starts_at:
        return (
            placed(rest, events, found, row.offset, zone) if names(events, read_events(former.data)) else None
        )
    return placed(rest, events, found, row.offset, zone)


def _same(events: Sequence[Event], row: ReminderRow, zone: ZoneInfo) -> Occurrence | None:
    if row.starts_at is None:
        return None
    return successor(events, row.key or RecurrenceKey(""), row.starts_at, zone)


def _next_due(events: Sequence[Event], row: ReminderRow, zone: ZoneInfo) -> Occurrence | None:
    """The first occurrence whose reminder is due after the last one that was."""
    offset = timedelta(seconds=row.offset)
    first = row.since - offset - timedelta(days=2)
    for one in expand(events, Span(first, row.since + abs(offset) + AHEAD), zone).occurrences:
        if due_moment(one.start, offset, zone) > row.since and not _is_cancelled(events, one):
            return one
    return None


def _is_cancelled(events: Sequence[Event], occurrence: Occurrence) -> bool:
    described = [event for event in events if event.key in ("", occurrence.component)]
    return any(event.status == "CANCELLED" for event in described)

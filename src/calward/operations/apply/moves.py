"""An event moves to another calendar, and where servers have them, from one collection to another.

The event keeps its id and goes on in the new calendar, where it is created first. In the old one it leaves a
trace: a tombstone that its push lets go of only once the event has landed, so that a stop in between leaves it
in both places, never in neither. Moving back takes the trace's place up again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import Unsupported
from calward.ical.reading import read_object
from calward.model.ids import CalendarId, EventId, HouseholdId, Href
from calward.operations.identity import Access
from calward.store import objects, sides
from calward.store.objects import ObjectRow


def refuse_invitations(data: bytes) -> None:
    """Raises ``Unsupported`` for an event with people on it: it is created in one calendar and removed from the
    other, and a server would invite them anew and call it off for them (RFC 6638 §3.2.1.1, §3.2.1.3)."""
    if any(event.attendees for event in read_object(data).events):
        raise Unsupported(
            "Other people are on this event, and a server would call it off for them and invite them anew. "
            "Create it there and delete it here if that is meant."
        )


def move(
    conn: Connection,
    access: Access,
    event: EventId,
    *,
    expected: str,
    calendar: CalendarId,
    at: datetime,
    new_id: Callable[[], str],
) -> bool:
    """Put an event into another calendar; False where its digest is not ``expected`` or it is deleted."""
    household = access.household.id
    row = objects.get_object(conn, household, event, lock=True)
    if row is None or row.local_digest != expected or row.deleted_at is not None:
        return False
    before = sides.trace_of(conn, household, event, calendar)
    if before is not None:
        back_to(conn, household, row, before, at)
    else:
        mirrored = access.calendars[calendar].account is not None
        place = Href(f"{new_id()}.ics") if mirrored else row.href
        state = sides.UNPUSHED if mirrored else sides.CLEAN
        sides.settle_at(conn, household, event, calendar=calendar, href=place, push_state=state, at=at)
    if row.base is not None or row.sent is not None:
        objects.insert_objects(conn, household, [_trace(row, EventId(new_id()), at)])
    return True


def back_to(conn: Connection, household: HouseholdId, row: ObjectRow, trace: ObjectRow, at: datetime) -> None:
    """The event is where it left a trace again, as if it had never gone."""
    objects.remove_object(conn, household, trace.id)
    state = sides.CLEAN if trace.base == row.local else sides.UNPUSHED
    sides.settle_at(
        conn,
        household,
        row.id,
        calendar=trace.calendar_id,
        href=trace.href,
        push_state=sides.IN_FLIGHT if trace.sent is not None else state,
        base=trace.base,
        etag=trace.base_etag,
        sent=trace.sent,
        at=at,
    )


def _trace(row: ObjectRow, ident: EventId, at: datetime) -> ObjectRow:
    return replace(
        row,
        id=ident,
        push_state=sides.UNPUSHED if row.sent is None else sides.IN_FLIGHT,
        upload_id=None,
        updated_at=at,
        deleted_at=at,
        moved_to=row.id,
    )

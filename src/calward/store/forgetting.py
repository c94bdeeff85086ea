"""Letting go of what is kept of the past beside the journal: tombstones, files, requests and their answers.

Each function takes one event, or a moment before which everything goes; what it says is how much went.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, EventId, HouseholdId, UploadId
from calward.store.approvals import PENDING
from calward.store.tables import approvals, conflicts, objects, requests, uploads

VOID = "void"


def forget_tombstones(
    connection: Connection, household: HouseholdId, *, event: EventId | None, before: datetime | None
) -> int:
    """Deleted objects, unless their deletion is still to be sent."""
    meant = objects.c.id == event if event is not None else objects.c.deleted_at < before
    result = connection.execute(
        objects.delete().where(
            objects.c.household == household,
            objects.c.deleted_at.is_not(None),
            objects.c.push_state == "clean",
            meant,
        )
    )
    return result.rowcount


def forget_conflicts(
    connection: Connection, household: HouseholdId, *, event: EventId | None, before: datetime | None
) -> None:
    """The other side of what was changed on both, where that is settled."""
    settled = conflicts.c.resolved_at.is_not(None)
    meant = conflicts.c.event_id == event if event is not None else conflicts.c.resolved_at < before
    connection.execute(conflicts.delete().where(conflicts.c.household == household, settled, meant))


def forget_requests(
    connection: Connection, household: HouseholdId, *, event: EventId | None, before: datetime | None
) -> int:
    """What was asked: texts of approvals, whose rows stay with who decided and when, and remembered answers.

    A request that still waits is forgotten with its event alone, and then ended.
    """
    if event is not None:
        meant = sa.cast(approvals.c.changes, sa.Text).contains(event, autoescape=True)
        remembered = sa.cast(requests.c.outcome, sa.Text).contains(event, autoescape=True)
    else:
        meant = sa.and_(approvals.c.state != PENDING, approvals.c.made_at < before)
        remembered = requests.c.at < before
    connection.execute(requests.delete().where(requests.c.household == household, remembered))
    ended = sa.case((approvals.c.state == PENDING, VOID), else_=approvals.c.state)
    result = connection.execute(
        approvals.update()
        .where(approvals.c.household == household, meant)
        .values(state=ended, preview=[], changes=[], reasons=[], summary="", digest="")
    )
    return result.rowcount


def files_of(
    connection: Connection, household: HouseholdId, *, calendar: CalendarId | None, before: datetime | None
) -> dict[UploadId, bytes]:
    """Imported files with their bytes: of one calendar, or from before a moment."""
    meant = uploads.c.calendar_id == calendar if calendar is not None else uploads.c.made_at < before
    query = sa.select(uploads.c.id, uploads.c.bytes).where(uploads.c.household == household, meant)
    return {row.id: row.bytes for row in connection.execute(query)}


def forget_file(connection: Connection, household: HouseholdId, upload: UploadId) -> None:
    """An imported file; the events that came with it stay."""
    connection.execute(
        objects.update()
        .where(objects.c.household == household, objects.c.upload_id == upload)
        .values(upload_id=None)
    )
    connection.execute(uploads.delete().where(uploads.c.household == household, uploads.c.id == upload))

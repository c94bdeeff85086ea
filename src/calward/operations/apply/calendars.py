"""Changes of calendars as a whole → rows: new ones, permits to look, imported files, forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never

from sqlalchemy import Connection

from calward.errors import InvalidInput
from calward.operations.apply import alarms, forgetting
from calward.operations.changes import (
    AddCalendar,
    CalendarChange,
    Forget,
    GrantRead,
    ImportUpload,
    KeepFile,
    SetAlarms,
    digest_bytes,
)
from calward.operations.identity import Access
from calward.operations.shapes import Receipt
from calward.operations.stored import Stored
from calward.operations.upload_states import DONE, OPEN, WITHDRAWN
from calward.store import (
    calendars,
    permits,
    uploads,
)
from calward.store.permits import PermitRow
from calward.store.uploads import UploadRow


def carry_out(
    conn: Connection, access: Access, change: CalendarChange, shown: Sequence[Stored], now: datetime
) -> Receipt:
    """Write one such change. ``shown`` are the events that a permit opens, as they are now."""
    household = access.household.id
    match change:
        case GrantRead():
            until = now + timedelta(minutes=change.minutes)
            for opened in shown:
                permit = PermitRow(change.assistant, opened.event, change.level, until, access.epoch)
                permits.set_permit(conn, household, permit)
            return Receipt()
        case AddCalendar():
            if calendars.calendar_named(conn, household, change.name) is not None:
                raise InvalidInput(f"name: {change.name!r} cannot be taken; choose another.")
            row = calendars.new_calendar(
                change.calendar, member=change.member, name=change.name, offer=change.offer, at=now
            )
            calendars.insert_calendar(conn, household, row)
            return Receipt()
        case SetAlarms():
            alarms.switch(conn, access, change.calendar, now, on=change.on)
            return Receipt()
        case Forget():
            return forgetting.forget(conn, household, change)
        case ImportUpload():
            data = change.data.encode("utf-8", "surrogateescape")
            upload = UploadRow(
                id=change.upload,
                calendar_id=change.calendar,
                name=change.name,
                digest=digest_bytes(data),
                bytes=data,
                problems=[],
                done=0,
                state=OPEN,
                made_at=now,
            )
            if not uploads.reopen_upload(conn, household, change.upload):
                uploads.insert_upload(conn, household, upload)
            return Receipt({"upload": change.upload})
        case KeepFile():
            uploads.set_state(conn, household, change.upload, DONE if change.kept else WITHDRAWN)
            return Receipt()
        case _:
            assert_never(change)

"""Uploads: files on their way into a calendar, kept until all of it has been carried over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import CalendarId, HouseholdId, UploadId
from calward.store.rows import columns_of, values_of
from calward.store.tables import uploads


@dataclass(frozen=True, slots=True)
class UploadRow:
    """One file. ``done`` counts what of it was carried over; ``problems`` list what was not understood."""

    id: UploadId
    calendar_id: CalendarId
    name: str
    digest: str
    bytes: bytes
    problems: list[Any]
    done: int
    state: str
    made_at: datetime


_COLUMNS = columns_of(UploadRow, uploads)


def insert_upload(connection: Connection, household: HouseholdId, upload: UploadRow) -> None:
    """Add one."""
    connection.execute(uploads.insert(), values_of(household, upload))


def get_upload(connection: Connection, household: HouseholdId, upload: UploadId) -> UploadRow | None:
    """One file, by id."""
    query = sa.select(*_COLUMNS).where(uploads.c.household == household, uploads.c.id == upload)
    row = connection.execute(query).first()
    return UploadRow(*row) if row else None


def upload_of(
    connection: Connection, household: HouseholdId, calendar: CalendarId, digest: str
) -> UploadRow | None:
    """The newest upload of these bytes into a calendar."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            uploads.c.household == household,
            uploads.c.calendar_id == calendar,
            uploads.c.digest == digest,
        )
        .order_by(uploads.c.rowid.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return UploadRow(*row) if row else None


def list_uploads(connection: Connection, household: HouseholdId, calendar: CalendarId) -> list[UploadRow]:
    """The files that went into a calendar, oldest first."""
    query = (
        sa.select(*_COLUMNS)
        .where(uploads.c.household == household, uploads.c.calendar_id == calendar)
        .order_by(uploads.c.rowid)
    )
    return [UploadRow(*row) for row in connection.execute(query)]


def reopen_upload(connection: Connection, household: HouseholdId, upload: UploadId) -> bool:
    """Have a file that was carried over once gone through again; False where there is none with this id."""
    result = connection.execute(
        uploads.update().where(uploads.c.household == household, uploads.c.id == upload),
        {"done": 0, "state": "open"},
    )
    return result.rowcount == 1


def set_state(connection: Connection, household: HouseholdId, upload: UploadId, state: str) -> None:
    """How a file stands from now on."""
    connection.execute(
        uploads.update().where(uploads.c.household == household, uploads.c.id == upload), {"state": state}
    )


def advance_upload(
    connection: Connection,
    household: HouseholdId,
    upload: UploadId,
    *,
    expected: int,
    done: int,
    state: str,
    problems: list[Any],
) -> bool:
    """Record how far it came; False where ``done`` was not ``expected``, as another worker went on with it."""
    result = connection.execute(
        uploads.update().where(
            uploads.c.household == household, uploads.c.id == upload, uploads.c.done == expected
        ),
        {"done": done, "state": state, "problems": problems},
    )
    return result.rowcount == 1

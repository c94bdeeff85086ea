"""A driver's errors, said plainly."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from calward.errors import Busy, CalwardError, StoreError
from calward.store.failures import plainly
from calward.store.place import Place
from calward.store.sqlite import SQLITE

PLACE = Place(Path("/home/ann/.local/share/calward/calward.db"))
SQL = "SELECT summary FROM components WHERE summary = 'Surgery'"


def fail_with(code: int) -> CalwardError:
    """What becomes of a driver's error."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    with pytest.raises(CalwardError) as caught, plainly(SQLITE, PLACE):
        raise sa.exc.OperationalError(SQL, None, error)
    return caught.value


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        (sqlite3.SQLITE_BUSY, Busy, "Another program"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Busy, "Another program"),
        (sqlite3.SQLITE_LOCKED, Busy, "Another program"),
        (sqlite3.SQLITE_CORRUPT, StoreError, "damaged"),
        (sqlite3.SQLITE_CORRUPT_VTAB, StoreError, "damaged"),
        (sqlite3.SQLITE_NOTADB, StoreError, "damaged"),
        (sqlite3.SQLITE_FULL, StoreError, "disk is full"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreError, "may not be written"),
        (sqlite3.SQLITE_CANTOPEN, StoreError, "cannot be opened"),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreError, "disk failed"),
    ],
)
def test_each_trouble_says_what_happened_and_names_the_file_to_the_person_alone(
    code: int, kind: type[CalwardError], says: str
) -> None:
    error = fail_with(code)
    assert type(error) is kind
    assert says in error.message
    assert str(PLACE.path) in error.hint
    assert str(PLACE.path) not in error.message
    for secret in ("SELECT", "Surgery"):
        assert secret not in error.message + error.hint


def test_waiting_too_long_for_a_connection_is_busy() -> None:
    with pytest.raises(Busy), plainly(SQLITE, PLACE):
        raise sa.exc.TimeoutError


def test_a_mistake_in_a_statement_passes_unchanged() -> None:
    broken = sa.exc.IntegrityError(SQL, None, sqlite3.IntegrityError("UNIQUE constraint failed"))
    with pytest.raises(sa.exc.IntegrityError) as caught, plainly(SQLITE, PLACE):
        raise broken
    assert caught.value is broken

"""Migrations: how a store of any released version becomes one of today's. Forward only.

Each migration runs in one transaction together with the row that remembers it, after the file was copied.
Alembic is imported only when there is something to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.store import failures, sqlite
from calward.store.place import Place


@dataclass(frozen=True, slots=True)
class History:
    """A folder of migrations and the newest of them.

    Revisions are numbers of four digits from 0001 on without a gap, so that a greater one is a newer one.
    """

    folder: Path
    head: str

    def until(self, revision: str) -> list[str]:
        return [f"{number:04}" for number in range(1, int(revision) + 1)]


OURS = History(Path(__file__).parent, "0007")

_VERSION = sa.table("alembic_version", sa.column("version_num", sa.Text))


def revision_of(connection: Connection) -> str | None:
    """The revision a database is at; None where it is no store of ours."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(sa.select(_VERSION.c.version_num))


def create(place: Place, history: History = OURS) -> None:
    """Make a new store. Where another program makes one at the same time, one of the two stays.

    Raises StoreError where its folder cannot be used or the disk is full.
    """
    place.make_folder()
    with failures.plainly(sqlite.SQLITE, place), place.appearing() as path:
        for revision in history.until(history.head):
            _run(Place(path), history, revision, backup=False)


def upgrade(place: Place, history: History = OURS) -> None:
    """Bring a store to the newest revision, copying it before each step; one that is there is left alone.

    Raises StoreError or Busy as ``calward.store.failures`` says; the steps before the one that failed stay.
    """
    with failures.plainly(sqlite.SQLITE, place):
        for revision in history.until(history.head):
            _run(place, history, revision, backup=True)


def _run(place: Place, history: History, revision: str, *, backup: bool) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(history.folder).replace("%", "%%"))
    # The write lock is held from here, so that of two programs that start together one migrates and the
    # other finds it done.
    with sqlite.migrating_engine(place).begin() as connection:
        stored = revision_of(connection)
        if stored is not None and stored >= revision:
            return
        if backup:
            with place.backing_up(revision) as copy:
                sqlite.copy_file(place, Place(copy))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        sqlite.require_whole_references(connection)

"""Migrations: how a store of any released version becomes one of today's. Forward only.

Each migration runs in one transaction together with the row that remembers it, after the file was copied.
Alembic is imported only when there is something to do.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.store import failures, sqlite
from calward.store.place import Place

HEAD = "0001"
"""The newest revision. Revisions are numbered, so that a greater one is a newer one."""

_FOLDER = Path(__file__).parent
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.Text))


def revision_of(connection: Connection) -> str | None:
    """The revision a database is at; None where it is no store of ours."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(sa.select(_VERSION.c.version_num))


def create(place: Place) -> None:
    """Make a new store. Where another program makes one at the same time, one of the two stays.

    Raises StoreError where its folder cannot be used or the disk is full.
    """
    place.make_folder()
    with place.appearing() as path, failures.plainly(sqlite.SQLITE, place):
        _run(Place(path), to=HEAD)


def upgrade(place: Place, *, to: str = HEAD) -> None:
    """Bring a store to revision ``to``, copying it before each step; one that is there is left alone."""
    for step in _steps(to):
        _run(place, to=step, backup=True)


def _steps(to: str) -> list[str]:
    return [f"{number:04}" for number in range(1, int(to) + 1)]


def _run(place: Place, *, to: str, backup: bool = False) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    engine = sqlite.migrating_engine(place)
    # The write lock is held from here, so that of two programs that start together one migrates and the
    # other finds it done.
    with engine.begin() as connection:
        revision = revision_of(connection)
        if revision is not None and revision >= to:
            return
        if backup:
            with place.backing_up(to) as copy:
                sqlite.copy_file(place, Place(copy))
        config.attributes["connection"] = connection
        command.upgrade(config, to)
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise RuntimeError(f"migration {to} left a reference in {broken[0]} that leads nowhere")

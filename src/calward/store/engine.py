"""Opening the store, and the two ways to use it: reading and writing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from calward.errors import SettingsError, StoreError
from calward.store import failures, migrations, sqlite
from calward.store.dialect import Dialect
from calward.store.migrations import OURS, History
from calward.store.place import Place
from calward.store.sqlite import PATIENCE, SQLITE


class Store:
    """An open store. Safe to share between threads; other processes may have the same file open.

    Inside ``reading`` and ``writing`` a database that is locked raises Busy, one that is damaged, full or out
    of reach StoreError; see ``calward.store.failures``.
    """

    def __init__(self, place: Place, dialect: Dialect, reader: Engine, writer: Engine) -> None:
        self.place = place
        self.dialect = dialect
        self._reader = reader
        self._writer = writer
        self._used = _Used(self._dispose)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that sees one moment and can change nothing."""
        with (
            self._used.once(),
            failures.plainly(self.dialect, self.place),
            self._reader.connect() as connection,
        ):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that holds the write lock until it ends: committed, or undone if the block raises.

        Keep it short and never wait for a network inside. It is not for nesting: the inner one would wait for
        the outer until Busy is raised.
        """
        with (
            self._used.once(),
            failures.plainly(self.dialect, self.place),
            self._writer.begin() as connection,
        ):
            yield connection

    def scrub(self) -> None:
        """Leave nothing in the files of what was deleted. It waits for other writers and they for it."""
        with self._used.once(), failures.plainly(self.dialect, self.place):
            sqlite.scrub(self.place)

    def close(self) -> None:
        """Begin no more transactions, and close every connection as soon as none is in use.

        A transaction still open in another thread goes on to its end; one begun from now on raises StoreError.
        """
        self._used.close()

    def _dispose(self) -> None:
        self._reader.dispose()
        self._writer.dispose()


class _Used:
    """Counts the transactions, and calls ``dispose`` at the end once none is left.

    A pool that is disposed of forgets the connections that are out, and nothing would close them.
    """

    def __init__(self, dispose: Callable[[], None]) -> None:
        self._dispose = dispose
        self._lock = threading.Lock()
        self._now = 0
        self._ends = False

    @contextmanager
    def once(self) -> Iterator[None]:
        self._change(1)
        try:
            yield
        finally:
            self._change(-1)

    def close(self) -> None:
        with self._lock:
            self._ends = True
            if not self._now:
                self._dispose()

    def _change(self, by: int) -> None:
        with self._lock:
            if self._ends and by > 0:
                raise StoreError("The store is closed.")
            self._now += by
            if self._ends and not self._now:
                self._dispose()


def open_store(
    url_or_path: str | Path, *, migrate: bool = True, patience: float = PATIENCE, history: History = OURS
) -> Store:
    """Open the store, making it where there is none and bringing an older one up to date.

    ``url_or_path`` is a file's path or ``sqlite:///`` and a path. With ``migrate=False`` a store is neither
    made nor migrated. ``patience`` is how many seconds to wait for another's write before Busy. A store that
    was up to date costs one small query; Alembic is not imported.

    Raises SettingsError for another kind of URL; StoreError where the store is damaged, newer than this
    program, out of reach, or would need what ``migrate=False`` forbids; Busy where another program holds it.
    """
    place = _place(url_or_path)
    sqlite.require_support()
    if migrate and not place.path.exists():
        migrations.create(place, history)
    reader, writer = sqlite.reading_engine(place, patience), sqlite.writing_engine(place, patience)
    store = Store(place, SQLITE, reader, writer)
    try:
        _bring_up_to_date(store, history, migrate=migrate)
    except BaseException:
        store.close()
        raise
    return store


def _bring_up_to_date(store: Store, history: History, *, migrate: bool) -> None:
    with store.reading() as connection:
        revision = migrations.revision_of(connection)
    if revision is None:
        raise failures.damaged(store.place)
    if revision == history.head:
        return
    if revision > history.head:
        raise failures.newer(store.place, revision)
    if not migrate:
        raise failures.older(store.place, revision)
    migrations.upgrade(store.place, history)


def _place(url_or_path: str | Path) -> Place:
    if isinstance(url_or_path, Path) or "://" not in url_or_path:
        return Place(Path(url_or_path).absolute())
    try:
        url = sa.make_url(url_or_path)
    except sa.exc.ArgumentError:
        url = sa.URL.create("unknown")
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:" or url.query:
        raise SettingsError(
            "The database must be named by a file's path or by sqlite:/// and a path; no other is supported."
        )
    return Place(Path(url.database).absolute())

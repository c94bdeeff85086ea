"""SQLite's own ways: connections, what its errors mean, and search by FTS5 (https://sqlite.org/fts5.html).

The only file that may hold SQLite's SQL. The database is in WAL mode: readers see the last commit and never
wait, writers take turns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import registry
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import NullPool, QueuePool
from sqlalchemy.util import LRUCache

from calward.errors import StoreError
from calward.store.dialect import Dialect, Trouble
from calward.store.digests import canonical_json
from calward.store.place import Place

OLDEST = (3, 35, 0)
PATIENCE = 5.0
"""Seconds to wait for another program's write."""
SHORTEST_INDEXED = 3
"""Code points: what the trigram index needs at least."""

_WAL = "PRAGMA journal_mode = WAL"
"""The file remembers it; asked again, since a copy that was put back does not."""
_LOG_LIMIT = "PRAGMA journal_size_limit = 64000000"
"""Bytes that the log keeps on disk after an import made it grow."""
_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16000",
)

# --- connections ---------------------------------------------------------------------------------------------


def reading_engine(place: Place, patience: float) -> Engine:
    """Connections that cannot write; each transaction sees one moment. ``patience`` is in seconds."""
    pragmas = (*_PRAGMAS, "PRAGMA query_only = ON")
    return _engine(place, "BEGIN", pragmas, patience, pool_size=8, max_overflow=32)


def writing_engine(place: Place, patience: float) -> Engine:
    """One connection, whose transactions hold the write lock from their first statement.

    The pool of one makes the threads of this process queue here, in order, instead of polling the file's lock.
    """
    pool = {"pool_size": 1, "max_overflow": 0, "pool_timeout": 2 * patience}
    return _engine(place, "BEGIN IMMEDIATE", (_WAL, _LOG_LIMIT, *_PRAGMAS), patience, **pool)


def migrating_engine(place: Place) -> Engine:
    """Connections for changing tables, which SQLite can do only while it does not watch foreign keys."""
    pragmas = (_WAL, "PRAGMA foreign_keys = OFF")
    return _engine(place, "BEGIN IMMEDIATE", pragmas, PATIENCE, poolclass=NullPool)


def require_whole_references(connection: Connection) -> None:
    """Raise where a row refers to one that is not there; a migration's last step, see ``migrating_engine``."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise RuntimeError(f"the migration left a reference in {broken[0]} that leads nowhere")


def copy_file(source: Place, target: Place) -> None:
    """Copy the last committed state, while others read and write; the copy needs no file beside it."""
    reader, writer = _connect(source, PATIENCE), _connect(target, PATIENCE)
    try:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode = DELETE")
    finally:
        writer.close()
        reader.close()


def scrub(place: Place) -> None:
    """Write the file anew from what it holds, so that nothing is left of what was deleted: neither in free
    pages and the log beside it, nor as fragments in the search index."""
    connection = _connect(place, PATIENCE)
    try:
        connection.execute("INSERT INTO search_fts (search_fts) VALUES ('rebuild')")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


@cache
def require_support() -> None:
    """Raise StoreError where this Python's SQLite is too old or lacks what search needs."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("SELECT value FROM json_each('[]')")
        connection.execute(f"CREATE VIRTUAL TABLE probe USING fts5(a, {_TOKENIZER})")
        fit = sqlite3.sqlite_version_info >= OLDEST
    except sqlite3.Error:
        fit = False
    finally:
        connection.close()
    if not fit:
        wanted = ".".join(map(str, OLDEST))
        raise StoreError(
            f"Calward needs SQLite {wanted} or newer with FTS5 and its trigram tokenizer; this Python has "
            f"{sqlite3.sqlite_version}. Use a Python that was built with a newer SQLite."
        )


def _connect(place: Place, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(
        # A file that is not there stays so: SQLite would otherwise make an empty one.
        f"{place.path.as_uri()}?mode=rw",
        uri=True,
        timeout=patience,
        # The driver would begin transactions by itself, and only before some statements.
        isolation_level=None,
        check_same_thread=False,
    )


class SharedSqlite(SQLiteDialect_pysqlite):
    """What is compiled for one engine serves every other: they differ in how they connect, not in their SQL."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedSqlite)

    def __hash__(self) -> int:
        return hash(SharedSqlite)


registry.register("sqlite.shared", __name__, SharedSqlite.__name__)
_COMPILED = LRUCache[Any, Any](2_000)
"""Statements by what they look like. Compiling one takes longer than most take to run."""


def _engine(place: Place, begin: str, pragmas: Sequence[str], patience: float, **pool: Any) -> Engine:
    engine = sa.create_engine(
        "sqlite+shared://",
        creator=lambda: _connect(place, patience),
        json_serializer=canonical_json,
        hide_parameters=True,
        execution_options={"compiled_cache": _COMPILED},
        **({"poolclass": QueuePool} | pool),
    )

    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in pragmas:
            connection.execute(pragma)

    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    sa.event.listen(engine, "connect", prepare)
    sa.event.listen(engine, "begin", start)
    return engine


# --- errors --------------------------------------------------------------------------------------------------

_TROUBLES = {
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.UNREACHABLE,
    sqlite3.SQLITE_CANTOPEN: Trouble.UNREACHABLE,
    sqlite3.SQLITE_IOERR: Trouble.FAILING,
}


def diagnose(error: BaseException) -> Trouble | None:
    """Read the result code (https://sqlite.org/rescode.html); its low byte is the primary one."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else _TROUBLES.get(code & 0xFF)


# --- search --------------------------------------------------------------------------------------------------

# Texts are stored already folded (see calward.store.search), so the index compares them as they are. It keeps
# no copy of them and no column sizes, which only ranking needs: answers are ordered by start.
_TOKENIZER = "tokenize = 'trigram case_sensitive 1'"
_COLUMNS = "title, notes, location, people"
_OLD = "old.component, old.title, old.notes, old.location, old.people"
_NEW = "new.component, new.title, new.notes, new.location, new.people"
_FORGET = f"INSERT INTO search_fts (search_fts, rowid, {_COLUMNS}) VALUES ('delete', {_OLD});"
_LEARN = f"INSERT INTO search_fts (rowid, {_COLUMNS}) VALUES ({_NEW});"
_SEARCH = (
    f"""CREATE VIRTUAL TABLE search_fts USING fts5(
        {_COLUMNS}, content = 'search_text', content_rowid = 'component', columnsize = 0, {_TOKENIZER})""",
    f"CREATE TRIGGER search_text_added AFTER INSERT ON search_text BEGIN {_LEARN} END",
    f"CREATE TRIGGER search_text_removed AFTER DELETE ON search_text BEGIN {_FORGET} END",
    f"CREATE TRIGGER search_text_changed AFTER UPDATE ON search_text BEGIN {_FORGET} {_LEARN} END",
)
_FTS = sa.table("search_fts", sa.column("rowid", sa.Integer))


def create_search(connection: Connection) -> None:
    for statement in _SEARCH:
        connection.exec_driver_sql(statement)


def _index_query(words: Sequence[str]) -> str | None:
    # A quoted string is plain text to FTS5 whatever it holds; a quote inside is doubled.
    phrases = ['"' + word.replace('"', '""') + '"' for word in words if len(word) >= SHORTEST_INDEXED]
    return " AND ".join(phrases) or None


def _candidates(query: sa.BindParameter[str]) -> sa.Select[int]:
    return sa.select(_FTS.c.rowid).where(sa.literal_column("search_fts").op("MATCH")(query))


def _contains(column: sa.ColumnElement[str], word: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    # Not LIKE, which folds ASCII case, gives % and _ a meaning and caps the pattern's length.
    return sa.func.instr(column, word) > 0


def _tables_of_its_own(name: str) -> bool:
    return name == "search_fts" or name.startswith("search_fts_")


# --- values, inserts and upserts -----------------------------------------------------------------------------


def _cut_rows(triples: sa.BindParameter[Any]) -> sa.Select[str, int, int]:
    each = sa.func.json_each(triples).table_valued("value")
    item = each.c.value
    return sa.select(
        sa.func.json_extract(item, "$[0]", type_=sa.Text).label("calendar_id"),
        sa.func.json_extract(item, "$[1]", type_=sa.Integer).label("own"),
        sa.func.json_extract(item, "$[2]", type_=sa.Integer).label("others"),
    )


def _numbers(array: sa.BindParameter[Any]) -> sa.Select[int]:
    return sa.select(sa.func.json_each(array).table_valued(sa.column("value", sa.Integer)).c.value)


def _texts(array: sa.BindParameter[Any]) -> sa.Select[str]:
    return sa.select(sa.func.json_each(array).table_valued(sa.column("value", sa.Text)).c.value)


def _greatest(one: sa.ColumnElement[int], other: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.func.max(one, other)


def _least(one: sa.ColumnElement[int], other: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.func.min(one, other)


def _upsert(table: sa.Table, *, unique: Sequence[str], update: Sequence[str] = ()) -> sqlite_dialect.Insert:
    insert = sqlite_dialect.insert(table)
    if not update:
        return insert.on_conflict_do_nothing(index_elements=unique)
    return insert.on_conflict_do_update(
        index_elements=unique, set_={name: insert.excluded[name] for name in update}
    )


def _insert_plain(
    connection: Connection, table: sa.Table, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    connection.exec_driver_sql(_insertion(table, tuple(columns)), list(rows))


@cache
def _insertion(table: sa.Table, columns: tuple[str, ...]) -> str:
    # Spelled out, since a compiled insert has its columns in the table's order.
    quote = sqlite_dialect.dialect().identifier_preparer.quote
    return (
        f"INSERT INTO {table.name} ({', '.join(map(quote, columns))}) VALUES ({', '.join('?' * len(columns))})"
    )


SQLITE = Dialect(
    name="sqlite",
    diagnose=diagnose,
    upsert=_upsert,
    insert_plain=_insert_plain,
    cut_rows=_cut_rows,
    numbers=_numbers,
    texts=_texts,
    greatest=_greatest,
    least=_least,
    contains=_contains,
    index_query=_index_query,
    candidates=_candidates,
    create_search=create_search,
    tables_of_its_own=_tables_of_its_own,
)

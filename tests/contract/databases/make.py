"""Writes the dump of a database that a released version leaves behind, for later versions to open.

Run once at each release, by hand: ``python -m tests.contract.databases.make 0.1.0``. It dumps a small family
with at least one row in every table as SQL, without the search index, which it makes anew from the tables.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path

import sqlalchemy as sa

from calward.store.engine import Store, open_store
from calward.store.sqlite import SQLITE
from calward.store.tables import METADATA
from tests.contract.store.family import ANN, HELPER, HOME, NOON, Happening, put, settle_in

FOLDER = Path(__file__).parent


def main(version: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calward.db"
        store = open_store(path)
        furnish(store)
        store.close()
        FOLDER.joinpath(f"{version}.sql").write_text(dump(path))


def furnish(store: Store) -> None:
    """Put a row into every table, the readable ones by their own functions."""
    with store.writing() as connection:
        settle_in(connection, HOME)
        put(connection, HOME, Happening("dinner", title="Dinner 會議", maker=HELPER, member=ANN))
        for table in METADATA.sorted_tables:
            if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0:
                connection.execute(table.insert(), _a_row_of(table))


def dump(path: Path) -> str:
    """A script that makes the same database again."""
    connection = sqlite3.connect(path)
    names = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    entries = [row for row in connection.execute(names) if not _is_shadow(row[1])]
    lines = ["BEGIN;"]
    lines += [f"{sql};" for kind, _, sql in entries if kind in ("table", "index")]
    for kind, name, _ in entries:
        if kind == "table" and name != "search_fts":
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')]
            quoted = " || ', ' || ".join(f'quote("{column}")' for column in columns)
            for (values,) in connection.execute(f'SELECT {quoted} FROM "{name}" ORDER BY 1'):
                lines.append(f'INSERT INTO "{name}" VALUES ({values});')
    lines += ["INSERT INTO search_fts (search_fts) VALUES ('rebuild');"]
    lines += [f"{sql};" for kind, _, sql in entries if kind == "trigger"]
    connection.close()
    return "\n".join([*lines, "COMMIT;", ""])


def _is_shadow(name: str) -> bool:
    return name != "search_fts" and SQLITE.tables_of_its_own(name)


def _a_row_of(table: sa.Table) -> dict[str, object]:
    known = {"household": HOME, "member_id": ANN, "assistant_id": HELPER, "event_id": "dinner"}
    known |= {"calendar_id": "family", "account_id": "account"}
    return {
        column.name: known.get(column.name, _a_value_of(column))
        for column in table.columns
        if column.name != "rowid" and (column.name in known or not column.nullable)
    }


def _a_value_of(column: sa.Column[object]) -> object:
    if column.name == "id":
        return column.table.name.removesuffix("s")
    match column.type:
        case sa.JSON():
            return []
        case sa.LargeBinary():
            return b"bytes"
        case sa.Boolean():
            return False
        case sa.Integer():
            return 1
        case sa.Text():
            return "text"
    return NOON


if __name__ == "__main__":
    main(*sys.argv[1:])

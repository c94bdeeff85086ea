"""Migrations: their sum is the tables, every released database opens, and nothing is lost on the way."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory

from calward.errors import StoreError
from calward.model.grant import Level
from calward.store.components import count_matching
from calward.store.engine import Store, open_store
from calward.store.migrations import OURS, History
from calward.store.search import Wanted
from calward.store.sqlite import SQLITE
from calward.store.tables import METADATA
from tests.contract.store.conftest import Opener
from tests.contract.store.family import FAMILY, HOME, a_cut

DATABASES = sorted(Path(__file__).parents[1].joinpath("databases").glob("*.sql"))


def schema(connection: sa.Connection) -> dict[str, Any]:
    """What a database holds of columns, keys and indexes, whatever their order."""
    inspector = sa.inspect(connection)
    names = [name for name in inspector.get_table_names() if not SQLITE.tables_of_its_own(name)]
    return {
        name: {
            "columns": sorted(
                (column["name"], str(column["type"]), column["nullable"], column.get("default"))
                for column in inspector.get_columns(name)
            ),
            "primary": inspector.get_pk_constraint(name)["constrained_columns"],
            "unique": sorted(str(sorted(key.items())) for key in inspector.get_unique_constraints(name)),
            "foreign": sorted(str(sorted(key.items())) for key in inspector.get_foreign_keys(name)),
            "indexes": sorted(
                (index["name"] or "", str(index["column_names"]), index["unique"], _where(index))
                for index in inspector.get_indexes(name)
            ),
        }
        for name in names
        if name != "alembic_version"
    }


def _where(index: Any) -> str:
    return str(index.get("dialect_options", {}).get("sqlite_where", ""))


@pytest.fixture
def as_drawn(tmp_path: Path) -> dict[str, Any]:
    """The schema of the tables as they are drawn."""
    engine = sa.create_engine(f"sqlite:///{tmp_path}/drawn.db")
    METADATA.create_all(engine)
    with engine.connect() as connection:
        drawn = schema(connection)
    engine.dispose()
    return drawn


@pytest.fixture
def next_history(tmp_path: Path) -> History:
    """Our migrations and one more, as the next release would bring it."""
    folder = tmp_path / "next"
    shutil.copytree(OURS.folder, folder, ignore=shutil.ignore_patterns("__pycache__", "__init__.py"))
    return with_step(History(folder, OURS.head), "op.add_column('members', sa.Column('motto', sa.Text))")


def with_step(history: History, step: str) -> History:
    number = f"{int(history.head) + 1:04}"
    code = f"""
import sqlalchemy as sa
from alembic import op
revision = "{number}"
down_revision = "{history.head}"
def upgrade():
    {step}
"""
    history.folder.joinpath("versions", f"r{number}_next.py").write_text(code)
    return History(history.folder, number)


def test_the_sum_of_the_migrations_is_the_tables(store: Store, as_drawn: dict[str, Any]) -> None:
    with store.reading() as connection:
        assert schema(connection) == as_drawn


@pytest.mark.parametrize("script", DATABASES, ids=lambda path: path.stem)
def test_a_database_of_every_released_version_opens(
    script: Path, tmp_path: Path, as_drawn: dict[str, Any]
) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(script.read_text())
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not SQLITE.tables_of_its_own(name)
    ]
    before = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone() for name in names}
    connection.close()
    store = open_store(path)
    with store.writing() as opened:
        assert schema(opened) == as_drawn
        after = {name: opened.exec_driver_sql(f"SELECT count(*) FROM {name}").first() for name in names}
        assert after == before
        cut = a_cut((FAMILY, Level.DETAILS, Level.DETAILS))
        assert count_matching(opened, HOME, cut, Wanted(("dinner", "會議"))) == 1
    store.close()


def test_our_history_is_one_line_of_numbers_that_ends_at_its_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(OURS.folder))
    scripts = ScriptDirectory.from_config(config)
    revisions = [script.revision for script in scripts.walk_revisions()]
    assert revisions[::-1] == OURS.until(OURS.head)
    assert scripts.get_heads() == [OURS.head]
    assert not any(hasattr(script.module, "downgrade") for script in scripts.walk_revisions())


def test_an_older_store_is_copied_then_migrated(database: Path, next_history: History) -> None:
    store = open_store(database, history=next_history)
    with store.reading() as connection:
        assert connection.execute(sa.text("SELECT motto, name FROM members")).first() == (None, "Ann")
    store.close()
    backup = copy_before(next_history, database)
    assert stat.S_IMODE(os.stat(backup).st_mode) == 0o600
    assert not list(database.parent.glob("calward.db.backup-*"))

    shutil.move(backup, database)
    for leftover in database.parent.glob("calward.db-*"):
        leftover.unlink()
    put_back = open_store(database)
    with put_back.reading() as connection:
        assert "motto" not in {column["name"] for column in sa.inspect(connection).get_columns("members")}
    put_back.close()


def test_the_copy_holds_what_was_not_yet_written_into_the_main_file(
    open_again: Opener, database: Path, next_history: History
) -> None:
    store = open_again()
    with store.writing() as connection:
        connection.execute(sa.text("UPDATE members SET name = 'Anna'"))
    open_store(database, history=next_history).close()
    backup = sqlite3.connect(copy_before(next_history, database))
    assert backup.execute("SELECT DISTINCT name FROM members").fetchall() == [("Anna",)]
    backup.close()


@pytest.mark.parametrize(
    "step",
    [
        "op.add_column('members', sa.Column('half', sa.Text)); raise RuntimeError('way')",
        'op.execute("DELETE FROM members")',
    ],
    ids=["raises", "leaves references that lead nowhere"],
)
def test_a_migration_that_fails_leaves_the_store_as_it_was(
    database: Path, next_history: History, step: str
) -> None:
    with pytest.raises(RuntimeError):
        open_store(database, history=with_step(next_history, step))
    store = open_store(database, history=next_history)
    with store.reading() as connection:
        columns = {column["name"] for column in sa.inspect(connection).get_columns("members")}
        assert "motto" in columns
        assert "half" not in columns
        assert connection.execute(sa.text("SELECT count(*) FROM members")).scalar_one() == 2
    store.close()


def test_only_the_newest_copies_are_kept(database: Path, next_history: History) -> None:
    histories = [next_history]
    for _ in range(6):
        histories.append(with_step(histories[-1], "pass"))
    open_store(database, history=histories[-1]).close()
    kept = sorted(database.parent.glob("*.backup"))
    assert kept == [copy_before(history, database) for history in histories[-5:]]


def test_a_newer_store_is_left_alone(database: Path, next_history: History) -> None:
    open_store(database, history=next_history).close()
    before = database.read_bytes()
    with pytest.raises(StoreError, match="newer Calward") as caught:
        open_store(database)
    assert str(database) in caught.value.hint
    assert str(database) not in caught.value.message
    assert database.read_bytes() == before


def test_without_leave_to_migrate_an_older_store_is_refused(database: Path, next_history: History) -> None:
    with pytest.raises(StoreError, match="older Calward"):
        open_store(database, migrate=False, history=next_history)
    open_store(database, migrate=False).close()


def test_a_path_with_a_percent_sign_and_spaces_works(tmp_path: Path) -> None:
    path = tmp_path / "50 % é" / "my calendar?.db"
    open_store(path).close()
    open_store(path, migrate=False).close()
    assert path.exists()


def copy_before(history: History, database: Path) -> Path:
    """The copy that is made before the last step of a history."""
    return database.with_name(f"{database.name}.before-{history.head}.backup")


OPEN = """
import sys
from pathlib import Path
from calward.store.engine import open_store
from calward.store.migrations import History
open_store(sys.argv[1], patience=30, history=History(Path(sys.argv[2]), sys.argv[3])).close()
"""


def start(database: Path, history: History) -> subprocess.Popen[str]:
    """Another program that opens the store."""
    return subprocess.Popen(
        [sys.executable, "-c", OPEN, str(database), str(history.folder), history.head],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_of_programs_that_start_together_one_migrates(database: Path, next_history: History) -> None:
    started = [start(database, next_history) for _ in range(3)]
    assert [(program.communicate(timeout=60), program.returncode) for program in started] == [(("", ""), 0)] * 3
    assert len(list(database.parent.glob("*.backup"))) == 1
    open_store(database, migrate=False, history=next_history).close()


def test_a_program_killed_while_it_migrates_leaves_the_store_as_it_was(
    database: Path, next_history: History
) -> None:
    step = "op.execute('DELETE FROM grants'); print('here', flush=True); input()"
    with start(database, with_step(next_history, step)) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "here\n"
        program.kill()
    open_store(database, migrate=False, history=next_history).close()

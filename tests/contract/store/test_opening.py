"""Opening the store: where it is made, who may read it, and what is never made anew in silence."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import CacheStats

from calward.errors import SettingsError, StoreError
from calward.store.engine import open_store
from calward.store.people import get_household
from calward.store.tables import households
from tests.contract.store.conftest import Opener
from tests.contract.store.family import HOME


def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "data" / "calward.db"
    store = open_store(f"sqlite:///{path}")
    with store.writing() as connection:
        connection.execute(sa.text("UPDATE members SET name = ''"))
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    store.close()
    assert files == {"calward.db": 0o600, "calward.db-wal": 0o600, "calward.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["calward.db"]


def test_what_was_compiled_for_one_store_serves_the_next(tmp_path: Path) -> None:
    hits = []
    for name in ("one", "two"):
        store = open_store(tmp_path / name)
        for begin in (store.reading, store.writing):
            with begin() as connection:
                context = connection.execute(sa.select(households.c.id.label("met here first"))).context
                hits.append(context.cache_hit)
        store.close()
    assert hits == [CacheStats.CACHE_MISS, *[CacheStats.CACHE_HIT] * 3]


def test_many_first_starts_at_once_make_one_store(tmp_path: Path) -> None:
    path = tmp_path / "calward.db"
    script = f"""
from calward.store.engine import open_store
from calward.store.settings import set_setting
import sys
store = open_store({str(path)!r})
with store.writing() as connection:
    set_setting(connection, 1, sys.argv[1], True)
"""
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(number)], stderr=subprocess.PIPE)
        for number in range(3)
    ]
    assert [(process.communicate(timeout=60)[1], process.returncode) for process in started] == [(b"", 0)] * 3
    connection = sqlite3.connect(path)
    names = connection.execute("SELECT name FROM settings ORDER BY name").fetchall()
    connection.close()
    assert names == [("0",), ("1",), ("2",)]
    assert not list(tmp_path.glob("*.new-*"))


@pytest.mark.parametrize("content", [b"", b"\x00" * 4096, os.urandom(8192), b"not a database, a letter"])
def test_what_is_no_database_is_reported_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "calward.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged") as caught:
        open_store(path)
    assert path.read_bytes() == content
    assert str(path) in caught.value.hint
    assert "No copy lies beside it" in caught.value.hint
    assert str(tmp_path) not in caught.value.message


def test_another_programs_database_is_not_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "calward.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    with pytest.raises(StoreError, match="damaged"):
        open_store(path)


@pytest.mark.parametrize("kept", [4096, 8192, 100_000])
def test_a_file_cut_short_is_reported_with_the_newest_copy(database: Path, kept: int) -> None:
    database.with_name("calward.db.before-0002.backup").write_bytes(b"")
    newest = database.with_name("calward.db.before-0003.backup")
    newest.write_bytes(b"")
    os.utime(newest, ns=(2**62, 2**62))
    whole = database.read_bytes()
    database.write_bytes(whole[:kept])
    with pytest.raises(StoreError, match="damaged") as caught:
        use(database)
    assert "before-0003.backup" in caught.value.hint
    assert database.read_bytes() == whole[:kept]


def test_a_damaged_page_is_reported_by_whoever_reads_it(database: Path) -> None:
    whole = bytearray(database.read_bytes())
    whole[4096:] = os.urandom(len(whole) - 4096)
    database.write_bytes(whole)
    with pytest.raises(StoreError, match="damaged"):
        use(database)


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(StoreError, match="folder") as caught:
        open_store(tmp_path / "file" / "data" / "calward.db")
    assert "file" in caught.value.hint


def test_a_missing_store_is_not_made_where_that_was_not_asked(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path / "calward.db", migrate=False)
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "url", ["postgresql://host/db", "sqlite://", "sqlite:///:memory:", "sqlite:///a?mode=ro", "://", "mysql://"]
)
def test_another_kind_of_database_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="sqlite:///"):
        open_store(url)


def test_an_up_to_date_store_opens_without_alembic(database: Path) -> None:
    script = f"""
import sys
from calward.store.engine import open_store
open_store({str(database)!r}).close()
assert "alembic" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_threads_share_an_open_store(open_again: Opener) -> None:
    store = open_again()

    def read(_: int) -> str:
        with store.reading() as connection:
            household = get_household(connection, HOME)
        assert household is not None
        return household.name

    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(read, range(200))) == {"The Larks"}


def test_a_closed_store_leaves_one_whole_file(open_again: Opener, database: Path) -> None:
    store = open_again()
    with store.writing() as connection:
        connection.execute(sa.text("UPDATE members SET name = 'Anna'"))
    store.close()
    assert [file.name for file in database.parent.glob("calward.db*")] == ["calward.db"]


def use(database: Path) -> None:
    """Open it and read every table, as a day of use would."""
    store = open_store(database)
    try:
        with store.reading() as connection:
            for name in sa.inspect(connection).get_table_names():
                connection.execute(sa.text(f'SELECT * FROM "{name}"')).all()
    finally:
        store.close()


def test_a_store_that_is_taken_away_while_open_is_not_made_anew(open_again: Opener, database: Path) -> None:
    store = open_again()
    with store.reading():
        database.unlink()
        with pytest.raises(StoreError, match="cannot be opened"), store.reading() as connection:
            get_household(connection, HOME)
    assert not database.exists()


def test_closing_lets_a_transaction_end_and_begins_no_other(database: Path) -> None:
    store = open_store(database)
    with store.reading() as reading, store.writing() as writing:
        reading.execute(sa.text("SELECT 1"))
        writing.execute(sa.text("UPDATE members SET name = 'Robin'"))
        store.close()
        with pytest.raises(StoreError, match="closed"), store.reading():
            pass
    store.close()
    assert [file.name for file in database.parent.iterdir()] == ["calward.db"]
    with pytest.raises(StoreError, match="closed"), store.writing():
        pass
    again = open_store(database)
    with again.reading() as connection:
        assert set(connection.scalars(sa.text("SELECT name FROM members"))) == {"Robin"}
    again.close()

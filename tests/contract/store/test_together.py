"""Many at work on one store: turns, snapshots, refusals, and a death between two statements."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from calward.errors import Busy, StoreError
from calward.model.ids import ApprovalId, EventId
from calward.store.approvals import claim_approval, insert_approval
from calward.store.engine import Store, open_store
from calward.store.journal import append, history, verify
from calward.store.objects import get_object, insert_objects
from calward.store.settings import get_setting, set_setting
from tests.contract.store.conftest import Opener
from tests.contract.store.family import ANN, EPOCH, HOME, NOON, a_change, an_approval, an_object

COUNT_UP = """
import sys
from calward.store.engine import open_store
from calward.store.settings import get_setting, set_setting
store = open_store(sys.argv[1])
for _ in range(25):
    with store.writing() as connection:
        set_setting(connection, 1, "n", (get_setting(connection, 1, "n") or 0) + 1)
"""

STOP_BEFORE = """
import sys
import sqlalchemy as sa
from calward.store.engine import open_store
from calward.store.journal import append, keep_bytes
from calward.store.objects import insert_objects
from tests.contract.store.family import HOME, NOON, Happening, a_change, an_object, put
store = open_store(sys.argv[1])
left = int(sys.argv[2])
with store.writing() as connection:
    @sa.event.listens_for(connection, "before_cursor_execute")
    def stop(*_):
        global left
        left -= 1
        if left < 0:
            print("stopped", flush=True)
            sys.stdin.read()
    put(connection, HOME, Happening("dinner", title="Dinner 會議"))
    keep_bytes(connection, HOME, [b"bytes"], NOON)
    append(connection, HOME, [a_change("c")])
print("done", flush=True)
sys.stdin.read()
"""


def test_threads_that_write_take_turns(store: Store) -> None:
    def add(_: int) -> None:
        with store.writing() as connection:
            set_setting(connection, HOME, "n", (get_setting(connection, HOME, "n") or 0) + 1)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(80)))
    with store.reading() as connection:
        assert get_setting(connection, HOME, "n") == 80


def test_processes_that_write_take_turns(store: Store, database: Path) -> None:
    command = [sys.executable, "-c", COUNT_UP, str(database)]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate(timeout=60)[1], process.returncode) for process in started] == [(b"", 0)] * 3
    with store.reading() as connection:
        assert get_setting(connection, HOME, "n") == 75


def test_a_chain_written_from_many_sides_holds(open_again: Opener) -> None:
    stores = [open_again() for _ in range(3)]

    def write(number: int) -> None:
        with stores[number % 3].writing() as connection:
            append(connection, HOME, [a_change(f"c{number}"), a_change(f"d{number}")])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(30)))
    with stores[0].reading() as connection:
        assert verify(connection, HOME) is None
        assert len(history(connection, HOME, limit=100)) == 60


def test_of_many_who_decide_a_request_one_wins(open_again: Opener) -> None:
    stores = [open_again() for _ in range(3)]
    with stores[0].writing() as connection:
        insert_approval(connection, HOME, an_approval("a"))

    def decide(number: int) -> bool:
        with stores[number % 3].writing() as connection:
            claimed = claim_approval(
                connection,
                HOME,
                ApprovalId("a"),
                state="approved",
                decided_by=ANN,
                at=NOON,
                epoch=EPOCH,
            )
        return claimed is not None

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(decide, range(12))) == [False] * 11 + [True]


def test_a_reader_sees_one_moment_while_others_write(open_again: Opener) -> None:
    reader, writer = open_again(), open_again()
    with reader.reading() as reading:
        assert get_object(reading, HOME, EventId("dinner")) is None
        with writer.writing() as writing:
            insert_objects(writing, HOME, [an_object("dinner")])
            assert get_object(reading, HOME, EventId("dinner")) is None
        assert get_object(reading, HOME, EventId("dinner")) is None
    with reader.reading() as reading:
        assert get_object(reading, HOME, EventId("dinner")) is not None


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError, match="may not be written"), store.reading() as connection:
        insert_objects(connection, HOME, [an_object("dinner")])


def test_what_raises_inside_is_undone_and_passes_through(store: Store) -> None:
    def stumble() -> None:
        with store.writing() as connection:
            insert_objects(connection, HOME, [an_object("dinner")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    with store.writing() as connection:
        assert get_object(connection, HOME, EventId("dinner")) is None


def test_a_store_another_program_holds_is_busy_and_free_afterwards(database: Path) -> None:
    store = open_store(database, patience=0.05)
    with held(database):
        with pytest.raises(Busy, match="Another program") as caught, store.writing():
            pass
        assert caught.value.retryable
        assert str(database) in caught.value.hint
        assert str(database) not in caught.value.message
        with store.reading() as connection:
            assert get_setting(connection, HOME, "n") is None
    with store.writing() as connection:
        set_setting(connection, HOME, "n", 1)
    store.close()


def test_a_thread_that_holds_the_turn_too_long_makes_the_others_busy(database: Path) -> None:
    store = open_store(database, patience=0.05)
    inside, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store.writing():
            inside.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait(30)
    with pytest.raises(Busy), store.writing():
        pass
    done.set()
    thread.join()
    with store.writing() as connection:
        set_setting(connection, HOME, "n", 1)
    store.close()


def test_a_full_disk_is_reported_and_changes_nothing(store: Store) -> None:
    with store.writing() as connection:
        set_setting(connection, HOME, "n", 1)
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 4}")
    big = an_object("big", data=b"x" * 100_000)

    def fill() -> None:
        with store.writing() as connection:
            set_setting(connection, HOME, "n", 2)
            insert_objects(connection, HOME, [big])

    with pytest.raises(StoreError, match="disk is full") as caught:
        fill()
    assert "INSERT" not in caught.value.message + caught.value.hint
    with store.writing() as connection:
        assert get_setting(connection, HOME, "n") == 1
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        insert_objects(connection, HOME, [big])


@pytest.mark.parametrize("statements", range(9))
def test_a_writer_killed_between_any_two_statements_leaves_all_or_nothing(
    store: Store, database: Path, statements: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STOP_BEFORE, str(database), str(statements)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    with store.writing() as connection:
        tables = ("objects", "components", "occurrences", "search_text", "changes", "change_bytes")
        counts = {connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one() for table in tables}
        assert counts == ({1} if said == b"done\n" else {0})
        assert verify(connection, HOME) is None
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        connection.exec_driver_sql("INSERT INTO search_fts (search_fts, rank) VALUES ('integrity-check', 1)")


@contextmanager
def held(database: Path) -> Iterator[None]:
    """Another program in the middle of a write."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("ROLLBACK")
    connection.close()

"""Due rows: how fast a burst fires while a worker is killed, and how late rows fire that are spread in time.

Beside it a plain claim loop: sqlite3 and nothing else, on a copy of the same file, with the same pragmas. In
one transaction a batch it claims 64 rows with a lease by one guarded UPDATE … RETURNING, and finishes each:
reads the message, writes down that it was told, marks the reminder as fired and removes the due row. It looks
at nothing: not whether whoever made a reminder is still there, whether its event moved, whether it is too late.

Both are run by two processes, and the first of them is killed, with SIGKILL, when 30 % are done. They take
turns for some rounds, of which the middle one counts. The rate is taken to 95 %, so that it does not count how
the last rows are looked for. Each of them has done a batch before, as one that runs has: its connection is open
and its statements are known.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import median

from bench import due_engines
from bench.due_engines import COUNTED_TO, KILLED_AT, Ours, percentile
from bench.due_worker import BATCH
from bench.measure import Result, wait_for

ROOT = Path(__file__).parents[1]
FASTER = 1 / 0.6
"""The budget is 0.6 of the plain loop's rate; as a ratio of times, this much."""
WARM = 2 * BATCH
"""Rows that the two workers fire before the burst."""
LATE_MS = 50.0


@dataclass(frozen=True, slots=True)
class Burst:
    """``seconds`` to 95 %; rows that fired never, and those that fired more than once."""

    seconds: float
    unfired: int
    twice: int


def results(quick: bool) -> Iterator[Result]:
    many, spread, turns = (1_000, 40, 3) if quick else (10_000, 400, 9)
    with tempfile.TemporaryDirectory() as folder:
        past = datetime.now(UTC) - timedelta(seconds=1)
        filled = _fill(Path(folder), [past] * (WARM + many))
        rounds = [(_burst(filled, "ours", many), _burst(filled, "plain", many)) for _ in range(turns)]
    unfired, twice = (sum(getattr(ours, name) for ours, _ in rounds) for name in ("unfired", "twice"))
    plain_unfired, plain_twice = (
        sum(getattr(plain, name) for _, plain in rounds) for name in ("unfired", "twice")
    )
    yield Result(
        f"burst of {many} due rows, one of two workers killed",
        "plain claim loop that writes the same",
        median(ours.seconds / plain.seconds for ours, plain in rounds),
        budget=FASTER,
        note=f"{turns} rounds: {unfired} unfired, {twice} twice (plain loop: {plain_unfired}, {plain_twice})",
        miss="Ours goes through SQLAlchemy, and asks who made each reminder and whether it is still to fire.",
    )
    with tempfile.TemporaryDirectory() as folder:
        late = _spread(Path(folder), spread)
    middle, worst = percentile(late, 0.5), percentile(late, 0.99)
    yield Result(
        f"lateness of {spread} rows over {spread / 40:g} s, p99",
        f"{LATE_MS:g} ms",
        worst / LATE_MS,
        budget=1.0,
        note=f"p50 is {middle / LATE_MS:.2f} of it; {spread - len(late)} unfired",
    )
    row = median(ours.seconds for ours, _ in rounds) / (COUNTED_TO * many)
    yield from due_engines.results(Ours(row, late), quick)


def _burst(filled: Path, kind: str, many: int) -> Burst:
    path = filled.with_name(f"{kind}.db")
    shutil.copyfile(filled, path)
    workers = [_worker(kind, path) for _ in range(2)]
    try:
        start = time.perf_counter()
        for worker in workers:
            _go(worker)
        wait_for(lambda: _fired(path) >= WARM + KILLED_AT * many)
        workers[0].kill()
        wait_for(lambda: _fired(path) >= WARM + COUNTED_TO * many)
        seconds = time.perf_counter() - start
        wait_for(lambda: _counts(path)[0] >= WARM + many, patience=30)
        fired, twice = _counts(path)
        return Burst(seconds, WARM + many - fired, twice)
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()
        for left in path.parent.glob(f"{path.name}*"):
            left.unlink()


def _spread(folder: Path, many: int) -> list[float]:
    """Milliseconds from the moment each was due until it was committed, the least late first."""
    path = _fill(folder, [])
    workers = [_worker("telling", path) for _ in range(2)]
    # They are ready; what is written takes less than this, even on a busy machine.
    start = datetime.now(UTC) + timedelta(seconds=5)
    _add(path, [start + timedelta(milliseconds=25 * n) for n in range(many)])
    for worker in workers:
        _go(worker)
    wait_for(lambda: _fired(path) >= many, patience=30 + many / 40)
    first: dict[str, float] = {}
    for worker in workers:
        worker.terminate()
        out, _ = worker.communicate()
        for line in out.splitlines():
            key, at = json.loads(line)
            first[key] = min(at, first.get(key, at))
    due = {key: int(key.rpartition("@")[2]) / 1e6 for key in first}
    return sorted(1000 * (at - due[key]) for key, at in first.items())


def _fill(folder: Path, moments: Sequence[datetime]) -> Path:
    from calward.bootstrap.household import ensure_household
    from calward.model.ids import ID_BYTES, id_from_bytes
    from calward.store.engine import open_store

    path, numbers = folder / "calward.db", count(1)
    store = open_store(path)
    with store.writing() as conn:
        ensure_household(
            conn,
            "Ann",
            "Europe/Berlin",
            "bench",
            datetime.now(UTC),
            lambda: id_from_bytes(next(numbers).to_bytes(ID_BYTES, "big")),
        )
    store.close()
    _add(path, moments)
    return path


def _add(path: Path, moments: Sequence[datetime]) -> None:
    from calward.bootstrap.household import HOME
    from calward.model.ids import ReminderId
    from calward.operations.due import REMINDER, work_row
    from calward.operations.identity import owner
    from calward.store import due, reminders
    from calward.store.engine import open_store
    from calward.store.reminders import ReminderRow

    store, now = open_store(path), datetime.now(UTC)
    with store.writing() as conn:
        ann = owner(conn, HOME)
        for number, moment in enumerate(moments):
            row = ReminderRow(
                id=ReminderId(f"r{number}"),
                member_id=ann.member,
                made_by_kind="person",
                made_by_id=ann.member,
                made_by_name="Ann",
                kind="moment",
                state="armed",
                message="Tea",
                wanted=None,
                event_id=None,
                uid=None,
                key=None,
                starts_at=None,
                offset=0,
                every=False,
                since=now,
                fire_at=moment,
                made_at=now,
            )
            reminders.insert_reminder(conn, HOME, row)
            due.move(conn, HOME, work_row(REMINDER, row.id, moment, now))
    store.close()


def _fired(path: Path) -> int:
    """How many rows fired so far, asked in a way that takes the workers no time."""
    return int(_asked(path, "SELECT coalesce(max(rowid), 0) FROM deliveries")[0])


def _counts(path: Path) -> tuple[int, int]:
    """How many different rows fired, and how many firings were one too many."""
    different, all_ = _asked(path, "SELECT count(DISTINCT subject), count(*) FROM deliveries")
    return different, all_ - different


def _asked(path: Path, query: str) -> tuple[int, ...]:
    conn = sqlite3.connect(path)
    try:
        found: tuple[int, ...] = conn.execute(query).fetchone()
        return found
    finally:
        conn.close()


def _worker(kind: str, path: Path) -> subprocess.Popen[str]:
    """A worker that is ready to begin."""
    command = [sys.executable, "-m", "bench.due_worker", kind, str(path)]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


def _go(worker: subprocess.Popen[str]) -> None:
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()

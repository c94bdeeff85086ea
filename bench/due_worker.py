"""One worker of ``bench.due``, as a process.

It does a batch, says ``ready``, waits for a line, and works until it is killed.

A telling one prints what it fired: the key, and when that was committed, in seconds since 1970.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

LEASE = 1_000_000
"""Microseconds."""
BATCH = 64
PRAGMAS = ("foreign_keys = ON", "synchronous = NORMAL", "temp_store = MEMORY", "cache_size = -16000")
"""Those of the store, whose file is in WAL mode."""
CLAIM = (
    "UPDATE due SET state = 'claimed', claimed_by = ?, lease_until = ?, attempt = attempt + 1 WHERE rowid IN "
    "(SELECT rowid FROM due WHERE state = 'armed' AND fire_at <= ? AND kind = 'reminder' ORDER BY fire_at "
    "LIMIT ?) RETURNING id, target, fire_at"
)
MESSAGE = "SELECT member_id, message FROM reminders WHERE household = 1 AND id = ?"
TELL = (
    "INSERT INTO deliveries (household, id, key, channel, member_id, kind, subject, body, state, attempt, "
    "made_at, ended_at) VALUES (1, ?, ?, 'inbox', ?, 'reminder', ?, ?, 'sent', 0, ?, ?)"
)
FIRED = "UPDATE reminders SET state = 'fired', fired_at = ? WHERE household = 1 AND id = ?"
DONE = "DELETE FROM due WHERE household = 1 AND id = ? AND claimed_by = ?"


def main(kind: str, path: Path) -> NoReturn:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if kind == "plain":
        _plain(path)
    _ours(path, tells=kind == "telling")


def _ours(path: Path, *, tells: bool) -> NoReturn:
    from calward.operations.due import FIRING
    from calward.operations.sync_run.ground import Tools
    from calward.store.engine import open_store
    from calward.workers.lanes import fire_once
    from calward.workers.worker import Duties, Lane, Worker

    store = open_store(path)
    watching = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    seen = 0

    def work(duties: Duties) -> int:
        nonlocal seen
        count = fire_once(duties)
        if count and tells:
            at = time.time()
            for rowid, key in watching.execute("SELECT rowid, key FROM deliveries WHERE rowid > ?", (seen,)):
                seen = max(seen, rowid)
                print(json.dumps((key, at)))
            sys.stdout.flush()
        return count

    def no_remote(*_: object) -> NoReturn:
        raise AssertionError("nothing is synced here")

    tools = Tools(
        reading=store.reading,
        writing=store.writing,
        now=lambda: datetime.now(UTC),
        new_id=lambda: "",
        jitter=lambda: 0.5,
        epoch="bench",
        open_remote=no_remote,
    )
    duties = Duties(tools, f"bench-{os.getpid()}", lambda error: print(error, file=sys.stderr))
    fire_once(duties)
    _begin()
    Worker(duties, Lane("fire", FIRING, work)).start()
    while True:
        threading.Event().wait()


def _plain(path: Path) -> NoReturn:
    conn = sqlite3.connect(path, isolation_level=None, timeout=30)
    for pragma in PRAGMAS:
        conn.execute(f"PRAGMA {pragma}")
    me = str(os.getpid())
    _turn(conn, me)
    _begin()
    while True:
        if not _turn(conn, me):
            time.sleep(0.01)


def _turn(conn: sqlite3.Connection, me: str) -> int:
    """Claim a batch and finish it; how many rows that were."""
    now = int(time.time() * 1_000_000)
    conn.execute("BEGIN IMMEDIATE")
    claimed = conn.execute(CLAIM, (me, now + LEASE, now, BATCH)).fetchall()
    for ident, reminder, fire_at in claimed:
        member, message = conn.execute(MESSAGE, (reminder,)).fetchone()
        key = f"{ident}@{fire_at}"
        body = json.dumps({"due": fire_at, "late": False, "message": message})
        conn.execute(TELL, (f"{key}:inbox", key, member, reminder, body, now, now))
        conn.execute(FIRED, (now, reminder))
        conn.execute(DONE, (ident, me))
    conn.execute("COMMIT")
    return len(claimed)


def _begin() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

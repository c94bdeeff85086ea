"""One worker of ``bench.due``, as a process: says ``ready``, waits for a line, and works until it is killed.

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

LEASE = 1.0
BATCH = 64


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
    _begin()
    Worker(duties, Lane("fire", FIRING, work)).start()
    while True:
        threading.Event().wait()


def _plain(path: Path) -> NoReturn:
    conn = sqlite3.connect(path, isolation_level=None, timeout=30)
    conn.execute("PRAGMA synchronous = NORMAL")
    me = str(os.getpid())
    _begin()
    while True:
        now = time.time()
        conn.execute("BEGIN IMMEDIATE")
        claimed = conn.execute(
            "UPDATE due SET state = 'claimed', claimed_by = ?, lease_until = ? WHERE id IN (SELECT id FROM due "
            "WHERE (state = 'armed' AND fire_at <= ?) OR (state = 'claimed' AND lease_until <= ?) "
            "ORDER BY fire_at LIMIT ?) RETURNING id",
            (me, now + LEASE, now, now, BATCH),
        ).fetchall()
        conn.execute("COMMIT")
        if not claimed:
            time.sleep(0.01)
        for (row,) in claimed:
            conn.execute("BEGIN IMMEDIATE")
            conn.execute("INSERT INTO fired (row, at) VALUES (?, ?)", (row, time.time()))
            conn.execute("UPDATE due SET state = 'done' WHERE id = ? AND claimed_by = ?", (row, me))
            conn.execute("COMMIT")


def _begin() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

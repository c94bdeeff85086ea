"""One engine for later work that runs beside a database, driven by an interpreter that has it.

``add PLACE LOG FIRST STEP COUNT`` hands it jobs that are due from the moment FIRST on, one each STEP seconds;
``work PLACE LOG`` says ``ready`` and works until it is killed. A job appends its number and the moment to LOG.
Each engine is set to what is best for it here: the store's journal as ours is, and looking for what is due as
often as it can.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

Jobs = Sequence[tuple[int, float]]
"""Numbers, and when each is due, in seconds since 1970."""
LOOKS = 0.05
"""Seconds between two looks at the database, where an engine may be told."""


def fire(log: str, number: int) -> None:
    line = f"{number} {time.time()}\n".encode()
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, line)
    os.close(file)


def apscheduler(place: str, log: str, jobs: Jobs | None) -> None:
    import sqlalchemy as sa
    from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore  # type: ignore[import-not-found]
    from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-not-found]

    engine = sa.create_engine(f"sqlite:///{place}", connect_args={"timeout": 30})

    def prepare(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")

    sa.event.listen(engine, "connect", prepare)
    # Otherwise what is more than a second late would not run at all.
    scheduler = BackgroundScheduler(
        jobstores={"default": SQLAlchemyJobStore(engine=engine)},
        job_defaults={"misfire_grace_time": None},
        timezone=UTC,
    )
    scheduler.start(paused=jobs is not None)
    if jobs is None:
        _wait()
    for number, at in jobs:
        scheduler.add_job(
            fire, "date", args=(log, number), run_date=datetime.fromtimestamp(at, UTC), id=str(number)
        )
    scheduler.shutdown()


def huey(place: str, log: str, jobs: Jobs | None) -> None:
    from huey import SqliteHuey  # type: ignore[import-not-found]

    engine = SqliteHuey(filename=place, results=False, timeout=30)
    task = engine.task()(fire)
    if jobs is None:
        # A second is the least that its scheduler waits.
        consumer = engine.create_consumer(workers=2, max_delay=LOOKS, initial_delay=LOOKS, scheduler_interval=1)
        consumer.start()
        _wait()
    for number, at in jobs:
        task.schedule((log, number), eta=datetime.fromtimestamp(at, UTC))


def procrastinate(place: str, log: str, jobs: Jobs | None) -> None:
    from procrastinate import App, PsycopgConnector, SyncPsycopgConnector  # type: ignore[import-not-found]

    if jobs is None:
        app = App(connector=PsycopgConnector(conninfo=place))
        app.task(name="fire")(fire)
        print("ready", flush=True)
        app.run_worker(fetch_job_polling_interval=LOOKS, concurrency=4)
        return
    app = App(connector=SyncPsycopgConnector(conninfo=place))
    task = app.task(name="fire")(fire)
    with app.open():
        app.schema_manager.apply_schema()
        for number, at in jobs:
            task.configure(schedule_at=datetime.fromtimestamp(at, UTC)).defer(log=log, number=number)


ENGINES: dict[str, Callable[[str, str, Jobs | None], None]] = {
    "apscheduler": apscheduler,
    "huey": huey,
    "procrastinate": procrastinate,
}
"""Name → what adds jobs, or works (None)."""


def main(engine: str, verb: str, place: str, log: str, *when: str) -> None:
    jobs = None
    if verb == "add":
        first, step, many = when
        jobs = [(number, float(first) + number * float(step)) for number in range(int(many))]
    ENGINES[engine](place, log, jobs)


def _wait() -> NoReturn:
    print("ready", flush=True)
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main(*sys.argv[1:])

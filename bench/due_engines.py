"""Due rows beside engines that run later work: APScheduler 3, Huey and procrastinate.

They are in an environment of their own. Each gets real jobs that append a line to a file (see
``bench.due_engine``): a burst of them, due at one moment, while one of two workers is killed with SIGKILL when
30 % are done, and some spread in time. APScheduler 3 cannot share its store between processes: its one worker
is killed, and another begins. A job that has not run when none ran for a while is lost, or waits until somebody
looks after it.

procrastinate wants PostgreSQL, which here does not wait for the disk, in its favour.
"""

from __future__ import annotations

import math
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import POLL, LeftOut, Result, peer_python, wait_for
from tests.system.database import is_installed, postgresql

SCRIPT = Path(__file__).with_name("due_engine.py")
KILLED_AT, COUNTED_TO = 0.3, 0.95
STEP = 0.025
"""Seconds from one job to the next of those that are spread."""
QUIET = 3.0
"""Seconds without a job after which none is waited for."""


@dataclass(frozen=True, slots=True)
class Engine:
    """``workers`` is how many can work at once."""

    key: str
    name: str
    workers: int


APSCHEDULER = Engine("apscheduler", "APScheduler 3, SQLite", 1)
HUEY = Engine("huey", "Huey, SQLite", 2)
PROCRASTINATE = Engine("procrastinate", "procrastinate, PostgreSQL", 2)


@dataclass(frozen=True, slots=True)
class Ours:
    """Seconds for each row of our burst; milliseconds late of the spread, the least late first."""

    row: float
    late: list[float]


def results(ours: Ours, quick: bool) -> Iterator[Result]:
    python = peer_python("due")
    with TemporaryDirectory(prefix="calward-bench-") as name:
        for engine in (APSCHEDULER, HUEY):
            yield from _beside(Runs(python, engine, Path(name), Path(name) / engine.key), ours, quick)
        if not is_installed():
            raise LeftOut("procrastinate; PostgreSQL is not installed: .ci/debian postgresql")
        with postgresql() as database:
            database.run("CREATE DATABASE burst;\nCREATE DATABASE spread;")
            place = f"host=127.0.0.1 port={database.port} user=postgres dbname="
            yield from _beside(Runs(python, PROCRASTINATE, Path(name), place), ours, quick)


class Runs:
    """The two runs of an engine; ``place`` begins the name of the database of each."""

    def __init__(self, python: str, engine: Engine, folder: Path, place: Path | str) -> None:
        self.engine = engine
        self._command = [python, "-I", str(SCRIPT), engine.key]
        self._folder = folder
        self._place = place

    def burst(self, many: int) -> tuple[float, int, int]:
        """Seconds a job, to 95 % of those that ran; how many never did, and how many did once too often."""
        moment = time.time() + _lead(many)
        log = self._added("burst", moment, 0, many)
        with self._workers("burst", log) as start:
            first, *_ = workers = [start() for _ in range(self.engine.workers)]
            wait_for(lambda: len(_told(log)) >= KILLED_AT * many)
            first.kill()
            if len(workers) == 1:
                start()
            _wait_until_done(log, many, moment)
        told = _told(log)
        ran = len({number for number, _ in told})
        counted = math.ceil(COUNTED_TO * ran)
        return (told[counted - 1][1] - moment) / counted, many - ran, len(told) - ran

    def spread(self, many: int) -> list[float]:
        """Milliseconds late, the least late first."""
        moment = time.time() + _lead(many)
        log = self._added("spread", moment, STEP, many)
        with self._workers("spread", log) as start:
            for _ in range(self.engine.workers):
                start()
            _wait_until_done(log, many, moment)
        return sorted(1000 * (at - moment - number * STEP) for number, at in _told(log))

    def _added(self, run: str, moment: float, step: float, many: int) -> Path:
        log = self._folder / f"{self.engine.key}-{run}.log"
        log.touch()
        command = [*self._command, "add", f"{self._place}{run}", str(log), str(moment), str(step), str(many)]
        subprocess.run(command, check=True, capture_output=True)
        return log

    @contextmanager
    def _workers(self, run: str, log: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
        """What starts a worker that is ready; all are gone when the block is left."""
        command = [*self._command, "work", f"{self._place}{run}", str(log)]
        started: list[subprocess.Popen[str]] = []

        def start() -> subprocess.Popen[str]:
            worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            started.append(worker)
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
            return worker

        try:
            yield start
        finally:
            for worker in started:
                worker.kill()
                worker.communicate()


def _beside(runs: Runs, ours: Ours, quick: bool) -> Iterator[Result]:
    many, spread = (50, 20) if quick else (2_000, 400)
    name = runs.engine.name
    row, lost, twice = runs.burst(many)
    yield Result(
        "burst of due rows, one of two workers killed: a row",
        name,
        ours.row / row,
        note=f"theirs {many:,}: {lost} never ran, {twice} ran twice",
    )
    late = runs.spread(spread)
    middle = percentile(ours.late, 0.5) / percentile(late, 0.5)
    yield Result(
        f"lateness of {spread} rows over {spread * STEP:g} s, p99",
        name,
        percentile(ours.late, 0.99) / percentile(late, 0.99),
        note=f"p50 is {middle:.3f} of theirs",
    )


def percentile(ordered: list[float], part: float) -> float:
    return ordered[int(len(ordered) * part)]


def _lead(many: int) -> float:
    """Seconds that it takes at most to add so many jobs and to start the workers."""
    return 3 + 0.004 * many


def _told(log: Path) -> list[tuple[int, float]]:
    """The jobs that ran so far, in that order: the number of each, and when it ran."""
    # What a process that was killed was about to write has no end.
    lines = log.read_text().rpartition("\n")[0].splitlines()
    return [(int(number), float(at)) for number, at in (line.split() for line in lines)]


def _wait_until_done(log: Path, many: int, moment: float) -> None:
    """Until each ran, or none did for a while after that moment."""
    told, last = _told(log), moment
    while time.time() - last < QUIET and len({number for number, _ in told}) < many:
        time.sleep(POLL)
        told = _told(log)
        last = told[-1][1] if told else moment

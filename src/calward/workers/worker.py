"""One loop in a thread: claim what is due, do it, sleep until the next moment or until somebody calls.

It is the last place an error can go: one that nobody foresaw ends the piece of work, not the loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from calward.errors import CalwardError
from calward.operations.due import claim_due, next_moment
from calward.operations.sync_run.drive import abandon, run_sync
from calward.operations.sync_run.ground import Tools

AT_ONCE = 1
"""Rows claimed in one go: each is a talk with a server, and a claimed row that waits is nobody's."""
LONGEST = timedelta(seconds=30)
"""How long to sleep at most: another process may have made something due."""
AFTER_TROUBLE = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Duties:
    """``name`` tells this worker from every other. ``complain`` gets what nobody foresaw."""

    tools: Tools
    name: str
    complain: Callable[[BaseException], None]


class Worker:
    """Start it once; ``stop`` waits for the piece of work at hand, up to a while. ``wake`` may be called by
    any thread, also before it is started."""

    def __init__(self, duties: Duties) -> None:
        self._duties = duties
        self._called = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="calward-worker", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Something may be due now."""
        self._called.set()

    def stop(self, patience: float = 5.0) -> None:
        """End the loop. Work that takes longer than ``patience`` seconds is left to its lease: it goes on from
        where it was in the next process."""
        self._stopping.set()
        self._called.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _loop(self) -> None:
        while not self._stopping.is_set():
            self._called.clear()
            try:
                if work_once(self._duties):
                    continue
                wait = _until(next_moment(self._duties.tools.reading), self._duties.tools.now())
            except Exception as error:  # noqa: BLE001  (the loop goes on)
                # A store that is locked or full now may not be so in a moment.
                self._duties.complain(error)
                wait = AFTER_TROUBLE
            self._called.wait(wait.total_seconds())


def work_once(duties: Duties) -> int:
    """Do what is due now; how many pieces of work that were."""
    claims = claim_due(duties.tools.writing, duties.tools.now(), duties.name, AT_ONCE)
    for claimed in claims:
        try:
            run_sync(duties.tools, claimed)
        except CalwardError:
            # The store's own: the claim runs out by itself where it cannot even be given back.
            raise
        except Exception as error:  # noqa: BLE001  (the loop goes on)
            duties.complain(error)
            abandon(duties.tools, claimed)
    return len(claims)


def _until(moment: datetime | None, now: datetime) -> timedelta:
    if moment is None:
        return LONGEST
    return max(timedelta(), min(moment - now, LONGEST))

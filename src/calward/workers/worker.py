"""One loop in a thread: claim what is due, do it, sleep until the next moment or until somebody calls.

The wall clock is read anew each second at least, so that it does not matter whether it was set, or the machine
slept. The loop is the last place an error can go: one that nobody foresaw ends the piece of work, not the loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from calward.operations.apply.sending import Deliver
from calward.operations.due import next_moment
from calward.operations.sync_run.ground import Tools

LONGEST = timedelta(seconds=1)
"""How long to sleep at most: the clock may be set, and another process may have made something due."""
AFTER_TROUBLE = timedelta(seconds=5)

Wait = Callable[[threading.Event, float], object]
"""Sleeps until the event is set, some seconds at most."""


@dataclass(frozen=True, slots=True)
class Duties:
    """``name`` tells this worker from every other. ``complain`` gets what nobody foresaw. ``deliver`` sends a
    message to a channel; None where there are no channels."""

    tools: Tools
    name: str
    complain: Callable[[BaseException], None]
    deliver: Deliver | None = None
    wait: Wait = threading.Event.wait


@dataclass(frozen=True, slots=True)
class Lane:
    """A kind of work that has a thread of its own, so that it never waits for another kind: no reminder waits
    for a calendar server. ``work`` does what is due now, at most a batch of it, and says how much it was."""

    name: str
    kinds: Sequence[str]
    work: Callable[[Duties], int]


class Worker:
    """Start it once; ``stop`` waits for the piece of work at hand, up to a while. ``wake`` may be called by
    any thread, also before it is started."""

    def __init__(self, duties: Duties, lane: Lane) -> None:
        self._duties = duties
        self._lane = lane
        self._called = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._loop, name=f"calward-{lane.name}", daemon=True)

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
            wait = self._turn()
            if wait and not self._stopping.is_set():
                self._duties.wait(self._called, wait.total_seconds())

    def _turn(self) -> timedelta:
        """One batch of work, and how long to sleep after it."""
        try:
            if self._lane.work(self._duties):
                return timedelta()
            tools = self._duties.tools
            return _until(next_moment(tools.reading, self._lane.kinds), tools.now())
        except Exception as error:  # noqa: BLE001  (the loop goes on)
            # A store that is locked or full now may not be so in a moment.
            self._duties.complain(error)
            return AFTER_TROUBLE


def _until(moment: datetime | None, now: datetime) -> timedelta:
    if moment is None:
        return LONGEST
    return max(timedelta(milliseconds=1), min(moment - now, LONGEST))

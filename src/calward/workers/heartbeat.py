"""Holding on to claims while their work goes on, however long it takes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from calward.operations.due import LEASE, Claim, keep
from calward.workers.worker import Duties

BEAT = LEASE / 4


@contextmanager
def beating(duties: Duties, claims: Sequence[Claim]) -> Iterator[None]:
    """Renew the lease of these claims from time to time until the block is left. One that was lost meanwhile
    stays lost: what its holder writes is guarded by the claim."""
    if not claims:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(duties, claims, over), name="calward-heart", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(duties: Duties, claims: Sequence[Claim], over: threading.Event) -> None:
    while not over.is_set():
        duties.wait(over, BEAT.total_seconds())
        if over.is_set():
            return
        try:
            keep(duties.tools.writing, claims, duties.tools.now())
        except Exception as error:  # noqa: BLE001  (a worker's loop)
            duties.complain(error)

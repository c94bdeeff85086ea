"""A short spell of work: what a command that is about to end can still do about its own changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from calward.model.ids import CalendarId, HouseholdId
from calward.operations.due import claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.workers.worker import Duties

TICK = 1.0
"""Seconds."""


def for_a_moment(
    duties: Duties,
    household: HouseholdId,
    calendars: Sequence[CalendarId],
    seconds: float | None,
    tick: Callable[[], None] | None = None,
) -> None:
    """Sync these calendars, for some seconds at most (None: to the end); ``tick`` is called each second.

    What takes longer is given up by the end of the process, which harms nothing: the next worker asks the
    server first what became of it.
    """

    def work() -> None:
        for calendar in calendars:
            try:
                claimed = claim_sync(duties.tools.writing, household, calendar, duties.tools.now(), duties.name)
                if claimed is not None:
                    run_sync(duties.tools, claimed)
            except Exception as error:  # noqa: BLE001  (a worker's loop)
                duties.complain(error)

    thread = threading.Thread(target=work, name="calward-spell", daemon=True)
    thread.start()
    if tick is None:
        thread.join(seconds)
        return
    while thread.is_alive():
        thread.join(TICK)
        tick()

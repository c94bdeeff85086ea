"""Workers of this process: started with what stays, or run for a moment by a command that made changes."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from calward.bootstrap.app import new_id, now
from calward.bootstrap.process import is_dead, process_name
from calward.faces.failures import trace
from calward.model.ids import CalendarId
from calward.operations.apply.sending import Deliver, Outgoing
from calward.operations.due import SYNC, Pace, arm_tidying, free_the_dead
from calward.operations.sync_run.ground import Tools
from calward.store.calendars import count_objects, list_calendars
from calward.store.due import list_due
from calward.workers.lanes import LANES, send_once
from calward.workers.worker import Duties, Worker

if TYPE_CHECKING:
    from calward.bootstrap.app import App

PUSH_SECONDS = 10.0
"""How long a command that changed something waits to see it sent."""


def tools_of(app: App) -> Tools:
    """What a sync needs, of an open Calward."""
    settings = app.resolved.settings
    return Tools(
        reading=app.store.reading,
        writing=app.store.writing,
        now=now,
        new_id=new_id,
        jitter=random.random,
        epoch=app.sources.epoch,
        open_remote=app.credentials.open_remote,
        pace=Pace(
            incremental=timedelta(seconds=settings.sync_seconds), full=timedelta(hours=settings.sync_full_hours)
        ),
    )


@contextmanager
def working(app: App) -> Iterator[None]:
    """Workers, one for each lane, for as long as the block lasts; changes made in this process wake them."""
    duties = _duties(app)
    arm_tidying(app.store.reading, app.store.writing, app.sources.household, now())
    workers = [Worker(duties, lane) for lane in LANES]

    def wake() -> None:
        for worker in workers:
            worker.wake()

    app.bell.answer(wake)
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        app.bell.answer(None)
        for worker in workers:
            worker.stop()


def work_off(app: App) -> tuple[str, ...]:
    """Send what this command made unsent, for a moment, before the command ends.

    Sentences about what could not be sent and stays queued; none where all was.
    """
    unsent = _unsent(app) if app.bell.rung else {}
    if not unsent:
        return ()
    from calward.workers.spell import for_a_moment  # with it comes the network, which few commands need

    for_a_moment(_duties(app), app.sources.household, tuple(unsent), PUSH_SECONDS)
    return tuple(_queued(app))


def sync_now(app: App, calendars: Sequence[CalendarId], tick: Callable[[], None]) -> None:
    """Sync these calendars here and now, however long it takes; ``tick`` is called each second meanwhile. One
    that another process is at is left to that."""
    from calward.workers.spell import for_a_moment

    for_a_moment(_duties(app), app.sources.household, calendars, None, tick)


def _queued(app: App) -> Iterator[str]:
    left = _unsent(app)
    with app.store.reading() as conn:
        errors = {target: row.last_error for target, row in list_due(conn, app.sources.household, SYNC).items()}
    for ident, (name, count) in left.items():
        changes = f"{count} change{'s' if count != 1 else ''}"
        why = errors.get(ident) or "The server takes its time, or another process is at it."
        later = "It is sent again by calward serve, calward mcp or calward sync."
        yield f"{name}: {changes} queued. {why} {later}"


def _unsent(app: App) -> dict[CalendarId, tuple[str, int]]:
    """Calendars on a server with changes it does not have yet: their names, and how many changes."""
    household = app.sources.household
    with app.store.reading() as conn:
        counts = count_objects(conn, household)
        return {
            one.id: (one.name, counts[one.id].unpushed)
            for one in list_calendars(conn, household)
            if one.account_id is not None and one.id in counts and counts[one.id].unpushed
        }


def _duties(app: App) -> Duties:
    """For a worker of this process, under a name of its own on every machine that shares the store. It need not
    wait for leases of processes that were killed."""
    free_the_dead(app.store.reading, app.store.writing, is_dead, now())
    return Duties(tools_of(app), process_name(new_id()), _complain, _deliver(app))


def _deliver(app: App) -> Deliver:
    """Channels are known once there is something to send."""

    def deliver(outgoing: Outgoing, key: str) -> None:
        from calward.bootstrap.channels import sending

        sending(app.credentials.unseal, app.resolved.settings.public_url)(outgoing, key)

    return deliver


def send_now(app: App) -> None:
    """Send here and now what is due to channels."""
    duties = _duties(app)
    while send_once(duties):
        pass


def _complain(error: BaseException) -> None:
    print(f"calward: internal error in a worker: {trace(error)}", file=sys.stderr, flush=True)

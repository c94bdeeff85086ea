"""A sync in a process of its own that is killed, as by ``kill -9``, at a step.

A step is a request or its answer, a statement to the database, a commit.

Run as a program it is given the number of that step, and how often a claim's lease is to be thought over.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[2]
TO_THE_END = 1_000_000
LEASES = count(1)
"""Whoever held a claim is dead; its lease is not waited for here, but thought to be over."""


def run_until(step: int, env: dict[str, str]) -> bool:
    """A sync of the household's only calendar on a server; whether it got to the end before that step.

    ``env`` names the household.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.dying", str(step), str(next(LEASES))],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode == 0


def main(steps: int, leases: int) -> None:
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    from calward.bootstrap.app import now, open_app
    from calward.bootstrap.workers import tools_of
    from calward.dav.messages import Answer, Ask
    from calward.operations.due import LEASE, claim_sync
    from calward.operations.sync_run.drive import run_sync
    from calward.remotes.http import Http
    from calward.store.calendars import list_calendars

    left = iter(range(steps))

    def step(*_: object) -> None:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    exchange = Http.exchange

    def watched(http: Http, ask: Ask) -> Answer:
        step()
        answer = exchange(http, ask)
        step()
        return answer

    with open_app() as app:
        with app.store.reading() as conn:
            calendar = next(one for one in list_calendars(conn, app.sources.household) if one.account_id)
        Http.exchange = watched  # type: ignore[assignment, method-assign]
        event.listen(Engine, "before_cursor_execute", step)
        event.listen(Engine, "commit", step)
        later = now() + leases * 2 * LEASE
        claimed = claim_sync(app.store.writing, app.sources.household, calendar.id, later, "child")
        assert claimed is not None
        run_sync(tools_of(app), claimed)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""What happens later: asking for it, claiming it, and when to try again.

A sync of a collection is one row, whatever asked for it: its moment comes each minute, and at once after a
change here. So there is one writer per collection, whoever claims the row.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from calward.model.ids import CalendarId, HouseholdId
from calward.store import due as rows
from calward.store.due import Claim, DueRow

SYNC = "sync"
KINDS = (SYNC,)
FULL = "full"
"""In a payload: list everything, whatever the server's list of changes says."""
LEASE = timedelta(minutes=3)
"""Longer than the longest request, so that work that goes on is never claimed by a second worker."""

Opened = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a collection is synced, and how long to wait after a failure: ``first``, then twice as long
    each time, up to ``most``."""

    incremental: timedelta = timedelta(minutes=1)
    full: timedelta = timedelta(days=1)
    first: timedelta = timedelta(seconds=15)
    most: timedelta = timedelta(hours=1)

    def next(self, jitter: float) -> timedelta:
        """From one sync to the next; ``jitter`` from 0 to 1 spreads it by a tenth to either side."""
        return self.incremental * (0.9 + 0.2 * jitter)

    def again(self, attempt: int, jitter: float) -> timedelta:
        """From failure number ``attempt`` (from 1) to the next try: at least half of the full wait."""
        doubled = self.first * (1 << min(max(attempt, 1) - 1, 20))
        return min(doubled, self.most) * (0.5 + 0.5 * jitter)


def arm_sync(
    conn: Connection,
    household: HouseholdId,
    calendar: CalendarId,
    at: datetime,
    new_id: Callable[[], str],
    *,
    full: bool = False,
) -> None:
    """Have a collection synced at a moment, or sooner where that is planned already."""
    row = DueRow(
        id=new_id(),
        kind=SYNC,
        target=calendar,
        state=rows.ARMED,
        fire_at=at,
        payload={FULL: True} if full else {},
        attempt=0,
        claimed_by=None,
        lease_until=None,
        last_error=None,
        made_at=at,
    )
    rows.arm(conn, household, row)


def disarm_sync(conn: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    rows.disarm(conn, household, SYNC, calendar)


def claim_due(writing: Opened, now: datetime, worker: str, limit: int) -> list[Claim]:
    """Claim what is due now, for this worker."""
    with writing() as conn:
        return rows.claim(conn, now=now, claimed_by=worker, lease_until=now + LEASE, kinds=KINDS, limit=limit)


def claim_sync(
    writing: Opened, household: HouseholdId, calendar: CalendarId, now: datetime, worker: str
) -> Claim | None:
    """Claim one collection, due or not; None where it is not synced, or another worker is at it."""
    with writing() as conn:
        return rows.claim_target(
            conn, household, SYNC, calendar, now=now, claimed_by=worker, lease_until=now + LEASE
        )


def next_moment(reading: Opened) -> datetime | None:
    """When there is something to claim next."""
    with reading() as conn:
        return rows.next_moment(conn, KINDS)

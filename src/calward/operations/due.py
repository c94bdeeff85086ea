"""What is to happen later: asking for it, claiming it, what becomes of work that was missed, when to try again.

A sync of a collection is one row, whatever asked for it: its moment comes each minute, and at once after a
change here. So there is one writer per collection, whoever claims the row. Reminders, prompts and deliveries
have a row each for as long as they are to come.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Connection

from calward.model.ids import CalendarId, HouseholdId
from calward.model.reminder import GRACE
from calward.store import due as rows
from calward.store.due import DueRow

SYNC = "sync"
REMINDER, PROMPT, MISSED = "reminder", "prompt", "missed"
DELIVERY = "delivery"
VAULT, NOTE = "vault", "note"
TIDY = "tidy"
SYNCING = (SYNC,)
FIRING = (REMINDER, PROMPT, MISSED)
"""Kinds whose work is rows alone: it is done in the transaction that claims them."""
SENDING = (DELIVERY,)
NOTING = (NOTE, VAULT)
"""Kinds whose work is on files: a vault to look through, a note to mark."""
TIDYING = (TIDY,)
"""Kinds whose work is rows alone, and long."""
KINDS = (*SYNCING, *FIRING, *SENDING, *NOTING, *TIDYING)
ALL = "all"
"""The target of work that is about a whole household."""
FULL = "full"
"""In a payload: list everything, whatever the server's list of changes says."""
LEASE = timedelta(minutes=3)
"""Longer than the longest request, so that work that goes on is never claimed by a second worker."""
LOOKS = timedelta(seconds=30)
"""From one look through a vault to the next."""
TIDY_EACH = timedelta(days=1)
"""From one tidying of a household to the next."""
SLACK = timedelta(minutes=1)
"""Clocks of two processes, and the moments they read them at, may be so far apart."""

Opened = Callable[[], AbstractContextManager[Connection]]
Claim = rows.Claim
Taken = rows.Taken


class Afterwards(StrEnum):
    """What becomes of what should have happened while nothing ran."""

    REPORT = "report"
    """It is done up to ``grace`` late, and marked so; after that it is only told of, all in one message."""
    COALESCE = "coalesce"
    """It is done once, however many times it should have been."""
    CATCH_UP = "catch_up"
    """It is done, however late."""


@dataclass(frozen=True, slots=True)
class WhenMissed:
    afterwards: Afterwards
    grace: timedelta = timedelta()


WHEN_MISSED: Mapping[str, WhenMissed] = {
    SYNC: WhenMissed(Afterwards.COALESCE),
    PROMPT: WhenMissed(Afterwards.COALESCE),
    REMINDER: WhenMissed(Afterwards.REPORT, grace=GRACE),
    MISSED: WhenMissed(Afterwards.CATCH_UP),
    DELIVERY: WhenMissed(Afterwards.CATCH_UP),
    VAULT: WhenMissed(Afterwards.COALESCE),
    NOTE: WhenMissed(Afterwards.CATCH_UP),
    TIDY: WhenMissed(Afterwards.COALESCE),
}


def arm_tidying(reading: Opened, writing: Opened, household: HouseholdId, now: datetime) -> None:
    """Have a household tidied from now on, unless that is planned already."""
    with reading() as conn:
        known = rows.list_due(conn, household, TIDY).get(ALL)
    if known is None or known.state == rows.DEAD or known.fire_at > now + TIDY_EACH + SLACK:
        with writing() as conn:
            rows.move(conn, household, work_row(TIDY, ALL, now, now))


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a collection is synced, and how long to wait after a failure: ``first``, then twice as long
    each time, up to ``most``."""

    incremental: timedelta = timedelta(minutes=1)
    full: timedelta = timedelta(days=1)
    feed: timedelta = timedelta(hours=1)
    first: timedelta = timedelta(seconds=15)
    most: timedelta = timedelta(hours=1)

    def next(self, jitter: float, *, feed: bool = False) -> timedelta:
        """From one sync to the next; ``jitter`` from 0 to 1 spreads it by a tenth to either side."""
        return (self.feed if feed else self.incremental) * (0.9 + 0.2 * jitter)

    @property
    def longest(self) -> timedelta:
        """No sync that went well waits longer for the next."""
        return max(self.next(1), self.next(1, feed=True))

    @property
    def longest_failing(self) -> timedelta:
        """No sync that failed waits longer: a password that is refused rests for a day."""
        return max(self.full, self.most)

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


def bring_syncs_forward(reading: Opened, writing: Opened, now: datetime, pace: Pace) -> int:
    """Make syncs due now whose moment is further ahead than any wait of ``pace``: it was set before somebody
    set the clock back. Returns how many they were."""
    bounds = {"beyond": now + pace.longest + SLACK, "failing_beyond": now + pace.longest_failing + SLACK}
    with reading() as conn:
        if not rows.any_beyond(conn, SYNC, **bounds):
            return 0
    with writing() as conn:
        return rows.bring_forward(conn, SYNC, to=now, **bounds)


def bring_looks_forward(reading: Opened, writing: Opened, now: datetime) -> int:
    """The same for looks through vaults."""
    bounds = {"beyond": now + LOOKS + SLACK, "failing_beyond": now + LOOKS + SLACK}
    with reading() as conn:
        if not rows.any_beyond(conn, VAULT, **bounds):
            return 0
    with writing() as conn:
        return rows.bring_forward(conn, VAULT, to=now, **bounds)


def disarm_sync(conn: Connection, household: HouseholdId, calendar: CalendarId) -> None:
    rows.disarm(conn, household, SYNC, calendar)


def work_row(kind: str, target: str, at: datetime, now: datetime) -> DueRow:
    """A row for one piece of work of its own, which is named by what it is about."""
    return DueRow(f"{kind}-{target}", kind, target, rows.ARMED, at, {}, 0, None, None, None, now)


def claim_due(
    writing: Opened, now: datetime, worker: str, limit: int, kinds: Collection[str] = SYNCING
) -> list[Claim]:
    """Claim what is due now of some kinds, for this worker."""
    with writing() as conn:
        return claim_within(conn, now, worker, limit, kinds)


def claim_within(
    conn: Connection, now: datetime, worker: str, limit: int, kinds: Collection[str]
) -> list[Claim]:
    """The same as a part of a transaction."""
    return rows.claim(conn, now=now, claimed_by=worker, lease_until=now + LEASE, kinds=kinds, limit=limit)


def take_within(conn: Connection, now: datetime, limit: int, kinds: Collection[str]) -> list[Taken]:
    """Take what is due now out of the rows, within the transaction that does it."""
    return rows.take(conn, now=now, kinds=kinds, limit=limit)


def take_claimed(conn: Connection, claimed: Claim) -> Taken:
    """The same for one row that was claimed in this transaction."""
    rows.complete(conn, claimed)
    row = claimed.row
    return Taken(claimed.household, row.id, row.kind, row.target, row.fire_at)


def keep(writing: Opened, claims: Sequence[Claim], now: datetime) -> None:
    """Hold claims for longer, as long as they are held at all."""
    with writing() as conn:
        for claimed in claims:
            rows.renew(conn, claimed, now + LEASE)


def give_back(conn: Connection, claimed: Claim, error: str, now: datetime, wait: timedelta | None) -> bool:
    """A piece of work failed; it is tried again after ``wait``, or is dead, with the reason (None)."""
    return rows.give_back(conn, claimed, error=error, next_at=None if wait is None else now + wait)


def claim_sync(
    writing: Opened, household: HouseholdId, calendar: CalendarId, now: datetime, worker: str
) -> Claim | None:
    """Claim one collection, due or not; None where it is not synced, or another worker is at it."""
    with writing() as conn:
        return rows.claim_target(
            conn, household, SYNC, calendar, now=now, claimed_by=worker, lease_until=now + LEASE
        )


def free_the_dead(reading: Opened, writing: Opened, is_dead: Callable[[str], bool], now: datetime) -> None:
    """End the leases of workers that are known to be gone, so that their work goes on at once."""
    with reading() as conn:
        dead = [holder for holder in rows.holders(conn, KINDS) if is_dead(holder)]
    if dead:
        with writing() as conn:
            for holder in dead:
                rows.end_leases(conn, holder, now)


def next_moment(reading: Opened, kinds: Collection[str] = SYNCING) -> datetime | None:
    """When there is something of these kinds to claim next."""
    with reading() as conn:
        return rows.next_moment(conn, kinds)

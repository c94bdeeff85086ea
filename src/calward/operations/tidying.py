"""Once a day for each household: what is kept for a while only is let go of, and what is laid down moves on
with time and with the rules of time zones.

It can be killed anywhere: each piece is a transaction, and what was done once has nothing left to do.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection

from calward.model.ids import EventId, HouseholdId
from calward.operations import identity
from calward.operations.apply.following import lay_down
from calward.operations.apply.requests import KEPT as ANSWERS_KEPT
from calward.operations.due import TIDY_EACH
from calward.operations.materialise import TZDATA, move_window, sources_of
from calward.operations.sync_run.ground import Tools
from calward.operations.view.found import load_all
from calward.store import due as due_rows
from calward.store.due import Claim
from calward.store.forgetting import forget_conflicts, forget_tombstones
from calward.store.indexed import laid_by_other_rules
from calward.store.journal import prune_bytes
from calward.store.permits import prune_permits
from calward.store.requests import prune_requests
from calward.store.series import all_series

KEPT = timedelta(days=30)
"""How long the past can be brought back: deleted events, settled conflicts, bytes since they were last used."""
AT_ONCE = 200
"""Events whose rows are written anew in one transaction."""


def tidy(tools: Tools, claimed: Claim) -> None:
    """Do it, and have it done again a day later."""
    household = claimed.household
    with tools.writing() as conn:
        prune(conn, household, tools.now())
    with tools.writing() as conn:
        _move_on(conn, household, tools)
    while _lay_by_new_rules(household, tools):
        pass
    with tools.writing() as conn:
        due_rows.finish(conn, claimed, next_at=tools.now() + TIDY_EACH)


def prune(conn: Connection, household: HouseholdId, now: datetime) -> None:
    """Let go of what is past its time."""
    prune_bytes(conn, household, now - KEPT)
    forget_tombstones(conn, household, event=None, before=now - KEPT)
    forget_conflicts(conn, household, event=None, before=now - KEPT)
    prune_requests(conn, household, now - ANSWERS_KEPT)
    prune_permits(conn, household, now)


def _move_on(conn: Connection, household: HouseholdId, tools: Tools) -> None:
    """All series in one transaction: a reader trusts the window for every one of them."""
    if move_window(conn, household, tools.now()):
        _lay(conn, household, all_series(conn, household), tools)


def _lay_by_new_rules(household: HouseholdId, tools: Tools) -> bool:
    """Some of the events that were laid down by other rules of time zones; False where none are left."""
    with tools.writing() as conn:
        events = laid_by_other_rules(conn, household, TZDATA, AT_ONCE)
        _lay(conn, household, events, tools)
    return bool(events)


def _lay(conn: Connection, household: HouseholdId, events: list[EventId], tools: Tools) -> None:
    if events:
        access = identity.access(conn, identity.owner(conn, household), tools.epoch)
        lay_down(conn, access, sources_of(load_all(conn, household, events)), tools.now())

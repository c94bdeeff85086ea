"""What a request would do, judged together with what the same principal did within the hour before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from calward.guard.effect import Effect
from calward.guard.verdict import Verdict, judge
from calward.model.ids import EventId
from calward.operations.apply.budget import HOUR
from calward.operations.effects import effects_of
from calward.operations.identity import Access
from calward.operations.stored import Prepared
from calward.store import journal


@dataclass(frozen=True, slots=True)
class Judged:
    """``deleting``: the events that would be deleted, or as good as."""

    verdict: Verdict
    effects: tuple[Effect, ...]
    deleting: frozenset[EventId]


def judge_now(conn: Connection, access: Access, prepared: Sequence[Prepared], now: datetime) -> Judged:
    """Judge prepared changes for the principal of ``access``.

    The journal is asked in the transaction that would write, so that many calls at once count one another. Rows
    of a clock that was ahead count too: setting it back buys nothing.
    """
    effects = effects_of(prepared, access.surroundings(now))
    deleting = frozenset(effect.event for effect in effects if effect.deletes and effect.event)
    who, earlier = access.principal, frozenset[EventId]()
    if deleting:
        earlier = journal.deleted_since(conn, access.household.id, who.kind, who.id, now - HOUR)
    verdict = judge(who, access.rights, effects, deleted=len(earlier - deleting))
    return Judged(verdict, effects, deleting)

"""One transaction of a sync: where it writes, what it takes over, the journal row that tells of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from calward.dav.multiget import RemoteObject
from calward.model.ids import CalendarId, ChangeId, EventId, HouseholdId, Href
from calward.operations.apply.following import lay_down
from calward.operations.identity import Access
from calward.operations.materialise import Source
from calward.store import journal
from calward.store.journal import ChangeRow

SYNC = "sync"
PULLED = "Pulled"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A server's version, under the href it is kept by here."""

    href: Href
    remote: RemoteObject


@dataclass(frozen=True, slots=True)
class Taking:
    """One transaction of a sync: in whose calendar, when."""

    conn: Connection
    access: Access
    calendar: CalendarId
    now: datetime
    new_id: Callable[[], str]

    @property
    def household(self) -> HouseholdId:
        return self.access.household.id


@dataclass(slots=True)
class Taken:
    """What a transaction took over; ``changed`` holds the digests of the bytes that were here before."""

    added: int = 0
    changed: dict[EventId, str] = field(default_factory=dict)
    removed: list[EventId] = field(default_factory=list)
    merged: list[EventId] = field(default_factory=list)
    conflicts: int = 0
    unreadable: int = 0
    before: list[bytes] = field(default_factory=list, repr=False)
    sources: list[Source] = field(default_factory=list, repr=False)

    @property
    def count(self) -> int:
        return self.added + len(self.changed)


def finish(taking: Taking, taken: Taken) -> None:
    """Rows that are read from the bytes, and the journal."""
    conn, household = taking.conn, taking.household
    if taken.sources:
        lay_down(conn, taking.access, taken.sources, taking.now)
    facts: Mapping[str, Any] = {
        name: value
        for name, value in (
            ("added", taken.added),
            ("changed", taken.changed),
            ("removed", taken.removed),
            ("merged", taken.merged),
            ("conflicts", taken.conflicts),
        )
        if value
    }
    if not facts:
        return
    record(taking, PULLED, dict(facts))
    journal.keep_bytes(conn, household, taken.before, taking.now)


def record(taking: Taking, kind: str, facts: dict[str, Any]) -> None:
    """A row of the journal about what a sync did to a calendar."""
    ident = ChangeId(taking.new_id())
    row = ChangeRow(
        id=ident,
        batch=ident,
        at=taking.now,
        principal_kind=SYNC,
        principal_id=taking.calendar,
        principal_name=SYNC,
        operation=SYNC,
        kind=kind,
        event_id=None,
        calendar_id=taking.calendar,
        before_digest=None,
        after_digest=None,
        facts=facts,
    )
    journal.append(taking.conn, taking.household, [row])

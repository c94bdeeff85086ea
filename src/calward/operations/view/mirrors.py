"""Accounts, mirrored calendars and their syncs, as one principal may know of them. Part of the view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from calward.dav.options import Scheduling
from calward.dav.quirks import capabilities_of
from calward.errors import NotFound
from calward.ical.reading import read_object
from calward.model.ids import AccountId, CalendarId, EventId, MemberId, RunId
from calward.model.principal import Person
from calward.operations.account_words import AccountOptions, account_options
from calward.operations.due import SYNC
from calward.operations.held_kinds import HeldKind
from calward.operations.identity import Access
from calward.operations.show import plain
from calward.store import accounts, calendars, conflicts, due, held, objects, runs
from calward.store.calendars import ObjectCount
from calward.store.held import HeldRow


@dataclass(frozen=True, slots=True)
class KnownAccount:
    id: AccountId
    name: str
    kind: str
    url: str
    username: str
    options: AccountOptions
    state: str
    error: str | None
    surveyed_at: datetime | None
    strong_etags: bool | None
    """Whether every object so far came with an ETag that names its bytes; None before there was one."""


@dataclass(frozen=True, slots=True)
class SyncState:
    """How the sync of one calendar stands. ``next_at`` None: it rests until a person does something."""

    state: str
    next_at: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Run:
    id: RunId
    mode: str
    calendar: CalendarId
    state: str
    progress: dict[str, Any]
    error: str | None


@dataclass(frozen=True, slots=True)
class HeldWork:
    """``removes``: it takes events away where it is agreed to. ``whole``: it is about the calendar itself."""

    id: str
    calendar: CalendarId
    removes: bool
    whole: bool
    reason: str
    titles: tuple[str, ...]
    count: int
    made_at: datetime


@dataclass(frozen=True, slots=True)
class BothVersions:
    """An event that was changed on both sides: as it is now, our version, and what both came from."""

    id: str
    event: EventId
    calendar: CalendarId
    now: bytes
    ours: bytes
    base: bytes | None
    deleted: bool
    """The event was deleted since."""
    made_at: datetime


MOST_TITLES = 10


class Mirrors:
    """Looks up for one principal. Accounts and what a sync left to decide are for people; an assistant follows
    runs of its own."""

    def __init__(self, conn: Connection, access: Access) -> None:
        self._conn = conn
        self._access = access
        self._household = access.household.id

    def accounts(self) -> tuple[KnownAccount, ...]:
        """The member's own accounts."""
        if not isinstance(self._access.principal, Person):
            return ()
        counts = accounts.count_etags(self._conn, self._household)
        return tuple(
            KnownAccount(
                id=row.id,
                name=row.name,
                kind=row.kind,
                url=row.url,
                username=row.username or "",
                options=account_options(row.options),
                state=row.state,
                error=row.last_error,
                surveyed_at=row.surveyed_at,
                strong_etags=counts[row.id].other == 0 if row.id in counts else None,
            )
            for row in accounts.list_accounts(self._conn, self._household)
            if row.member_id == self._access.person.member
        )

    def account(self, named: str) -> KnownAccount:
        """One of them by name or id."""
        known = self.accounts()
        for one in known:
            if named in (one.id, one.name):
                return one
        names = ", ".join(one.name for one in known) or "none yet"
        raise NotFound(f"There is no account {named!r}; there are: {names}.")

    def accounts_of(self, member: MemberId) -> dict[AccountId, str]:
        """The accounts of whichever member, by id, with their names."""
        rows = accounts.list_accounts(self._conn, self._household)
        return {row.id: row.name for row in rows if row.member_id == member}

    def account_names(self) -> dict[AccountId, str]:
        return {row.id: row.name for row in accounts.list_accounts(self._conn, self._household)}

    def places(self) -> dict[str, CalendarId]:
        """Which calendar is the mirror of which address."""
        rows = calendars.list_calendars(self._conn, self._household)
        return {row.href: row.id for row in rows if row.href}

    def calendar_names(self) -> set[str]:
        """All that are taken in the household, seen or not."""
        return {row.name for row in calendars.list_calendars(self._conn, self._household)}

    def scheduling(self, calendar: CalendarId) -> Scheduling:
        """What the server of a calendar does about attendees."""
        row = calendars.get_calendar(self._conn, self._household, calendar)
        account = (
            accounts.get_account(self._conn, self._household, row.account_id)
            if row and row.account_id
            else None
        )
        if account is None:
            return Scheduling()
        options = account_options(account.options)
        return Scheduling(options.offers.schedules, capabilities_of(options.signs).schedules_past)

    def syncs(self) -> dict[CalendarId, SyncState]:
        rows = due.list_due(self._conn, self._household, SYNC)
        return {
            CalendarId(target): SyncState(
                row.state, None if row.state == due.DEAD else row.fire_at, row.last_error
            )
            for target, row in rows.items()
        }

    def run(self, ident: str) -> Run:
        """A run that can be followed: a person's any, an assistant's own."""
        row = runs.get_run(self._conn, self._household, RunId(ident))
        principal = self._access.principal
        own = row is not None and row.asked_by == f"{principal.kind}:{principal.id}"
        seen = {sight.calendar for sight in self._access.sights}
        if row is None or row.target not in seen or not (own or isinstance(principal, Person)):
            raise NotFound("There is no run of yours with that id.")
        return Run(row.id, row.kind, CalendarId(row.target), row.state, row.progress, row.error)

    def conflict_counts(self) -> dict[CalendarId, int]:
        return conflicts.count_conflicts(self._conn, self._household)

    def unpushed(self, account: AccountId) -> int:
        """How many changes an account's server does not have yet."""
        counts = calendars.count_objects(self._conn, self._household)
        rows = calendars.list_calendars(self._conn, self._household)
        return sum(counts[row.id].unpushed for row in rows if row.account_id == account and row.id in counts)

    def held(self) -> tuple[HeldWork, ...]:
        """What syncs of the member's own calendars hold."""
        own = self._own()
        rows = held.list_held(self._conn, self._household)
        counts = calendars.count_objects(self._conn, self._household)
        return tuple(
            HeldWork(
                id=row.id,
                calendar=row.calendar_id,
                removes=HeldKind(row.kind).removes,
                whole=row.kind == HeldKind.COLLECTION,
                reason=row.reason,
                titles=self._titles(row.calendar_id, row.hrefs[:MOST_TITLES]),
                count=self._count(row, counts),
                made_at=row.made_at,
            )
            for row in rows
            if row.calendar_id in own
        )

    def conflicts(self) -> tuple[BothVersions, ...]:
        """The member's own events of which two versions are kept."""
        own = self._own()
        rows = [row for row in conflicts.open_conflicts(self._conn, self._household) if row.calendar_id in own]
        now = {
            row.id: row
            for row in objects.get_objects(self._conn, self._household, [row.event_id for row in rows])
        }
        return tuple(
            BothVersions(
                id=row.id,
                event=row.event_id,
                calendar=row.calendar_id,
                now=now[row.event_id].local,
                ours=row.ours,
                base=row.base,
                deleted=now[row.event_id].deleted_at is not None,
                made_at=row.made_at,
            )
            for row in rows
            if row.event_id in now
        )

    def _own(self) -> set[CalendarId]:
        member = self._access.person.member
        return {calendar.id for calendar in self._access.calendars.values() if calendar.member == member}

    def _count(self, row: HeldRow, counts: Mapping[CalendarId, ObjectCount]) -> int:
        """How many events it is about."""
        if row.kind != HeldKind.COLLECTION:
            return len(row.hrefs)
        return counts[row.calendar_id].objects if row.calendar_id in counts else 0

    def _titles(self, calendar: CalendarId, hrefs: list[Any]) -> tuple[str, ...]:
        rows = (objects.object_at(self._conn, self._household, calendar, href) for href in hrefs)
        return tuple(_title(row.local) for row in rows if row is not None)


def _title(data: bytes) -> str:
    return plain(next((event.summary for event in read_object(data).events), ""))

"""What a run of one collection stands on: its calendar, its remote, the claim it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from calward.dav.href import HrefKey, href_key, href_of, resolve
from calward.errors import Busy
from calward.model.ids import CalendarId, HouseholdId, Href
from calward.operations import identity
from calward.operations.due import LEASE, Pace
from calward.operations.identity import Access
from calward.remotes.remote import Remote
from calward.store import due as due_rows
from calward.store.accounts import AccountRow
from calward.store.calendars import CalendarRow
from calward.store.due import Claim

Opened = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Tools:
    """What a run needs from the outside. ``open_remote`` gets an account and its sealed password, if one is
    kept; it may raise ``SettingsError``. ``jitter`` is from 0 to 1."""

    reading: Opened
    writing: Opened
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    jitter: Callable[[], float]
    epoch: str
    open_remote: Callable[[AccountRow, str | None], Remote]
    pace: Pace = Pace()  # noqa: RUF009  (frozen)


class LeaseLost(Busy):
    """Another worker took this collection over while we were away; nothing of ours was written since."""


@dataclass(slots=True)
class Tally:
    """What a run did, for its report."""

    pulled: int = 0
    removed: int = 0
    pushed: int = 0
    deleted: int = 0
    merged: int = 0
    conflicts: int = 0
    held: int = 0
    refused: int = 0
    unreadable: int = 0
    of: int = 0

    def facts(self) -> dict[str, int]:
        """The counts that are not nothing."""
        names = (
            *("pulled", "removed", "pushed", "deleted", "merged", "conflicts"),
            *("held", "refused", "unreadable", "of"),
        )
        return {name: count for name in names if (count := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Ground:
    """One run of one collection. ``url`` is the collection's address on the server."""

    tools: Tools
    claimed: Claim
    calendar: CalendarRow
    url: str
    remote: Remote
    run: str | None
    tally: Tally = field(default_factory=Tally)

    @property
    def household(self) -> HouseholdId:
        return self.claimed.household

    @property
    def id(self) -> CalendarId:
        return self.calendar.id

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A writing transaction of the claim's holder. Raises ``LeaseLost``."""
        with self.tools.writing() as conn:
            if not due_rows.renew(conn, self.claimed, self.tools.now() + LEASE):
                raise LeaseLost("Another worker has taken over this calendar.")
            yield conn

    def access(self, conn: Connection) -> Access:
        """The view of the calendar's own member, in whose name a sync writes."""
        member = identity.principal_of(conn, self.household, "person", self.calendar.member_id)
        return identity.access(conn, member, self.tools.epoch)

    def wire(self, href: Href) -> Href:
        """Where an object is on the server. One that was never there is stored by its name alone."""
        return href if href.startswith("/") else href_of(resolve(self.url, href))

    def key(self, href: Href) -> HrefKey:
        return href_key(self.wire(href))

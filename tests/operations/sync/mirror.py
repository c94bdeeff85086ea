"""A household with one calendar on a server in memory, another client of that server, and faults on demand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from calward.bootstrap.household import HOME
from calward.dav.href import member
from calward.dav.multiget import RemoteObject
from calward.model.ids import AccountId, CalendarId, EventId, Href
from calward.operations.due import LEASE, Pace, arm_sync, claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.operations.sync_run.ground import Tally, Tools
from calward.remotes.faults import Fault, Faults
from calward.remotes.memory import MemoryRemote, MemoryServer
from calward.remotes.remote import Remote
from calward.store.accounts import AccountRow, put_account
from calward.store.calendars import CalendarRow, get_calendar, insert_calendar, new_calendar
from calward.store.conflicts import ConflictRow, open_conflicts
from calward.store.due import DueRow, list_due
from calward.store.held import HeldRow, list_held
from calward.store.objects import ObjectRow, get_object
from calward.store.sides import Side, list_sides
from tests.operations.world import World, ics, open_world, vevent

CALENDAR = CalendarId("work-calendar")
ACCOUNT = AccountId("work-account")


@dataclass
class Mirror:
    """``other`` is another program that uses the same calendar."""

    world: World
    server: MemoryServer
    url: str
    faults: Faults = field(default_factory=Faults)

    @property
    def other(self) -> MemoryRemote:
        return MemoryRemote(self.server)

    @property
    def tools(self) -> Tools:
        return tools_of(self.world, MemoryRemote(self.server, self.faults))

    def sync(self, *, full: bool = False) -> Tally | None:
        """One run, as a worker would make it."""
        with self.world.store.writing() as conn:
            arm_sync(conn, HOME, CALENDAR, self.world.now, self.world.new_id, full=full)
        claimed = claim_sync(self.world.store.writing, HOME, CALENDAR, self.world.now, "tests")
        assert claimed is not None
        tally = run_sync(self.tools, claimed)
        self.world.pass_time(seconds=60)
        return tally

    def adds(self, name: str, title: str = "Lunch", *lines: str) -> Href:
        """The other client adds an event."""
        href = member(self.url, f"{name}.ics")
        self.other.put(self.url, href, event(name, title, *lines), None)
        return href

    def edits(self, href: Href, title: str) -> None:
        """The other client sets another title."""
        self.writes(href, event(href.rpartition("/")[2].removesuffix(".ics"), title))

    def writes(self, href: Href, body: bytes) -> None:
        """The other client puts this over what is there."""
        now = self.there(href)
        assert now is not None
        self.other.put(self.url, href, body, now.etag)

    def deletes(self, href: Href) -> None:
        """The other client deletes an event."""
        now = self.there(href)
        assert now is not None
        assert now.etag is not None
        self.other.delete(self.url, href, now.etag)

    def moves(self, href: Href, name: str) -> Href:
        """As clients do without MOVE: deleted where it was, written anew in another place."""
        now = self.there(href)
        assert now is not None
        self.deletes(href)
        moved = member(self.url, name)
        self.other.put(self.url, moved, now.body, None)
        return moved

    def there(self, href: Href) -> RemoteObject | None:
        """What the server has at an href."""
        return next(iter(self.other.fetch(self.url, [href]).objects), None)

    def titles_there(self) -> list[str]:
        """The titles of all events on the server."""
        found = self.other.fetch(self.url, list(self.other.listing(self.url))).objects
        return sorted(_title(one.body) for one in found)

    def titles_here(self) -> list[str]:
        return sorted(self.world.week())

    def create(self, title: str) -> Any:
        """The owner creates an event here."""
        return self.world.do(
            "calendar_create", title=title, start="2026-03-03T12:00", calendar="Work", request_id=title
        ).event

    def event(self, title: str) -> Any:
        return next(one for one in self.world.do("calendar_search", query=title).events)

    def retitle(self, title: str, to: str) -> None:
        """The owner sets another title here."""
        self.world.do("calendar_update", id=self.event(title).id, title=to)

    def delete(self, title: str) -> None:
        """The owner deletes an event here."""
        self.world.do("calendar_delete", id=self.event(title).id)

    def row(self, event: str) -> ObjectRow:
        with self.world.store.reading() as conn:
            found = get_object(conn, HOME, EventId(event))
        assert found is not None
        return found

    def sides(self) -> list[Side]:
        with self.world.store.reading() as conn:
            return list_sides(conn, HOME, CALENDAR)

    @property
    def calendar(self) -> CalendarRow:
        with self.world.store.reading() as conn:
            found = get_calendar(conn, HOME, CALENDAR)
        assert found is not None
        return found

    @property
    def due(self) -> DueRow:
        with self.world.store.reading() as conn:
            return list_due(conn, HOME, "sync")[CALENDAR]

    @property
    def held(self) -> list[HeldRow]:
        with self.world.store.reading() as conn:
            return list_held(conn, HOME)

    @property
    def conflicts(self) -> list[ConflictRow]:
        with self.world.store.reading() as conn:
            return open_conflicts(conn, HOME)

    def fails(self, method: str, *faults: Fault) -> None:
        self.faults.add(method, *faults)

    def oversleep(self) -> None:
        """So long that a claim is free again."""
        self.world.now += LEASE + timedelta(seconds=1)


def tools_of(world: World, remote: Remote) -> Tools:
    return Tools(
        reading=world.store.reading,
        writing=world.store.writing,
        now=lambda: world.now,
        new_id=world.new_id,
        jitter=lambda: 0.5,
        epoch=world.sources.epoch,
        open_remote=lambda account, sealed: remote,
        pace=Pace(),
    )


def open_mirror(folder: Path, server: MemoryServer | None = None) -> Mirror:
    """A household whose calendar "Work" is on the server; nothing is synced yet."""
    world = open_world(folder)
    server = server or MemoryServer()
    url = server.add_calendar("work", "Work")
    settle(world, url)
    return Mirror(world, server, url)


def settle(world: World, url: str) -> None:
    """Add the account and its calendar."""
    with world.store.writing() as conn:
        account = AccountRow(
            ACCOUNT, world.owner.member, "memory", "caldav", url, "alex", {}, "ok", None, world.now
        )
        put_account(conn, HOME, account)
        insert_calendar(conn, HOME, mirrored(world, CALENDAR, "Work", url))


def mirrored(world: World, ident: CalendarId, name: str, url: str) -> CalendarRow:
    """A calendar of the account that was never synced."""
    row = new_calendar(ident, member=world.owner.member, name=name, offer="careful", at=world.now)
    return replace(row, account_id=ACCOUNT, href=Href(url))


def event(name: str, title: str = "Lunch", *lines: str) -> bytes:
    when = ("DTSTART:20260303T120000Z", "DTEND:20260303T130000Z")
    return ics(*vevent(name, *when, f"SUMMARY:{title}", "X-COLOUR-OF-THE-CAT:tabby", *lines)).encode()


def _title(body: bytes) -> str:
    line = next(line for line in body.splitlines() if line.startswith(b"SUMMARY"))
    return line.partition(b":")[2].decode()

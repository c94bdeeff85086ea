"""A household that mirrors one calendar of a server, from connecting it on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from calward.bootstrap.household import HOME, OWN_CALENDAR, ensure_household
from calward.dav.quirks import Capabilities
from calward.model.ids import ID_BYTES, AccountId, CalendarId, Href, id_from_bytes
from calward.model.secret import Secret
from calward.operations.due import Pace, arm_sync, claim_sync
from calward.operations.pipeline import Pipeline, Sources
from calward.operations.sync_run.drive import run_sync
from calward.operations.sync_run.ground import Tally, Tools
from calward.remotes.caldav import CaldavRemote
from calward.remotes.login import Password
from calward.store.accounts import AccountRow, put_account
from calward.store.calendars import calendar_named, insert_calendar
from calward.store.engine import Store, open_store

ACCOUNT, CALENDAR = AccountId("account"), CalendarId("mirrored")
EPOCH = "bench"
ZONE = "Europe/Berlin"
NOW = datetime(2026, 1, 5, tzinfo=UTC)
NAME = "Work"


@dataclass(frozen=True, slots=True)
class Place:
    """The calendar on the server, and how to sign in there."""

    url: str
    user: str
    password: str
    capabilities: Capabilities

    def open(self) -> CaldavRemote:
        login = Password(self.user, Secret(self.password))
        return CaldavRemote(self.url, login, capabilities=self.capabilities)


@dataclass(frozen=True, slots=True)
class Mirror:
    store: Store
    tools: Tools
    pipeline: Pipeline

    def sync(self) -> Tally | None:
        """One run of the calendar, as a worker makes it."""
        with self.store.writing() as conn:
            arm_sync(conn, HOME, CALENDAR, NOW, self.tools.new_id)
        claimed = claim_sync(self.store.writing, HOME, CALENDAR, NOW, "bench")
        assert claimed is not None
        return run_sync(self.tools, claimed)


@contextmanager
def mirror(place: Place) -> Iterator[Mirror]:
    """A household with nothing in it yet; gone again when the block is left."""
    numbers = count(1)

    def new_id() -> str:
        return id_from_bytes(next(numbers).to_bytes(ID_BYTES, "big"))

    with TemporaryDirectory(prefix="calward-bench-") as folder:
        store = open_store(Path(folder) / "calward.db")
        try:
            sources = Sources(
                reading=store.reading,
                writing=store.writing,
                now=lambda: NOW,
                new_id=new_id,
                new_token=new_id,
                epoch=EPOCH,
                household=HOME,
            )
            _connect(store, place, new_id)
            tools = Tools(
                reading=store.reading,
                writing=store.writing,
                now=lambda: NOW,
                new_id=new_id,
                jitter=lambda: 0.5,
                epoch=EPOCH,
                open_remote=lambda _account, _sealed: place.open(),
                pace=Pace(),
            )
            yield Mirror(store, tools, Pipeline(sources))
        finally:
            store.close()


def _connect(store: Store, place: Place, new_id: Callable[[], str]) -> None:
    with store.writing() as conn:
        ensure_household(conn, "Alex", ZONE, EPOCH, NOW, new_id)
        own = calendar_named(conn, HOME, OWN_CALENDAR)
        assert own is not None
        account = AccountRow(
            id=ACCOUNT,
            member_id=own.member_id,
            name="server",
            kind="caldav",
            url=place.url,
            username=place.user,
            options={},
            state="ok",
            last_error=None,
            created_at=NOW,
        )
        put_account(conn, HOME, account)
        calendar = replace(
            own, id=CALENDAR, account_id=ACCOUNT, name=NAME, href=Href(place.url), writable=True, created_at=NOW
        )
        insert_calendar(conn, HOME, calendar)

"""A credential that stops working is told, holds up nothing else, and loses nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from calward.bootstrap.household import HOME
from calward.model.ids import AccountId, CalendarId, Href
from calward.operations.due import SYNC, arm_sync, claim_due
from calward.operations.sync_run.drive import run_sync
from calward.remotes.faults import Fault, Faults
from calward.remotes.memory import MemoryRemote
from calward.store.accounts import get_account, put_account
from calward.store.calendars import insert_calendar
from calward.store.due import list_due
from tests.operations.sync.mirror import ACCOUNT, Mirror, tools_of

OTHER = AccountId("other-account")


class Locked(Faults):
    """As long as it is ``on``, every request is refused for the password; they are counted."""

    on = False
    asked = 0

    def next(self, method: str) -> Fault | None:
        self.asked += self.on
        return Fault.SIGNED_OUT if self.on else super().next(method)


class House:
    """Two calendars on one account, a third on another; a worker that does what is due."""

    def __init__(self, mirror: Mirror) -> None:
        self.mirror, self.lock = mirror, Locked()
        world, server = mirror.world, mirror.server
        with world.store.writing() as conn:
            account = get_account(conn, HOME, ACCOUNT)
            assert account is not None
            put_account(conn, HOME, replace(account, id=OTHER, name="other"))
            for name, where in (("Club", ACCOUNT), ("Choir", OTHER)):
                url = Href(server.add_calendar(name.lower(), name))
                row = replace(mirror.calendar, id=CalendarId(name), account_id=where, name=name, href=url)
                insert_calendar(conn, HOME, row)
            for one in (mirror.calendar.id, CalendarId("Club"), CalendarId("Choir")):
                arm_sync(conn, HOME, one, world.now, world.new_id)

    def works(self, **parts: int) -> None:
        """Time passes, and what is due is done."""
        world = self.mirror.world
        world.pass_time(**parts)
        locked, open_ = MemoryRemote(self.mirror.server, self.lock), MemoryRemote(self.mirror.server)
        tools = replace(
            tools_of(world, open_),
            open_remote=lambda account, sealed: locked if account.id == ACCOUNT else open_,
        )
        for claimed in claim_due(world.store.writing, world.now, "tests", 10):
            run_sync(tools, claimed)

    def errors(self) -> dict[str, str | None]:
        status = self.mirror.world.do("calendar_status")
        return {one.name: one.error for one in status.calendars if one.account}


def test_other_accounts_go_on_and_nothing_is_lost_when_it_works_again(mirror: Mirror) -> None:
    house = House(mirror)
    house.works()
    assert set(house.errors().values()) == {None}
    house.lock.on = True
    mirror.create("Tea")
    for title, calendar in (("Choir practice", "Choir"), ("Chess", "Club")):
        mirror.world.do("calendar_create", title=title, start="2026-03-04T19:00", calendar=calendar)
    for _ in range(20):
        house.works(minutes=2)
    told = [error for error in house.errors().values() if error]
    assert told
    assert all("did not accept the name and password" in error for error in told)
    assert house.errors()["Choir"] is None
    assert "Choir practice" in mirror.world.week()
    with mirror.world.store.reading() as conn:
        account = get_account(conn, HOME, ACCOUNT)
    assert account is not None
    assert account.state == "refused"
    house.lock.on = False
    house.works(days=1)
    house.works(minutes=1)
    assert set(house.errors().values()) == {None}
    assert mirror.titles_there() == ["Tea"]
    status = mirror.world.do("calendar_status")
    assert {one.unpushed for one in status.calendars if one.account} == {0}


def test_one_password_is_tried_once_for_all_its_calendars_and_ever_more_rarely(mirror: Mirror) -> None:
    house = House(mirror)
    house.works()
    house.lock.on = True
    for _ in range(120):
        house.works(minutes=5)
    assert house.lock.asked <= 16
    with mirror.world.store.reading() as conn:
        rows = list_due(conn, HOME, SYNC)
    assert rows[mirror.calendar.id].fire_at - mirror.world.now > timedelta(hours=1)
    assert rows["Club"].fire_at - mirror.world.now > timedelta(hours=1)

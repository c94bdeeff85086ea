"""Events that move between calendars on servers: created there first, then gone here, whole after any stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from calward.bootstrap.household import HOME
from calward.errors import Unsupported
from calward.model.ids import CalendarId, Href
from calward.operations.due import arm_sync, claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.operations.sync_run.ground import Tools
from calward.remotes.faults import Fault
from calward.store.calendars import insert_calendar
from calward.store.journal import verify
from tests.operations.sync.mirror import CALENDAR, Mirror, mirrored, open_mirror
from tests.operations.sync.mortal import Killed, Mortal

FAMILY = CalendarId("family-calendar")


@dataclass
class Two:
    """Two calendars on one server, "Work" and "Family"."""

    mirror: Mirror
    url: str

    def sync(self, calendar: CalendarId, tools: Tools | None = None) -> None:
        world = self.mirror.world
        with world.store.writing() as conn:
            arm_sync(conn, HOME, calendar, world.now, world.new_id)
        claimed = claim_sync(world.store.writing, HOME, calendar, world.now, "tests")
        assert claimed is not None
        try:
            run_sync(tools or self.mirror.tools, claimed)
        except Killed:
            self.mirror.oversleep()
        world.pass_time(seconds=60)

    def both(self) -> None:
        for calendar in (CALENDAR, FAMILY, CALENDAR):
            self.sync(calendar)

    def move(self, title: str, to: str) -> str:
        answer = self.mirror.world.do("calendar_update", id=self.mirror.event(title).id, calendar=to)
        return str(answer.change)

    def there(self) -> tuple[list[str], list[str]]:
        """The titles on the server, in Work and in Family."""
        family = Mirror(self.mirror.world, self.mirror.server, self.url)
        return self.mirror.titles_there(), family.titles_there()


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    mirror = open_mirror(tmp_path)
    url = mirror.server.add_calendar("family", "Family")
    world = mirror.world
    with world.store.writing() as conn:
        insert_calendar(conn, HOME, mirrored(world, FAMILY, "Family", url))
    mirror.adds("a")
    made = Two(mirror, url)
    made.both()
    yield made
    with world.store.reading() as conn:
        assert verify(conn, HOME) is None
    world.store.close()


def test_an_event_is_created_in_the_new_calendar_before_it_goes_from_the_old(two: Two) -> None:
    before = two.mirror.event("Lunch").id
    two.move("Lunch", "Family")
    two.sync(CALENDAR)
    assert two.there() == (["Lunch"], [])
    two.sync(FAMILY)
    assert two.there() == (["Lunch"], ["Lunch"])
    two.sync(CALENDAR)
    assert two.there() == ([], ["Lunch"])
    assert two.mirror.titles_here() == ["Lunch"]
    assert two.mirror.event("Lunch").id == before


def test_the_old_calendar_is_synced_as_soon_as_the_event_has_landed(two: Two) -> None:
    two.move("Lunch", "Family")
    two.sync(CALENDAR)
    waits = two.mirror.due.fire_at
    two.mirror.world.now = waits - timedelta(seconds=30)
    two.sync(FAMILY)
    assert two.mirror.due.fire_at < waits


@pytest.mark.parametrize("step", range(1, 24))
def test_a_stop_anywhere_leaves_it_whole(two: Two, step: int) -> None:
    two.move("Lunch", "Family")
    for calendar in (FAMILY, CALENDAR):
        two.sync(calendar, Mortal(two.mirror.tools, step).tools)
        assert two.there() != ([], [])
    two.both()
    assert two.there() == ([], ["Lunch"])
    assert two.mirror.titles_here() == ["Lunch"]


@pytest.mark.parametrize("synced", [(), (FAMILY,), (FAMILY, CALENDAR)])
def test_undo_moves_it_back(two: Two, synced: tuple[CalendarId, ...]) -> None:
    change = two.move("Lunch", "Family")
    for calendar in synced:
        two.sync(calendar)
    two.mirror.world.do("calendar_undo", change=change)
    two.both()
    two.sync(FAMILY)
    assert two.there() == (["Lunch"], [])
    assert two.mirror.titles_here() == ["Lunch"]


@pytest.mark.parametrize("method", ["put", "delete"])
def test_a_lost_answer_moves_it_once(two: Two, method: str) -> None:
    two.move("Lunch", "Family")
    two.mirror.fails(method, Fault.ANSWER_LOST)
    two.mirror.fails("fetch", Fault.HANG)
    for _ in range(2):
        two.sync(FAMILY)
        two.sync(CALENDAR)
    assert two.there() == ([], ["Lunch"])
    assert two.mirror.titles_here() == ["Lunch"]


def test_it_stays_where_it_was_when_the_other_server_refuses_it(two: Two) -> None:
    two.move("Lunch", "Family")
    two.mirror.fails("put", Fault.FULL)
    two.sync(FAMILY)
    two.sync(CALENDAR)
    assert two.there() == (["Lunch"], [])
    (held,) = two.mirror.world.do("held_list").held
    two.mirror.world.do("held_decide", id=held.id, decision="restore")
    two.both()
    assert two.there() == (["Lunch"], [])
    assert two.mirror.event("Lunch").calendar == "Work"


def test_what_others_edit_where_it_was_is_not_lost(two: Two) -> None:
    two.move("Lunch", "Family")
    two.mirror.edits(Href(two.mirror.sides()[0].href), "Late lunch")
    two.both()
    two.both()
    assert two.there() == (["Late lunch"], ["Lunch"])
    assert two.mirror.titles_here() == ["Late lunch", "Lunch"]


def test_moving_many_is_no_mass_deletion(two: Two) -> None:
    for name in "bcdefgh":
        two.mirror.adds(name, name * 5)
    two.both()
    for name in "bcdefgh":
        two.move(name * 5, "Family")
    two.move("Lunch", "Family")
    two.both()
    assert two.mirror.held == []
    here, there = two.there()
    assert (len(here), len(there)) == (0, 8)


def test_an_event_with_people_on_it_is_not_moved(two: Two) -> None:
    two.mirror.adds("b", "Party", "ORGANIZER:mailto:alex@x.org", "ATTENDEE:mailto:kim@example.org")
    two.both()
    with pytest.raises(Unsupported):
        two.move("Party", "Family")

"""The loop: it does what is due, is woken by changes, and outlives every error."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calward.bootstrap.household import HOME
from calward.model.ids import ETag, Href
from calward.remotes.memory import MemoryRemote
from calward.workers.lanes import LANES, SYNC_LANE, sync_once
from calward.workers.spell import for_a_moment
from calward.workers.worker import Duties, Worker
from tests.operations.sync.mirror import CALENDAR, Mirror, event, open_mirror, tools_of

PATIENCE = 30.0
"""Seconds until a test that waits for a thread gives up."""


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[Mirror]:
    opened = open_mirror(tmp_path)
    yield opened
    opened.world.store.close()


class Watched(MemoryRemote):
    """Says when something was put, and can be made to fail in a way nobody foresaw."""

    def __init__(self, mirror: Mirror) -> None:
        super().__init__(mirror.server)
        self.was_put = threading.Event()
        self.fails = 0

    def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
        if self.fails:
            self.fails -= 1
            raise ZeroDivisionError
        etag = super().put(calendar, href, body, expect)
        self.was_put.set()
        return etag


@contextmanager
def working(mirror: Mirror, remote: Watched, complaints: list[BaseException]) -> Iterator[Worker]:
    worker = Worker(Duties(tools_of(mirror.world, remote), "tests", complaints.append), SYNC_LANE)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop(PATIENCE)


def test_a_change_wakes_the_worker_and_is_sent(mirror: Mirror) -> None:
    mirror.sync()
    remote, complaints = Watched(mirror), list[BaseException]()
    with working(mirror, remote, complaints) as worker:
        mirror.create("Tea")
        worker.wake()
        assert remote.was_put.wait(PATIENCE)
    assert mirror.titles_there() == ["Tea"]
    assert complaints == []


def test_an_error_nobody_foresaw_ends_the_work_and_not_the_loop(mirror: Mirror) -> None:
    mirror.sync()
    remote, complaints = Watched(mirror), list[BaseException]()
    remote.fails = 1
    mirror.create("Tea")
    duties = Duties(tools_of(mirror.world, remote), "tests", complaints.append)
    assert sync_once(duties) == 1
    assert [type(error) for error in complaints] == [ZeroDivisionError]
    assert mirror.due.state == "armed"
    assert mirror.due.fire_at > mirror.world.now
    assert "ZeroDivision" not in (mirror.due.last_error or "")
    assert sync_once(duties) == 0
    mirror.world.now = mirror.due.fire_at
    assert sync_once(duties) == 1
    assert mirror.titles_there() == ["Tea"]
    assert mirror.due.last_error is None


def test_a_spell_does_a_commands_own_work_and_nothing_else(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    remote, complaints = Watched(mirror), list[BaseException]()
    duties = Duties(tools_of(mirror.world, remote), "tests", complaints.append)
    for_a_moment(duties, HOME, [CALENDAR], PATIENCE)
    assert mirror.titles_there() == ["Tea"]
    for_a_moment(duties, HOME, [], PATIENCE)
    assert complaints == []


def test_a_spell_that_takes_too_long_is_given_up_and_can_be_gone_on_with(mirror: Mirror) -> None:
    mirror.sync()
    mirror.create("Tea")
    reached, hang = threading.Event(), threading.Event()

    class Slow(Watched):
        def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
            reached.set()
            hang.wait(PATIENCE)
            return super().put(calendar, href, body, expect)

    remote = Slow(mirror)
    duties = Duties(tools_of(mirror.world, remote), "one", list[BaseException]().append)
    for_a_moment(duties, HOME, [CALENDAR], 0.05)
    assert reached.wait(PATIENCE)
    assert [side.push_state for side in mirror.sides()] == ["in_flight"]
    hang.set()
    (spell,) = (thread for thread in threading.enumerate() if thread.name == "calward-spell")
    spell.join(PATIENCE)
    assert [side.push_state for side in mirror.sides()] == ["clean"]


def test_a_sync_planned_before_the_clock_was_set_back_is_done_now(mirror: Mirror) -> None:
    mirror.sync()
    mirror.other.put(mirror.url, Href("tea.ics"), event("tea", "Tea"), None)
    duties = Duties(mirror.tools, "tests", lambda _: None)
    assert sync_once(duties) == 1
    mirror.world.pass_time(hours=-30)
    mirror.other.put(mirror.url, Href("cake.ics"), event("cake", "Cake"), None)
    assert [sync_once(duties) for _ in range(3)] == [1, 1, 0]
    assert mirror.titles_here() == ["Cake", "Tea"]


def test_a_worker_that_was_never_started_is_stopped_at_once(mirror: Mirror) -> None:
    for lane in LANES:
        Worker(Duties(mirror.tools, "tests", list[BaseException]().append), lane).stop()

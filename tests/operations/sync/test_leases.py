"""A run whose process was killed is taken over: at once where that is known, else when its lease is over."""

from __future__ import annotations

from calward.bootstrap.household import HOME
from calward.operations.due import arm_sync, claim_sync, free_the_dead
from calward.operations.sync_run.drive import run_sync
from tests.operations.sync.mirror import CALENDAR, Mirror


def test_the_lease_of_a_dead_process_is_not_waited_for(mirror: Mirror) -> None:
    store, now = mirror.world.store, mirror.world.now
    mirror.adds("a")
    with store.writing() as conn:
        arm_sync(conn, HOME, CALENDAR, now, mirror.world.new_id)
    old = claim_sync(store.writing, HOME, CALENDAR, now, "killed")
    assert old is not None
    free_the_dead(store.reading, store.writing, lambda name: name == "another", now)
    assert claim_sync(store.writing, HOME, CALENDAR, now, "next") is None
    free_the_dead(store.reading, store.writing, lambda name: name == "killed", now)
    new = claim_sync(store.writing, HOME, CALENDAR, now, "next")
    assert new is not None
    assert run_sync(mirror.tools, old) is None  # not so dead after all: it writes nothing
    assert mirror.titles_here() == []
    assert run_sync(mirror.tools, new) is not None
    assert mirror.titles_here() == ["Lunch"]

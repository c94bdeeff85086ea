"""The scenarios that real servers are put through, on the server in memory."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from calward.bootstrap.household import HOME
from calward.operations.due import arm_sync, claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.remotes.faults import Fault
from calward.remotes.memory import MemoryRemote
from tests.operations.sync.mirror import CALENDAR, Mirror, tools_of
from tests.operations.sync.mortal import Killed, Mortal
from tests.system.scenarios import SCENARIOS
from tests.system.two_writers import Scenario, Stage, Trouble, play

FAULTS: Mapping[Trouble, tuple[tuple[str, ...], Fault]] = {
    Trouble.LOST: (("put", "delete"), Fault.ANSWER_LOST),
    Trouble.RESET: (("put", "delete"), Fault.RESET),
    Trouble.TWICE: (("put", "delete"), Fault.TWICE),
    Trouble.NO_ETAG: (("put",), Fault.NO_ETAG),
    Trouble.WEAK_ETAG: (("put",), Fault.WEAK_ETAG),
    Trouble.CUT: (("listing",), Fault.PARTIAL),
    Trouble.BUSY: (("put", "delete"), Fault.THROTTLED),
    Trouble.SILENT: (("put", "delete"), Fault.ANSWER_LATE),
}


def stage(mirror: Mirror) -> Stage:
    backups = []

    def run(full: bool) -> None:
        mirror.sync(full=full)

    def trouble(what: Trouble | None) -> None:
        mirror.faults.clear()
        if what is not None:
            methods, fault = FAULTS[what]
            for method in methods:
                mirror.fails(method, fault)

    def kill(step: int) -> None:
        mortal = Mortal(tools_of(mirror.world, MemoryRemote(mirror.server, mirror.faults)), step)
        with mirror.world.store.writing() as conn:
            arm_sync(conn, HOME, CALENDAR, mirror.world.now, mirror.world.new_id)
        claimed = claim_sync(mirror.world.store.writing, HOME, CALENDAR, mirror.world.now, "mortal")
        assert claimed is not None
        try:
            run_sync(mortal.tools, claimed)
        except Killed:
            mirror.oversleep()

    def keeper(does: str) -> None:
        match does:
            case "backup":
                backups.append(mirror.server.backup())
            case "restore":
                mirror.server.restore(backups[-1])
            case _:
                mirror.server.forget_tokens()

    return Stage(
        do=mirror.world.do,
        calendar="Work",
        other=mirror.other,
        url=mirror.url,
        run=run,
        trouble=trouble,
        kept=lambda: [one.ours for one in mirror.conflicts],
        kill=kill,
        keeper=keeper,
    )


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_it_ends_as_it_should_and_nothing_is_lost(scenario: Scenario, mirror: Mirror) -> None:
    play(scenario, stage(mirror))


def test_every_scenario_has_a_name_of_its_own() -> None:
    names = [scenario.name for scenario in SCENARIOS]
    assert len(names) == len(set(names))

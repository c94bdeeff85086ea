"""What two writers do to each other, on every real server, with trouble on the way: nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from sqlalchemy import update

from calward.bootstrap.app import now
from calward.bootstrap.household import HOME
from calward.bootstrap.workers import tools_of
from calward.operations.due import LEASE, arm_sync, claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.remotes import caldav
from calward.remotes.http import Limits
from calward.store.calendars import calendar_named
from calward.store.conflicts import open_conflicts
from calward.store.tables import calendars
from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward, own_household
from tests.system.conftest import Other, connect, opened
from tests.system.desk import Desk
from tests.system.dying import LEASES, run_until
from tests.system.facts import BAD_TOKEN
from tests.system.fault_proxy import FaultProxy, between
from tests.system.findings import finding
from tests.system.scenarios import SCENARIOS
from tests.system.two_writers import Scenario, Server, Stage, Sync, Trouble, play

pytestmark = pytest.mark.interop

IMPATIENT = Limits(connect=5.0, silence=1.0, total=5.0)
"""How long is waited where the answer does not come."""
BACKED_UP = [one for one in SCENARIOS if Server("backup") in one.steps]
"""Those for servers whose files can be changed under their feet."""
STEPS = 6
"""Steps of a killed process for one step of a scenario, which counts requests and transactions only."""


@pytest.fixture
def proxy(address: Address) -> Generator[FaultProxy]:
    with between(address) as standing:
        yield standing


@pytest.fixture
def stage(
    calward: Calward,
    proxy: FaultProxy,
    other: Other,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Generator[Stage]:
    """A household that mirrors the other client's calendar through the proxy."""
    limits: dict[str, Limits] = {}
    as_it_is = caldav.CaldavRemote.__init__

    def limited(self: caldav.CaldavRemote, *arguments: object, **options: object) -> None:
        as_it_is(self, *arguments, **(options | limits))  # type: ignore[arg-type]

    connect(calward, proxy.address, other)
    monkeypatch.setattr(caldav.CaldavRemote, "__init__", limited)
    with opened() as app:
        with app.store.reading() as conn:
            calendar = calendar_named(conn, HOME, other.name)
        assert calendar is not None

        def run(full: bool) -> None:
            moment = now() + next(LEASES) * 2 * LEASE
            with app.store.writing() as conn:
                arm_sync(conn, HOME, calendar.id, moment, app.sources.new_id, full=full)
            claimed = claim_sync(app.store.writing, HOME, calendar.id, moment, "tests")
            assert claimed is not None
            run_sync(tools_of(app), claimed)

        def trouble(what: Trouble | None) -> None:
            proxy.trouble = what
            limits["limits"] = IMPATIENT if what is Trouble.SILENT else Limits()

        def kept() -> list[bytes]:
            with app.store.reading() as conn:
                return [one.ours for one in open_conflicts(conn, HOME)]

        def kill(step: int) -> None:
            run_until(step * STEPS, own_household(tmp_path / "data"))

        def keeper(does: str) -> None:
            storage, backup = proxy.address.storage, tmp_path / "backup"
            match does:
                case "forget tokens":
                    # To the server, a token that it never gave out and one that it forgot are the same.
                    with app.store.writing() as conn:
                        conn.execute(update(calendars).values(sync_token=BAD_TOKEN))
                case "backup" if storage is not None:
                    shutil.copytree(storage, backup)
                case "restore" if storage is not None:
                    shutil.rmtree(storage)
                    shutil.copytree(backup, storage)
                case _:
                    raise AssertionError(f"nobody knows how to {does}")

        desk = Desk(app, other.name)
        yield Stage(
            do=desk.do,
            calendar=other.name,
            other=other.remote,
            url=other.url,
            run=run,
            trouble=trouble,
            kept=kept,
            kill=kill,
            keeper=keeper,
        )


@pytest.mark.parametrize(
    "scenario", [one for one in SCENARIOS if one not in BACKED_UP], ids=lambda one: one.name
)
def test_it_ends_as_it_should_and_nothing_is_lost(
    scenario: Scenario, stage: Stage, proxy: FaultProxy, server: str
) -> None:
    with finding(server, "scenario", scenario.name):
        play(scenario, stage)
    asked = [step.trouble for step in scenario.steps if isinstance(step, Sync) and step.trouble]
    assert proxy.struck == asked


@pytest.mark.parametrize("server", ["radicale"], indirect=True, scope="session")
@pytest.mark.parametrize("scenario", BACKED_UP, ids=lambda one: one.name)
def test_a_backup_that_is_put_back_loses_nothing(scenario: Scenario, stage: Stage, server: str) -> None:
    with finding(server, "scenario", scenario.name):
        play(scenario, stage)

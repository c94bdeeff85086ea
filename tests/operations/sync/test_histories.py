"""Random histories of two writers, faults between them, deaths in the middle: all converges, nothing is lost.

``CALWARD_HISTORIES`` says how many for each kind of server; without it they are few. They are always the same,
unless ``CALWARD_SEED`` draws others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.operations.sync.histories import FAULTS, FIELDS_HERE, FIELDS_THERE, KINDS, Ground

HOW_MANY = int(os.environ.get("CALWARD_HISTORIES", "50"))
SEED = os.environ.get("CALWARD_SEED")
STEPS = 16

which = st.integers(0, 2)
"""Few to choose from, so that those involved often meet at the same event."""
flips = st.booleans()


class Histories(RuleBasedStateMachine):
    """Each rule is something that one of those involved does."""

    ground: ClassVar[Ground]
    kind: ClassVar[str]

    @initialize(agree=flips, titles=st.integers(1, 4), series=flips)
    def begins(self, agree: bool, titles: int, series: bool) -> None:
        self.agree = agree
        self.history = self.ground.history(KINDS[self.kind])
        for number in range(titles):
            self.history.makes_there(series=series and number == 0)
        self.history.syncs()

    @rule()
    def somebody_makes_one_here(self) -> None:
        self.history.makes_here()

    @rule(which=which, name=st.sampled_from((*FIELDS_HERE, "start")), scope=st.sampled_from(("one", "all")))
    def somebody_edits_here(self, which: int, name: str, scope: str) -> None:
        self.history.edits_here(which, name, scope)

    @rule(which=which)
    def somebody_deletes_here(self, which: int) -> None:
        self.history.deletes_here(which)

    @rule(which=which)
    def somebody_restores_here(self, which: int) -> None:
        self.history.restores_here(which)

    @rule(series=flips)
    def the_other_makes_one(self, series: bool) -> None:
        self.history.makes_there(series=series)

    @rule(which=which, name=st.sampled_from(FIELDS_THERE))
    def the_other_edits(self, which: int, name: str) -> None:
        self.history.edits_there(which, name)

    @rule(which=which, moves=flips)
    def the_other_deletes_or_moves(self, which: int, moves: bool) -> None:
        (self.history.moves_there if moves else self.history.deletes_there)(which)

    @rule(which=which)
    def both_edit_one_title(self, which: int) -> None:
        self.history.both_edit(which)

    @rule(which=which, fault=which, deletes=flips, silent=flips)
    def somebody_goes_on_in_doubt(self, which: int, fault: int, deletes: bool, silent: bool) -> None:
        self.history.goes_on_in_doubt(which, fault, deletes=deletes, silent=silent)

    @rule(does=st.sampled_from(("forgets_tokens", "backs_up", "goes_back")))
    def the_server(self, does: str) -> None:
        getattr(self.history, does)()

    @rule(method=st.sampled_from(sorted(FAULTS)), which=st.integers(0, 30))
    def the_network_fails_soon(self, method: str, which: int) -> None:
        self.history.fails(method, which)

    @rule(full=flips)
    def calward_syncs(self, full: bool) -> None:
        self.history.syncs(full=full)

    @rule(step=st.integers(1, 60))
    def calward_is_killed(self, step: int) -> None:
        self.history.is_killed(step)

    @rule(step=st.integers(1, 12), what=st.integers(0, 3), which=which)
    def calward_syncs_while_somebody_works(self, step: int, what: int, which: int) -> None:
        history = self.history
        then = (
            lambda: history.edits_here(which, "title", "all"),
            lambda: history.edits_there(which, "SUMMARY"),
            lambda: history.deletes_here(which),
            lambda: history.deletes_there(which),
        )[what]
        history.syncs_while(step, then)

    @rule()
    def time_passes(self) -> None:
        self.history.waits()

    @rule(agree=flips)
    def a_person_decides_what_is_held(self, agree: bool) -> None:
        self.history.decides(agree=agree)

    @rule(which=which, keep=st.sampled_from(("server", "ours", "both")))
    def a_person_chooses_a_version(self, which: int, keep: str) -> None:
        self.history.resolves(which, keep)

    def teardown(self) -> None:
        if not hasattr(self, "history"):
            return
        self.history.settles(agree=self.agree)
        assert self.history.differences() == []
        assert self.history.lost() == set()
        assert self.history.needless() == set()


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    """In memory where the machine has a place for that, since histories write much."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        opened = Ground(Path(folder))
        yield opened
        opened.close()


@pytest.mark.parametrize("kind", KINDS)
def test_any_history_converges_and_no_edit_is_lost(kind: str, ground: Ground) -> None:
    machine = type("Histories", (Histories,), {"ground": ground, "kind": kind})
    if SEED is not None:
        machine = seed(SEED)(machine)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=HOW_MANY,
            stateful_step_count=STEPS,
            derandomize=SEED is None,
            print_blob=True,
            phases=[Phase.generate, Phase.shrink],
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

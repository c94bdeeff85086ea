"""How a benchmark measures: two things side by side in one run, and what is told of it is their ratio.

Absolute times say more about the machine than about the program, so none is written down. Each round runs
every contender once, in turn. Of few long rounds a contender's best time counts, since what disturbs a run only
ever slows it; of many short ones each gives a ratio, and their median counts.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

POLL = 0.01
"""Seconds between two looks at what another process has done."""

Lap = Callable[[], float]
"""Does the work once and returns the seconds it took."""


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the table: what was measured against what, and how it stands to its budget.

    ``ratio`` is our time divided by the peer's. ``budget`` is the largest ratio allowed, None where the peer is
    there for comparison only. ``note`` is a short remark; ``miss`` says where the time goes, and is told only
    where the budget is missed.
    """

    path: str
    peer: str
    ratio: float
    budget: float | None = None
    note: str = ""
    miss: str = ""

    @property
    def verdict(self) -> str:
        if self.budget is None:
            return ""
        return "holds" if self.ratio <= self.budget else "missed"

    @property
    def remark(self) -> str:
        return f"{self.note} {self.miss}".strip() if self.verdict == "missed" else self.note


class LeftOut(Exception):
    """What is measured on data from outside is left out without it; the message says what is not here."""


class MissingPart(Exception):
    """A benchmark cannot run here; the message names what to install."""


def peer_python(name: str) -> str:
    """The interpreter of an environment that holds peers. Raises ``MissingPart``."""
    python = Path(__file__).parents[1] / ".cache" / f"venv-{name}" / "bin" / "python"
    if not python.exists():
        raise MissingPart(f"the environment of a peer: .ci/clients {name}")
    return str(python)


def wait_for(condition: Callable[[], bool], patience: float = 60) -> None:
    """Until it is so; for ``patience`` seconds at most."""
    end = time.monotonic() + patience
    while not condition() and time.monotonic() < end:
        time.sleep(POLL)


def timed(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> Lap:
    """The same work, answering with its seconds; by another clock where it is only compared with its like."""

    def once() -> float:
        start = clock()
        work()
        return clock() - start

    return once


def best(contenders: Mapping[str, Lap], rounds: int) -> dict[str, float]:
    """The best seconds of each contender, every one run once a round."""
    _set_aside()
    laps = [{name: work() for name, work in contenders.items()} for _ in range(rounds)]
    return {name: min(lap[name] for lap in laps) for name in contenders}


def median_ratio(ours: Lap, peer: Lap, rounds: int) -> float:
    """The middle of the ratios of all rounds; the first, unmeasured one warms both up."""
    _set_aside()
    ours(), peer()
    return median(ours() / peer() for _ in range(rounds))


def _set_aside() -> None:
    """Keep the garbage collector from walking, at one contender's cost, over what was made ready for all."""
    gc.collect()
    gc.freeze()

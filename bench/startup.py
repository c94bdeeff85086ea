"""Start-up: ``calward --help`` against an interpreter that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from bench.measure import MissingPart, Result, best, timed

ALLOWED = 0.3
"""Seconds that ``--help`` may take beyond the bare interpreter."""


def results(quick: bool) -> Iterator[Result]:
    if find_spec("calward.__main__") is None:
        raise MissingPart("the command line (calward.__main__) is not in this version")
    times = best(
        {
            "bare": timed(lambda: start("-c", "pass")),
            "help": timed(lambda: start("-P", "-m", "calward", "--help")),
        },
        1 if quick else 15,
    )
    # The budget is a stretch of time; as a ratio it depends on how fast a bare interpreter starts here.
    allowed = 1 + ALLOWED / times["bare"]
    note = f"budget: {ALLOWED} s over the bare interpreter"
    yield Result("calward --help", "bare interpreter", times["help"] / times["bare"], allowed, note)


def start(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)

"""Runs the benchmarks and writes ``bench/RESULTS.md``: ``./run bench [--quick] [NAME…]``.

With names, only those run and nothing is written. ``--quick`` shows that everything runs, on little data; its
numbers mean nothing and are not written either. Exit code 1 says that a part was missing.
"""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bench import due, expand, language, mcp_call, scan, startup, sync, week
from bench.measure import LeftOut, MissingPart, Result

RESULTS = Path(__file__).with_name("RESULTS.md")
PACKAGES = ("icalendar", "mcp", "sqlalchemy", "tzdata")

BENCHES: Mapping[str, Callable[[bool], Iterator[Result]]] = {
    "scan": scan.results,
    "expand": expand.results,
    "startup": startup.results,
    "mcp": mcp_call.results,
    "week": week.results,
    "due": due.results,
    "sync": sync.results,
}
"""Name → what runs it (argument: quick). A new benchmark is a module and a line here."""

SECTIONS: Mapping[str, Callable[[bool], str]] = {"language": language.section}
"""The same for what has a part of the page to itself, with other numbers than ratios."""

NAMES = (*BENCHES, *SECTIONS)

HEAD = """\
# Benchmark results

Made by `./run bench` on {date}. All numbers are ratios, our time divided by the peer's, both measured in the
same run; of several rounds the best or the median counts. {machine}.

| path | against | ratio | budget | verdict | note |
|---|---|---|---|---|---|
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./run bench", description="Measure the budgets, side by side.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these: {', '.join(NAMES)}")
    parser.add_argument("--quick", action="store_true", help="little data, to see that everything runs")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.names) - set(NAMES)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")

    found: list[Result] = []
    sections: list[str] = []
    missing: list[str] = []
    left_out: list[str] = []
    # What is scored on data from outside has no little data of its own.
    for name in chosen.names or (BENCHES if chosen.quick else NAMES):
        print(f"-- {name}", flush=True)
        try:
            if name in SECTIONS:
                sections.append(SECTIONS[name](chosen.quick))
                print(sections[-1], flush=True)
                continue
            for result in BENCHES[name](chosen.quick):
                print(row(result), flush=True)
                found.append(result)
        except LeftOut as part:
            left_out.append(f"{name}: {part}")
            print(f"left out: {part}", flush=True)
        except MissingPart as part:
            missing.append(f"{name}: missing part: {part}")
            print(missing[-1], flush=True)
    if not chosen.names and not chosen.quick:
        RESULTS.write_text(page(found, sections, [*missing, *left_out]), encoding="utf-8")
        print(
            f"written to {RESULTS.relative_to(Path.cwd()) if RESULTS.is_relative_to(Path.cwd()) else RESULTS}"
        )
    return 1 if missing else 0


def page(found: Sequence[Result], sections: Sequence[str], missing: Sequence[str]) -> str:
    head = HEAD.format(date=datetime.now(UTC).date().isoformat(), machine=machine())
    not_run = "".join(f"\nNot measured: {line}\n" for line in missing)
    return head + "".join(f"{row(result)}\n" for result in found) + not_run + "".join(sections)


def row(result: Result) -> str:
    budget = f"≤ {result.budget:g}" if result.budget is not None else ""
    columns = (result.path, result.peer, f"{result.ratio:.2f}", budget, result.verdict, result.remark)
    return f"| {' | '.join(columns)} |"


def machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"Calward {version('calward')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"{packages}; {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}"
    )


if __name__ == "__main__":
    sys.exit(main())

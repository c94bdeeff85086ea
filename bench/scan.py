"""Scan: calendar text into what the index needs, against libical (C) and ``icalendar`` (Python).

One round of each reads 10,000 events twice over: as one export with all of them in it, and as 10,000 objects
with one each, which is how a first sync brings them. libical parses and hands out UID, start, end and summary;
ours reads every property the house knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from icalendar import Calendar

from bench import libical
from bench.measure import Result, best, timed
from bench.sample import VEVENTS, export, objects
from calward.ical.reading import read_object
from calward.ical.tree import parse

BUDGET = 3.0
MISS = "Ours reads every property, libical four."


def results(quick: bool) -> Iterator[Result]:
    count, rounds = (50, 1) if quick else (VEVENTS, 3)
    program = libical.program("libical_scan")
    whole, single = export(count), list(objects(count))
    together, apart = libical.BUILD / "export.ics", libical.BUILD / "objects.ics"
    together.write_bytes(whole)
    apart.write_bytes(b"".join(single))
    peer = f"libical {libical.run(program, together).version}"

    times = best(
        {
            "libical": lambda: libical_lap(program, together, count),
            "lines": timed(lambda: parse(whole)),
            "events": timed(lambda: read_object(whole)),
        },
        rounds,
    )
    times |= best({"icalendar": timed(lambda: Calendar.from_ical(whole))}, 1)
    path = f"scan {count:,} VEVENTs in one file"
    yield Result(path, peer, times["events"] / times["libical"], BUDGET, miss=MISS)
    yield Result(path, "icalendar", times["events"] / times["icalendar"])
    yield Result(f"{path}, components and lines only", peer, times["lines"] / times["libical"])

    times = best(
        {
            "libical": lambda: libical_lap(program, apart, count),
            "events": timed(lambda: [read_object(each) for each in single]),
        },
        rounds,
    )
    times |= best({"icalendar": timed(lambda: [Calendar.from_ical(each) for each in single])}, 1)
    path = f"scan {count:,} objects of one VEVENT each"
    yield Result(path, peer, times["events"] / times["libical"], BUDGET, miss=MISS)
    yield Result(path, "icalendar", times["events"] / times["icalendar"])


def libical_lap(program: Path, file: Path, events: int) -> float:
    """One pass of the C program, which times itself."""
    scanned = libical.run(program, file)
    if scanned.found != events:
        raise RuntimeError(f"libical found {scanned.found} events of {events}")
    return scanned.seconds

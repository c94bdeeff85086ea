"""Scan: calendar text into what the index needs, against libical (C) and ``icalendar`` (Python).

One round of each reads 10,000 events twice over: as one export with all of them in it, and as 10,000 objects
with one each, which is how a first sync brings them. libical parses and hands out UID, start, end and summary;
ours reads every property the house knows.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from icalendar import Calendar

from bench.measure import MissingPart, Result, best, timed
from bench.sample import VEVENTS, export, objects
from calward.ical.reading import read_object
from calward.ical.tree import parse

HERE = Path(__file__).parent
BUILD = HERE.parent / ".cache" / "bench"
BUDGET = 3.0


def results(quick: bool) -> Iterator[Result]:
    count, rounds = (50, 1) if quick else (VEVENTS, 3)
    program = libical_program()
    whole, single = export(count), list(objects(count))
    together, apart = BUILD / "export.ics", BUILD / "objects.ics"
    together.write_bytes(whole)
    apart.write_bytes(b"".join(single))
    peer = f"libical {libical(program, together)[2]}"

    times = best(
        {
            "libical": lambda: libical_lap(program, together, count),
            "lines": timed(lambda: parse(whole)),
            "events": timed(lambda: read_object(whole)),
            "icalendar": timed(lambda: Calendar.from_ical(whole)),
        },
        rounds,
    )
    path = f"scan {count:,} VEVENTs in one file"
    yield Result(path, peer, times["events"] / times["libical"], BUDGET)
    yield Result(path, "icalendar", times["events"] / times["icalendar"])
    yield Result(f"{path}, components and lines only", peer, times["lines"] / times["libical"])

    times = best(
        {
            "libical": lambda: libical_lap(program, apart, count),
            "events": timed(lambda: [read_object(each) for each in single]),
            "icalendar": timed(lambda: [Calendar.from_ical(each) for each in single]),
        },
        rounds,
    )
    path = f"scan {count:,} objects of one VEVENT each"
    yield Result(path, peer, times["events"] / times["libical"], BUDGET)
    yield Result(path, "icalendar", times["events"] / times["icalendar"])


def libical_lap(program: Path, file: Path, events: int) -> float:
    """One pass of the C program, which times itself."""
    seconds, found, _ = libical(program, file)
    if int(found) != events:
        raise RuntimeError(f"libical found {found} events of {events}")
    return float(seconds)


def libical(program: Path, file: Path) -> tuple[str, str, str]:
    """What the C program prints: seconds, number of events, version."""
    told = subprocess.run([program, file], capture_output=True, text=True, check=True).stdout
    seconds, found, version = told.split()
    return seconds, found, version


def libical_program() -> Path:
    """The C program, compiled against the libical of this machine."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise MissingPart("install a C compiler (Debian: gcc)")
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / "libical_scan"
    command = [compiler, "-O2", "-o", str(program), str(HERE / "libical_scan.c"), "-lical"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        raise MissingPart("install libical with its headers (Debian: libical-dev)")
    return program

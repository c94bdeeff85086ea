"""Expansion: series into the occurrences of a window, against libical (C) and two libraries in Python.

All have the series parsed beforehand; ours and dateutil read the rules anew in each pass. libical is measured
twice: walking the rules alone, which the budget is about, and placing their times by zone, as ours does in
either case. The counts are compared: who finds less is not faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from time import thread_time
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from icalendar import Calendar
from recurring_ical_events import of  # type: ignore[import-untyped]

from bench import libical
from bench.household import filled
from bench.measure import Result, best, median_ratio, timed
from bench.sample import APART
from bench.series import series
from calward.bootstrap.household import HOME
from calward.ical.reading import read_object
from calward.model.event import Event
from calward.model.time import Span
from calward.operations.materialise import Source, index_of, materialise
from calward.recurrence.series import expand
from calward.store.engine import open_store

SERIES = 1_000
BUDGET = 4.0
LINEAR = 1.2
"""Time an occurrence over ten years, against over one; what is more is not linear."""
REBUILD = 2.0
REBUILD_MISS = "Besides its moments, a row has a name and two wall-clock times as text."
WRITTEN = "processor time; most is SQLite's: old rows go, and each new one enters four indexes"
BERLIN = ZoneInfo("Europe/Berlin")
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
YEAR = Span(FIRST, datetime(2027, 1, 1, tzinfo=UTC))
DECADE = Span(FIRST, datetime(2036, 1, 1, tzinfo=UTC))


def results(quick: bool) -> Iterator[Result]:
    count, rounds = (40, 1) if quick else (SERIES, 5)
    texts = list(series(count))
    yield from _rebuild(texts[1], 20 if quick else 400)
    parsed = [read_object(text).events for text in texts]
    file = libical.BUILD / "series.ics"
    program = libical.program("libical_expand")
    file.write_bytes(b"".join(texts))
    window = [f"{moment:%Y%m%dT%H%M%SZ}" for moment in (YEAR.start, YEAR.end)]
    found, found_later = _expand(parsed, YEAR), _expand(parsed, DECADE)
    for what in ("rules", "series"):
        theirs = libical.run(program, what, file, *window)
        if abs(theirs.found - found) > count // 10:  # at the ends of the year, where zones differ
            raise RuntimeError(f"libical finds {theirs.found} occurrences, we find {found}")

    calendars = [Calendar.from_ical(text) for text in texts]
    rules = [_rule(events[0]) for events in parsed]
    times = best(
        {
            "rules": lambda: libical.run(program, "rules", file, *window).seconds,
            "series": lambda: libical.run(program, "series", file, *window).seconds,
            "ours": timed(lambda: _expand(parsed, YEAR)),
            "dateutil": timed(lambda: _dateutil(rules)),
        },
        rounds,
    )
    path = f"expand {count:,} series over one year ({found:,} occurrences)"
    peer = f"libical {theirs.version}"
    yield Result(path, f"{peer}, rules alone", times["ours"] / times["rules"], BUDGET)
    yield Result(path, f"{peer}, in time", times["ours"] / times["series"])
    yield Result(path, "python-dateutil, rules alone", times["ours"] / times["dateutil"])
    slow = best({"recurring": timed(lambda: _recurring(calendars))}, 1)["recurring"]
    yield Result(path, "recurring-ical-events", times["ours"] / slow)
    # Passes of such different lengths are not disturbed alike, and both are ours: the processor's time tells.
    times = best(
        {
            "year": timed(lambda: _expand(parsed, YEAR), thread_time),
            "decade": timed(lambda: _expand(parsed, DECADE), thread_time),
        },
        rounds,
    )
    each, each_later = times["year"] / found, times["decade"] / found_later
    path = f"the same over ten years ({found_later:,}), an occurrence"
    yield Result(path, "over one year", each_later / each, LINEAR, "processor time")


def _rebuild(series: bytes, rounds: int) -> Iterator[Result]:
    """One series laid down for a new window: its rows alone, and the same put in place of those in a store."""

    def read() -> object:
        return expand(read_object(series).events, YEAR, UTC)

    peer = "reading and expanding it"
    with filled(1, APART) as house, closing(open_store(house.database)) as store:
        with store.reading() as conn:
            event, calendar = conn.exec_driver_sql("SELECT id, calendar_id FROM objects").one()
        source = Source(event, calendar, series)

        def write() -> None:
            with store.writing() as conn:
                materialise(conn, HOME, [source], YEAR, ())

        path = f"rows of one series for a window ({len(index_of(source, YEAR, {})[0].occurrences)} occurrences)"
        rows = timed(lambda: index_of(source, YEAR, {}))
        yield Result(path, peer, median_ratio(rows, timed(read), rounds), REBUILD, miss=REBUILD_MISS)
        # Long beside its peer, and on the disk: the processor's time tells.
        ratio = median_ratio(timed(write, thread_time), timed(read, thread_time), rounds)
        yield Result(f"{path}, written", peer, ratio, note=WRITTEN)


def _expand(parsed: Sequence[Sequence[Event]], window: Span) -> int:
    return sum(len(expand(events, window, BERLIN).occurrences) for events in parsed)


def _rule(event: Event) -> tuple[str, datetime]:
    assert event.start is not None
    text = event.rrules[0]
    if event.start.is_date:
        text = text.replace("T220000Z", "")
    else:
        text = text.replace("T220000Z", "T235959")
    return text, event.start.wall


def _dateutil(rules: Sequence[tuple[str, datetime]]) -> int:
    first, before = (it.replace(tzinfo=None) for it in (YEAR.start, YEAR.end))
    return sum(len(rrulestr(text, dtstart=start).between(first, before, inc=True)) for text, start in rules)


def _recurring(calendars: Sequence[Any]) -> int:
    return sum(len(of(calendar).between(YEAR.start, YEAR.end)) for calendar in calendars)

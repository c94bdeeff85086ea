"""One week out of 100,000 events: the whole pipeline against the plain SQL that answers the same question.

The plain SQL is what one would write by hand with the module ``sqlite3``: the week's occurrences with what is
shown of their events and with what decides who may see them, in order, and then the people on them. It knows no
levels, zones, words or offsets; what it answers is tuples. Ours is ``calendar_list``, from arguments to answer.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from time import thread_time
from typing import Any

from bench.household import filled
from bench.measure import Result, median_ratio, timed
from calward.operations.answers import Listed
from calward.operations.pipeline import Call

EVENTS = 100_000
APART = timedelta(minutes=42)
"""With the sample's series, some 500 occurrences a week."""
DAYS = 7
BUDGET = 3.0
MISS = "Half of it is the SQL; the rest makes the rows into what is seen, and that into events."

OCCURRENCES = """
SELECT o.event_id, o.key, o.kind, o.wall_start, o.wall_end, o.tzid, o.utc_start, o.utc_end, o.component,
       k.name, c.summary, c.location, c.description, c.status, c.transparent, c.recurs, c.rrule, c.organizer,
       c.url, c.flags, b.meaning, b.created_at, b.updated_at, g.assistant_id, g.reach, p.level
FROM (SELECT * FROM occurrences
      WHERE household = 1 AND long = 0 AND utc_start >= :start - 31 * 86400 AND utc_start < :end
        AND utc_end > :start
      UNION ALL
      SELECT * FROM occurrences WHERE household = 1 AND long = 1 AND utc_start < :end AND utc_end > :start) AS o
JOIN components c ON c.rowid = o.component
JOIN objects b ON b.household = 1 AND b.id = o.event_id AND b.deleted_at IS NULL
JOIN calendars k ON k.household = 1 AND k.id = o.calendar_id
LEFT JOIN origins g ON g.household = 1 AND g.event_id = o.event_id
LEFT JOIN read_permits p ON p.household = 1 AND p.assistant_id = :assistant AND p.event_id = o.event_id
ORDER BY o.utc_start, o.event_id, o.key
"""
COMPONENT = 8
PEOPLE = """
SELECT component, name, address, partstat, member_id, organizer FROM component_people
WHERE component IN (SELECT value FROM json_each(?)) ORDER BY component, rowid
"""


def results(quick: bool) -> Iterator[Result]:
    count, rounds = (500, 1) if quick else (EVENTS, 41)
    with filled(count, APART) as house:
        monday = house.now.date() - timedelta(days=house.now.weekday())
        week = Call("calendar_list", {"from": f"{monday}", "to": f"{monday + timedelta(days=DAYS - 1)}"})
        owner = house.pipeline.owner()
        listed = house.pipeline.execute(owner, week).answer
        assert isinstance(listed, Listed)
        start, end = (
            int(datetime.fromisoformat(it).timestamp()) for it in (listed.window.start, listed.window.end)
        )
        raw = sqlite3.connect(house.database)
        raw.execute("PRAGMA cache_size = -16000")
        try:
            # Both only compute, on pages in memory, and one takes longer: the processor's time tells.
            ratio = median_ratio(
                timed(lambda: house.pipeline.execute(owner, week), thread_time),
                timed(lambda: plain(raw, start, end), thread_time),
                rounds,
            )
        finally:
            raw.close()
    path = f"one week ({len(listed.events)} occurrences) out of {count:,} events"
    yield Result(path, "plain SQL, sqlite3", ratio, BUDGET, "processor time", MISS)


def plain(raw: sqlite3.Connection, start: int, end: int) -> tuple[list[Any], list[Any]]:
    rows = raw.execute(OCCURRENCES, {"start": start, "end": end, "assistant": None}).fetchall()
    people = raw.execute(PEOPLE, (json.dumps(list({row[COMPONENT] for row in rows})),)).fetchall()
    return rows, people

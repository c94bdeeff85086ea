"""A first sync, one with nothing new and a week by the ``caldav`` package, run by an interpreter that has it.

Given the calendar's address, a user, a password and the week's start and end in UTC; prints the seconds of each
and the number of objects, as JSON. The objects are fetched in batches and not parsed, which is the fastest way
the package has; the week is asked for as single occurrences.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from time import perf_counter

import caldav  # type: ignore[import-not-found]

BATCH = 200


def main(url: str, user: str, password: str, start_of_week: str, end_of_week: str) -> None:
    with caldav.DAVClient(url=url, username=user, password=password, enable_rfc6764=False) as client:
        calendar = client.calendar(url=url)
        start = perf_counter()
        listed = calendar.get_objects_by_sync_token(disable_fallback=True)
        places = [one.url for one in listed]
        found = 0
        for first in range(0, len(places), BATCH):
            found += sum(1 for one in calendar.multiget(places[first : first + BATCH]) if one.data)
        fetched = perf_counter()
        calendar.get_objects_by_sync_token(sync_token=listed.sync_token, disable_fallback=True)
        synced = perf_counter()
        span = [datetime.strptime(one, "%Y%m%dT%H%M%S%z") for one in (start_of_week, end_of_week)]
        calendar.search(start=span[0], end=span[1], event=True, expand=True)
        laps = {"first": fetched - start, "again": synced - fetched, "week": perf_counter() - synced}
        print(json.dumps(laps | {"objects": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])

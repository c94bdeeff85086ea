"""Another client, as a process: the ``caldav`` package, and ``recurring-ical-events`` for what it shows.

Run by an interpreter of its own, since what it is made of replaces parts of what Calward is made of. It is
given the server's address, user and password as arguments, then one request a line on standard input, as JSON:
``[what, calendar's address, arguments…]``, and answers each with one line of JSON on standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

import caldav  # type: ignore[import-not-found]
import icalendar
import recurring_ical_events  # type: ignore[import-untyped]


def main(address: str, user: str, password: str) -> None:
    with caldav.DAVClient(url=address, username=user, password=password, enable_rfc6764=False) as client:
        for line in sys.stdin:
            what, url, *arguments = json.loads(line)
            answer = VERBS[what](client.calendar(url=url), *arguments)
            print(json.dumps(answer), flush=True)


def add(calendar: Any, text: str) -> None:
    """Put a new object, at a place that the client chooses."""
    calendar.add_event(text)


def edit(calendar: Any, uid: str, text: str) -> None:
    """Replace the object with this UID."""
    event = calendar.get_event_by_uid(uid)
    event.data = text
    event.save()


def delete(calendar: Any, uid: str) -> None:
    calendar.get_event_by_uid(uid).delete()


def move(calendar: Any, uid: str, to: str) -> None:
    """To another calendar of the account. Gone here first: some servers take a UID but once."""
    event = calendar.get_event_by_uid(uid)
    event.delete()
    calendar.client.calendar(url=to).add_event(event.data)


def occurrences(calendar: Any, start: str, end: str) -> list[tuple[str, str, str]]:
    """Start, end and title of all that is on in a window, in order: moments in UTC, or days, in ISO 8601."""
    window = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return sorted(
        (_said(one.start), _said(one.end), str(one["SUMMARY"]))
        for event in calendar.get_events()
        for one in _expanded(event.data, window)
    )


VERBS: Mapping[str, Callable[..., Any]] = {
    "add": add,
    "edit": edit,
    "delete": delete,
    "move": move,
    "occurrences": occurrences,
}


def _expanded(data: str, window: tuple[datetime, datetime]) -> Iterator[icalendar.Event]:
    query = recurring_ical_events.of(icalendar.Calendar.from_ical(data), components=["VEVENT"])
    yield from query.between(*window)


def _said(time: date) -> str:
    if isinstance(time, datetime) and time.tzinfo is not None:
        return time.astimezone(UTC).isoformat()
    return time.isoformat()


if __name__ == "__main__":
    main(*sys.argv[1:])

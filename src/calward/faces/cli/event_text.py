"""An event by id, in words, before something is done to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.talk import Talk

MOST_LINES = 3


def event_lines(talk: Talk, ident: str) -> Iterator[Line]:
    """The title and the time of an event; for one occurrence of a series also which.

    Raises ``NotFound``. Read from the event's own text, since no list may hold what lies far off.
    """
    from calward.ical.reading import read_object  # asked only where somebody is asked
    from calward.operations.show import UNTITLED

    exported = talk.ask("export_file", {"event": ident})
    reading = read_object(exported.content.encode("utf-8", "surrogateescape"))
    for event in islice(reading.events, MOST_LINES):
        starts = f"{event.start.wall:%Y-%m-%d %H:%M}" if event.start else "no time"
        repeats = "a series" if event.recurs else ""
        yield line(Cell(event.summary or UNTITLED, "bold"), starts, repeats)
    if "." in ident:
        yield line(f"the occurrence {ident.partition('.')[2]}")

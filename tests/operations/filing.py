"""One calendar file through every operation that touches it, and what has to hold for any file at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from calward.bootstrap.household import HOME
from calward.errors import CalwardError, InvalidInput, TooLarge, TooMuch
from calward.ical.frames import split
from calward.ical.lines import scan, split_line
from calward.ical.reading import read_object
from calward.store import objects
from tests.operations.world import World

STAMPS = {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
MOST_EDITED = 4
"""Events of one file whose titles are edited."""
NEW = "Édité; " + "ü" * 60


@dataclass
class Tally:
    """What became of the files, and of the edits of their events: refusals by message, events that were left
    as they were by code."""

    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    edited: int = 0
    left: Counter[str] = field(default_factory=Counter)


def go_through(world: World, files: Iterable[bytes]) -> Tally:
    """Each file is imported, exported, imported again, listed, searched, edited, and taken out again."""
    tally = Tally()
    for number, data in enumerate(files):
        if number % 25 == 0:
            calendar = f"Files {number}"
            world.do("calendar_add", name=calendar)
        text = data.decode("utf-8", "surrogateescape")
        empty = world.export(calendar)
        try:
            done = world.do("import_file", content=text, calendar=calendar, name=f"{number}.ics")
        except (InvalidInput, TooLarge) as refused:
            tally.refused[str(refused)] += 1
            continue
        assert world.export(calendar) == data, number
        again = world.do("import_file", content=text, calendar=calendar, name=f"{number}.ics")
        assert (again.added, again.updated, again.unchanged) == (0, 0, done.added), number
        look(world, calendar, data)
        edit_titles(world, calendar, data, tally)
        world.do("calendar_undo", change=done.change)
        assert world.export(calendar) == empty, number
        tally.accepted += 1
    return tally


def look(world: World, calendar: str, data: bytes) -> None:
    """A list and a search of every year in which something of the file starts show what is there."""
    events = [event for one in split(data).objects for event in read_object(one.data).events]
    years = sorted({event.start.wall.year for event in events if event.start})
    for year in years[:1] + years[1:][-1:]:
        window = {"from": f"{year:04}-01-01", "to": f"{year:04}-12-31", "calendar": calendar}
        try:
            listed = world.do("calendar_list", **window).events
        except TooMuch:
            continue
        assert listed == tuple(sorted(listed, key=lambda event: event.start[:4]))
        titles = {event.title for event in listed}
        for title in sorted(titles)[:2]:
            found = world.do("calendar_search", query=" ".join(title.split()[:8]), limit=100, **window)
            assert found.total >= len(found.events)
            assert (
                title in {event.title for event in found.events} or found.total > 100 or title == "(no title)"
            )


def edit_titles(world: World, calendar: str, data: bytes, tally: Tally) -> None:
    """A new title changes the lines of titles and the stamps; undo brings all bytes back."""
    for event, before in stored(world, calendar)[:MOST_EDITED]:
        try:
            world.do("calendar_update", id=event, title=NEW, scope="all")
        except CalwardError as refused:
            tally.left[refused.code] += 1
            assert world.export(calendar) == data
            continue
        after = dict(stored(world, calendar))[event]
        changed = lines_of(before) - lines_of(after) | lines_of(after) - lines_of(before)
        names = {name for name, _ in changed}
        assert "SUMMARY" in names, before
        assert names <= {"SUMMARY"} | STAMPS, (before, after)
        world.do("calendar_undo")
        assert world.export(calendar) == data
        tally.edited += 1


def stored(world: World, calendar: str) -> list[tuple[str, bytes]]:
    """The objects of a calendar by event id."""
    ident = next(one.id for one in world.do("calendars").calendars if one.name == calendar)
    with world.store.reading() as conn:
        return [(row.id, row.local) for row in objects.objects_in(conn, HOME, ident)]


def lines_of(data: bytes) -> Counter[tuple[str, bytes]]:
    lines = scan(data)
    return Counter((split_line(text)[0], raw) for text, raw in zip(lines.texts, lines.raws, strict=True))

"""Calendar files of other projects: bytes kept, edits small, no property missed."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import icalendar
import pytest

from calward.ical.edit import SetLine, apply_edits
from calward.ical.find import component_key, events
from calward.ical.frames import recompose, split
from calward.ical.lines import raw_lines, scan
from calward.ical.meaning import meaning
from calward.ical.reading import read_object
from calward.ical.tree import parse, properties
from calward.ical.zones import Zones
from calward.model.ids import RecurrenceKey

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[bytes]:
    found = [path.read_bytes() for path in sorted((corpus / "ical" / "ics").glob("*.ics"))]
    assert len(found) >= 860
    return found


def test_bytes_in_are_bytes_out(files: list[bytes]) -> None:
    for data in files:
        lines = scan(data)
        assert b"".join(lines.raws) == data
        assert len(lines.raws) == len(lines.texts)


def test_taken_apart_and_put_together_they_are_the_same(files: list[bytes]) -> None:
    for data in files:
        assert recompose(data, {one.uid: one.data for one in split(data).objects}) == data


def test_their_objects_hold_the_events_that_they_hold(files: list[bytes]) -> None:
    for data in files:
        apart = [event for one in split(data).objects for event in read_object(one.data).events]
        whole = read_object(data).events
        assert sorted(f"{event.uid} {event.key} {event.start}" for event in apart) == sorted(
            f"{event.uid} {event.key} {event.start}" for event in whole
        )


def test_editing_a_title_changes_no_other_line(files: list[bytes]) -> None:
    edited = 0
    for data in files:
        for number, key in enumerate(keys(data)):
            after = apply_edits(data, [SetLine(key, "SUMMARY", f"SUMMARY:Édité {number} " + "ü" * 60)])
            assert meaning(after) != meaning(data)
            only_one_line_differs(data, after)
            edited += 1
    assert edited > 700


def keys(data: bytes) -> Iterator[RecurrenceKey]:
    """The keys that name a component of a file; at most a few of each."""
    document = parse(data)
    zones = Zones(document)
    found = {key for component in events(document) if (key := component_key(component, zones)) is not None}
    yield from sorted(found)[:4]


def only_one_line_differs(before: bytes, after: bytes) -> None:
    # Where a text just stops, its last line gets an ending when another one follows.
    old, new = ([line.rstrip(b"\r\n") for line in raw_lines(data)] for data in (before, after))
    place = next(at for at, line in enumerate(new) if at == len(old) or line != old[at])
    rest = new[place + 1 :]
    assert rest == old[len(old) - len(rest) :]
    assert len(old) - len(rest) in (place, place + 1)


@pytest.mark.filterwarnings("ignore::icalendar.error.GloballyUniqueTZIDGuessed")
def test_no_property_is_missed_that_icalendar_finds(files: list[bytes]) -> None:
    compared = 0
    for data in files:
        try:
            theirs = icalendar.Component.from_ical(data, multiple=True)
        except (ValueError, IndexError, UnicodeDecodeError):
            continue
        ours = Counter((component.name, line.name) for component, line in properties(parse(data)))
        missed = Counter(named(theirs)) - ours
        assert not missed, (data[:60], missed)
        compared += 1
    assert compared > 700


def named(components: list[icalendar.Component]) -> Iterator[tuple[str, str]]:
    for root in components:
        for component in root.walk():
            for name, value in component.items():
                # It makes several properties of one FREEBUSY with a list.
                many = value if isinstance(value, list) and name != "FREEBUSY" else [value]
                for _ in many:
                    yield (component.name or "").upper().strip(), name.upper()

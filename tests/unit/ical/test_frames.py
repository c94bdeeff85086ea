"""Files taken apart and put together again."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import TooLarge
from calward.ical.edit import AddComponent, RemoveComponent, SetLine, apply_edits
from calward.ical.frames import DERIVED_UID, Framed, recompose, split
from calward.ical.reading import read_object
from calward.ical.tree import CAPS, parse
from calward.model.ids import EventUid, RecurrenceKey

OWN = Path(__file__).parents[2] / "corpus"
FILES = sorted(OWN.glob("*.ics"))
MASTER = RecurrenceKey("")


def own(name: str) -> bytes:
    return (OWN / f"{name}.ics").read_bytes()


def objects(data: bytes) -> dict[EventUid, bytes | None]:
    return {one.uid: one.data for one in split(data).objects}


def titles(data: bytes) -> list[str]:
    return sorted(event.summary for event in read_object(data).events)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_put_together_unchanged_is_itself(path: Path) -> None:
    data = path.read_bytes()
    assert recompose(data, objects(data)) == data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_objects_hold_the_events_of_a_file(path: Path) -> None:
    data = path.read_bytes()
    apart = [event for one in split(data).objects for event in read_object(one.data).events]
    together = read_object(data).events
    assert sorted(map(repr, (replace(event, flags=()) for event in apart))) == sorted(
        map(repr, (replace(event, flags=()) for event in together))
    )


def test_a_file_of_one_event_is_that_object_byte_for_byte() -> None:
    for name in ("plain", "series", "bom", "cr_only", "no_final_newline", "cut_off", "duplicates"):
        (only,) = split(own(name)).objects
        assert only.data == own(name)
        assert recompose(own(name), {only.uid: b"other"}) == b"other"


def test_an_object_is_a_calendar_of_the_files_own_lines() -> None:
    data = own("many_kinds")
    first, second = split(data).objects
    assert first == Framed(EventUid("kinds-1@example.com"), first.data)
    assert [child.name for child in parse(first.data).roots[0].children] == ["VEVENT", "VEVENT"]
    assert [child.name for child in parse(second.data).roots[0].children] == ["VTIMEZONE", "VEVENT"]
    for one in (first, second):
        assert b"X-WR-CALNAME:Everything\r\n" in one.data
        assert all(line in data for line in one.data.splitlines(keepends=True))


def test_what_is_no_event_is_residue_with_its_line() -> None:
    residue = split(own("many_kinds")).residue
    assert [(one.kind, one.uid, one.line) for one in residue] == [
        ("VTODO", "todo@example.com", 27),
        ("VJOURNAL", "journal@example.com", 38),
        ("VFREEBUSY", "busy@example.com", 42),
        ("X-OWN", "", 46),
    ]
    assert [one.line for one in split(own("garbage")).residue] == [1, 16, 17]


def test_an_event_without_uid_gets_one_that_stays_the_same() -> None:
    first, second, third = split(own("no_uid")).objects
    assert first.uid.startswith(DERIVED_UID)
    assert first.uid != second.uid
    assert [flag.code for flag in first.flags] == ["no_uid"]
    assert third.flags == ()
    assert b"UID:" not in first.data
    assert split(own("no_uid")).objects[1].uid == second.uid


def test_events_outside_of_a_calendar_are_put_in_one() -> None:
    data = own("no_calendar")
    first, _ = split(data).objects
    assert first.data.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n")
    assert first.data.endswith(b"END:VEVENT\r\nEND:VCALENDAR\r\n")


def test_components_of_one_uid_come_together_from_several_calendars() -> None:
    data = own("two_calendars") + own("two_calendars").replace(
        b"SUMMARY", b"RECURRENCE-ID:20260302T090000Z\r\nSUMMARY"
    )
    first, second = split(data).objects
    assert len(read_object(first.data).events) == len(read_object(second.data).events) == 2
    assert recompose(data, objects(data)) == data


def test_a_changed_event_changes_its_own_lines_only() -> None:
    data = own("many_kinds")
    uid = EventUid("kinds-2@example.com")
    now = objects(data)
    edited = now[uid]
    assert edited is not None
    now[uid] = apply_edits(edited, [SetLine(MASTER, "SUMMARY", "SUMMARY:Changed")])
    assert recompose(data, now) == data.replace(b"SUMMARY:X\r\n", b"SUMMARY:Changed\r\n")


def test_a_removed_event_leaves_all_else() -> None:
    data = own("two_calendars")
    now = objects(data)
    now[EventUid("first@example.com")] = None
    left = recompose(data, now)
    assert titles(left) == ["A talk"]
    assert left.count(b"BEGIN:VCALENDAR") == 2
    del now[EventUid("second@example.com")]
    assert b"VEVENT" not in recompose(data, now)
    assert b"VEVENT" not in recompose(own("plain"), {})


OVERRIDE = (
    "BEGIN:VEVENT\nUID:kinds-1@example.com\nRECURRENCE-ID:20260303T090000Z\n"
    "DTSTART:20260303T100000Z\nSUMMARY:New\nEND:VEVENT"
)


def test_a_new_override_follows_the_last_of_its_uid() -> None:
    data = own("many_kinds")
    uid = EventUid("kinds-1@example.com")
    now = objects(data)
    before = now[uid]
    assert before is not None
    now[uid] = apply_edits(before, [AddComponent(OVERRIDE), RemoveComponent(RecurrenceKey("20260302T090000Z"))])
    after = recompose(data, now)
    assert titles(after) == ["A talk", "New", "X"]
    assert after.index(b"SUMMARY:New") > after.index(b"END:X-OWN")


def test_a_new_override_after_the_very_last_line_begins_a_new_one() -> None:
    data = own("no_calendar").rstrip()
    now = objects(data)
    uid = EventUid("bare-2@example.com")
    before = now[uid]
    assert before is not None
    now[uid] = apply_edits(before, [AddComponent(OVERRIDE.replace("kinds-1", "bare-2"))])
    after = recompose(data, now)
    assert after.startswith(data + b"\r\nBEGIN:VEVENT\r\n")
    assert titles(after) == ["A talk", "A talk", "New"]


def test_an_override_that_cannot_be_read_stays() -> None:
    data = own("bad_values")
    assert recompose(data, objects(data)) == data
    assert b"which one" in recompose(data, objects(data))


def test_zones_of_a_name_with_quotes_are_found() -> None:
    zone = b'BEGIN:VTIMEZONE\nTZID:"Ship, time"\nEND:VTIMEZONE\n'
    event = b'BEGIN:VEVENT\nUID:%d\nDTSTART;TZID="Ship, time":20260302T090000\nEND:VEVENT\n'
    data = b"BEGIN:VCALENDAR\n" + zone + event % 1 + event % 2 + b"END:VCALENDAR\n"
    assert all(zone in one.data for one in split(data).objects)


def test_too_much_is_refused() -> None:
    with pytest.raises(TooLarge):
        split(own("plain"), replace(CAPS, lines=10))


marks = [
    f"{mark}:{name}".encode()
    for mark in ("BEGIN", "END")
    for name in ("VCALENDAR", "VEVENT", "VTODO", "VTIMEZONE")
]
others = [
    b"UID:1",
    b"UID:2",
    b"RECURRENCE-ID:20260302",
    b"RECURRENCE-ID:?",
    b"SUMMARY:a",
    b"",
    b" x",
    b"?",
    b"\xff",
]
zoned = [b"TZID:X", b"DTSTART;TZID=X:20260302T090000", b"BEGIN:VALARM"]
pieces = st.lists(st.sampled_from([*marks, *others, *zoned]), max_size=24)


@given(pieces, st.sampled_from([b"\n", b"\r\n", b"\r", b"\r\r\n"]), st.booleans())
def test_whatever_is_taken_apart_goes_together_again(lines: list[bytes], ending: bytes, ended: bool) -> None:
    data = ending.join(lines) + ending * ended
    now: Mapping[EventUid, bytes | None] = objects(data)
    assert recompose(data, now) == data


@given(st.binary(max_size=300))
def test_any_bytes_go_together_again(data: bytes) -> None:
    assert recompose(data, objects(data)) == data

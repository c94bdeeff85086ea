"""Edits: what is meant changes, and not one byte more."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import InvalidInput, NotFound
from calward.ical.edit import (
    AddComponent,
    AddLine,
    Edit,
    RemoveComponent,
    RemoveLines,
    SetLine,
    SetSubcomponents,
    apply_edits,
    edits_from_json,
    edits_to_json,
    stamp,
)
from calward.ical.find import find_component
from calward.ical.lines import raw_lines
from calward.ical.text import escape_text
from calward.ical.tree import parse
from calward.model.ids import RecurrenceKey

OWN = Path(__file__).parents[2] / "corpus"
MASTER = RecurrenceKey("")
MOVED = RecurrenceKey("20260112T180000Z")


def own(name: str) -> bytes:
    return (OWN / f"{name}.ics").read_bytes()


def changed(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines that are gone and those that are new, if all others kept their order."""
    old, new = raw_lines(before), raw_lines(after)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def test_a_line_is_replaced_where_it_stands() -> None:
    before = own("series")
    after = apply_edits(before, [SetLine(MOVED, "summary", "SUMMARY:Solo")])
    assert changed(before, after) == ([b"SUMMARY:Choir\\, on a Tuesday\r\n"], [b"SUMMARY:Solo\r\n"])


def test_a_missing_line_is_added_before_what_is_nested() -> None:
    before = own("plain")
    after = apply_edits(before, [SetLine(MASTER, "PRIORITY", "PRIORITY:5")])
    assert changed(before, after) == ([], [b"PRIORITY:5\r\n"])
    assert b"PRIORITY:5\r\nBEGIN:VALARM" in after
    assert b"COMMENT:x\r\nEND:VEVENT" in apply_edits(own("bom"), [SetLine(MASTER, "COMMENT", "COMMENT:x")])


def test_a_line_is_added_after_the_last_of_its_name() -> None:
    before = own("repeated_property_names")
    after = apply_edits(before, [AddLine(MASTER, "COMMENT:three")])
    assert changed(before, after) == ([], [b"COMMENT:three\r\n"])
    assert b"COMMENT:one\r\nCOMMENT:three\r\nSUMMARY" in after
    assert changed(before, apply_edits(before, [AddLine(MASTER, "PRIORITY:1")])) == ([], [b"PRIORITY:1\r\n"])


def test_setting_replaces_the_first_of_several_lines_only() -> None:
    before = own("repeated_property_names")
    after = apply_edits(before, [SetLine(MASTER, "COMMENT", "COMMENT:none")])
    assert changed(before, after) == ([b"COMMENT:one\r\n"], [b"COMMENT:none\r\n"])


def test_lines_are_removed_by_name_or_by_text() -> None:
    before = own("repeated_property_names")
    without = apply_edits(before, [RemoveLines(MASTER, "comment")])
    assert changed(before, without)[0] == [b"COMMENT:one\r\n", b"COMMENT:two\r\n", b"COMMENT:one\r\n"]
    less = apply_edits(before, [RemoveLines(MASTER, "COMMENT", "COMMENT:one")])
    assert b"COMMENT:one" not in less
    assert b"COMMENT:two" in less
    assert apply_edits(before, [RemoveLines(MASTER, "PRIORITY")]) == before
    with pytest.raises(NotFound):
        apply_edits(before, [RemoveLines(MASTER, "COMMENT", "COMMENT:four")])


def test_a_folded_line_is_removed_by_what_it_says() -> None:
    before = own("folded_inside_characters")
    after = apply_edits(before, [RemoveLines(MASTER, "SUMMARY", "SUMMARY:會議 café")])
    assert changed(before, after)[1] == []


def test_empty_lines_outlive_the_line_before_them() -> None:
    before = b"BEGIN:VEVENT\r\nSUMMARY:a\r\n\r\n\nUID:1\r\nEND:VEVENT\r\n"
    assert apply_edits(before, [RemoveLines(MASTER, "SUMMARY")]) == (
        b"BEGIN:VEVENT\r\n\r\n\nUID:1\r\nEND:VEVENT\r\n"
    )
    assert apply_edits(before, [SetLine(MASTER, "SUMMARY", "SUMMARY:b")]) == before.replace(b":a", b":b")


@pytest.mark.parametrize(
    ("name", "ending"), [("lf_only", b"\n"), ("cr_only", b"\r"), ("plain", b"\r\n"), ("doubled_cr", b"\r\r\n")]
)
def test_new_lines_end_as_those_around_them(name: str, ending: bytes) -> None:
    before = own(name)
    after = apply_edits(
        before, [SetLine(MASTER, "SUMMARY", "SUMMARY:short"), AddLine(MASTER, f"COMMENT:{'x' * 80}")]
    )
    assert b"SUMMARY:short" + ending in after
    assert b"x" + ending + b" x" in after
    assert len(parse(after).roots[0].children) == 1


def test_a_text_that_just_stops_can_be_edited() -> None:
    cut = b"BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:a"
    assert apply_edits(cut, [SetLine(MASTER, "SUMMARY", "SUMMARY:b")]) == b"BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:b"
    assert apply_edits(cut, [AddLine(MASTER, "COMMENT:c")]) == cut + b"\r\nCOMMENT:c\r\n"
    assert apply_edits(b"BEGIN:VEVENT", [AddLine(MASTER, "COMMENT:c")]) == b"BEGIN:VEVENT\r\nCOMMENT:c\r\n"


def test_components_are_added_after_their_kind() -> None:
    event = "BEGIN:VEVENT\nUID:choir@example.com\nRECURRENCE-ID:20260202T180000Z\nSUMMARY:New\nEND:VEVENT\n"
    zone = "BEGIN:VTIMEZONE\nTZID:Moon\nEND:VTIMEZONE"
    before = own("series")
    after = apply_edits(before, [AddComponent(event), AddComponent(zone)])
    names = [child.name for child in parse(after).roots[0].children]
    assert names == ["VTIMEZONE", "VTIMEZONE", "VEVENT", "VEVENT", "VEVENT", "VEVENT"]
    assert (
        after.replace(zone.encode().replace(b"\n", b"\r\n") + b"\r\n", b"").replace(
            event.encode().replace(b"\n", b"\r\n"), b""
        )
        == before
    )


def test_a_first_zone_goes_first_and_a_first_of_another_kind_last() -> None:
    zone, todo = "BEGIN:VTIMEZONE\nEND:VTIMEZONE", "BEGIN:VTODO\nEND:VTODO"
    after = apply_edits(own("bom"), [AddComponent(todo), AddComponent(zone)])
    assert [child.name for child in parse(after).roots[0].children] == ["VTIMEZONE", "VEVENT", "VTODO"]
    alone = apply_edits(b"BEGIN:VCALENDAR\nEND:VCALENDAR\n", [AddComponent(zone)])
    assert [child.name for child in parse(alone).roots[0].children] == ["VTIMEZONE"]


def test_a_component_goes_with_all_that_is_in_it() -> None:
    before = own("plain")
    after = apply_edits(before, [RemoveComponent(MASTER)])
    assert parse(after).roots[0].children == ()
    assert len(changed(before, after)[1]) == 0


def test_alarms_are_replaced_as_a_set() -> None:
    alarm = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nDESCRIPTION:Go\nEND:VALARM"
    before = own("plain")
    after = apply_edits(before, [SetSubcomponents(MASTER, "valarm", (alarm, alarm))])
    component = find_component(parse(after), MASTER)
    assert [list(child.texts("TRIGGER")) for child in component.children] == [["-PT5M"], ["-PT5M"]]
    bare = apply_edits(before, [SetSubcomponents(MASTER, "VALARM", ())])
    assert b"VALARM" not in bare
    assert changed(before, bare)[1] == []
    assert apply_edits(bare, [SetSubcomponents(MASTER, "VALARM", ())]) == bare
    assert apply_edits(bare, [SetSubcomponents(MASTER, "VALARM", (alarm,))]).count(b"VALARM") == 2


@pytest.mark.parametrize(
    "edit",
    [
        SetLine(RecurrenceKey("20300101T000000Z"), "SUMMARY", "SUMMARY:x"),
        RemoveComponent(RecurrenceKey("20300101")),
        AddLine(RecurrenceKey("20300101"), "COMMENT:x"),
    ],
)
def test_a_missing_component_is_said(edit: Edit) -> None:
    with pytest.raises(NotFound, match="no override of 20300101"):
        apply_edits(own("series"), [edit])


def test_a_missing_master_and_a_missing_calendar_are_said() -> None:
    only_override = apply_edits(own("series"), [RemoveComponent(MASTER)])
    with pytest.raises(NotFound, match="stands for the whole"):
        apply_edits(only_override, [RemoveComponent(MASTER)])
    with pytest.raises(NotFound, match="no VCALENDAR"):
        apply_edits(own("no_calendar"), [AddComponent("BEGIN:VEVENT\nEND:VEVENT")])


@pytest.mark.parametrize(
    "edit",
    [
        SetLine(MASTER, "SUMMARY", "ATTENDEE:mailto:x@example.com"),
        SetLine(MASTER, "SUMMARY", "SUMMARY:a\r\nATTENDEE:mailto:x@example.com"),
        SetLine(MASTER, "SUMMARY", "SUMMARY"),
        AddLine(MASTER, "COMMENT:a\nATTENDEE:mailto:x@example.com"),
        AddComponent("SUMMARY:a"),
        AddComponent("BEGIN:VEVENT\nUID:1"),
        AddComponent("BEGIN:VEVENT\nEND:VEVENT\nBEGIN:VEVENT\nEND:VEVENT"),
        AddComponent("BEGIN:VEVENT\nBEGIN:VALARM\nEND:VEVENT"),
        AddComponent("UID:1\nBEGIN:VEVENT\nEND:VEVENT"),
        SetSubcomponents(MASTER, "VALARM", ("BEGIN:X-A\nEND:X-A",)),
        SetSubcomponents(MASTER, "VALARM", ("BEGIN:VALARM\rX:1\nEND:VALARM",)),
    ],
)
def test_an_edit_cannot_smuggle_in_more_than_it_says(edit: Edit) -> None:
    with pytest.raises(InvalidInput):
        apply_edits(own("plain"), [edit])


def test_of_duplicates_the_one_that_counts_is_edited() -> None:
    before = own("duplicates")
    after = apply_edits(before, [SetLine(MASTER, "SUMMARY", "SUMMARY:mine")])
    assert changed(before, after) == ([b"SUMMARY:new\r\n"], [b"SUMMARY:mine\r\n"])


def test_an_override_that_cannot_be_read_is_never_taken_for_the_master() -> None:
    data = b"BEGIN:VEVENT\nUID:1\nRECURRENCE-IDX:1\nRECURRENCE-ID:?\nSEQUENCE:x\nEND:VEVENT\n"
    with pytest.raises(NotFound):
        apply_edits(data, [SetLine(MASTER, "SUMMARY", "SUMMARY:x")])


def test_a_change_is_dated() -> None:
    now = datetime(2026, 3, 1, 9, tzinfo=UTC)
    document = parse(own("plain"))
    assert stamp(document, MASTER, now, bump=False) == (
        SetLine(MASTER, "DTSTAMP", "DTSTAMP:20260301T090000Z"),
        SetLine(MASTER, "LAST-MODIFIED", "LAST-MODIFIED:20260301T090000Z"),
    )
    after = apply_edits(document.data, stamp(document, MASTER, now, bump=True))
    assert changed(document.data, after)[1] == [
        b"DTSTAMP:20260301T090000Z\r\n",
        b"CREATED:20260104T080000Z\r\n",
        b"LAST-MODIFIED:20260301T090000Z\r\n",
        b"SEQUENCE:3\r\n",
    ]
    for sequence in ("", "SEQUENCE:x\n"):
        text = f"BEGIN:VEVENT\n{sequence}END:VEVENT\n".encode()
        assert stamp(parse(text), MASTER, now, bump=True)[-1] == SetLine(MASTER, "SEQUENCE", "SEQUENCE:1")


every_kind: list[Edit] = [
    SetLine(MOVED, "SUMMARY", "SUMMARY:會議"),
    AddLine(MASTER, "COMMENT:a"),
    RemoveLines(MASTER, "COMMENT"),
    RemoveLines(MASTER, "COMMENT", "COMMENT:a"),
    AddComponent("BEGIN:VEVENT\nEND:VEVENT"),
    RemoveComponent(MOVED),
    SetSubcomponents(MASTER, "VALARM", ("BEGIN:VALARM\nEND:VALARM",)),
]


def test_edits_survive_json() -> None:
    assert edits_from_json(json.loads(json.dumps(edits_to_json(every_kind)))) == tuple(every_kind)


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"edit": "Format"},
        {"edit": ["SetLine"]},
        {"edit": "SetLine", "key": ""},
        {"edit": "AddLine", "key": "", "line": 7},
        {"edit": "AddLine", "key": "", "line": "A:1", "extra": "x"},
        {"edit": "SetLine", "key": "", "name": "A", "line": None},
        {"edit": "SetSubcomponents", "key": "", "name": "VALARM", "texts": "x"},
        {"edit": "SetSubcomponents", "key": "", "name": "VALARM", "texts": [1]},
    ],
)
def test_json_that_is_no_edit_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        edits_from_json([row])


@given(
    st.sampled_from(sorted(OWN.glob("*.ics"))), st.text(st.characters(exclude_categories=["Cs"]), max_size=120)
)
def test_editing_a_title_changes_no_other_line(path: Path, title: str) -> None:
    before = path.read_bytes()
    try:
        after = apply_edits(before, [SetLine(MASTER, "SUMMARY", f"SUMMARY:{escape_text(title)}")])
    except NotFound:
        return
    old, new = changed(before, after)
    assert len(old) <= 1
    assert len(new) <= 1

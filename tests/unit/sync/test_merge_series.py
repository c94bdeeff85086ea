"""Merging series: occurrences added, removed and struck out, and patterns that move under them."""

from __future__ import annotations

import pytest

from calward.sync.merge import Collision, Taken, merge
from tests.unit.sync.texts import (
    EVENT,
    ME,
    SERIES,
    calendar,
    clashes,
    keys,
    less,
    merged,
    override,
    texts,
    with_,
)

ZONE = ";TZID=Europe/Berlin"
BASE = calendar(SERIES)
TWELFTH, THIRTEENTH = "20260312T110000Z", "20260313T110000Z"
SNACK = override("20260312", "SUMMARY:Snack")


def test_components_added_on_either_side_are_all_there() -> None:
    ours, theirs = calendar(SERIES, SNACK), calendar(SERIES, override("20260313", "SUMMARY:Tea"))
    assert merged(BASE, ours, theirs) == calendar(SERIES, override("20260313", "SUMMARY:Tea"), SNACK)
    found = merge(BASE, ours, theirs)
    assert not isinstance(found, Collision)
    assert found.taken == (Taken("VEVENT", "lunch-1", TWELFTH, ()),)  # type: ignore[arg-type]


def test_a_component_removed_on_one_side_and_left_alone_on_the_other_goes() -> None:
    base = calendar(SERIES, SNACK)
    renamed = calendar(with_(SERIES, "SUMMARY:Feast"), SNACK)
    assert merged(base, BASE, renamed) == calendar(with_(SERIES, "SUMMARY:Feast"))
    assert merged(base, renamed, BASE) == calendar(with_(SERIES, "SUMMARY:Feast"))


def test_an_edited_component_beats_its_removal_both_ways() -> None:
    base, edited = calendar(SERIES, SNACK), calendar(SERIES, with_(SNACK, "SUMMARY:Tea"))
    assert merged(base, edited, BASE) == edited
    assert merged(base, BASE, edited) == edited


@pytest.mark.parametrize(
    "touch", ["DTSTAMP:20260309T080000Z", "SEQUENCE:4", "X-SEEN:1", "LAST-MODIFIED:20260309T080000Z"]
)
def test_a_touch_is_no_edit_and_does_not_keep_what_was_removed(touch: str) -> None:
    base = calendar(SERIES, SNACK)
    touched = calendar(SERIES, with_(SNACK, touch))
    assert merged(base, touched, BASE) == BASE
    assert merged(base, BASE, touched) == BASE


def test_an_answer_of_ones_own_is_an_edit_and_that_of_others_is_none() -> None:
    me, ann = f"ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:{ME}", "ATTENDEE:mailto:ann@example.org"
    invited = (*SERIES, me, ann)
    base, without = calendar(invited, (*SNACK, me, ann)), calendar(invited)
    mine = calendar(invited, (*SNACK, me.replace("NEEDS-ACTION", "ACCEPTED"), ann))
    hers = calendar(invited, (*SNACK, me, ann.replace(":", ";PARTSTAT=ACCEPTED:", 1)))
    assert merged(base, without, mine, ME) == mine
    assert merged(base, without, hers, ME) == without


def test_days_struck_out_on_both_sides_are_all_out() -> None:
    ours = calendar((*SERIES, f"EXDATE{ZONE}:20260312T120000,20260313T120000"))
    theirs = calendar((*SERIES, "EXDATE:20260312T110000Z"))
    data = merged(BASE, ours, theirs)
    assert data == calendar((*SERIES, "EXDATE:20260312T110000Z", f"EXDATE{ZONE}:20260313T120000"))
    back = merged(
        ours, BASE, calendar((*SERIES, f"EXDATE{ZONE}:20260312T120000,20260313T120000,20260314T120000"))
    )
    assert back == calendar((*SERIES, f"EXDATE{ZONE}:20260314T120000"))


def test_dates_that_cannot_be_read_are_items_all_the_same() -> None:
    ours, theirs = (
        calendar((*SERIES, "RDATE;VALUE=PERIOD:20260320T120000Z/PT1H")),
        calendar((*SERIES, "RDATE:soon,")),
    )
    assert texts(merged(BASE, ours, theirs))[-2:] == ["RDATE:soon,", "RDATE;VALUE=PERIOD:20260320T120000Z/PT1H"]
    assert merged(theirs, BASE, theirs) == BASE


def test_an_occurrence_edited_on_one_side_and_struck_out_on_the_other_stays() -> None:
    struck = calendar((*SERIES, f"EXDATE{ZONE}:20260312T120000,20260314T120000"))
    expected = calendar((*SERIES, f"EXDATE{ZONE}:20260314T120000"), SNACK)
    assert merged(BASE, struck, calendar(SERIES, SNACK)) == expected
    assert merged(BASE, calendar(SERIES, SNACK), struck) == expected
    base = calendar(SERIES, SNACK)
    edited = calendar(SERIES, with_(SNACK, "SUMMARY:Tea"))
    assert merged(base, struck, edited) == expected.replace(b"Snack", b"Tea")
    # Left alone it goes, as it was meant to.
    assert merged(base, struck, calendar(with_(SERIES, "SUMMARY:Feast"), SNACK)) == struck.replace(
        b"Lunch", b"Feast"
    )


@pytest.mark.parametrize(
    ("occurrence", "names"),
    [
        (calendar((*SERIES, f"EXDATE{ZONE}:20260312T120000")), ("DTSTART", "EXDATE")),
        (calendar((*SERIES, f"RDATE{ZONE}:20260401T120000")), ("DTSTART", "RDATE")),
        (calendar(SERIES, SNACK), ("DTSTART", "RECURRENCE-ID")),
    ],
)
def test_a_moved_series_and_a_changed_occurrence_collide(occurrence: bytes, names: tuple[str, ...]) -> None:
    moved = calendar(with_(SERIES, f"DTSTART{ZONE}:20260310T123000"))
    assert clashes(BASE, moved, occurrence) == [names]
    assert clashes(BASE, occurrence, moved) == [names]


def test_a_series_moved_alike_on_both_sides_keeps_its_changed_occurrences() -> None:
    moved = with_(SERIES, f"DTSTART{ZONE}:20260310T123000")
    assert merged(BASE, calendar(moved, SNACK), calendar(moved)) == calendar(moved, SNACK)
    longer = calendar(with_(SERIES, f"DTEND{ZONE}:20260310T140000"))
    assert keys(merged(BASE, longer, calendar(SERIES, SNACK))) == ["", TWELFTH]


def test_two_who_move_one_occurrence_collide_and_a_move_and_a_note_do_not() -> None:
    ours = calendar(SERIES, with_(SNACK, f"DTSTART{ZONE}:20260312T123000"))
    theirs = calendar(SERIES, with_(SNACK, f"DTSTART{ZONE}:20260312T124500"))
    assert clashes(BASE, ours, theirs) == [("DTSTART",)]
    noted = calendar(SERIES, with_(SNACK, "DESCRIPTION:Bring forks"))
    assert merged(BASE, noted, calendar(SERIES, SNACK)) == noted
    assert merged(calendar(SERIES, SNACK), ours, noted) == calendar(
        SERIES, with_(SNACK, f"DTSTART{ZONE}:20260312T123000", "DESCRIPTION:Bring forks")
    )


def test_an_occurrence_made_twice_without_a_series_has_nothing_in_common() -> None:
    other = override("20260314")
    ours, theirs = calendar(other, SNACK), calendar(other, with_(SNACK, "URL:https://example.org/"))
    assert merged(calendar(other), ours, theirs) == theirs
    assert clashes(calendar(other), ours, theirs.replace(b"Snack", b"Tea")) == [("SUMMARY",)]


def test_two_sides_that_leave_nothing_of_an_object_collide() -> None:
    base = calendar(SERIES, SNACK)
    found = merge(base, calendar(SERIES), calendar(SNACK))
    assert isinstance(found, Collision)
    assert found.clashes[0].names == ()
    empty = calendar()
    assert merged(BASE, empty, BASE) == empty
    assert merged(BASE, BASE, empty) == empty


def test_a_recurrence_id_that_cannot_be_read_still_names_its_component() -> None:
    odd = with_(SNACK, "RECURRENCE-ID:whenever")
    base = calendar(SERIES, odd)
    renamed = calendar(SERIES, with_(odd, "SUMMARY:Tea"))
    assert merged(base, renamed, calendar(with_(SERIES, "SUMMARY:Feast"), odd)) == renamed.replace(
        b"Lunch", b"Feast"
    )


def test_an_event_made_on_both_sides_under_one_uid_merges_what_only_one_says() -> None:
    nothing = calendar()
    ours, theirs = calendar((*less(EVENT, "LOCATION"), "URL:https://example.org/")), calendar(EVENT)
    assert merged(nothing, ours, theirs) == calendar((*EVENT, "URL:https://example.org/"))
    assert clashes(nothing, ours, calendar(with_(EVENT, "SUMMARY:Snack"))) == [("SUMMARY",)]

"""Merging two versions of one event: what goes together, what does not, and which bytes come out."""

from __future__ import annotations

import pytest

from calward.errors import TooLarge
from calward.ical.meaning import meaning
from calward.sync.merge import Collision, Merged, Taken, merge
from tests.unit.sync.texts import ALARM, EVENT, calendar, clashes, event, less, merged, texts, with_, zones

BASE = calendar(EVENT)
MOVED = ("DTSTART;TZID=Europe/Berlin:20260310T140000", "DTEND;TZID=Europe/Berlin:20260310T150000")


def test_a_move_here_and_a_rename_there_merge() -> None:
    moved, renamed = calendar(with_(EVENT, *MOVED)), calendar(with_(EVENT, "SUMMARY:Late lunch"))
    both = calendar(with_(EVENT, *MOVED, "SUMMARY:Late lunch"))
    assert merged(BASE, moved, renamed) == both
    assert merged(BASE, renamed, moved) == both


def test_the_result_says_what_of_ours_is_in_it() -> None:
    found = merge(BASE, calendar(with_(EVENT, *MOVED, "URL:https://example.org/")), BASE)
    assert isinstance(found, Merged)
    assert found.taken == (Taken("VEVENT", "lunch-1", "", ("DTSTART", "DTEND", "URL")),)  # type: ignore[arg-type]
    assert merge(BASE, BASE, calendar(with_(EVENT, *MOVED))) == Merged(calendar(with_(EVENT, *MOVED)), ())


def test_two_moves_collide_and_both_are_told() -> None:
    mine = calendar(with_(EVENT, *MOVED))
    found = merge(BASE, mine, calendar(with_(EVENT, "DTEND;TZID=Europe/Berlin:20260310T133000")))
    assert isinstance(found, Collision)
    (clash,) = found.clashes
    assert (clash.component, clash.uid, clash.key) == ("VEVENT", "lunch-1", "")
    assert clash.names == ("DTSTART", "DTEND")
    assert clash.base == tuple(EVENT[2:4])
    assert clash.ours == MOVED
    assert clash.theirs == (EVENT[2], "DTEND;TZID=Europe/Berlin:20260310T133000")


def test_a_start_here_and_an_end_there_are_two_moves() -> None:
    starts = calendar(with_(EVENT, "DTSTART;TZID=Europe/Berlin:20260310T113000"))
    ends = calendar(with_(EVENT, "DTEND;TZID=Europe/Berlin:20260310T133000"))
    assert clashes(BASE, starts, ends) == [("DTSTART", "DTEND")]


def test_a_rule_here_and_a_move_there_collide() -> None:
    assert clashes(BASE, calendar((*EVENT, "RRULE:FREQ=DAILY")), calendar(with_(EVENT, *MOVED))) == [
        ("DTSTART", "RRULE", "DTEND")
    ]


def test_two_new_titles_collide_and_one_title_twice_does_not() -> None:
    brunch, snack = calendar(with_(EVENT, "SUMMARY:Brunch")), calendar(with_(EVENT, "SUMMARY:Snack"))
    assert clashes(BASE, brunch, snack) == [("SUMMARY",)]
    spelled = calendar(with_(EVENT, "SUMMARY;LANGUAGE=en:Brunch"))
    assert merged(BASE, brunch, brunch) == brunch
    assert clashes(BASE, brunch, spelled) == [("SUMMARY",)]


def test_the_same_change_in_two_spellings_stays_as_the_server_spells_it() -> None:
    mine = calendar(
        with_(EVENT, "DESCRIPTION:one\\, two", "DTSTART;TZID=W. Europe Standard Time:20260310T120000")
    )
    theirs = calendar(with_(EVENT, "DESCRIPTION:one, two"))
    assert merged(BASE, mine, theirs) == theirs


def test_every_clash_of_an_event_is_told_at_once() -> None:
    mine = calendar(with_(EVENT, *MOVED, "SUMMARY:Brunch"))
    theirs = calendar(with_(EVENT, "SUMMARY:Snack", "DTEND;TZID=Europe/Berlin:20260310T133000"))
    assert clashes(BASE, mine, theirs) == [("DTSTART", "DTEND"), ("SUMMARY",)]


def test_a_line_taken_out_on_one_side_goes_and_its_edit_on_the_other_collides() -> None:
    without = calendar(less(EVENT, "LOCATION"))
    assert merged(BASE, without, calendar(with_(EVENT, "SUMMARY:Snack"))) == calendar(
        with_(less(EVENT, "LOCATION"), "SUMMARY:Snack")
    )
    assert merged(BASE, BASE, without) == without
    assert clashes(BASE, without, calendar(with_(EVENT, "LOCATION:Roof"))) == [("LOCATION",)]


def test_the_order_folding_and_oddities_of_the_server_stay() -> None:
    theirs = (
        b"BEGIN:VCALENDAR\nPRODID:-//Server//EN\nVERSION:2.0\nBEGIN:VEVENT\nSUMMARY:Lu\n nch\n\n"
        b"X-SERVER;A=b:keeps\nLOCATION:Canteen\nDTEND;TZID=Europe/Berlin:20260310T130000\nno line at all\n"
        b"DTSTART;TZID=Europe/Berlin:20260310T120000\nUID:lunch-1\nDTSTAMP:20260302T080000Z\n"
        b"END:VEVENT\n\nEND:VCALENDAR"
    )
    data = merged(BASE, calendar(with_(EVENT, "LOCATION:Roof", "URL:https://example.org/")), theirs)
    assert data == theirs.replace(b"Canteen", b"Roof").replace(
        b"END:VEVENT", b"URL:https://example.org/\nEND:VEVENT"
    )


def test_our_lines_come_as_they_are_written_and_break_as_the_servers_do() -> None:
    theirs = BASE.replace(b"SUMMARY:Lunch", b"SUMMARY:Snack")
    oddly = BASE.replace(b"LOCATION:Canteen", b"LOCATION:Ro\r\n of\x00 \xfcber")
    assert b"LOCATION:Ro\r\n of\x00 \xfcber\r\n" in merged(BASE, oddly, theirs)
    lines = merged(BASE, oddly.replace(b"\r\n", b"\n"), theirs)
    assert "LOCATION:Roof über\r\n".encode() in lines


def test_a_carriage_return_inside_of_a_value_never_becomes_a_line_of_its_own() -> None:
    local = calendar(with_(EVENT, "SUMMARY:Lunch\rATTENDEE:mailto:eve@example.org"), ending="\n")
    remote = calendar(with_(EVENT, "LOCATION:Roof"), ending="\r")
    data = merged(BASE, local, remote)
    assert "SUMMARY:LunchATTENDEE:mailto:eve@example.org" in texts(data)
    assert not any(text.startswith("ATTENDEE") for text in texts(data))


def test_what_programs_note_takes_the_later_and_the_higher() -> None:
    base = calendar((*EVENT, "SEQUENCE:2", "LAST-MODIFIED:20260301T080000Z"))
    ours = calendar(with_(EVENT, "DTSTAMP:20260305T080000Z", "SEQUENCE:3", "LAST-MODIFIED:20260304T080000Z"))
    theirs = calendar(with_(EVENT, "DTSTAMP:20260304T080000Z", "SEQUENCE:4", "LAST-MODIFIED:20260305T080000Z"))
    expected = ["DTSTAMP:20260305T080000Z", "SEQUENCE:4", "LAST-MODIFIED:20260305T080000Z"]
    for data in (merged(base, ours, theirs), merged(base, theirs, ours)):
        assert [text for text in texts(data) if text.startswith(("DTSTAMP", "SEQ", "LAST"))] == expected


def test_what_programs_note_is_never_brought_back_and_never_set_to_what_cannot_be_read() -> None:
    created = (*EVENT, "CREATED:20260101T000000Z", "SEQUENCE:1")
    base, ours = calendar(created), calendar(with_(created, "CREATED:20260401T000000Z", "SEQUENCE:9"))
    assert merged(base, ours, calendar(less(created, "CREATED", "SEQUENCE"))) == BASE
    odd = calendar(with_(created, "CREATED:soon", "SEQUENCE:many"))
    assert merged(base, odd, base) == base
    assert merged(base, ours, odd) == ours
    assert merged(BASE, ours, BASE) == ours
    assert merged(base, BASE, base) == base


def test_private_lines_are_of_the_side_that_changed_them_and_else_the_servers() -> None:
    base = calendar((*EVENT, "X-COLOR:red", "X-NOTE:a", "X-NOTE:b"))
    ours = calendar((*EVENT, "X-COLOR:blue", "X-NOTE:a"))
    assert merged(base, ours, base) == ours
    theirs = calendar((*EVENT, "X-COLOR:green", "X-NOTE:a", "X-NOTE:b"))
    assert merged(base, ours, theirs) == calendar((*EVENT, "X-COLOR:green", "X-NOTE:a"))


def test_categories_merge_as_a_set_over_any_lines() -> None:
    base = calendar((*EVENT, "CATEGORIES:Food,Work"))
    ours = calendar((*EVENT, "CATEGORIES:Food,Work,Big\\, bold", "CATEGORIES:Fun"))
    theirs = calendar((*EVENT, "CATEGORIES:Work,New"))
    assert merged(base, ours, theirs) == calendar(
        (*EVENT, "CATEGORIES:Work,New", "CATEGORIES:Big\\, bold", "CATEGORIES:Fun")
    )
    assert merged(base, theirs, ours) == calendar(
        (*EVENT, "CATEGORIES:Work,Big\\, bold", "CATEGORIES:Fun", "CATEGORIES:New")
    )
    assert merged(base, BASE, base) == BASE


def test_attachments_and_comments_are_things_of_their_own() -> None:
    base = calendar((*EVENT, "ATTACH:https://example.org/a", "COMMENT:one"))
    ours = calendar((*EVENT, "ATTACH:https://example.org/b", "COMMENT:one"))
    theirs = calendar((*EVENT, "ATTACH:https://example.org/c", "COMMENT:one", "COMMENT:two"))
    data = texts(merged(base, ours, theirs))
    assert sorted(text for text in data if text.startswith(("ATTACH", "COMMENT"))) == [
        "ATTACH:https://example.org/b",
        "ATTACH:https://example.org/c",
        "COMMENT:one",
        "COMMENT:two",
    ]


def test_alarms_merge_as_a_set() -> None:
    hour = with_(ALARM, "TRIGGER:-PT1H")
    day = with_(ALARM, "TRIGGER:-P1D")
    base = calendar((*EVENT, *ALARM))
    assert merged(base, calendar((*EVENT, *hour)), calendar((*EVENT, *ALARM, *day))) == calendar(
        (*EVENT, *day, *hour)
    )
    assert merged(base, calendar((*EVENT, *ALARM, *ALARM)), calendar((*EVENT, *ALARM, *day))) == calendar(
        (*EVENT, *ALARM, *day, *ALARM)
    )
    assert merged(BASE, calendar((*EVENT, *hour)), calendar((*EVENT, "URL:https://example.org/"))) == calendar(
        (*EVENT, "URL:https://example.org/", *hour)
    )


def test_an_alarm_put_to_sleep_is_still_the_same_alarm() -> None:
    base = calendar((*EVENT, *ALARM))
    asleep = calendar((*EVENT, *with_(ALARM, "ACKNOWLEDGED:20260310T100000Z")))
    renamed = calendar((*with_(EVENT, "SUMMARY:Snack"), *ALARM))
    assert merged(base, asleep, renamed) == asleep.replace(b"SUMMARY:Lunch", b"SUMMARY:Snack")
    assert merged(base, BASE, asleep) == BASE
    assert merged(base, asleep, BASE) == BASE


def test_private_and_nested_pieces_of_an_alarm_tell_it_apart() -> None:
    inner = ("BEGIN:X-VENDOR", "X-A:1", "END:X-VENDOR")
    alarm = (*ALARM[:-1], *inner, "END:VALARM")
    base, ours = calendar((*EVENT, *ALARM)), calendar((*EVENT, *alarm, *inner))
    data = merged(base, ours, calendar((*EVENT, "X-OTHER:1", *ALARM)))
    assert texts(data) == [*EVENT, "X-OTHER:1", *alarm, *inner]


def test_a_to_do_is_done_or_not_as_one_thing() -> None:
    todo = ("BEGIN:VTODO", "UID:t", "DUE:20260310T120000Z", "STATUS:NEEDS-ACTION", "SUMMARY:Wash", "END:VTODO")
    done = with_(todo, "STATUS:COMPLETED", "COMPLETED:20260309T120000Z")
    half = with_(todo, "STATUS:IN-PROCESS", "PERCENT-COMPLETE:50")
    later = with_(todo, "DUE:20260311T120000Z")
    assert merged(calendar(todo), calendar(done), calendar(later)) == calendar(
        with_(done, "DUE:20260311T120000Z")
    )
    assert clashes(calendar(todo), calendar(done), calendar(half)) == [
        ("STATUS", "COMPLETED", "PERCENT-COMPLETE")
    ]


def test_the_calendars_own_lines_never_collide() -> None:
    ours, theirs = BASE.replace(b"Example", b"Ours"), BASE.replace(b"Example", b"Theirs")
    assert merged(BASE, ours, theirs) == theirs
    assert merged(BASE, ours, calendar(with_(EVENT, "SUMMARY:Snack"))) == ours.replace(b"Lunch", b"Snack")


TOKYO = (
    *("BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", "BEGIN:STANDARD", "DTSTART:19700101T000000"),
    *("TZOFFSETFROM:+0900", "TZOFFSETTO:+0900", "END:STANDARD", "END:VTIMEZONE"),
)
OWN = with_(TOKYO, "TZID:Our Hall")


def test_a_zone_comes_with_the_times_that_need_it() -> None:
    there = ("DTSTART;TZID=Asia/Tokyo:20260310T120000", "DTEND;TZID=Asia/Tokyo:20260310T130000")
    ours, theirs = calendar(TOKYO, OWN, with_(EVENT, *there)), calendar(with_(EVENT, "SUMMARY:Snack"))
    assert merged(BASE, ours, theirs) == calendar(TOKYO, with_(EVENT, *there, "SUMMARY:Snack"))
    assert zones(merged(BASE, theirs, ours)) == ["Asia/Tokyo", "Our Hall"]


def test_definitions_of_known_zones_do_not_count_and_those_of_others_do() -> None:
    shifted = tuple(line.replace("+0900", "+0800") for line in TOKYO)
    base = calendar(TOKYO, EVENT)
    assert merged(base, calendar(shifted, EVENT), base) == base
    own = with_(shifted, "TZID:Our Hall")
    hall, moved_hall = calendar(OWN, EVENT), calendar(own, EVENT)
    assert merged(hall, moved_hall, hall) == moved_hall
    assert merged(hall, hall, moved_hall) == moved_hall
    third = calendar(tuple(line.replace("+0800", "+0700") for line in own), EVENT)
    assert clashes(hall, moved_hall, third) == [()]
    assert clashes(BASE, moved_hall, third) == [()]


@pytest.mark.parametrize(
    "unsound",
    [
        BASE.replace(b"END:VEVENT\r\n", b""),
        BASE + b"a stray line\r\n",
        BASE + BASE,
        calendar(EVENT, EVENT),
        calendar(TOKYO, TOKYO, EVENT),
        BASE.replace(b"VCALENDAR", b"VEVENT"),
        b"",
    ],
)
def test_what_is_no_single_sound_calendar_is_taken_whole_or_not_at_all(unsound: bytes) -> None:
    edited = unsound.replace(b"Lunch", b"Snack") or BASE
    assert merged(unsound, edited, unsound) == edited
    assert merged(unsound, unsound, edited) == edited
    assert merged(unsound, edited, edited) == edited
    other = unsound.replace(b"Canteen", b"Roof") or calendar(with_(EVENT, "SUMMARY:Snack"))
    found = merge(unsound, edited, other)
    assert isinstance(found, Collision)
    (clash,) = found.clashes
    assert (clash.component, clash.names) == ("VCALENDAR", ())
    assert clash.ours != clash.theirs


def test_a_text_over_the_caps_is_refused() -> None:
    with pytest.raises(TooLarge):
        merge(BASE, BASE, b"BEGIN:A\n" * 100)


def test_a_clash_does_not_depend_on_who_calls_it_ours() -> None:
    brunch, snack = calendar(with_(EVENT, "SUMMARY:Brunch")), calendar(with_(EVENT, "SUMMARY:Snack"))
    one, other = merge(BASE, brunch, snack), merge(BASE, snack, brunch)
    assert isinstance(one, Collision)
    assert isinstance(other, Collision)
    assert [(clash.ours, clash.theirs) for clash in one.clashes] == [
        (clash.theirs, clash.ours) for clash in other.clashes
    ]


def test_nothing_but_what_was_edited_changes_in_what_an_event_means() -> None:
    data = merged(BASE, calendar(with_(EVENT, *MOVED)), BASE)
    assert meaning(event(data)) == meaning(event(calendar(with_(EVENT, *MOVED))))

"""Merging who is invited: nobody is added whom nobody invited, and nobody comes back who was taken off."""

from __future__ import annotations

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

ANN = "ATTENDEE;CN=Ann:mailto:ann@example.org"
BOB = "ATTENDEE;CN=Bob:mailto:bob@example.org"
CAT = "ATTENDEE;CN=Cat:mailto:cat@example.org"
I = f"ATTENDEE;CN=Me;PARTSTAT=NEEDS-ACTION:mailto:{ME}"  # noqa: E741
YES, NO = I.replace("NEEDS-ACTION", "ACCEPTED"), I.replace("NEEDS-ACTION", "DECLINED")
BASE = calendar((*EVENT, ANN, BOB))
LATER = "DTSTART;TZID=Europe/Berlin:20260310T121500"


def people(data: bytes, key: str = "") -> list[str]:
    return [text for text in texts(data, key) if text.startswith("ATTENDEE")]


def test_two_who_invite_somebody_else_each_invite_both() -> None:
    data = merged(BASE, calendar((*EVENT, ANN, BOB, CAT)), calendar((*EVENT, BOB, ANN, I)))
    assert people(data) == [BOB, ANN, I, CAT]


def test_whoever_one_side_took_off_stays_off_whatever_the_other_changed_of_them() -> None:
    without, asked = calendar((*EVENT, ANN)), calendar((*EVENT, ANN, BOB.replace("CN", "ROLE=CHAIR;CN")))
    assert people(merged(BASE, without, asked)) == [ANN]
    assert people(merged(BASE, asked, without)) == [ANN]
    assert people(merged(BASE, without, calendar((*EVENT, BOB)))) == []


def test_an_address_is_one_person_however_it_is_written() -> None:
    shouted = calendar((*EVENT, ANN.replace("mailto:ann@", "MAILTO:Ann@"), BOB))
    assert merged(BASE, calendar((*EVENT, BOB)), shouted) == calendar((*EVENT, BOB))
    principal = "ATTENDEE:/principals/dan/"
    assert people(merged(BASE, calendar((*EVENT, ANN, BOB, principal)), BASE)) == [ANN, BOB, principal]


def test_the_answers_of_others_never_collide_with_our_edits() -> None:
    accepted = calendar((*EVENT, ANN.replace("CN=Ann", "CN=Ann;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0"), BOB))
    moved = calendar((*with_(EVENT, LATER), ANN, BOB))
    assert merged(BASE, moved, accepted, ME) == accepted.replace(EVENT[2].encode(), LATER.encode())
    declined = calendar((*EVENT, ANN.replace("CN=Ann", "CN=Ann;PARTSTAT=DECLINED"), BOB))
    assert merged(BASE, declined, accepted, ME) == accepted


def test_what_both_sides_say_of_one_person_is_settled_by_parameter() -> None:
    chair = calendar((*EVENT, ANN.replace("CN=Ann", "CN=Ann;ROLE=CHAIR"), BOB))
    accepted = calendar((*EVENT, ANN.replace("CN=Ann", 'X-N="1;2";CN=Ann;PARTSTAT=ACCEPTED'), BOB))
    both = ANN.replace("CN=Ann", 'X-N="1;2";CN=Ann;PARTSTAT=ACCEPTED;ROLE=CHAIR')
    assert people(merged(BASE, chair, accepted)) == [both, BOB]
    optional = calendar((*EVENT, ANN.replace("CN=Ann", "CN=Ann;ROLE=OPT-PARTICIPANT"), BOB))
    assert clashes(BASE, chair, optional) == [("ATTENDEE",)]
    assert merged(BASE, calendar((*EVENT, ANN.replace("CN=Ann", "CN=A;ROLE=REQ-PARTICIPANT"), BOB)), chair) == (
        chair.replace(b"CN=Ann", b"CN=A")
    )


def test_a_parameter_taken_out_here_goes_there_too() -> None:
    base = calendar((*EVENT, ANN.replace("CN=Ann", "CN=Ann;RSVP=TRUE")))
    accepted = calendar((*EVENT, ANN.replace("CN=Ann", "CN=Ann;RSVP=TRUE;PARTSTAT=ACCEPTED")))
    assert people(merged(base, calendar((*EVENT, ANN)), accepted)) == [
        ANN.replace("CN=Ann", "CN=Ann;PARTSTAT=ACCEPTED")
    ]


def test_one_person_invited_twice_is_invited_as_the_server_says() -> None:
    ours, theirs = (
        calendar((*EVENT, ANN, BOB, CAT)),
        calendar((*EVENT, ANN, BOB, CAT.replace("Cat", "Catherine"))),
    )
    assert merged(BASE, ours, theirs) == theirs
    chair = calendar((*EVENT, ANN, BOB, CAT.replace("CN=Cat", "CN=Cat;ROLE=CHAIR")))
    assert merged(BASE, ours, chair) == chair


def test_two_answers_of_ones_own_collide_and_one_merges() -> None:
    base = calendar((*EVENT, ANN, I))
    assert clashes(base, calendar((*EVENT, ANN, YES)), calendar((*EVENT, ANN, NO)), ME) == [("ATTENDEE",)]
    renamed = calendar((*with_(EVENT, "SUMMARY:Snack"), ANN, I))
    assert merged(base, calendar((*EVENT, ANN, YES)), renamed, f"mailto:{ME}".upper()) == calendar(
        (*with_(EVENT, "SUMMARY:Snack"), ANN, YES)
    )


def test_an_answer_is_never_given_to_another_time() -> None:
    base, yes, moved = calendar((*EVENT, I)), calendar((*EVENT, YES)), calendar((*with_(EVENT, LATER), I))
    assert clashes(base, yes, moved, ME) == [("DTSTART", "ATTENDEE")]
    assert clashes(base, moved, yes, ME) == [("DTSTART", "ATTENDEE")]
    # One side moved it and answered for the new time; the other moved it to the same.
    assert merged(base, calendar((*with_(EVENT, LATER), YES)), moved, ME) == calendar(
        (*with_(EVENT, LATER), YES)
    )


def test_an_occurrence_changed_here_does_not_bring_back_who_was_taken_off_the_series_there() -> None:
    base = calendar((*SERIES, ANN, BOB))
    ours = calendar((*SERIES, ANN, BOB), override("20260312", "SUMMARY:Snack", ANN, BOB, CAT))
    theirs = calendar((*SERIES, ANN))
    assert people(merged(base, ours, theirs), "20260312T110000Z") == [ANN, CAT]
    assert people(merged(base, theirs, ours), "20260312T110000Z") == [ANN, CAT]
    assert people(merged(base, ours, theirs)) == [ANN]


def test_who_stays_with_one_occurrence_is_not_brought_back_to_another() -> None:
    other = override("20260314", ANN, BOB)
    base = calendar((*SERIES, ANN, BOB), other)
    ours = calendar((*SERIES, ANN, BOB), other, override("20260312", "SUMMARY:Snack", ANN, BOB))
    theirs = calendar((*SERIES, ANN), other)
    for data in (merged(base, ours, theirs), merged(base, theirs, ours)):
        assert people(data, "20260312T110000Z") == [ANN]
        assert people(data, "20260314T110000Z") == [ANN, BOB]


def test_an_answer_to_an_event_made_on_both_sides_is_the_persons_own() -> None:
    assert clashes(calendar(), calendar((*EVENT, YES)), calendar((*EVENT, NO)), ME) == [("ATTENDEE",)]


def test_an_edited_occurrence_comes_back_without_those_who_are_gone_with_it() -> None:
    base = calendar((*SERIES, ANN), override("20260312", ANN, BOB))
    edited, removed = (
        calendar((*SERIES, ANN), override("20260312", "SUMMARY:Snack", ANN, BOB)),
        calendar((*SERIES, ANN)),
    )
    for data in (merged(base, edited, removed), merged(base, removed, edited)):
        assert people(data, "20260312T110000Z") == [ANN]
        assert "SUMMARY:Snack" in texts(data, "20260312T110000Z")


def test_of_two_occurrences_made_at_once_nobody_gets_back_in() -> None:
    base = calendar((*SERIES, ANN, BOB))
    ours = calendar((*SERIES, ANN, BOB), override("20260312", "SUMMARY:Lunch", "LOCATION:Canteen", ANN))
    theirs = calendar(
        (*SERIES, ANN, BOB), override("20260312", "SUMMARY:Snack", "LOCATION:Canteen", ANN, BOB, CAT)
    )
    for data in (merged(base, ours, theirs), merged(base, theirs, ours)):
        assert people(data, "20260312T110000Z") == [ANN, CAT]
        assert "SUMMARY:Snack" in texts(data, "20260312T110000Z")


def test_an_object_without_a_master_knows_its_people_by_its_occurrences() -> None:
    base = calendar(override("20260312", ANN, BOB), override("20260313", ANN))
    ours = calendar(override("20260312", ANN), override("20260313", ANN))
    theirs = calendar(override("20260312", ANN, BOB), override("20260313", ANN), override("20260314", ANN, BOB))
    data = merged(base, ours, theirs)
    assert keys(data) == ["20260312T110000Z", "20260313T110000Z", "20260314T110000Z"]
    assert [people(data, key) for key in keys(data)] == [[ANN], [ANN], [ANN]]
    assert less(tuple(texts(data, "20260314T110000Z")), "ATTENDEE") == override("20260314")

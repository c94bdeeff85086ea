"""Invitations answered: one line changes, and an assistant always asks."""

from __future__ import annotations

import pytest

from calward.errors import InvalidInput, NotAllowed, NotFound, ScopeNeeded, Unsupported
from calward.ical.lines import scan
from tests.operations.world import World, ics, vevent

PEOPLE = (
    "ORGANIZER;CN=Olga:mailto:olga@example.com",
    "ATTENDEE;CN=Ann;PARTSTAT=ACCEPTED:mailto:ann@example.com",
    "ATTENDEE;CN=Alex;RSVP=TRUE;X-KEEP=1;PARTSTAT=NEEDS-ACTION:MAILTO:Alex@Example.com",
    "ATTENDEE;CN=Bob:mailto:bob@example.com",
)
TALK = vevent("talk", "DTSTART:20260303T110000Z", "SUMMARY:Talk", *PEOPLE)
CLASS = vevent("class", "DTSTART:20260302T110000Z", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:Class", *PEOPLE)


@pytest.fixture
def invited(world: World) -> World:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    return world


def put(world: World, *lines: str) -> str:
    world.do("import_file", content=ics(*lines), calendar="Home")
    window = {"from": "2026-03-02", "to": "2026-03-08"}
    ident: str = world.do("calendar_list", **window).events[0].id
    return ident


def changed(before: bytes, after: bytes) -> tuple[list[str], list[str]]:
    """Lines that went and came, without the dates of the change."""
    old, new = ([text for text in scan(data).texts if "STAMP" not in text] for data in (before, after))
    went = [text for text in old if text not in new]
    return went, [text for text in new if text not in old and not text.startswith("LAST-MODIFIED")]


@pytest.mark.parametrize(
    ("response", "partstat"), [("accept", "ACCEPTED"), ("decline", "DECLINED"), ("tentative", "TENTATIVE")]
)
def test_an_answer_changes_the_persons_own_line_and_no_other(
    invited: World, response: str, partstat: str
) -> None:
    ident = put(invited, *TALK)
    before = invited.export()
    answer = invited.do("calendar_respond", id=ident, response=response)
    mine = {person.email: person.partstat for person in answer.event.attendees}
    assert mine["alex@example.com"] == partstat.lower()
    assert changed(before, invited.export()) == (
        ["ATTENDEE;CN=Alex;RSVP=TRUE;X-KEEP=1;PARTSTAT=NEEDS-ACTION:MAILTO:Alex@Example.com"],
        [f"ATTENDEE;CN=Alex;RSVP=TRUE;X-KEEP=1;PARTSTAT={partstat}:MAILTO:Alex@Example.com"],
    )
    with pytest.raises(InvalidInput, match="already"):
        invited.do("calendar_respond", id=ident, response=response)
    invited.do("calendar_undo")
    assert invited.export() == before


def test_one_occurrence_is_answered_for_itself_and_a_series_as_a_whole(invited: World) -> None:
    ident = put(invited, *CLASS)
    with pytest.raises(ScopeNeeded):
        invited.do("calendar_respond", id=ident, response="decline")
    with pytest.raises(Unsupported):
        invited.do("calendar_respond", id=ident, response="decline", scope="this_and_future")
    invited.do("calendar_respond", id=ident, response="decline", scope="one")
    listed = invited.do("calendar_list", **{"from": "2026-03-02", "to": "2026-03-08"}).events
    answers = [
        {person.email.lower(): person.partstat for person in event.attendees}["alex@example.com"]
        for event in listed
    ]
    assert answers == ["declined", "needs-action", "needs-action", "needs-action"]
    invited.do("calendar_respond", id=ident, response="accept", scope="all")
    assert invited.export().count(b"X-KEEP=1;PARTSTAT=ACCEPTED") == 2


def test_an_assistant_always_asks_before_it_answers(invited: World) -> None:
    ident = put(invited, *TALK)
    bot = invited.assistant(Home="helper")
    invited.do("grant_set", assistant="bot", calendar="Home", others_update="free")
    first = invited.ask(bot, "calendar_respond", id=ident, response="accept").approval
    invited.pass_time(minutes=1)
    assert invited.ask(bot, "calendar_respond", id=ident, response="accept").approval.id == first.id
    assert invited.ask(bot, "calendar_respond", id=ident, response="decline").approval.id != first.id
    waiting = invited.do("approval_list", id=first.id).approvals[0]
    assert (waiting.risk, waiting.reasons) == ("R3", ("it answers an invitation",))
    assert "  answer of alex@example.com: NEEDS-ACTION → ACCEPTED" in waiting.preview
    assert invited.do("approval_decide", id=first.id, approve=True).state == "approved"


def test_answering_for_oneself_alone_asks_an_assistant_too(invited: World) -> None:
    alone = (PEOPLE[2],)
    ident = put(invited, *vevent("me", "DTSTART:20260303T110000Z", "SUMMARY:Me", *alone))
    bot = invited.assistant(Home="helper")
    assert invited.ask(bot, "calendar_respond", id=ident, response="accept").status == "pending_approval"


def test_nobody_answers_what_they_are_not_invited_to_or_do_not_see(invited: World) -> None:
    ident = put(invited, *vevent("x", "DTSTART:20260303T110000Z", "SUMMARY:x", PEOPLE[1]))
    with pytest.raises(InvalidInput, match="not among the people"):
        invited.do("calendar_respond", id=ident, response="accept")
    bot = invited.assistant(Home="careful")
    with pytest.raises(NotFound):
        invited.ask(bot, "calendar_respond", id=ident, response="accept")
    invited.do("grant_set", assistant="bot", calendar="Home", others_level="titles")
    with pytest.raises(InvalidInput, match="not shown"):
        invited.ask(bot, "calendar_respond", id=ident, response="accept")
    invited.do("grant_set", assistant="bot", calendar="Home", others_level="details", others_update="never")
    ident = put(invited, *TALK)
    with pytest.raises(NotAllowed):
        invited.ask(bot, "calendar_respond", id=ident, response="accept")

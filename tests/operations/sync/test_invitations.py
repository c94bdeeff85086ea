"""Whether attendees hear of a change is said as it is, and nobody is told where that was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calward.bootstrap.household import HOME
from calward.dav.options import Offers
from calward.dav.quirks import Signs
from calward.errors import InvalidInput
from calward.operations.account_words import account_options
from calward.store.accounts import get_account, set_options
from tests.operations.sync.mirror import ACCOUNT, Mirror, event

SENDS = Offers(frozenset({"1", "calendar-access", "calendar-auto-schedule"}))
SENDS_NOT = Offers(frozenset({"1", "calendar-access"}))
SILENT = Offers()


@pytest.fixture(autouse=True)
def invites(mirror: Mirror) -> None:
    """The owner has an address to invite from; the account is known."""
    mirror.world.do("member_edit", name="Alex", addresses=["alex@lark.example"])
    mirror.sync()


def offers(mirror: Mirror, offered: Offers, signs: str = "") -> None:
    with mirror.world.store.writing() as conn:
        account = get_account(conn, HOME, ACCOUNT)
        assert account is not None
        options = replace(account_options(account.options), offers=offered, signs=Signs(headers=signs))
        set_options(conn, HOME, ACCOUNT, options.plain())


def create(mirror: Mirror, calendar: str = "Work", **more: Any) -> Any:
    given = {
        "title": "Tea",
        "start": "2026-03-03T12:00",
        "calendar": calendar,
        "attendees": ["sam@wren.example"],
    }
    return mirror.world.do("calendar_create", **(given | more))


def occurrence(mirror: Mirror, number: int) -> str:
    """The id of one of this week's events."""
    week = mirror.world.do("calendar_list", **{"from": "2026-03-02", "to": "2026-03-08"}).events
    ident: str = week[number - 1].id
    return ident


@pytest.mark.parametrize(
    ("offered", "told"), [(SENDS, "sent_by_server"), (SENDS_NOT, "not_sent"), (SILENT, "unknown")]
)
def test_a_server_sends_what_it_says_that_it_sends(mirror: Mirror, offered: Offers, told: str) -> None:
    offers(mirror, offered)
    made = create(mirror)
    assert made.invitations == told
    assert mirror.world.do("calendar_update", id=made.event.id, title="Green tea").invitations == told
    gone = mirror.world.do("calendar_delete", id=made.event.id)
    assert gone.invitations == told
    assert mirror.world.do("calendar_restore", id=made.event.id).invitations == told


@pytest.mark.parametrize(
    ("offered", "told"), [(SENDS, "sent_by_server"), (SENDS_NOT, "not_sent"), (SILENT, "unknown")]
)
def test_taking_back_says_what_is_told_as_the_change_itself_does(
    mirror: Mirror, offered: Offers, told: str
) -> None:
    offers(mirror, offered)
    made = create(mirror)
    changed = mirror.world.do("calendar_update", id=made.event.id, title="Green tea")
    assert mirror.world.do("calendar_undo", change=changed.change).invitations == told
    gone = mirror.world.do("calendar_delete", id=made.event.id)
    assert mirror.world.do("calendar_undo", change=gone.change).invitations == told
    assert mirror.world.do("calendar_undo", change=made.change).invitations == told


def test_an_occurrence_that_comes_back_is_told_of(mirror: Mirror) -> None:
    offers(mirror, SENDS)
    create(mirror, recurrence="FREQ=DAILY;COUNT=3")
    second = occurrence(mirror, 2)
    mirror.world.do("calendar_delete", id=second, scope="one")
    assert mirror.world.do("calendar_restore", id=second).invitations == "sent_by_server"


def test_taking_back_what_concerns_nobody_else_says_nothing_of_it(mirror: Mirror) -> None:
    offers(mirror, SENDS)
    made = create(mirror, attendees=[])
    assert mirror.world.do("calendar_undo", change=made.change).invitations is None


def test_several_changes_taken_back_at_once_say_what_goes_farthest(mirror: Mirror) -> None:
    offers(mirror, SENDS)
    create(mirror, recurrence="FREQ=DAILY;COUNT=5")
    third = occurrence(mirror, 3)
    split = mirror.world.do("calendar_update", id=third, scope="this_and_future", title="Late tea")
    assert mirror.world.do("calendar_undo", change=split.change).invitations == "sent_by_server"


def test_taking_back_an_answer_is_an_answer(mirror: Mirror) -> None:
    mirror.adds("party", "Party", "ORGANIZER:mailto:kim@wren.example", "ATTENDEE:mailto:alex@lark.example")
    mirror.sync()
    offers(mirror, SENDS)
    found = mirror.event("Party")
    retitled = mirror.world.do("calendar_update", id=found.id, title="A party")
    assert mirror.world.do("calendar_undo", change=retitled.change).invitations == "not_sent"
    answered = mirror.world.do("calendar_respond", id=found.id, response="accept")
    assert mirror.world.do("calendar_undo", change=answered.change).invitations == "sent_by_server"


def test_our_version_over_the_servers_says_what_is_told(mirror: Mirror) -> None:
    people = ("ORGANIZER:mailto:alex@lark.example", "ATTENDEE:mailto:sam@wren.example")
    href = mirror.adds("a", "Lunch", *people)
    mirror.sync()
    offers(mirror, SENDS)
    mirror.retitle("Lunch", "Our lunch")
    mirror.writes(href, event("a", "Their lunch", *people))
    mirror.sync()
    (conflict,) = mirror.world.do("conflict_list").conflicts
    resolved = mirror.world.do("conflict_resolve", id=conflict.id, keep="ours")
    assert resolved.invitations == "sent_by_server"
    assert mirror.world.do("calendar_undo", change=resolved.change).invitations == "sent_by_server"


def test_a_calendar_that_is_only_here_tells_nobody(mirror: Mirror) -> None:
    assert create(mirror, calendar="Home").invitations == "not_sent"


def test_moving_an_event_between_calendars_that_are_only_here_tells_nobody(mirror: Mirror) -> None:
    made = create(mirror, calendar="Home")
    moved = mirror.world.do("calendar_update", id=made.event.id, calendar="AI Assistant Shared")
    assert moved.invitations == "not_sent"
    assert mirror.world.do("calendar_undo", change=moved.change).invitations == "not_sent"


def test_an_event_without_others_has_nobody_to_tell(mirror: Mirror) -> None:
    assert create(mirror, attendees=[]).invitations is None
    assert create(mirror, attendees=["alex@lark.example"], title="Alone").invitations is None


def test_a_server_that_forgets_what_is_over_sends_nothing_about_it(mirror: Mirror) -> None:
    offers(mirror, SENDS, "server: cyrus-http/3.6.1")
    assert create(mirror).invitations == "sent_by_server"
    assert create(mirror, start="2026-02-02T12:00").invitations == "not_sent"
    weekly = create(mirror, start="2026-02-02T12:00", recurrence="FREQ=WEEKLY")
    assert weekly.invitations == "sent_by_server"


def test_where_nobody_is_to_be_told_attendees_are_left_to_us(mirror: Mirror) -> None:
    offers(mirror, SENDS)
    made = create(mirror, tell="nobody")
    assert made.invitations == "not_sent"
    mirror.sync()
    (sent,) = mirror.other.fetch(mirror.url, list(mirror.other.listing(mirror.url))).objects
    assert b"SCHEDULE-AGENT=CLIENT" in sent.body
    changed = mirror.world.do("calendar_update", id=made.event.id, title="Green tea", tell="nobody")
    assert changed.invitations == "not_sent"
    more = mirror.world.do(
        "calendar_update",
        id=made.event.id,
        attendees=["sam@wren.example", "kim@wren.example"],
        tell="nobody",
    )
    assert more.invitations == "not_sent"
    assert mirror.world.do("calendar_delete", id=made.event.id, tell="nobody").invitations == "not_sent"


def test_what_a_server_told_people_of_it_goes_on_telling_and_that_is_not_hidden(mirror: Mirror) -> None:
    offers(mirror, SENDS)
    made = create(mirror)
    for operation, given in (
        ("calendar_update", {"title": "Green tea"}),
        ("calendar_update", {"attendees": []}),
        ("calendar_delete", {}),
    ):
        with pytest.raises(InvalidInput, match="tells the attendees"):
            mirror.world.do(operation, id=made.event.id, tell="nobody", **given)
    assert mirror.titles_here() == ["Tea"]
    offers(mirror, SILENT)
    with pytest.raises(InvalidInput, match="not known"):
        mirror.world.do("calendar_delete", id=made.event.id, tell="nobody")


def test_changes_to_somebody_elses_event_are_not_ours_to_tell_but_leaving_it_is(mirror: Mirror) -> None:
    mirror.adds("party", "Party", "ORGANIZER:mailto:kim@wren.example", "ATTENDEE:mailto:alex@lark.example")
    mirror.sync()
    offers(mirror, SENDS)
    found = mirror.event("Party")
    assert mirror.world.do("calendar_update", id=found.id, title="A party").invitations == "not_sent"
    assert mirror.world.do("calendar_respond", id=found.id, response="accept").invitations == "sent_by_server"
    assert mirror.world.do("calendar_delete", id=found.id).invitations == "sent_by_server"


def test_who_does_not_see_the_attendees_learns_nothing_of_them(mirror: Mirror) -> None:
    offers(mirror, SENDS)
    made = create(mirror)
    bot = mirror.world.assistant("bot", Work="helper")
    mirror.world.do("grant_set", assistant="bot", calendar="Work", others_level="titles")
    with pytest.raises(InvalidInput, match="not shown who attends"):
        mirror.world.ask(bot, "calendar_delete", id=made.event.id, tell="nobody")

"""Members, assistants, tokens and grants: what a person decides about who may do what."""

from __future__ import annotations

import pytest

from calward.errors import InvalidInput, NotFound, NotSignedIn
from calward.operations.pipeline import Call
from tests.operations.world import World, ics, vevent


def test_members_are_listed_and_told_apart_by_name(world: World) -> None:
    sam = world.do("member_add", name="Sam", nicknames=["Sammy"], addresses=["Sam@Example.com"])
    listed = {member.name: member for member in world.do("member_list").members}
    assert (listed["Sam"].id, listed["Sam"].addresses, listed["Sam"].role) == (
        sam.id,
        ("sam@example.com",),
        "adult",
    )
    with pytest.raises(InvalidInput, match="already"):
        world.do("member_add", name="Sam")
    world.do("member_edit", name="Sam", nicknames=["S"])
    edited = {member.name: member for member in world.do("member_list").members}["Sam"]
    assert (edited.nicknames, edited.addresses) == (("S",), ("sam@example.com",))


def test_whoever_gets_an_address_is_found_on_what_was_there_before(world: World) -> None:
    lines = vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:Talk", "ATTENDEE:mailto:Sam@Example.com")
    world.do("import_file", content=ics(*lines), calendar="Home")
    world.do("member_add", name="Sam", addresses=["sam@example.com"])
    world.do("member_add", name="Kim", addresses=["kim@example.com"])
    assert [world.do("calendar_search", attendee=name).total for name in ("Sam", "Kim")] == [1, 0]
    world.do("member_edit", name="Sam", addresses=["other@example.com"])
    world.do("member_edit", name="Kim", addresses=["sam@example.com"])
    assert [world.do("calendar_search", attendee=name).total for name in ("Sam", "Kim")] == [0, 1]


def test_two_members_who_answer_to_one_name_are_not_guessed_between(world: World) -> None:
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    for name in ("Sam", "Samuel"):
        world.do("member_add", name=name, nicknames=["Sammy"], addresses=[f"{name}@example.com"])
    call = {"title": "x", "start": "2026-03-03T12:00"}
    with pytest.raises(InvalidInput, match="Sam or Samuel"):
        world.do("calendar_create", **call, attendees=["sammy"])
    world.do("member_add", name="Kim")
    with pytest.raises(InvalidInput, match="Kim has no e-mail address"):
        world.do("calendar_create", **call, attendees=["Kim"])
    made = world.do("calendar_create", **call, attendees=["Samuel", "else@example.com"]).event
    assert [person.email for person in made.attendees] == [
        "alex@example.com",
        "samuel@example.com",
        "else@example.com",
    ]


def test_an_event_with_attendees_needs_an_organizer_with_an_address(world: World) -> None:
    with pytest.raises(InvalidInput, match="organizer"):
        world.do("calendar_create", title="x", start="2026-03-03T12:00", attendees=["a@example.com"])


def test_an_assistant_is_added_listed_and_revoked_with_its_tokens(world: World) -> None:
    made = world.do("assistant_add", name="bot", preset="reader", days=7)
    assert made.grants[0] == "Home: sees everything, changes nothing"
    with pytest.raises(InvalidInput, match="already"):
        world.do("assistant_add", name="bot")
    (listed,) = world.do("assistant_list").assistants
    assert listed.grants == {"Home": "reader", "AI Assistant Shared": "reader"}
    second = world.do("token_add", assistant="bot").token
    assert world.pipeline().principal_of(second).id == made.id
    assert {token.of for token in world.do("token_list").tokens} == {"bot"}
    world.do("token_revoke", id=world.do("token_list").tokens[1].id)
    with pytest.raises(NotSignedIn):
        world.pipeline().principal_of(second)
    assert world.pipeline().principal_of(made.token).id == made.id
    world.pass_time(days=7)
    with pytest.raises(NotSignedIn):
        world.pipeline().principal_of(made.token)
    world.do("assistant_revoke", name="bot")
    assert world.do("assistant_list").assistants[0].revoked_at is not None
    with pytest.raises(NotFound):
        world.pipeline().assistant("bot")


def test_a_personal_token_is_its_members_and_never_fresh(world: World) -> None:
    token = world.do("token_add", days=1).token
    person = world.pipeline().principal_of(token)
    assert (person.kind, person.name) == ("person", "Alex")
    assert world.do("token_list").tokens[0].of == "Alex"
    made = world.ask(person, "import_file", content=ics(*vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:x")))
    assert made.added == 1
    with pytest.raises(NotSignedIn):
        world.pipeline().principal_of("unknown")


def test_single_switches_change_what_was_granted_before(world: World) -> None:
    world.assistant(Home="reader")
    assert world.do("grant_set", assistant="bot", calendar="home", others_level="titles").rights == "custom"
    assert world.do("grant_set", assistant="bot", calendar="Home", others_level="details").rights == "reader"
    with pytest.raises(InvalidInput, match="no 'all'"):
        world.do("grant_set", assistant="bot", calendar="Home", preset="all")
    with pytest.raises(NotFound, match="there are: bot"):
        world.do("grant_set", assistant="spy", calendar="Home", preset="reader")


def test_an_assistant_with_no_calendar_to_write_to_is_told_so(world: World) -> None:
    bot = world.assistant(Home="reader")
    with pytest.raises(InvalidInput, match="no calendar here that takes new events"):
        world.ask(bot, "calendar_create", title="x", start="2026-03-03T12:00")


def test_one_event_is_exported_by_itself(world: World) -> None:
    text = ics(*vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:x"))
    world.do("import_file", content=text, calendar="Home")
    ident = world.do("calendar_search", query="x").events[0].id
    answer = world.do("export_file", event=ident)
    assert (answer.kind, answer.events, answer.content) == ("event", 1, text)


def test_an_imported_event_is_merged_into_the_one_that_is_there(world: World) -> None:
    series = vevent("a", "DTSTART:20260302T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Gym")
    moved = vevent("a", "RECURRENCE-ID:20260303T090000Z", "DTSTART:20260303T120000Z", "SUMMARY:Late gym")
    world.do("import_file", content=ics(*series, *moved), calendar="Home")
    again = vevent("a", "RECURRENCE-ID:20260303T090000Z", "DTSTART:20260303T130000Z", "SUMMARY:Later gym")
    other = vevent("a", "RECURRENCE-ID:20260304T090000Z", "DTSTART:20260304T130000Z", "SUMMARY:Last gym")
    seen: list[tuple[int, int]] = []
    done = world.pipeline().execute(
        world.owner, _import(ics(*again, *other)), progress=lambda at, of: seen.append((at, of))
    )
    assert seen == [(1, 1)]
    assert done.answer.updated == 1  # type: ignore[attr-defined]
    assert world.week() == ["Gym", "Later gym", "Last gym"]
    world.do("calendar_undo")
    assert world.week() == ["Gym", "Late gym", "Gym"]


def test_an_event_without_a_time_is_kept_and_cannot_be_changed(world: World) -> None:
    text = ics(*vevent("a", "SUMMARY:Sometime"))
    world.do("import_file", content=text, calendar="Home")
    assert world.do("calendar_search", query="Sometime").events == ()
    ident = world.do("history").changes[0].event
    with pytest.raises(NotFound, match="no time that can be read"):
        world.do("calendar_update", id=ident, title="x")
    assert world.export() == text.encode()


def test_a_series_without_an_occurrence_is_shown_where_it_would_begin(world: World) -> None:
    lines = ("DTSTART:20260302T090000Z", "RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20260302T090000Z", "SUMMARY:Never")
    world.do("import_file", content=ics(*vevent("a", *lines)), calendar="Home")
    (found,) = world.do("calendar_search", query="Never").events
    assert found.start == "2026-03-02T10:00:00+01:00"
    for key in ("20260302T090000Z", "20990101T090000Z", "nonsense"):
        with pytest.raises(NotFound):
            world.do("calendar_delete", id=f"{found.id.partition('.')[0]}.{key}", scope="one")


def _import(content: str) -> Call:
    return Call("import_file", {"content": content, "calendar": "Home"})


@pytest.mark.parametrize(
    "mark", ["\n", "\x1b[2J", "\x9b", "\u202e", "\u2066", "\u200b", "\u00ad", "\u2028", "\ufeff"]
)
def test_a_name_holds_nothing_that_is_not_seen(world: World, mark: str) -> None:
    with pytest.raises(InvalidInput):
        world.do("assistant_add", name=f"Rob{mark}in")


@pytest.mark.parametrize(
    "name", ["Robin", "\u0646\u06cc\u200c\u0645\u0627", "Zo\u00eb \U0001f469\u200d\U0001f4bb"]
)
def test_a_name_is_of_any_script(world: World, name: str) -> None:
    assert world.do("assistant_add", name=name).name == name

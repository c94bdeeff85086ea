"""The main road: an assistant at work on calendars of the house, and a person who has the last word."""

from __future__ import annotations

import pytest

from calward.errors import Conflict, InvalidInput, NotAllowed, NotFound, NotSignedIn, Unsupported
from tests.operations.world import World, ics, vevent


def test_an_assistant_creates_freely_where_it_may(world: World) -> None:
    bot = world.assistant(Home="helper")
    made = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00")
    assert (made.status, made.event.origin, made.event.trust) == ("done", "own", "own")
    assert made.event.start == "2026-03-03T12:00:00+01:00"
    assert (made.event.weekday, made.event.zone) == ("Tuesday", "Europe/Berlin")
    assert world.week(bot) == world.week() == ["Lunch"]


def test_a_person_approves_what_waits_and_only_then_it_is(world: World) -> None:
    bot = world.assistant(Home="careful")
    made = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00")
    assert (made.status, made.event) == ("pending_approval", None)
    assert world.week() == []
    assert world.ask(bot, "approval_status", id=made.approval.id).state == "pending"

    (waiting,) = world.do("approval_list").approvals
    assert waiting.preview == ("Create in Home: “Lunch”, Tue 3 Mar 2026 12:00–13:00",)
    assert waiting.asked_by == "bot"
    assert world.do("approval_decide", id=waiting.id, approve=True).state == "approved"
    assert world.week() == ["Lunch"]
    assert world.ask(bot, "approval_status", id=made.approval.id).state == "approved"


def test_what_a_person_denies_never_comes(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    assert world.do("approval_decide", id=asked.id, approve=False).state == "denied"
    assert world.do("approval_decide", id=asked.id, approve=True).state == "denied"
    assert world.week() == []


def test_a_request_nobody_decides_expires(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    world.pass_time(hours=24)
    assert world.ask(bot, "approval_status", id=asked.id).state == "expired"
    assert world.do("approval_list").approvals == ()
    assert world.do("approval_decide", id=asked.id, approve=True).state == "expired"
    assert world.week() == []


def test_the_same_request_waits_once(world: World) -> None:
    bot = world.assistant(Home="careful")
    first, second = (
        world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval for _ in range(2)
    )
    assert first.id == second.id
    assert len(world.do("approval_list").approvals) == 1


def test_an_assistant_cannot_decide_nor_see_what_people_do(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    for operation, arguments in (
        ("approval_decide", {"id": asked.id, "approve": True}),
        ("approval_list", {}),
        ("grant_set", {"assistant": "bot", "calendar": "Home", "preset": "helper"}),
        ("history", {}),
        ("export_file", {}),
    ):
        with pytest.raises(NotFound):
            world.ask(bot, operation, **arguments)


def test_another_assistants_request_is_not_there(world: World) -> None:
    bot, spy = world.assistant("bot", Home="careful"), world.assistant("spy", Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    with pytest.raises(NotFound):
        world.ask(spy, "approval_status", id=asked.id)


def test_revoking_an_assistant_voids_what_it_asked_and_ends_its_tokens(world: World) -> None:
    token = world.do("assistant_add", name="bot", preset="careful").token
    bot = world.pipeline().principal_of(token)
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    world.do("assistant_revoke", name="bot")
    assert world.do("approval_decide", id=asked.id, approve=True).state == "void"
    with pytest.raises(NotSignedIn):
        world.pipeline().principal_of(token)
    with pytest.raises(NotSignedIn):
        world.ask(bot, "calendars")


def test_an_approval_is_judged_with_what_the_assistant_may_today(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    world.do("grant_set", assistant="bot", calendar="Home", preset="reader")
    assert world.do("approval_decide", id=asked.id, approve=True).state == "void"
    assert world.week() == []


def test_what_the_grant_never_allows_is_denied_with_the_reason(world: World) -> None:
    bot = world.assistant(Home="reader")
    with pytest.raises(NotAllowed, match="did not grant"):
        world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00", calendar="Home")


def test_undo_takes_back_a_creation_and_undo_of_an_approved_deed_is_the_persons(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    world.do("approval_decide", id=asked.id, approve=True)
    undone = world.do("calendar_undo")
    assert undone.status == "done"
    assert world.week() == []
    with pytest.raises(Conflict):
        world.do("calendar_undo", change=undone.undid)


def test_an_assistant_undoes_its_own_last_change_and_no_others(world: World) -> None:
    bot = world.assistant(Home="helper")
    theirs = world.do("calendar_create", title="Mine", start="2026-03-03T09:00").change
    with pytest.raises(NotFound):
        world.ask(bot, "calendar_undo")
    with pytest.raises(NotFound):
        world.ask(bot, "calendar_undo", change=theirs)
    world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00")
    assert world.ask(bot, "calendar_undo").status == "pending_approval"
    assert world.week() == ["Mine", "Lunch"]


def test_undo_restores_the_bytes(world: World) -> None:
    before = ics(*vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:Old", "X-ODD;P=1:kept"))
    world.do("import_file", content=before, calendar="Home")
    world.do("import_file", content=before.replace("Old", "New"), calendar="Home")
    assert world.week() == ["New"]
    world.do("calendar_undo")
    assert world.week() == ["Old"]
    assert b"SUMMARY:Old\r\nX-ODD;P=1:kept" in world.export()


def test_a_deed_that_was_built_upon_is_not_undone_from_below(world: World) -> None:
    for title in ("One", "Two", "Three"):
        content = ics(*vevent("a", "DTSTART:20260303T090000Z", f"SUMMARY:{title}"))
        last = world.do("import_file", content=content, calendar="Home")
    second = world.do("history").changes[2]
    assert last.updated == 1
    with pytest.raises(Conflict):
        world.do("calendar_undo", change=second.id)
    assert world.week() == ["Three"]


def test_what_cannot_be_undone_says_so(world: World) -> None:
    added = world.do("calendar_add", name="New").change
    with pytest.raises(Unsupported, match="cannot be undone"):
        world.do("calendar_undo", change=added)
    with pytest.raises(NotFound, match="nothing of yours"):
        world.do("calendar_undo")


def test_history_tells_who_did_what_newest_first(world: World) -> None:
    bot = world.assistant(Home="helper")
    world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00")
    newest = world.do("history", limit=1).changes[0]
    assert (newest.by, newest.did, newest.title, newest.undone) == ("bot", "created", "Lunch", False)
    assert world.do("history", event=newest.event).changes == (newest,)


def test_a_named_request_is_answered_once_and_an_id_is_not_used_twice(world: World) -> None:
    call = {"title": "Lunch", "start": "2026-03-03T12:00", "request_id": "r1"}
    first = world.do("calendar_create", **call)
    world.pass_time(hours=23)
    assert world.do("calendar_create", **call) == first
    assert world.week() == ["Lunch"]
    with pytest.raises(InvalidInput, match="request_id"):
        world.do("calendar_create", **{**call, "title": "Supper"})
    world.pass_time(hours=2)
    assert world.do("calendar_create", **call).change != first.change


def test_an_identical_creation_within_two_minutes_is_the_same_event(world: World) -> None:
    call = {"title": "Lunch", "start": "2026-03-03T12:00"}
    first = world.do("calendar_create", **call)
    again = world.do("calendar_create", **call)
    assert (again.status, again.event) == ("already_created", first.event)
    world.pass_time(minutes=3)
    assert world.do("calendar_create", **call).status == "done"
    assert world.week() == ["Lunch", "Lunch"]


def test_what_was_taken_back_can_be_made_again_at_once(world: World) -> None:
    call = {"title": "Lunch", "start": "2026-03-03T12:00"}
    first = world.do("calendar_create", **call)
    world.do("calendar_undo")
    again = world.do("calendar_create", **call)
    assert (again.status, world.week()) == ("done", ["Lunch"])
    assert again.event.id != first.event.id
    assert world.do("calendar_create", **call).event == again.event


def test_details_of_others_events_are_shown_after_a_person_agreed_for_an_hour(world: World) -> None:
    bot = world.assistant(Home="careful")
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00", notes="private")
    window = {"from": "2026-03-02", "to": "2026-03-08"}
    answer = world.ask(bot, "calendar_details", **window)
    assert (answer.events, answer.need_approval) == ((), 1)
    assert answer.message == "1 event needs approval to view."
    assert "Doctor" not in answer.model_dump_json()

    world.do("approval_decide", id=answer.approval.id, approve=True)
    answer = world.ask(bot, "calendar_details", **window)
    (event,) = answer.events
    assert (event.title, event.start, event.all_day) == ("Doctor", "2026-03-03T09:00:00+01:00", False)
    assert (event.notes, event.created_by, answer.need_approval) == (None, None, 0)
    assert world.week(bot) == ["Doctor"]
    world.pass_time(hours=1)
    assert world.week(bot) == ["Busy"]


def test_the_rest_of_others_events_is_shown_only_where_the_person_adds_it(world: World) -> None:
    bot = world.assistant(Home="careful")
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00", notes="private")
    window = {"from": "2026-03-02", "to": "2026-03-08"}
    asked = world.ask(bot, "calendar_details", **window).approval
    (waiting,) = world.do("approval_list").approvals
    assert (waiting.offers_details, waiting.summary) == (True, "Show 1 event of Home")
    with pytest.raises(InvalidInput, match="with_details"):
        world.do("approval_decide", id=asked.id, approve=False, with_details=True)
    world.do("approval_decide", id=asked.id, approve=True, with_details=True)
    (event,) = world.ask(bot, "calendar_details", **window).events
    assert (event.title, event.notes) == ("Doctor", "private")
    world.pass_time(hours=1)
    assert world.ask(bot, "calendar_details", **window).events == ()


def test_where_titles_are_seen_already_a_look_asks_for_the_rest(world: World) -> None:
    world.do("assistant_add", name="bot", preset="careful")
    world.do("grant_set", assistant="bot", calendar="Home", others_level="titles")
    bot = world.pipeline().assistant("bot")
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00", notes="private")
    window = {"from": "2026-03-02", "to": "2026-03-08"}
    asked = world.ask(bot, "calendar_details", **window).approval
    (waiting,) = world.do("approval_list").approvals
    assert (waiting.offers_details, waiting.preview[0]) == (
        False,
        "Show all of 1 event of Home to it for 60 minutes:",
    )
    world.do("approval_decide", id=asked.id, approve=True)
    assert [event.notes for event in world.ask(bot, "calendar_details", **window).events] == ["private"]


def test_availability_shows_times_and_leaves_out_what_takes_none(world: World) -> None:
    lines = (
        *vevent("a", "DTSTART:20260303T090000Z", "DTEND:20260303T100000Z", "SUMMARY:Secret"),
        *vevent("b", "DTSTART:20260303T110000Z", "DTEND:20260303T120000Z", "TRANSP:TRANSPARENT"),
        *vevent("c", "DTSTART:20260303T130000Z", "DTEND:20260303T140000Z", "STATUS:CANCELLED"),
        *vevent("d", "DTSTART;VALUE=DATE:20260304", "SUMMARY:Off"),
    )
    world.do("import_file", content=ics(*lines), calendar="Home")
    bot = world.assistant(Home="availability")
    busy = world.ask(bot, "calendar_availability", **{"from": "2026-03-03", "to": "2026-03-04"}).busy
    assert [(slot.start, slot.end, slot.all_day) for slot in busy] == [
        ("2026-03-03T10:00:00+01:00", "2026-03-03T11:00:00+01:00", False),
        ("2026-03-04", "2026-03-05", True),
    ]


def test_what_a_person_adds_to_an_assistants_event_is_the_persons(world: World) -> None:
    bot = world.assistant(Home="helper")
    made = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00")
    world.do("grant_set", assistant="bot", calendar="Home", others_level="busy")
    assert world.week(bot) == ["Lunch"]
    edited = world.export().decode().replace("END:VEVENT", "LOCATION:Secret place\r\nEND:VEVENT")
    world.do("import_file", content=edited, calendar="Home")
    (event,) = world.ask(bot, "calendar_list", **{"from": "2026-03-03", "to": "2026-03-03"}).events
    assert (event.id, event.title, event.location) == (made.event.id, "Lunch", None)

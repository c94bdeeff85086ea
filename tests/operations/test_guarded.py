"""Ways around the guard that somebody might try, each closed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calward.errors import Busy, InvalidInput, NotAllowed, NotFound, Unsupported
from calward.model.principal import Assistant, Person, Role
from tests.operations.world import World, ics, vevent

WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
DOCTOR = vevent(
    "doctor",
    "DTSTART;TZID=Europe/Berlin:20260303T120000",
    "DTEND;TZID=Europe/Berlin:20260303T130000",
    "SUMMARY:Doctor",
    "DESCRIPTION:whispered",
    "LOCATION:Clinic",
)
THERAPY = vevent(
    "therapy",
    "DTSTART;TZID=Europe/Berlin:20260302T180000",
    "DTEND;TZID=Europe/Berlin:20260302T190000",
    "RRULE:FREQ=DAILY;COUNT=6",
    "SUMMARY:Therapy",
    "DESCRIPTION:whispered",
)


def put(world: World, *lines: str, calendar: str = "Home") -> str:
    """Import an event; its id."""
    world.do("import_file", content=ics(*lines), calendar=calendar, name=f"{lines[1]}.ics")
    title = next(line.partition(":")[2] for line in lines if line.startswith("SUMMARY"))
    found: str = world.do("calendar_search", query=title, calendar=calendar).events[0].id
    return found


def grant(world: World, calendar: str = "Home", **switches: str) -> Assistant:
    world.do("grant_set", assistant="bot", calendar=calendar, **switches)
    return world.pipeline().assistant("bot")


def member(world: World, name: str, role: Role, **more: Any) -> Person:
    """Another member, with a calendar of their own."""
    ident = world.do("member_add", name=name, role=role, **more).id
    person = replace(world.owner, member=ident, name=name, role=role, fresh=role is Role.ADULT)
    if role is Role.ADULT:
        world.ask(person, "calendar_add", name=f"{name}'s")
    return person


def decide(world: World, *, approve: bool = True) -> str:
    (waiting,) = world.do("approval_list").approvals
    state: str = world.do("approval_decide", id=waiting.id, approve=approve).state
    return state


# --- looking at more ----------------------------------------------------------------------------------------


def test_a_look_is_asked_for_by_calendar_and_never_granted_where_it_never_may_be(world: World) -> None:
    world.do("calendar_add", name="Work")
    world.do("calendar_add", name="Diary")
    bot = world.assistant(Home="careful", Work="careful", Diary="availability")
    grant(world, "Diary", read_private="never")
    for calendar in ("Home", "Work", "Diary"):
        world.do("calendar_create", title=f"In {calendar}", start="2026-03-03T09:00", calendar=calendar)
    answer = world.ask(bot, "calendar_details", **WEEK)
    assert (answer.need_approval, answer.message) == (2, "2 events need approval to view.")
    (waiting,) = world.do("approval_list").approvals
    assert sorted(waiting.preview) == [
        "  “In Home”, Tue 3 Mar 2026 09:00–10:00",
        "  “In Work”, Tue 3 Mar 2026 09:00–10:00",
        "Show title and time of 1 event of Home to it for 60 minutes:",
        "Show title and time of 1 event of Work to it for 60 minutes:",
    ]
    assert decide(world) == "approved"
    assert sorted(world.week(bot)) == ["Busy", "In Home", "In Work"]


def test_where_a_look_is_free_it_is_open_at_once(world: World) -> None:
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00")
    world.assistant(Home="availability")
    bot = grant(world, read_private="free")
    first = world.ask(bot, "calendar_details", **WEEK)
    assert (first.need_approval, first.message) == (
        0,
        "1 more event is open to you now; ask again to view them.",
    )
    assert [event.title for event in world.ask(bot, "calendar_details", **WEEK).events] == ["Doctor"]


def test_a_look_lasts_an_hour_from_the_moment_a_person_agreed(world: World) -> None:
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00")
    bot = world.assistant(Home="careful")
    world.ask(bot, "calendar_details", **WEEK)
    world.pass_time(hours=5)
    assert decide(world) == "approved"
    world.pass_time(minutes=59)
    assert world.week(bot) == ["Doctor"]
    world.pass_time(minutes=1)
    assert world.week(bot) == ["Busy"]


def test_asking_for_the_same_look_again_is_one_request(world: World) -> None:
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00")
    bot = world.assistant(Home="careful")
    first = world.ask(bot, "calendar_details", **WEEK).approval
    world.pass_time(minutes=10)
    assert world.ask(bot, "calendar_details", **WEEK).approval.id == first.id


def test_a_look_does_not_follow_an_event_into_another_calendar(world: World) -> None:
    ident = put(world, *DOCTOR)
    world.do("calendar_add", name="Diary")
    bot = world.assistant(Home="careful", Diary="availability")
    grant(world, "Diary", read_private="never")
    world.ask(bot, "calendar_details", **WEEK)
    world.do("calendar_update", id=ident, calendar="Diary")
    assert decide(world) == "stale"
    assert world.week(bot) == ["Busy"]


def test_a_new_grant_ends_every_look(world: World) -> None:
    world.do("calendar_create", title="Doctor", start="2026-03-03T09:00")
    bot = world.assistant(Home="careful")
    world.ask(bot, "calendar_details", **WEEK)
    decide(world)
    assert world.week(bot) == ["Doctor"]
    assert world.week(grant(world, read_private="never")) == ["Busy"]


def test_moving_an_event_to_where_more_of_it_is_seen_asks_as_a_look_does(world: World) -> None:
    ident = put(world, *DOCTOR)
    world.assistant(AI_Assistant_Shared="helper")
    free = {"others_level": "titles", "others_update": "free"}
    for read_private, status in (("ask", "pending_approval"), ("never", None), ("free", "pending_approval")):
        bot = grant(world, **free, read_private=read_private)
        if status is None:
            with pytest.raises(NotAllowed):
                world.ask(bot, "calendar_update", id=ident, calendar="AI Assistant Shared")
        else:
            assert world.ask(bot, "calendar_update", id=ident, calendar="AI Assistant Shared").status == status


# --- making others' words one's own -------------------------------------------------------------------------


def test_splitting_a_series_does_not_make_its_second_half_the_assistants(world: World) -> None:
    ident = put(world, *THERAPY)
    world.assistant(Home="helper")
    bot = grant(world, others_level="titles", others_update="free", own_delete="free")
    ids = [event.id for event in world.ask(bot, "calendar_list", **WEEK).events]
    assert ids[0].startswith(ident.partition(".")[0])
    done = world.ask(bot, "calendar_update", id=ids[2], start="2026-03-04T20:00", scope="this_and_future")
    if done.status == "pending_approval":
        decide(world)
    listed = world.ask(bot, "calendar_list", **WEEK).events
    assert {(event.origin, event.notes) for event in listed} == {("other", None)}


def test_a_split_series_of_an_assistants_own_stays_its_own_whoever_splits_it(world: World) -> None:
    bot = world.assistant(Home="helper")
    made = world.ask(
        bot, "calendar_create", title="Run", start="2026-03-02T07:00", recurrence="FREQ=DAILY;COUNT=6"
    )
    grant(world, others_level="busy")
    ids = [event.id for event in world.ask(bot, "calendar_list", **WEEK).events]
    world.do("calendar_update", id=ids[2], start="2026-03-04T08:00", scope="this_and_future")
    assert world.week(bot) == ["Run"] * 6
    later = [event.id for event in world.do("calendar_list", **WEEK).events][4]
    assert not later.startswith(made.event.id)
    world.do("calendar_update", id=later, title="Secret", scope="this_and_future")
    assert world.week() == ["Run"] * 4 + ["Secret"] * 2
    assert world.week(bot) == ["Run"] * 4 + ["Busy"] * 2


def test_a_split_that_was_asked_for_before_the_series_changed_is_stale(world: World) -> None:
    put(world, *THERAPY)
    world.assistant(Home="careful")
    bot = grant(world, others_level="details")
    ids = [event.id for event in world.ask(bot, "calendar_list", **WEEK).events]
    world.ask(bot, "calendar_update", id=ids[2], title="Talk", scope="this_and_future")
    world.do("calendar_update", id=ids[0], notes="new", scope="all")
    assert decide(world) == "stale"
    assert world.week() == ["Therapy"] * 6


# --- guessing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "patch", [{"location": "Clinic"}, {"location": "x"}, {"notes": "whispered"}, {"alarms": []}]
)
def test_what_is_not_shown_cannot_be_guessed_by_setting_it(world: World, patch: dict[str, Any]) -> None:
    ident = put(world, *DOCTOR)
    world.assistant(Home="careful")
    bot = grant(world, others_level="titles")
    with pytest.raises(InvalidInput, match="you are not shown"):
        world.ask(bot, "calendar_update", id=ident, **patch)
    assert world.ask(bot, "calendar_update", id=ident, title="Doc").status == "pending_approval"


def test_whether_people_are_on_an_event_is_told_to_the_person_alone(world: World) -> None:
    ident = put(
        world, *DOCTOR[:-1], "ATTENDEE:mailto:a@example.com", "ATTENDEE:mailto:b@example.com", "END:VEVENT"
    )
    world.assistant(Home="careful")
    bot = grant(world, others_level="titles")
    asked = world.ask(bot, "calendar_update", id=ident, title="Doc")
    assert "of which you do not see everything" in asked.approval.message
    (waiting,) = world.do("approval_list").approvals
    assert "  concerns: a@example.com, b@example.com" in waiting.preview
    assert waiting.reasons[0] == "it concerns other people"


def test_an_old_occurrences_id_never_stands_for_the_event_that_is_left(world: World) -> None:
    ident = put(world, *DOCTOR)
    for operation, more in (("calendar_delete", {}), ("calendar_update", {"title": "x"})):
        with pytest.raises(NotFound, match="does not repeat"):
            world.do(operation, id=f"{ident}.20260310T110000Z", **more)
    assert world.do("calendar_delete", id=f"{ident}.20260303T110000Z").status == "done"


def test_hidden_events_that_take_no_time_are_not_shown_as_busy(world: World) -> None:
    put(world, *DOCTOR[:-1], "TRANSP:TRANSPARENT", "END:VEVENT")
    bot = world.assistant(Home="availability")
    assert world.week(bot) == []
    assert world.week(grant(world, others_level="titles")) == ["Doctor"]


def test_a_search_for_somebody_looks_at_the_people_alone(world: World) -> None:
    put(world, *vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:Call ann@example.com"))
    put(
        world,
        *vevent("b", "DTSTART:20260303T100000Z", "SUMMARY:Talk", "ATTENDEE;CN=Ann:mailto:ann@example.com"),
    )
    for window in ({}, WEEK, {"from": "2026-03-01"}, {"to": "2026-04-01"}):
        found = world.do("calendar_search", attendee="ann@example.com", **window).events
        assert [event.title for event in found] == ["Talk"]
    world.assistant(Home="reader")
    assert (
        world.ask(grant(world, others_level="titles"), "calendar_search", attendee="ann@example.com").total == 0
    )
    with pytest.raises(InvalidInput):
        world.do("calendar_search", attendee=" ")


def test_a_search_far_away_finds_what_a_list_there_shows(world: World) -> None:
    put(
        world,
        *vevent("a", "DTSTART:19990303T090000Z", "RRULE:FREQ=YEARLY", "SUMMARY:Feast", "ATTENDEE:mailto:a@b.c"),
    )
    far = {"from": "2061-01-01", "to": "2061-12-31"}
    for query in ({"query": "feast"}, {"attendee": "a@b.c"}, {"query": "feast", "attendee": "a@b.c"}):
        assert world.do("calendar_search", **query, **far).total == 1
    assert world.do("calendar_search", query="other", **far).total == 0
    bot = world.assistant(Home="availability")
    assert world.ask(bot, "calendar_search", query="feast", **far).total == 0


# --- drowning the person ------------------------------------------------------------------------------------


def test_an_assistant_cannot_drown_what_others_ask(world: World) -> None:
    bot, other = world.assistant("bot", Home="careful"), world.assistant("other", Home="careful")
    for number in range(20):
        world.ask(bot, "calendar_create", title=f"x{number}", start="2026-03-03T12:00")
    with pytest.raises(Busy, match="20 requests"):
        world.ask(bot, "calendar_create", title="one more", start="2026-03-03T12:00")
    assert (
        world.ask(other, "calendar_create", title="mine", start="2026-03-03T12:00").status == "pending_approval"
    )
    world.pass_time(hours=24)
    assert (
        world.ask(bot, "calendar_create", title="again", start="2026-03-03T12:00").status == "pending_approval"
    )


# --- other members ------------------------------------------------------------------------------------------


def test_writing_into_another_members_calendar_asks_its_owner(world: World) -> None:
    sam = member(world, "Sam", Role.ADULT)
    asked = world.ask(sam, "calendar_create", title="Visit", start="2026-03-03T12:00", calendar="Home")
    assert asked.status == "pending_approval"
    assert world.ask(sam, "approval_list").approvals == ()
    assert decide(world) == "approved"
    assert world.week() == ["Visit"]
    own = world.ask(sam, "calendar_create", title="Own", start="2026-03-03T12:00", calendar="Sam's")
    assert own.status == "done"


def test_a_move_between_two_members_calendars_is_asked_of_neither(world: World) -> None:
    member(world, "Sam", Role.ADULT)
    ident = put(world, *DOCTOR)
    with pytest.raises(InvalidInput, match="several people"):
        world.do("calendar_update", id=ident, calendar="Sam's")


def test_what_a_child_may_not_do_alone_is_asked_of_an_adult(world: World) -> None:
    kim = member(world, "Kim", Role.CHILD, addresses=["kim@example.com"])
    with pytest.raises(NotAllowed, match="adult"):
        world.ask(kim, "calendar_add", name="Kim's")
    sam = member(world, "Sam", Role.ADULT)
    with world.store.writing() as conn:
        conn.exec_driver_sql(f"UPDATE calendars SET member_id = '{kim.member}' WHERE name = 'Sam''s'")
    asked = world.ask(
        kim,
        "calendar_create",
        title="Party",
        start="2026-03-03T12:00",
        calendar="Sam's",
        attendees=["x@example.com"],
    )
    assert asked.status == "pending_approval"
    for nobody in (kim, sam):
        with pytest.raises(NotFound):
            world.ask(nobody, "approval_decide", id=asked.approval.id, approve=True)
    assert decide(world) == "approved"


def test_a_child_sees_of_others_calendars_that_time_is_taken_and_nothing_more(world: World) -> None:
    ident = put(world, *DOCTOR)
    kim = member(world, "Kim", Role.CHILD)
    assert world.week(kim) == ["Busy"]
    assert world.ask(kim, "history").changes == ()
    for arguments in ({}, {"calendar": "Home"}, {"event": ident}):
        with pytest.raises(NotFound):
            world.ask(kim, "export_file", **arguments)
    with pytest.raises(Unsupported, match="another member"):
        world.ask(kim, "import_file", content=ics(*DOCTOR), calendar="Home")
    details = world.ask(kim, "calendar_details", **WEEK)
    assert (details.events, details.need_approval) == ((), 0)


def test_an_assistant_gets_rights_on_its_own_members_calendars_alone(world: World) -> None:
    sam = member(world, "Sam", Role.ADULT)
    world.assistant(Home="reader")
    with pytest.raises(InvalidInput, match="another member"):
        world.ask(sam, "grant_set", assistant="bot", calendar="Sam's", preset="helper")
    with pytest.raises(NotFound):
        world.ask(sam, "grant_set", assistant="bot", calendar="Home", preset="helper")


@pytest.mark.parametrize("address", ["nowhere", "a@b", "a b@c.d", "a@b.c\nX:1", "<a@b.c>", "a@b.c\u202e"])
def test_a_members_address_is_one_that_a_line_can_hold(world: World, address: str) -> None:
    with pytest.raises(InvalidInput):
        world.do("member_edit", name="Alex", addresses=[address])


# --- agreed to too late -------------------------------------------------------------------------------------


def test_what_is_agreed_to_after_its_asker_is_gone_is_void(world: World) -> None:
    bot = world.assistant(Home="careful")
    world.ask(bot, "calendar_create", title="x", start="2026-03-03T12:00")
    with world.store.writing() as conn:
        conn.exec_driver_sql("UPDATE assistants SET revoked_at = created_at")
    assert decide(world) == "void"
    assert world.week() == []


def test_an_undo_whose_bytes_are_kept_no_longer_is_stale(world: World) -> None:
    ident = put(world, *DOCTOR)
    world.assistant(Home="helper")
    bot = grant(world, others_update="free")
    world.ask(bot, "calendar_update", id=ident, title="x")
    grant(world, others_update="ask")
    assert world.ask(bot, "calendar_undo").status == "pending_approval"
    with world.store.writing() as conn:
        conn.exec_driver_sql("DELETE FROM change_bytes")
    assert decide(world) == "stale"
    assert world.week() == ["x"]


def test_what_moved_on_and_may_no_longer_be_changed_is_void(world: World) -> None:
    ident = put(world, *DOCTOR)
    world.assistant(Home="careful")
    bot = grant(world, others_level="details")
    world.ask(bot, "calendar_update", id=ident, title="x")
    world.do("calendar_update", id=ident, title="y")
    grant(world, others_update="never")
    assert decide(world) == "void"
    assert world.week() == ["y"]


def test_deciding_for_somebody_else_finds_nothing(world: World) -> None:
    sam = member(world, "Sam", Role.ADULT)
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="x", start="2026-03-03T12:00").approval
    with pytest.raises(NotFound):
        world.ask(sam, "approval_decide", id=asked.id, approve=True)

"""Reminders: set at a moment or at an event, and following it wherever it goes."""

from __future__ import annotations

from typing import Any

import pytest

from calward.bootstrap.household import HOME
from calward.errors import InvalidInput, NotFound, TooMuch
from calward.model.ids import MemberId
from calward.model.principal import Person, Role
from tests.operations.later import Later
from tests.operations.world import World, ics, vevent

STANDUP = {"title": "Standup", "start": "2026-03-03T09:00", "recurrence": "FREQ=DAILY"}


@pytest.fixture
def later(world: World) -> Later:
    return Later(world)


def meeting(
    later: Later, title: str = "Meeting with Sarah", start: str = "2026-03-04T15:00", **more: Any
) -> Any:
    return later.world.do("calendar_create", title=title, start=start, request_id=title + start, **more).event


def remind(later: Later, **asked: Any) -> Any:
    return later.world.do("reminder_set", **asked).reminder


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("tomorrow", "2026-03-03T09:00:00+01:00"),
        ("next week", "2026-03-09T09:00:00+01:00"),
        ("in 10 minutes", "2026-03-02T09:10:00+01:00"),
        ("2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
        ("2026-03-05", "2026-03-05T09:00:00+01:00"),
        ("in 3 days", "2026-03-05T09:00:00+01:00"),
        ("in 2 weeks", "2026-03-16T09:00:00+01:00"),
        ("in a year", "2027-03-02T09:00:00+01:00"),
        ("in 36 hours", "2026-03-03T21:00:00+01:00"),
        ("tonight", "2026-03-02T20:00:00+01:00"),
        ("noon", "2026-03-02T12:00:00+01:00"),
    ],
)
def test_a_moment_in_words_has_the_hours_that_are_meant(later: Later, words: str, due: str) -> None:
    assert remind(later, due=words, message="Tea").due == due


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"due": "the blue one", "message": "x"}, "due: 'the blue one' is no date"),
        ({"due": "2026-13-45", "message": "x"}, "due: '2026-13-45' is no date"),
        ({"due": "2026-03-01T10:00", "message": "x"}, "past"),
        ({"due": "every monday", "message": "x"}, "repeats"),
        ({"due": "tomorrow"}, "message"),
        ({"due": "tomorrow", "message": "\u200b \x00"}, "message"),
        ({"message": "x"}, "due"),
        ({"calendar_event": " "}, "calendar_event"),
        ({"calendar_event": "\x00"}, "calendar_event"),
    ],
)
def test_what_cannot_be_a_reminder_says_why(later: Later, asked: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        later.world.do("reminder_set", **asked)


def test_due_wins_over_an_event_and_the_answer_says_so(later: Later) -> None:
    meeting(later)
    answer = later.world.do("reminder_set", due="tomorrow", calendar_event="sarah", message="Tea")
    assert (answer.reminder.event, answer.message) == (None, "due was used, not the event.")


def test_one_hour_before_the_meeting_with_sarah(later: Later) -> None:
    meeting(later)
    set_ = remind(later, calendar_event="sarah", offset=-3600, message="Go")
    assert (set_.due, set_.event.title) == ("2026-03-04T14:00:00+01:00", "Meeting with Sarah")
    assert later.at("2026-03-04T13:59") == []
    assert later.at("2026-03-04T14:00") == ["reminder: Meeting with Sarah · Go"]
    assert later.at("2026-03-04T15:00") == []
    assert later.reminder.state == "fired"


def test_it_follows_a_move_a_rename_and_a_move_to_another_calendar(later: Later) -> None:
    event = meeting(later)
    remind(later, calendar_event=event.id, offset=-3600)
    later.world.do("calendar_update", id=event.id, start="2026-03-05T18:00")
    later.world.do("calendar_update", id=event.id, title="Dinner")
    later.world.do("calendar_update", id=event.id, calendar="AI Assistant Shared")
    assert (later.reminder.due, later.reminder.event.title) == ("2026-03-05T17:00:00+01:00", "Dinner")
    assert later.at("2026-03-04T14:00") == []
    assert later.at("2026-03-05T17:00") == ["reminder: Dinner"]


def test_a_deleted_event_voids_it_the_person_is_told_once_and_undo_arms_it_again(later: Later) -> None:
    event = meeting(later)
    remind(later, calendar_event="sarah", offset=-3600, message="Go")
    later.world.do("calendar_delete", id=event.id)
    assert (later.reminder.state, later.reminder.reason) == ("void", "The event was deleted.")
    assert [row.kind for row in later.told()] == ["void"]
    later.world.do("calendar_restore", id=event.id)
    assert (later.reminder.state, later.reminder.due) == ("armed", "2026-03-04T14:00:00+01:00")
    assert later.at("2026-03-04T14:00") == ["reminder: Meeting with Sarah · Go"]


def test_without_a_match_it_waits_and_is_tried_whenever_events_change(later: Later) -> None:
    assert remind(later, calendar_event="dentist", offset=-600).state == "waiting"
    meeting(later, "Lunch")
    assert later.reminder.waits_for == "dentist"
    meeting(later, "Dentist, again", "2026-03-06T11:00")
    assert (later.reminder.state, later.reminder.due) == ("armed", "2026-03-06T10:50:00+01:00")


def test_several_matches_are_asked_back_with_their_ids_and_an_exact_title_is_none_of_several(
    later: Later,
) -> None:
    first, second = meeting(later, "Call Sarah"), meeting(later, "Sarah's birthday", "2026-03-05T10:00")
    with pytest.raises(InvalidInput) as refused:
        remind(later, calendar_event="sarah")
    assert first.id in refused.value.message
    assert second.id in refused.value.message
    assert "birthday" not in refused.value.message
    assert remind(later, calendar_event="call sarah").event.id == first.id


def test_what_is_past_already_is_refused(later: Later) -> None:
    meeting(later, start="2026-03-02T09:30")
    with pytest.raises(InvalidInput, match="past"):
        remind(later, calendar_event="sarah", offset=-3600)


def test_an_all_day_event_counts_from_nine_and_in_days_of_the_calendar(later: Later) -> None:
    meeting(later, "Fair", "2026-03-29")
    assert remind(later, calendar_event="fair", offset=-86400).due == "2026-03-28T09:00:00+01:00"
    assert remind(later, calendar_event="fair").due == "2026-03-29T09:00:00+02:00"


def occurrence(later: Later, day: str) -> str:
    (one,) = later.world.do("calendar_list", **{"from": day, "to": day}).events
    found: str = one.id
    return found


def test_one_occurrence_is_followed_when_the_whole_series_moves(later: Later) -> None:
    event = meeting(later, "Standup", "2026-03-03T09:00", recurrence="FREQ=DAILY")
    remind(later, calendar_event=occurrence(later, "2026-03-05"), offset=-600)
    later.world.do("calendar_update", id=event.id, start="2026-03-03T20:00", scope="all")
    assert later.reminder.due == "2026-03-05T19:50:00+01:00"


def test_one_occurrence_is_followed_through_a_cut_of_the_series(later: Later) -> None:
    meeting(later, "Standup", "2026-03-03T09:00", recurrence="FREQ=DAILY")
    remind(later, calendar_event=occurrence(later, "2026-03-06"), offset=-600)
    later.world.do(
        "calendar_update", id=occurrence(later, "2026-03-05"), start="2026-03-05T10:00", scope="this_and_future"
    )
    assert later.reminder.due == "2026-03-06T09:50:00+01:00"
    assert later.at("2026-03-06T09:50") == ["reminder: Standup"]


def test_one_occurrence_that_is_moved_alone_is_followed_and_deleted_alone_voids(later: Later) -> None:
    meeting(later, "Standup", "2026-03-03T09:00", recurrence="FREQ=DAILY")
    named = occurrence(later, "2026-03-05")
    remind(later, calendar_event=named)
    later.world.do("calendar_update", id=named, start="2026-03-05T16:00", scope="one")
    assert later.reminder.due == "2026-03-05T16:00:00+01:00"
    later.world.do("calendar_delete", id=named, scope="one")
    assert (later.reminder.state, later.reminder.reason) == (
        "void",
        "That occurrence is no longer in the series.",
    )


def test_a_cancelled_event_voids_it(later: Later) -> None:
    lines = ("DTSTART:20260304T140000Z", "DTEND:20260304T150000Z", "SUMMARY:Party")
    later.world.do("import_file", content=ics(*vevent("p", *lines)), calendar="Home", name="a.ics")
    remind(later, calendar_event="party")
    cancelled = ics(*vevent("p", *lines, "STATUS:CANCELLED"))
    later.world.do("import_file", content=cancelled, calendar="Home", name="b.ics")
    assert later.reminder.reason == "The event was cancelled."


def test_every_occurrence_is_told_and_the_series_ends_quietly(later: Later) -> None:
    meeting(later, "Standup", "2026-03-03T09:00", recurrence="FREQ=DAILY;COUNT=2")
    remind(later, calendar_event="standup", offset=-600, every_occurrence=True)
    assert later.at("2026-03-03T08:50") == ["reminder: Standup"]
    assert later.reminder.due == "2026-03-04T08:50:00+01:00"
    assert later.at("2026-03-04T08:50") == ["reminder: Standup"]
    assert later.reminder.state == "done"
    assert later.at("2026-03-09T00:00") == []


def test_it_is_cancelled_snoozed_and_done_with(later: Later) -> None:
    tea = remind(later, due="in 10 minutes", message="Tea")
    with pytest.raises(NotFound):
        later.world.do("reminder_snooze", id=tea.id)
    assert later.at("2026-03-02T09:10") == ["reminder: Tea"]
    again = later.world.do("reminder_snooze", id=tea.id, until="in 5 minutes").reminder
    assert later.at("2026-03-02T09:15") == ["reminder: Tea"]
    later.world.do("reminder_done", id=again.id)
    assert [one.state for one in later.reminders()] == ["done", "done"]
    soup = remind(later, due="in 10 minutes", message="Soup")
    later.world.do("reminder_cancel", id=soup.id)
    assert later.at("2026-03-02T10:00") == []
    with pytest.raises(NotFound):
        later.world.do("reminder_cancel", id=soup.id)


def test_one_of_every_occurrence_is_put_off_and_done_with_each_time(later: Later) -> None:
    meeting(later, "Standup", "2026-03-03T09:00", recurrence="FREQ=DAILY")
    every = remind(later, calendar_event="standup", offset=-600, every_occurrence=True)
    with pytest.raises(NotFound, match="not fired"):
        later.world.do("reminder_done", id=every.id)
    later.at("2026-03-03T08:50")
    assert later.world.do("reminder_done", id=every.id).message == "Done."
    later.world.do("reminder_snooze", id=every.id, until="in 5 minutes")
    assert later.at("2026-03-03T08:55") == ["reminder: Standup"]
    assert later.at("2026-03-04T08:50") == ["reminder: Standup"]


def test_what_was_put_off_stays_there_when_its_event_is_changed(later: Later) -> None:
    event = meeting(later, start="2026-03-02T10:00")
    remind(later, calendar_event="sarah", offset=-600)
    later.at("2026-03-02T09:50")
    later.world.do("reminder_snooze", id=later.reminder.id, until="in 30 minutes")
    later.world.do("calendar_update", id=event.id, start="2026-03-02T11:00")
    assert later.at("2026-03-02T10:19") == []
    assert later.at("2026-03-02T10:20") == ["reminder: Meeting with Sarah"]
    assert later.at("2026-03-02T12:00") == []


def test_what_was_put_off_is_void_with_its_event_and_comes_back_with_it(later: Later) -> None:
    event = meeting(later, start="2026-03-02T10:00")
    remind(later, calendar_event="sarah", offset=-600)
    later.at("2026-03-02T09:50")
    later.world.do("reminder_snooze", id=later.reminder.id, until="in 30 minutes")
    later.world.do("calendar_delete", id=event.id)
    assert sorted(one.state for one in later.reminders()) == ["done", "void"]
    later.world.do("calendar_undo")
    assert later.at("2026-03-02T10:20") == ["reminder: Meeting with Sarah"]


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Café crème", "CAFÉ"),
        ("Café crème", "Cafe\u0301"),
        ("Café crème", "crème café"),
        ('He said "hi"', '"hi"'),
        ("O'Neil AND me", "o'neil and"),
        ("🎂 party 🎉", "🎂"),
        ("!!!", "!!"),
        ("100% off_sale", "%"),
        ("100% off_sale", "f_s"),
        ("會議", "會"),
        ("a*b (c)", "*b ("),
        ("Straße", "STRASSE"),
    ],
)
def test_any_part_of_any_title_is_enough(later: Later, title: str, wanted: str) -> None:
    meeting(later, "Lunch")
    meeting(later, title, "2026-03-05T10:00")
    assert remind(later, calendar_event=wanted, offset=-60).event.title == title


@pytest.mark.parametrize("wanted", ["%", "_", "*", '"', "Lunch*", "NOT Lunch", "Lunch OR", "cafe", "(", "-"])
def test_signs_of_a_query_are_just_signs(later: Later, wanted: str) -> None:
    meeting(later, "Lunch, Café")
    assert remind(later, calendar_event=wanted, offset=-60).state == "waiting"


@pytest.mark.parametrize("offset", [366 * 86400 + 1, -(10**12), 1.5, "an hour"])
def test_an_offset_is_whole_seconds_within_a_year(later: Later, offset: Any) -> None:
    meeting(later)
    with pytest.raises(InvalidInput, match="offset"):
        remind(later, calendar_event="sarah", offset=offset)


def test_due_wins_over_the_event_and_its_offset(later: Later) -> None:
    meeting(later)
    tea = remind(later, due="tomorrow", calendar_event="sarah", offset=-3600, message="Tea")
    assert (tea.due, tea.event) == ("2026-03-03T09:00:00+01:00", None)


def test_every_occurrence_follows_single_ones_that_move_and_passes_over_those_that_go(later: Later) -> None:
    meeting(later, "Standup", "2026-03-03T09:00", recurrence="FREQ=DAILY;COUNT=6")
    remind(later, calendar_event="standup", offset=-600, every_occurrence=True)
    later.world.do("calendar_update", id=occurrence(later, "2026-03-04"), start="2026-03-04T16:00", scope="one")
    later.world.do("calendar_delete", id=occurrence(later, "2026-03-05"), scope="one")
    later.world.do("calendar_update", id=occurrence(later, "2026-03-06"), start="2026-03-06T07:00", scope="one")
    rung = ["03T08:50", "04T15:50", "06T06:50", "07T08:50", "08T08:50"]
    for moment in sorted([*rung, "04T08:50", "05T08:50", "06T08:50", "09T08:50"]):
        assert len(later.at(f"2026-03-{moment}")) == (moment in rung), moment
    assert later.reminder.state == "done"


def test_what_a_member_may_see_no_more_is_not_told_when_it_fires(later: Later) -> None:
    made = later.world.do("member_add", name="Sam", role="adult")
    sam = Person(HOME, MemberId(made.id), "Sam", Role.ADULT, fresh=True)
    meeting(later)
    asked = {"calendar_event": "sarah", "offset": -3600, "message": "Go"}
    assert later.world.ask(sam, "reminder_set", **asked).reminder.event.title == "Meeting with Sarah"
    later.world.do("calendar_share", calendar="Home", member="Sam", share="busy")
    later.at("2026-03-04T14:00")
    (told,) = later.world.ask(sam, "inbox").told
    assert told.text == "Go"


def test_an_assistant_sees_and_ends_only_its_own_and_the_person_sees_all(later: Later) -> None:
    robin, wren = later.world.assistant("robin"), later.world.assistant("wren")
    mine = remind(later, due="tomorrow", message="Mine")
    theirs = later.world.ask(robin, "reminder_set", due="tomorrow", message="Theirs").reminder
    assert [one.message for one in later.reminders(robin)] == ["Theirs"]
    assert later.reminders(wren) == []
    assert {one.message for one in later.reminders()} == {"Mine", "Theirs"}
    for other, ident in ((robin, mine.id), (wren, theirs.id)):
        with pytest.raises(NotFound, match="no such reminder"):
            later.world.ask(other, "reminder_cancel", id=ident)
    assert later.at("2026-03-03T09:00") == ["reminder: Mine", "reminder: Theirs"]


def test_an_assistant_finds_no_event_that_it_does_not_see(later: Later) -> None:
    meeting(later, "Biopsy")
    robin = later.world.assistant("robin", Home="careful")
    assert later.world.ask(robin, "reminder_set", calendar_event="biopsy").reminder.state == "waiting"
    assert later.at("2026-03-04T15:00") == []
    meeting(later, "Biopsy again", "2026-03-05T15:00")
    assert later.reminders(robin)[0].state == "waiting"


def test_what_an_assistant_may_see_no_more_its_reminder_does_not_tell_and_the_person_is_reminded(
    later: Later,
) -> None:
    event = meeting(later)
    robin = later.world.assistant("robin", Home="reader")
    later.world.ask(robin, "reminder_set", calendar_event="sarah", message="Go")
    later.world.do("grant_set", assistant="robin", calendar="Home", preset="none")
    later.world.do("calendar_update", id=event.id, start="2026-03-04T17:00")
    (shown,) = later.reminders(robin)
    assert (shown.event, shown.due) == (None, None)
    assert later.at("2026-03-04T17:00") == ["reminder: Meeting with Sarah · Go"]


def test_what_a_revoked_assistant_left_does_not_fire(later: Later) -> None:
    robin = later.world.assistant("robin")
    later.world.ask(robin, "reminder_set", due="tomorrow", message="Theirs")
    later.world.do("assistant_revoke", name="robin")
    assert later.reminder.state == "void"
    assert later.at("2026-03-03T09:00") == []


@pytest.fixture
def busy(later: Later) -> Later:
    for number in range(70):
        remind(later, due="in 10 minutes", message=f"n{number}")
    return later


def test_many_at_one_moment_are_each_told_once(busy: Later) -> None:
    told = busy.at("2026-03-02T09:10")
    assert sorted(told) == sorted(f"reminder: n{number}" for number in range(70))
    assert busy.at("2026-03-02T09:11") == []


def test_a_window_leaves_the_reminders_that_are_due_in_it(later: Later) -> None:
    for day in (3, 4, 5):
        remind(later, due=f"2026-03-0{day}T10:00", message=f"Day {day}")
    listed = later.world.do("reminder_list", **{"from": "2026-03-04", "to": "2026-03-04"}).reminders
    assert [one.message for one in listed] == ["Day 4"]
    with pytest.raises(InvalidInput, match="ends before it starts"):
        later.world.do("reminder_list", **{"from": "2026-03-05", "to": "2026-03-03"})


def test_more_than_fit_in_an_answer_are_never_cut_in_silence(
    later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calward.operations.view.later.MOST", 2)
    for day in (3, 4, 5):
        remind(later, due=f"2026-03-0{day}T10:00", message=f"Day {day}")
        later.world.do("schedule", at=f"2026-03-0{day}T10:00", prompt="Plan")
    for name in ("reminder_list", "schedule_list"):
        with pytest.raises(TooMuch, match="give from and to"):
            later.world.do(name)
        assert later.world.do(name, to="2026-03-04")

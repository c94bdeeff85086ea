"""The alarms of events become reminders where a calendar's switch says so, and follow their events."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.bootstrap.household import HOME
from calward.errors import InvalidInput, NotAllowed, NotFound, TooMuch
from calward.model.ids import MemberId
from calward.model.principal import Person, Role
from calward.operations.due import REMINDER
from calward.store.due import next_moment
from tests.operations.later import BERLIN, Later
from tests.operations.world import World, ics, open_world, vevent

MEETING = ("DTSTART;TZID=Europe/Berlin:20260304T100000", "DTEND;TZID=Europe/Berlin:20260304T110000")
DAILY = (*MEETING, "RRULE:FREQ=DAILY;COUNT=5")


@pytest.fixture
def later(world: World) -> Later:
    return Later(world)


def alarm(trigger: str = ":-PT15M", *lines: str, action: str = "DISPLAY") -> tuple[str, ...]:
    return (
        "BEGIN:VALARM", f"ACTION:{action}", f"TRIGGER{trigger}", "DESCRIPTION:Reminder", *lines, "END:VALARM"
    )  # fmt: skip


def brings(later: Later, *lines: str, uid: str = "one", title: str = "Dentist", calendar: str = "Home") -> str:
    """A file brings an event, or another version of it; its id."""
    number = next(later.world.numbers)
    content = ics(*vevent(uid, f"SUMMARY:{title}", f"SEQUENCE:{number}", *lines))
    later.world.do("import_file", content=content, calendar=calendar, name=f"{number}.ics")
    found = later.world.do("calendar_search", query=title).events
    ident: str = found[0].id.partition(".")[0]
    return ident


def turn(later: Later, on: bool = True, calendar: str = "Home") -> Any:
    return later.world.do("calendar_alarms", calendar=calendar, on=on)


def dues(later: Later, state: str = "open") -> list[str]:
    return [one.due[:16] for one in later.reminders(state=state) if one.due]


def test_they_are_left_alone_until_the_switch_is_on_and_vanish_with_it(later: Later) -> None:
    brings(later, *MEETING, *alarm())
    before = later.world.export()
    assert dues(later) == []
    turn(later)
    turn(later)
    assert dues(later) == ["2026-03-04T09:45"]
    turn(later, on=False)
    assert later.reminders() == []
    assert later.at("2026-03-04T09:45") == []
    assert later.world.export() == before


def test_the_calendars_say_whether_it_is_on_to_its_owner_alone(later: Later) -> None:
    robin = later.world.assistant("robin", Home="reader")
    turn(later)
    on = {one.name: one.alarms for one in later.world.do("calendars").calendars}
    assert on == {"Home": True, "AI Assistant Shared": False}
    assert {one.alarms for one in later.world.ask(robin, "calendars").calendars} == {None}


def test_nobody_but_its_owner_turns_it(later: Later) -> None:
    robin = later.world.assistant("robin", Home="helper")
    with pytest.raises((NotFound, NotAllowed)):
        later.world.ask(robin, "calendar_alarms", calendar="Home", on=True)
    with pytest.raises(NotFound):
        turn(later, calendar="Nowhere")
    with pytest.raises(InvalidInput):
        later.world.do("calendar_alarms", calendar="Home", on="perhaps")


def test_they_fire_once_say_what_the_event_is_and_are_put_away(later: Later) -> None:
    turn(later)
    brings(later, *MEETING, *alarm(), *alarm(":-PT5M"), *alarm(":-PT5M", action="EMAIL"))
    assert later.at("2026-03-04T09:45") == ["reminder: Dentist"]
    fired = later.reminders(state="over")[0]
    again = later.world.do("reminder_snooze", id=fired.id, until="in 2 minutes").reminder
    assert later.at("2026-03-04T09:47") == ["reminder: Dentist"]
    later.world.do("reminder_done", id=again.id)
    assert later.at("2026-03-04T09:55") == ["reminder: Dentist"]
    assert later.at("2026-03-04T12:00") == []


def test_an_event_that_comes_later_has_its_alarm_too_and_what_is_past_stays_past(later: Later) -> None:
    turn(later)
    made = {"title": "Tea", "start": "2026-03-02T10:00", "alarms": [30, 90]}
    later.world.do("calendar_create", **made)
    assert dues(later) == ["2026-03-02T09:30"]
    assert later.at("2026-03-02T09:30") == ["reminder: Tea"]


def test_it_goes_where_the_event_goes_and_one_that_fired_does_so_again(later: Later) -> None:
    turn(later)
    event = brings(later, *MEETING, *alarm())
    later.world.do("calendar_update", id=event, start="2026-03-04T12:00")
    assert dues(later) == ["2026-03-04T11:45"]
    assert later.at("2026-03-04T11:45") == ["reminder: Dentist"]
    later.world.do("calendar_update", id=event, start="2026-03-04T15:00")
    assert dues(later) == ["2026-03-04T14:45"]
    assert later.at("2026-03-04T14:45") == ["reminder: Dentist"]
    assert later.at("2026-03-05T00:00") == []


def test_with_its_event_it_is_void_without_a_word_and_comes_back(later: Later) -> None:
    turn(later)
    event = brings(later, *MEETING, *alarm())
    later.world.do("calendar_delete", id=event)
    assert [(one.state, one.reason) for one in later.reminders()] == [("void", "The event was deleted.")]
    later.world.do("calendar_restore", id=event)
    assert dues(later) == ["2026-03-04T09:45"]
    brings(later, *MEETING, "STATUS:CANCELLED", *alarm())
    assert later.reminder.reason == "The event was cancelled."
    assert later.at("2026-03-05T00:00") == []
    assert later.told() == []


def test_an_alarm_that_is_taken_off_or_acknowledged_elsewhere_does_not_ring(later: Later) -> None:
    turn(later)
    brings(later, *MEETING, *alarm(), *alarm(":-PT5M"))
    brings(later, *MEETING, *alarm(":-PT15M", "ACKNOWLEDGED:20260304T084500Z"))
    assert later.reminders() == []
    assert later.at("2026-03-05T00:00") == []


def test_of_a_series_the_next_occurrence_is_armed_and_each_rings(later: Later) -> None:
    turn(later)
    brings(later, *DAILY, *alarm(), *alarm(":-PT1H"))
    assert dues(later) == ["2026-03-04T09:00", "2026-03-04T09:45"]
    assert later.at("2026-03-04T09:00") == ["reminder: Dentist"]
    assert later.at("2026-03-04T09:45") == ["reminder: Dentist"]
    assert dues(later) == ["2026-03-05T09:00", "2026-03-05T09:45"]
    told = [later.at(f"2026-03-0{day}T09:45") for day in (5, 6, 7, 8)]
    assert [len(one) for one in told] == [2, 2, 2, 2]
    assert dues(later) == []


def test_what_is_cancelled_of_an_occurrence_stays_so_and_the_next_one_comes(later: Later) -> None:
    turn(later)
    event = brings(later, *DAILY, *alarm())
    later.world.do("reminder_cancel", id=later.reminder.id)
    assert dues(later) == ["2026-03-05T09:45"]
    later.world.do("calendar_update", id=event, title="Dentists", scope="all")
    turn(later, on=False)
    turn(later)
    assert dues(later) == ["2026-03-05T09:45"]
    assert later.at("2026-03-04T12:00") == []
    assert later.at("2026-03-05T09:45") == ["reminder: Dentists"]


def test_what_is_cancelled_of_an_event_stays_so_when_it_moves(later: Later) -> None:
    turn(later)
    event = brings(later, *MEETING, *alarm())
    later.world.do("reminder_cancel", id=later.reminder.id)
    later.world.do("calendar_update", id=event, start="2026-03-04T16:00")
    assert later.at("2026-03-05T00:00") == []


def test_what_is_cancelled_of_an_occurrence_stays_so_when_the_whole_series_moves(later: Later) -> None:
    turn(later)
    event = brings(later, *DAILY, *alarm(), *alarm(":-PT1H"))
    _, quarter = later.reminders()
    later.world.do("reminder_cancel", id=quarter.id)
    later.world.do("calendar_update", id=event, start="2026-03-04T14:00", scope="all")
    assert dues(later) == ["2026-03-04T13:00"]
    later.world.do("reminder_cancel", id=later.reminders(state="open")[0].id)
    assert dues(later) == ["2026-03-05T13:00", "2026-03-05T13:45"]


def test_what_was_missed_is_told_in_one_message_and_the_series_goes_on(later: Later) -> None:
    turn(later)
    brings(later, *DAILY, *alarm())
    assert later.at("2026-03-06T15:00") == []
    assert later.at("2026-03-06T15:01") == ["missed: Dentist"]
    assert dues(later) == ["2026-03-07T09:45"]


def test_a_little_late_it_is_marked_so(later: Later) -> None:
    turn(later)
    brings(later, *MEETING, *alarm())
    assert later.at("2026-03-04T10:30") == ["reminder: Dentist · late"]


def test_what_is_due_when_its_event_changes_is_not_lost(later: Later) -> None:
    turn(later)
    event = brings(later, *MEETING, *alarm())
    later.world.pass_time(hours=48, minutes=46)
    later.world.do("calendar_update", id=event, title="Dentists")
    assert later.work() == ["reminder: Dentists"]


def test_moved_to_a_calendar_without_the_switch_it_is_gone_and_back_it_returns(later: Later) -> None:
    turn(later)
    later.world.do("calendar_add", name="Quiet")
    event = brings(later, *MEETING, *alarm())
    later.world.do("calendar_update", id=event, calendar="Quiet")
    assert later.reminders() == []
    later.world.do("calendar_update", id=event, calendar="Home")
    assert dues(later) == ["2026-03-04T09:45"]


def test_an_all_day_event_rings_by_the_members_own_clock(later: Later) -> None:
    turn(later)
    brings(later, "DTSTART;VALUE=DATE:20260304", *alarm(":PT8H"))
    assert later.at("2026-03-04T07:59") == []
    assert later.at("2026-03-04T08:00") == ["reminder: Dentist"]


def test_assistants_know_nothing_of_them(later: Later) -> None:
    robin = later.world.assistant("robin", Home="helper")
    turn(later)
    brings(later, *MEETING, *alarm())
    assert later.reminders(robin) == []
    with pytest.raises(NotFound):
        later.world.ask(robin, "reminder_cancel", id=later.reminder.id)


def test_nothing_rings_for_a_member_who_left(later: Later) -> None:
    made = later.world.do("member_add", name="Sam", role="adult")
    sam = Person(HOME, MemberId(made.id), "Sam", Role.ADULT, fresh=True)
    later.world.ask(sam, "calendar_add", name="Sam's")
    later.world.ask(sam, "calendar_alarms", calendar="Sam's", on=True)
    run = {"title": "Run", "start": "2026-03-03T07:00", "recurrence": "FREQ=DAILY", "alarms": [10]}
    later.world.ask(sam, "calendar_create", calendar="Sam's", **run)
    with pytest.raises(NotAllowed, match="another member's"):
        turn(later, calendar="Sam's")
    later.world.do("member_remove", name="Sam")
    assert later.at("2026-03-04T00:00") == []
    with later.world.store.reading() as conn:
        assert next_moment(conn, (REMINDER,)) is None


def test_they_leave_room_for_reminders_of_ones_own(later: Later) -> None:
    turn(later)
    events = [
        line
        for number in range(600)
        for line in vevent(f"n{number}", *MEETING, f"SUMMARY:Number {number}", *alarm())
    ]
    later.world.do("import_file", content=ics(*events), calendar="Home", name="many.ics")
    assert later.world.do("reminder_set", due="tomorrow", message="Mine").reminder.state == "armed"
    turn(later, on=False)
    assert [one.message for one in later.reminders()] == ["Mine"]


def test_where_they_are_many_those_of_the_days_around_are_listed_and_that_is_said(later: Later) -> None:
    turn(later)
    late = ("DTSTART;TZID=Europe/Berlin:20260604T100000", *alarm())
    events = [line for number in range(501) for line in vevent(f"n{number}", "SUMMARY:Late", *late)]
    content = ics(*events, *vevent("soon", "SUMMARY:Soon", *MEETING, *alarm()))
    later.world.do("import_file", content=content, calendar="Home", name="many.ics")
    later.world.do("reminder_set", due="2026-07-01", message="Mine")
    answer = later.world.do("reminder_list")
    assert [one.message or one.event.title for one in answer.reminders] == ["Soon", "Mine"]
    assert answer.message.startswith("Of the alarms of events only those within a week")
    with pytest.raises(TooMuch):
        later.world.do("reminder_list", **{"from": "2026-06-01", "to": "2026-06-30"})


def test_ten_thousand_alarms_on_one_event_are_twenty(later: Later) -> None:
    turn(later)
    brings(later, *MEETING, *(line for number in range(10_000) for line in alarm(f":-PT{number}S")))
    assert len(later.reminders()) == 20


def test_the_text_of_an_alarm_is_one_line_without_marks(later: Later) -> None:
    turn(later)
    odd = tuple(line.replace("Reminder", "Take\\npills \u202egnp.exe") for line in alarm())
    brings(later, *MEETING, *odd)
    assert "\n" not in later.reminder.message
    assert "\u202e" not in later.reminder.message


class Watched:
    """One event with one alarm a quarter of an hour before it, and what it should have told so far."""

    def __init__(self, world: World) -> None:
        self.later = Later(world)
        self.event = ""
        self.rings: datetime | None = None
        self.armed = self.on = self.gone = False

    def move(self, minutes: int) -> None:
        start = self.later.world.now + timedelta(minutes=minutes)
        local = start.astimezone(BERLIN).replace(tzinfo=None).isoformat()
        if not self.event:
            made = {"title": "Dentist", "start": local, "alarms": [15]}
            self.event = self.later.world.do("calendar_create", **made).event.id
        elif self.gone or self.rings == start - timedelta(minutes=15):
            return
        else:
            self.later.world.do("calendar_update", id=self.event, start=local)
        self.rings = start - timedelta(minutes=15)
        # One that was to come is told late where its event was moved so near; none is made for what is past.
        self.armed = self.on and (self.armed or self.rings > self.later.world.now)

    def turn(self, _: int) -> None:
        self.on = not self.on
        turn(self.later, self.on)
        self._arm()

    def delete(self, _: int) -> None:
        if self.event:
            self.gone = not self.gone
            self.later.world.do("calendar_delete" if self.gone else "calendar_restore", id=self.event)
            self._arm()

    def wait(self, minutes: int) -> None:
        self.later.world.pass_time(minutes=abs(minutes))
        told = self.later.work()
        due = self.armed and self.rings is not None and self.rings <= self.later.world.now
        assert [line.removesuffix(" · late") for line in told] == ["reminder: Dentist"] * due
        self.armed = self.armed and not due

    def _arm(self) -> None:
        self.armed = self.on and not self.gone and self.rings is not None and self.rings > self.later.world.now


STEPS = st.lists(
    st.tuples(st.sampled_from(["move", "move", "turn", "delete", "wait", "wait"]), st.integers(5, 60)),
    max_size=14,
)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS)
def test_whatever_happens_each_rings_once_at_its_moment(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        world = open_world(Path(folder))
        try:
            watched = Watched(world)
            watched.turn(0)
            for step, minutes in steps:
                getattr(watched, step)(minutes)
            watched.wait(90)
        finally:
            world.store.close()

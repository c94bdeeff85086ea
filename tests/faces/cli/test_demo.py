"""The demo of the first start: the same for the same day, whole, and never over somebody's own events."""

from collections import Counter
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.bootstrap.demo import demo_text, ensure_demo
from calward.faces.cli.wiring import Wiring
from calward.ical.frames import split
from calward.ical.reading import read_object
from calward.model.event import Event
from calward.operations.pipeline import Call

from .conftest import Calward

MONDAY = date(2026, 3, 2)
BERLIN = ZoneInfo("Europe/Berlin")


def events(today: date, zone: ZoneInfo = BERLIN) -> list[Event]:
    parts = split(demo_text(today, zone, "Ann").encode())
    return [event for framed in parts.objects for event in read_object(framed.data).events]


@given(
    st.dates(date(2024, 1, 1), date(2032, 12, 31)), st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata"])
)
def test_every_day_and_zone_gives_a_text_that_is_read_whole(today: date, zone: str) -> None:
    text = demo_text(today, ZoneInfo(zone), "Ann")
    assert text == demo_text(today, ZoneInfo(zone), "Ann")
    parts = split(text.encode())
    assert parts.residue == ()
    for framed in parts.objects:
        reading = read_object(framed.data)
        assert not framed.flags
        assert not reading.flags
        assert not any(event.flags for event in reading.events)


def test_it_holds_what_calendars_are_made_of() -> None:
    found = events(MONDAY)
    assert any(event.recurrence_id and event.start != event.recurrence_id for event in found)
    assert any(event.exdates for event in found)
    assert {"DAILY", "WEEKLY", "YEARLY"} <= {
        rule.partition("FREQ=")[2].partition(";")[0] for event in found for rule in event.rrules
    }
    assert any("INTERVAL=2" in rule for event in found for rule in event.rrules)
    assert any("UNTIL=" in rule for event in found for rule in event.rrules)
    assert {"TENTATIVE", "CANCELLED", "CONFIRMED"} <= {event.status for event in found}
    assert any(event.start and event.end and event.start.zone != event.end.zone for event in found)
    spans = [event.end.wall - event.start.wall for event in found if event.start and event.end]
    assert {timedelta(days=1), timedelta(days=3)} <= set(spans)
    assert any(event.alarms for event in found)
    assert any(not event.description.isascii() for event in found)
    guests = {person.email for event in found for person in event.attendees}
    assert guests
    assert all(guest.endswith("@example.com") for guest in guests)


def test_every_day_of_the_fortnight_but_few_has_something(calward: Calward, wiring: Wiring) -> None:
    made(wiring)
    listed = calward("agenda", "2026-03-02", "2026-03-15", "--json").json["events"]
    days = Counter(event["start"][:10] for event in listed)
    assert len(days) >= 12
    assert "2026-03-02" in days


def test_it_is_made_once(calward: Calward, wiring: Wiring) -> None:
    assert made(wiring)
    before = calward("export", "--calendar", "Demo").out
    assert not made(wiring)
    assert calward("export", "--calendar", "Demo").out == before
    assert before == demo_text(MONDAY, BERLIN, "Ann")


def test_it_brings_a_household_to_invite(calward: Calward, wiring: Wiring) -> None:
    made(wiring)
    members = {one["name"]: one for one in calward("members", "--json").json["members"]}
    assert members["Ann"]["addresses"] == ["alex@example.com"]
    assert members["Sam"]["nicknames"] == ["Sammy"]
    answer = calward("new", "Walk", "2026-03-04T18:00", "--with", "Sammy", "--json").json
    assert "sam@example.com" in {person["email"] for person in answer["event"]["attendees"]}


def test_an_assistant_may_work_in_it_at_once(calward: Calward, wiring: Wiring) -> None:
    made(wiring)
    calward("assistant", "add", "desktop")
    with wiring.pipeline() as pipeline:
        call = Call("calendar_create", {"title": "Lunch", "start": "2026-03-04T12:00", "calendar": "Demo"})
        outcome = pipeline.execute(pipeline.assistant("desktop"), call)
    assert outcome.pending is None


def test_it_never_mixes_with_events_that_are_there_or_were(calward: Calward, wiring: Wiring) -> None:
    ident = calward("new", "Mine", "2026-03-03").id
    assert not made(wiring)
    calward("delete", ident, "--yes")
    assert not made(wiring)
    assert "Demo" not in calward("calendars").out


def test_an_address_the_owner_gave_is_kept(calward: Calward, wiring: Wiring) -> None:
    calward("members", "edit", "Ann", "--address", "ann@example.org")
    assert made(wiring)
    assert "ann@example.org" in calward("members").out


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_start_that_was_cut_short_is_gone_on_with(calward: Calward, wiring: Wiring, steps: int) -> None:
    done: list[list[str]] = [
        ["members", "add", "Sam", "--nickname", "Sammy", "--address", "sam@example.com"],
        ["members", "edit", "Ann", "--address", "alex@example.com"],
        ["calendars", "add", "Demo", "--offer", "helper"],
    ]
    for arguments in done[:steps]:
        assert calward(*arguments).code == 0
    assert made(wiring)
    assert calward("calendars").out.count("Demo") == 1
    assert calward("members").out.count("Sam ") == 1


def made(wiring: Wiring) -> Any:
    with wiring.pipeline() as pipeline:
        return ensure_demo(pipeline)

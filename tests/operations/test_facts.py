"""What changes do, told from the bytes they find and leave: however a loss is brought about, it is seen."""

from __future__ import annotations

from typing import Any

import pytest

from calward.model.principal import Assistant
from tests.operations.world import World, ics, vevent

TITLE, NOTES = "Dentist", "Bring the X-ray of the lower left molar"
SERIES = vevent(
    "series",
    "DTSTART;TZID=Europe/Berlin:20260302T180000",
    "DTEND;TZID=Europe/Berlin:20260302T190000",
    "RRULE:FREQ=DAILY",
    "SUMMARY:Practice",
)


@pytest.fixture
def bot(world: World) -> Assistant:
    """One that may do everything that a grant can let it do without asking."""
    world.do("member_edit", name="Alex", addresses=["alex@example.com"])
    world.do("assistant_add", name="bot", preset="helper")
    for calendar in ("Home", "AI Assistant Shared"):
        world.do("grant_set", assistant="bot", calendar=calendar, own_delete="free", others_delete="free")
    return world.pipeline().assistant("bot")


def ask(world: World, bot: Assistant, operation: str, **arguments: Any) -> tuple[str, tuple[str, ...]]:
    """The risk and reasons of what has to be asked, or that it is done."""
    answer = world.ask(bot, operation, **arguments)
    if answer.status == "done":
        return "done", ()
    waiting = world.do("approval_list", id=answer.approval.id).approvals[0]
    return waiting.risk, waiting.reasons


def appointment(world: World, **more: Any) -> str:
    ident: str = world.do(
        "calendar_create", title=TITLE, start="2026-03-03T12:00", notes=NOTES, calendar="Home", **more
    ).event.id
    return ident


def first(world: World, title: str) -> str:
    events = world.do("calendar_list", **{"from": "2026-03-02", "to": "2026-03-08"}).events
    ident: str = next(event.id for event in events if event.title == title)
    return ident


@pytest.mark.parametrize(
    "patch",
    [{"notes": ""}, {"notes": None}, {"notes": "   "}, {"notes": "", "location": "Clinic"}],
)
def test_emptying_what_an_event_says_needs_the_right_to_delete(
    world: World, bot: Assistant, patch: dict[str, Any]
) -> None:
    ident = appointment(world)
    world.do("grant_set", assistant="bot", calendar="Home", others_delete="ask")
    _, reasons = ask(world, bot, "calendar_update", id=ident, **patch)
    assert reasons[0] == "it empties what the event says, which is as good as deleting it"
    assert ask(world, bot, "calendar_update", id=ident, notes="Bring nothing")[0] == "done"


def test_moving_an_event_by_more_than_a_year_needs_the_right_to_delete(world: World, bot: Assistant) -> None:
    ident = appointment(world)
    world.do("grant_set", assistant="bot", calendar="Home", others_delete="ask")
    for start in ("2027-03-06T12:00", "2024-01-01T12:00", "9000-01-01"):
        _, reasons = ask(world, bot, "calendar_update", id=ident, start=start)
        assert reasons[0] == "it moves the event by more than a year, which is as good as deleting it"
    assert ask(world, bot, "calendar_update", id=ident, start="2026-12-03T12:00")[0] == "done"


def test_moving_one_occurrence_far_away_asks_too(world: World, bot: Assistant) -> None:
    world.do("import_file", content=ics(*SERIES), calendar="Home")
    move = {"id": first(world, "Practice"), "scope": "one"}
    assert ask(world, bot, "calendar_update", **move, start="2030-01-01T10:00")[1] == (
        "it removes 1 occurrence",
    )
    world.do("grant_set", assistant="bot", calendar="Home", others_delete="ask")
    assert ask(world, bot, "calendar_update", **move, start="2027-06-01T10:00")[1][0].startswith("it moves")


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("FREQ=DAILY;COUNT=1", "it ends a series that has no end"),
        ("FREQ=DAILY;UNTIL=20260302T170000Z", "it ends a series that has no end"),
        ("FREQ=DAILY;UNTIL=20990101T000000Z", "it ends a series that has no end"),
        ("FREQ=YEARLY", "it removes "),
        (None, "it ends a series that has no end"),
    ],
)
def test_shortening_a_series_asks_however_it_is_done(
    world: World, bot: Assistant, rule: str | None, why: str
) -> None:
    world.do("import_file", content=ics(*SERIES), calendar="Home")
    change = {"id": first(world, "Practice"), "scope": "all", "recurrence": rule}
    risk, reasons = ask(world, bot, "calendar_update", **change)
    assert (risk, reasons[0].startswith(why)) == ("R3", True)


def test_taking_occurrences_out_one_by_one_asks_each_time(world: World, bot: Assistant) -> None:
    world.do("import_file", content=ics(*SERIES), calendar="Home")
    risk, reasons = ask(world, bot, "calendar_delete", id=first(world, "Practice"), scope="one")
    assert (risk, reasons) == ("R3", ("it removes 1 occurrence",))


def test_words_of_a_private_event_are_told_from_ones_own_where_others_would_read_them(
    world: World, bot: Assistant
) -> None:
    appointment(world)
    copied = {"title": "Call", "start": "2026-03-04T09:00", "attendees": ["ann@example.com"]}
    private = "it takes words of other events to people who may not see those"
    for text in (NOTES, NOTES.upper(), f"As for Alex:\n{NOTES}. Thanks!", NOTES.replace(" ", "  ")):
        assert ask(world, bot, "calendar_create", **copied, notes=text) == ("R3", (private,)), text
    assert ask(world, bot, "calendar_create", **copied, notes="See you") == (
        "R3",
        ("it concerns other people",),
    )
    assert ask(world, bot, "calendar_create", title="Call", start="2026-03-04T09:00", notes=NOTES)[0] == "done"


def test_words_that_the_same_people_may_read_already_are_not_private(world: World, bot: Assistant) -> None:
    appointment(world, attendees=["ann@example.com"])
    copied = {"title": "Call", "start": "2026-03-04T09:00", "attendees": ["ann@example.com"], "notes": NOTES}
    assert ask(world, bot, "calendar_create", **copied)[1] == ("it concerns other people",)
    copied["attendees"] = ["ann@example.com", "bob@example.com"]
    assert ask(world, bot, "calendar_create", **copied)[1][0].startswith("it takes words")


def test_a_guess_at_words_an_assistant_may_not_read_is_not_confirmed(world: World, bot: Assistant) -> None:
    appointment(world)
    world.do("grant_set", assistant="bot", calendar="Home", others_level="busy")
    copied = {"title": "Call", "start": "2026-03-04T09:00", "attendees": ["ann@example.com"], "notes": NOTES}
    assert ask(world, bot, "calendar_create", calendar="AI Assistant Shared", **copied)[1] == (
        "it concerns other people",
    )


def test_moving_an_event_to_where_another_member_sees_it_asks(world: World, bot: Assistant) -> None:
    sam = world.do("member_add", name="Sam").id
    ident = appointment(world)
    world.do("calendar_share", calendar="Home", member=sam, share="none")
    risk, reasons = ask(world, bot, "calendar_update", id=ident, calendar="AI Assistant Shared")
    assert (risk, reasons) == ("R3", ("other members would see all of it, who do not now",))
    world.do("calendar_share", calendar="AI Assistant Shared", member=sam, share="busy")
    assert ask(world, bot, "calendar_update", id=ident, calendar="AI Assistant Shared")[0] == "done"

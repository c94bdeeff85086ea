"""What an assistant may not see, it cannot find, count, time or infer from an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.errors import CalwardError, InvalidInput, NotFound
from calward.model.grant import Level
from tests.operations.world import World, ics, open_world, vevent

WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
SECRET = (
    "SUMMARY:Secret surgery",
    "LOCATION:Hidden clinic",
    "DESCRIPTION:whispered words",
    "ATTENDEE;CN=Veiled Vera:mailto:vera@example.com",
    "ORGANIZER;CN=Alex:mailto:alex@example.com",
    "URL:https://hidden.example/",
)


def fill(world: World, lines: tuple[str, ...] = SECRET) -> None:
    both = (
        *vevent("one", "DTSTART:20260303T090000Z", "DTEND:20260303T100000Z", *lines),
        *vevent(
            "many", "DTSTART:20260304T090000Z", "DTEND:20260304T100000Z", "RRULE:FREQ=DAILY;COUNT=3", *lines
        ),
    )
    world.do("import_file", content=ics(*both), calendar="Home")


@pytest.mark.parametrize("query", ["Secret", "surgery", "clinic", "whispered", "vera", "Veiled", "e"])
@pytest.mark.parametrize("window", [{}, WEEK])
def test_an_assistant_without_titles_matches_nothing_in_titles(
    world: World, query: str, window: dict[str, str]
) -> None:
    fill(world)
    bot = world.assistant(Home="availability")
    found = world.ask(bot, "calendar_search", query=query, **window)
    assert (found.events, found.total) == ((), 0)


def test_an_assistant_with_titles_matches_titles_alone(world: World) -> None:
    fill(world)
    bot = world.assistant(Home="availability")
    world.do("grant_set", assistant="bot", calendar="Home", others_level="titles")
    assert world.ask(bot, "calendar_search", query="surgery").total == 2
    for hidden in ("clinic", "whispered", "vera", "Veiled"):
        assert world.ask(bot, "calendar_search", query=hidden).total == 0
    assert world.ask(bot, "calendar_search", query="", attendee="vera@example.com").total == 0


def test_at_busy_there_is_no_id_and_the_real_id_opens_nothing(world: World) -> None:
    fill(world)
    bot = world.assistant(Home="availability")
    events = world.ask(bot, "calendar_list", **WEEK).events
    assert {(event.id, event.title, event.recurrence) for event in events} == {(None, "Busy", None)}
    assert len(events) == 4
    real = world.do("calendar_search", query="surgery").events[0].id
    for ident in (real, "nothinglikethis1"):
        with pytest.raises(NotFound) as refused:
            world.ask(bot, "calendar_undo", change=ident)
        assert ident not in str(refused.value)


def test_a_calendar_that_was_not_granted_is_not_there(world: World) -> None:
    fill(world)
    bot = world.assistant(AI_Assistant_Shared="careful")
    assert [seen.name for seen in world.ask(bot, "calendars").calendars] == ["AI Assistant Shared"]
    assert world.week(bot) == []
    for operation, arguments in (
        ("calendar_list", {**WEEK, "calendar": "Home"}),
        ("calendar_search", {"query": "x", "calendar": "Home"}),
        ("calendar_create", {"title": "x", "start": "2026-03-03T09:00", "calendar": "Home"}),
    ):
        with pytest.raises(NotFound) as refused:
            world.ask(bot, operation, **arguments)
        with pytest.raises(NotFound) as missing:
            world.ask(bot, operation, **{**arguments, "calendar": "None"})
        assert str(refused.value).replace("Home", "None") == str(missing.value)


READS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("calendars", {}),
    ("calendar_list", WEEK),
    ("calendar_list", {"from": "2020-01-01", "to": "2020-12-31"}),
    ("calendar_search", {"query": "a"}),
    ("calendar_search", {"query": "secret", **WEEK}),
    ("calendar_search", {"query": "", "attendee": "vera@example.com"}),
    ("calendar_availability", WEEK),
    ("calendar_details", WEEK),
    ("calendar_status", {}),
)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30)


def answers(world: World) -> list[str]:
    bot = world.assistant(Home="availability")
    said = []
    for operation, arguments in READS:
        try:
            said.append(world.ask(bot, operation, **arguments).model_dump_json())
        except CalwardError as error:
            said.append(f"{error.code}: {error}")
    return said


@given(title=words, place=words, notes=words)
def test_two_stores_that_differ_in_hidden_text_alone_give_the_same_answers(
    tmp_path_factory: pytest.TempPathFactory, title: str, place: str, notes: str
) -> None:
    said = []
    for lines in (SECRET, (f"SUMMARY:{title}", f"LOCATION:{place}", f"DESCRIPTION:{notes}")):
        world = open_world(tmp_path_factory.mktemp("store"))
        fill(world, lines)
        said.append(answers(world))
        world.store.close()
    assert said[0] == said[1]


def shown(world: World, level: Level) -> set[tuple[str, str]]:
    """Every value an assistant is shown of others' events at a level."""
    world.do("grant_set", assistant="bot", calendar="Home", others_level=level.name.lower())
    bot = world.pipeline().assistant("bot")
    listed = world.ask(bot, "calendar_list", **WEEK).model_dump(exclude_none=True)["events"]
    return {(name, repr(value)) for event in listed for name, value in event.items() if value != "Busy"}


def test_fewer_rights_never_show_more(world: World) -> None:
    fill(world)
    world.assistant(Home="availability")
    seen = [shown(world, level) for level in (Level.BUSY, Level.TITLES, Level.DETAILS)]
    assert seen[0] < seen[1] < seen[2]
    world.do("grant_set", assistant="bot", calendar="Home", own_level="none", others_level="none")
    assert world.week(world.pipeline().assistant("bot")) == []


@pytest.mark.parametrize(
    "title",
    [
        "會議 mit Ünal",
        "Café é",
        "o'brien's",
        'say "hi"',
        "five * stars",
        "NEAR miss",
        "50% off_now",
        "a AND b OR c",
    ],
)
def test_any_text_is_found_by_any_part_of_it_as_it_stands(world: World, title: str) -> None:
    world.do("calendar_create", title=title, start="2026-03-03T12:00")
    world.do("calendar_create", title="other", start="2026-03-03T13:00")
    for query in (title, title.upper(), *title.split()):
        assert [event.title for event in world.do("calendar_search", query=query).events] == [title], query


@pytest.mark.parametrize(
    "query", ['"', "*", "NEAR", "%", "_", "\\", "會議", "é", "'", "a*", '"a" OR "b"', "-x", "(", "^"]
)
def test_what_would_be_syntax_elsewhere_is_plain_text_here(world: World, query: str) -> None:
    world.do("calendar_create", title="plain words", start="2026-03-03T12:00")
    assert world.do("calendar_search", query=query).total == 0
    world.do("calendar_create", title=f"with {query} inside", start="2026-03-03T13:00")
    assert world.do("calendar_search", query=query).total == 1


def test_a_search_counts_all_and_shows_the_first(world: World) -> None:
    lines = (
        line for n in range(30) for line in vevent(f"e{n}", f"DTSTART:202603{n + 1:02}T090000Z", "SUMMARY:Gym")
    )
    world.do("import_file", content=ics(*lines), calendar="Home")
    found = world.do("calendar_search", query="gym", limit=5)
    assert (len(found.events), found.total) == (5, 30)
    assert found.events[0].start.startswith("2026-03-01")
    assert world.do("calendar_search", query="gym", **WEEK).total == 7


def test_a_search_by_member_finds_what_they_take_part_in(world: World) -> None:
    world.do("member_add", name="Sam", nicknames=["Sammy"], addresses=["sam@example.com"])
    lines = vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:Talk", "ATTENDEE:mailto:Sam@Example.com")
    world.do("import_file", content=ics(*lines), calendar="Home")
    world.do("calendar_create", title="Alone", start="2026-03-03T12:00")
    for who in ("Sam", "sammy", "sam@example.com", "mailto:sam@example.com"):
        assert [e.title for e in world.do("calendar_search", attendee=who).events] == ["Talk"]
    with pytest.raises(InvalidInput):
        world.do("calendar_search")


def test_series_are_found_outside_of_what_is_laid_down(world: World) -> None:
    lines = vevent("a", "DTSTART:19990101T090000Z", "RRULE:FREQ=YEARLY", "SUMMARY:New year")
    world.do("import_file", content=ics(*lines), calendar="Home")
    for year in (1999, 2005, 2026, 2027, 2061):
        (event,) = world.do("calendar_list", **{"from": f"{year}-01-01", "to": f"{year}-06-01"}).events
        assert event.start == f"{year}-01-01T10:00:00+01:00"
        assert world.ask(world.owner, "calendar_list", range="today").events == ()


def test_all_day_and_floating_events_are_where_the_viewer_is(tmp_path: Path) -> None:
    world = open_world(tmp_path)
    lines = (
        *vevent("a", "DTSTART;VALUE=DATE:20260303", "SUMMARY:Day"),
        *vevent("b", "DTSTART:20260303T233000", "DTEND:20260303T234500", "SUMMARY:Late"),
    )
    world.do("import_file", content=ics(*lines), calendar="Home")
    day = {"from": "2026-03-03", "to": "2026-03-03"}
    assert [event.title for event in world.do("calendar_list", **day).events] == ["Day", "Late"]
    for other in ("2026-03-02", "2026-03-04"):
        assert world.do("calendar_list", **{"from": other, "to": other}).events == ()
    world.store.close()

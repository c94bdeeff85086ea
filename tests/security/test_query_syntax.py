"""What is searched for is text: nothing in it is syntax to SQL, to the full-text index or to LIKE."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.errors import InvalidInput
from tests.operations.world import World, ics, vevent
from tests.security.asking import attempt
from tests.security.test_noninterference import household

HOSTILE = (
    "'; DROP TABLE changes; --",
    '" OR 1=1 --',
    "title:secret",
    "secret*",
    "NEAR(secret visible)",
    "secret AND NOT visible",
    "{title notes}: secret",
    "^secret",
    "%",
    "_____",
    "100%_off",
    "\\%",
    '"',
    '""""',
    "((((",
    "a" * 5000,
    "\u0000secret",
    "x\ud800",
    "SELECT * FROM members",
)


@pytest.fixture
def furnished(world: World) -> World:
    lines = (
        *vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:secret", "DESCRIPTION:100%_off \\\\%"),
        *vevent("b", "DTSTART:20260303T100000Z", 'SUMMARY:visible "quoted" ((((', "LOCATION:a%b_c"),
    )
    world.do("import_file", content=ics(*lines), calendar="Home")
    return world


def texts(events: Any) -> list[str]:
    return [f"{event.title} {event.notes or ''} {event.location or ''}".casefold() for event in events]


@pytest.mark.parametrize("query", HOSTILE)
@pytest.mark.parametrize("window", [{}, {"from": "2026-03-01", "to": "2026-03-09"}])
def test_a_query_finds_what_holds_its_words_and_nothing_else(
    furnished: World, query: str, window: dict[str, str]
) -> None:
    try:
        found = furnished.do("calendar_search", query=query, **window)
    except InvalidInput:
        return
    words = query.replace("\0", " ").casefold().split()
    assert all(word in text for text in texts(found.events) for word in words)
    assert furnished.do("journal_verify").whole
    assert len(furnished.do("calendar_list", **{"from": "2026-03-03", "to": "2026-03-03"}).events) == 2


@pytest.mark.parametrize("name", HOSTILE)
def test_names_and_ids_are_text_too(furnished: World, name: str) -> None:
    for operation, arguments in (
        ("calendar_list", {"calendar": name}),
        ("calendar_update", {"id": name, "title": "x"}),
        ("calendar_delete", {"id": name}),
        ("calendar_search", {"attendee": name}),
        ("approval_status", {"id": name}),
        ("calendar_undo", {"change": name}),
        ("history", {"who": name}),
        ("forget", {"event": name}),
    ):
        answer, code = attempt(furnished, operation, **arguments)
        assert code in ("", "not_found", "invalid_input", "conflict")
        assert code or operation in ("calendar_search", "history"), answer
    assert furnished.do("journal_verify").whole


@given(query=st.text(max_size=40))
@settings(max_examples=40)
def test_no_query_breaks_the_search(query: str) -> None:
    with household(None, "busy") as (world, bot):
        for who in (world.owner, bot):
            with suppress(InvalidInput):
                world.ask(who, "calendar_search", query=query)


def test_an_assistant_gets_around_the_cut_by_no_syntax(furnished: World) -> None:
    bot = furnished.assistant(Home="availability")
    for query in (*HOSTILE, "secret", "visible"):
        try:
            assert furnished.ask(bot, "calendar_search", query=query).total == 0
        except InvalidInput:
            continue

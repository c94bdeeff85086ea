"""What holds whatever is done: less access never shows more, undo goes all the way back, previews keep their
word, and the journal's chain is whole."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from calward.bootstrap.household import HOME
from calward.errors import CalwardError
from calward.ical.edit import apply_edits
from calward.model.grant import Level
from calward.model.principal import Assistant
from calward.operations.changes import CreateObject, DeleteObject, EditObject, from_json
from calward.operations.view.found import load
from calward.store import approvals, journal
from calward.store.engine import open_store
from tests.operations.world import World, ics, open_world, vevent

WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
EVENTS = (
    *vevent("one", "DTSTART:20260303T090000Z", "DTEND:20260303T100000Z", "SUMMARY:Doctor", "DESCRIPTION:hush"),
    *vevent(
        "many",
        "DTSTART;TZID=Europe/Berlin:20260302T180000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=5",
        "SUMMARY:Gym",
        "LOCATION:Hall",
        "ATTENDEE;CN=Ann:mailto:ann@example.com",
        "X-ODD;P=1:kept",
    ),
    *vevent("free", "DTSTART;VALUE=DATE:20260304", "SUMMARY:Feast", "TRANSP:TRANSPARENT"),
)


@cache
def furnished() -> bytes:
    """The store of a household with some events, and an assistant that made one of its own."""
    with tempfile.TemporaryDirectory() as folder:
        world = open_world(Path(folder))
        world.do("member_edit", name="Alex", addresses=["alex@example.com"])
        world.do("import_file", content=ics(*EVENTS), calendar="Home")
        bot = world.assistant("bot", Home="helper")
        world.ask(bot, "calendar_create", title="Run", start="2026-03-05T07:00", notes="alone")
        world.store.close()
        return Path(folder, "calward.db").read_bytes()


@contextmanager
def household() -> Iterator[World]:
    """A household of its own for one example, furnished as all of them."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "calward.db")
        place.write_bytes(furnished())
        world = World(open_store(place), numbers=count(1000))
        try:
            yield world
        finally:
            world.store.close()


def settled(world: World) -> None:
    """What holds after everything: the chain is whole, and history tells all of it."""
    with world.store.reading() as conn:
        assert journal.verify(conn, HOME) is None
        rows = journal.history(conn, HOME, limit=1000)
    assert [change.id for change in world.do("history", limit=1000).changes] == [row.batch for row in rows]


# --- less access never shows more -----------------------------------------------------------------------------

levels = st.sampled_from(["none", "busy", "titles", "details"])
says = st.sampled_from(["free", "ask", "never"])
grants = st.fixed_dictionaries(
    {"own_level": levels, "others_level": levels, "read_private": says, "others_update": says, "create": says}
)
READS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("calendar_list", WEEK),
    ("calendar_search", {"query": "o"}),
    ("calendar_search", {"query": "h", **WEEK}),
    ("calendar_search", {"attendee": "ann@example.com"}),
    ("calendar_details", WEEK),
)


def facts(world: World, bot: Assistant) -> set[tuple[str, str, str]]:
    """Every value of every event that reading shows, what it is told apart by aside."""
    found = set()
    for operation, arguments in READS:
        for event in world.ask(bot, operation, **arguments).model_dump(mode="json", exclude_none=True)[
            "events"
        ]:
            found |= {(event["start"], name, repr(value)) for name, value in event.items() if value != "Busy"}
    return found


def lower(one: dict[str, str], other: dict[str, str]) -> dict[str, str]:
    """What both grant."""
    order = {name: number for number, name in enumerate(("none", "busy", "titles", "details"))}
    return {
        name: min(one[name], other[name], key=lambda level: order[level])
        for name in ("own_level", "others_level")
    }


@given(one=grants, other=grants)
@settings(max_examples=20)
def test_less_access_never_shows_more(one: dict[str, str], other: dict[str, str]) -> None:
    with household() as world:
        seen = []
        for switches in (one, {**one, **lower(one, other)}):
            world.do("grant_set", assistant="bot", calendar="Home", **switches)
            seen.append(facts(world, world.pipeline().assistant("bot")))
        assert seen[1] <= seen[0]
        if one["own_level"] == one["others_level"] == "none":
            assert seen[0] == set()
        settled(world)


# --- undo goes all the way back -------------------------------------------------------------------------------

titles = st.sampled_from(["A", "B; c", "Ümlaut", "x" * 90])
deeds = st.one_of(
    st.tuples(
        st.just("calendar_create"),
        st.fixed_dictionaries({"title": titles, "start": st.just("2026-03-06T12:00")}),
    ),
    st.tuples(st.just("import_file"), st.fixed_dictionaries({"title": titles})),
    st.tuples(st.just("calendar_update"), st.fixed_dictionaries({"title": titles})),
    st.tuples(st.just("calendar_update"), st.fixed_dictionaries({"notes": titles, "location": titles})),
    st.tuples(st.just("calendar_update"), st.fixed_dictionaries({"duration": st.sampled_from([15, 90])})),
    st.tuples(st.just("calendar_update"), st.just({"calendar": "AI Assistant Shared"})),
    st.tuples(st.just("calendar_delete"), st.just({})),
    st.tuples(st.just("calendar_restore"), st.just({})),
)
scopes = st.sampled_from(["one", "this_and_future", "all"])


def do(world: World, operation: str, arguments: dict[str, Any], number: int, scope: str) -> bool:
    """One deed, on some event; whether it could be done."""
    world.pass_time(minutes=3)
    arguments = dict(arguments)
    try:
        if operation == "import_file":
            title = arguments["title"]
            lines = vevent(
                f"i{number % 3}", "DTSTART:20260307T090000Z", f"SUMMARY:{title.replace(';', chr(92) + ';')}"
            )
            world.do("import_file", content=ics(*lines), calendar="Home", name=f"{number}.ics")
            return True
        if operation != "calendar_create":
            events = [event.id for event in world.do("calendar_list", **WEEK).events]
            gone = [change.event for change in world.do("history").changes if change.did == "deleted"]
            pool = gone if operation == "calendar_restore" else events
            if not pool:
                return False
            arguments["id"] = pool[number % len(pool)]
            if operation != "calendar_restore":
                arguments["scope"] = scope
        world.do(operation, **arguments)
    except CalwardError:
        return False
    return True


def state(world: World) -> tuple[bytes, ...]:
    """The bytes of every object, in the order in which they came to be."""
    return world.export("Home"), world.export("AI Assistant Shared")


@given(st.lists(st.tuples(deeds, st.integers(0, 20), scopes), min_size=1, max_size=8))
@settings(max_examples=20)
def test_undo_takes_back_step_by_step_what_was_done(
    steps: list[tuple[tuple[str, dict[str, Any]], int, str]],
) -> None:
    with household() as world:
        states = []
        for (operation, arguments), number, scope in steps:
            before = state(world)
            if do(world, operation, arguments, number, scope) and state(world) != before:
                states.append(before)
        for before in reversed(states):
            world.do("calendar_undo")
            assert state(world) == before
        settled(world)


# --- what is applied is what was shown ------------------------------------------------------------------------

moves = st.sampled_from(["approve", "deny", "edit", "delete", "undo", "wait", "widen", "narrow"])
asks: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries({"title": titles}),
    st.fixed_dictionaries({"notes": titles}),
    st.fixed_dictionaries({"start": st.sampled_from(["2026-03-06T08:00", "2026-03-07"])}),
    st.just({}),
)


def ask(world: World, bot: Assistant, arguments: dict[str, Any], number: int, scope: str) -> None:
    try:
        events = world.ask(bot, "calendar_list", **WEEK).events
        ident = events[number % len(events)].id if events else "none"
        operation = "calendar_update" if arguments else "calendar_delete"
        world.ask(bot, operation, id=ident, scope=scope, **arguments)
    except CalwardError:
        return


def promised(world: World, row: approvals.ApprovalRow) -> dict[str, bytes | None]:
    """What each object would be if the stored changes were carried out on what is there now."""
    left: dict[str, bytes | None] = {}
    with world.store.reading() as conn:
        for change in map(from_json, row.changes):
            match change:
                case CreateObject():
                    left[change.event] = change.data.encode("utf-8", "surrogateescape")
                case EditObject():
                    found = load(conn, HOME, change.event)
                    assert found is not None
                    left[change.event] = apply_edits(found.data, change.edits)
                case DeleteObject():
                    left[change.event] = None
                case _:
                    raise AssertionError(change)
    return left


def decide(world: World, *, approve: bool) -> None:
    """Decide the oldest request; if it is applied, it is to the byte what was stored and shown."""
    waiting = world.do("approval_list").approvals
    if not waiting:
        return
    with world.store.reading() as conn:
        row = approvals.get_approval(conn, HOME, waiting[0].id)
    assert row is not None
    assert tuple(row.preview) == waiting[0].preview
    before = state(world)
    try:
        expected = promised(world, row)
    except CalwardError:
        expected = {}
    decided = world.do("approval_decide", id=row.id, approve=approve)
    if decided.state != "approved":
        assert state(world) == before
        assert decided.state in ({"void", "stale", "renewed"} if approve else {"denied"})
        return
    with world.store.reading() as conn:
        for event, data in expected.items():
            found = load(conn, HOME, event)  # type: ignore[arg-type]
            assert found is not None
            assert (None if found.deleted_at else found.data) == data
    if any(line.startswith("Delete:") for line in row.preview):
        assert None in expected.values()
    shown = [line.partition(" → ")[2] for line in row.preview if line.startswith("  title: ")]
    told = b"".join(data or b"" for data in expected.values()).replace(b"\r\n ", b"")
    assert all(title.replace(";", "\\;").encode() in told for title in shown)


@given(st.lists(st.tuples(st.one_of(moves, asks), st.integers(0, 20), scopes), min_size=2, max_size=12))
@settings(max_examples=20)
def test_what_is_applied_is_to_the_byte_what_was_stored_and_shown(
    steps: list[tuple[str | dict[str, Any], int, str]],
) -> None:
    with household() as world:
        world.do("grant_set", assistant="bot", calendar="Home", preset="careful", others_level="details")
        bot = world.pipeline().assistant("bot")
        for move, number, scope in steps:
            match move:
                case "approve" | "deny":
                    decide(world, approve=move == "approve")
                case "edit":
                    do(world, "calendar_update", {"title": f"Edited {number}"}, number, scope)
                case "delete":
                    do(world, "calendar_delete", {}, number, scope)
                case "undo":
                    do(world, "calendar_undo", {}, number, scope)
                case "wait":
                    world.pass_time(hours=9)
                case "widen" | "narrow":
                    level = Level.DETAILS if move == "widen" else Level.BUSY
                    world.do("grant_set", assistant="bot", calendar="Home", others_level=level.name.lower())
                case dict():
                    ask(world, bot, move, number, scope)
        settled(world)

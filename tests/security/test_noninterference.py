"""What an assistant may not see changes nothing that it is told: by no operation, in no answer, in no error.

Two households are made that differ only there. The same calls, drawn from the schemas of the whole catalog and
of every alias, get the same bytes from both; and whoever may see less is never told more.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.errors import CalwardError
from calward.model.principal import Assistant
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.operation import Callers, Nature
from calward.operations.pipeline import Call
from calward.store.engine import open_store
from tests.operations.world import World, ics, open_world, vevent
from tests.security.asking import calls, probes

OPERATIONS = tuple(one for one in (*CATALOG, *ALIASES) if one.callers is Callers.EVERYBODY)
WIDER = settings().max_examples // 50
"""1, and more in a profile that looks wider than the tests of every day."""
AFTER = 1 << 40
"""Where both households go on counting ids, however much was made in them before."""
WORDS = ("zebra", "quagga", "okapi", "visible", "a", "")
PLACES = ("Home", "AI Assistant Shared", "Nowhere")

SLOTS = (("20260303T090000Z", ""), ("20260304T120000Z", ""), ("20260302T170000Z", "RRULE:FREQ=DAILY;COUNT=4"))
PLAIN: tuple[tuple[str, ...], ...] = ((), (), ())
ORGANIZED = ((), ("ORGANIZER:mailto:vera@example.com",), ())
"""Whose the title is, a stranger's or the household's, is told with it: so these two are alike in that."""
LOADED = (
    ("LOCATION:quagga", "DESCRIPTION:okapi", "URL:https://okapi.example/"),
    ("ATTENDEE;CN=Okapi:mailto:vera@example.com", "ORGANIZER:mailto:vera@example.com"),
    (
        "DESCRIPTION:okapi",
        "CATEGORIES:okapi",
        "ATTENDEE;CN=Okapi:mailto:vera@example.com",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER:-PT5M",
        "DESCRIPTION:okapi",
        "END:VALARM",
    ),
)
"""What only ``details`` shows: places, notes, people, alarms."""


def home(titles: Sequence[str], details: Sequence[tuple[str, ...]]) -> str:
    """Three events at the same times in every household."""
    lines: list[str] = []
    for number, ((start, rule), title, more) in enumerate(zip(SLOTS, titles, details, strict=True)):
        said = (f"DTSTART:{start}", "DURATION:PT1H", *((rule,) if rule else ()), f"SUMMARY:{title}")
        lines += vevent(f"home-{number}", *said, *more)
    return ics(*lines)


@contextmanager
def household(content: str | None, level: str) -> Iterator[tuple[World, Assistant]]:
    """One with these events in Home, of which the assistant sees so much; ids count on from one place."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calward.db"
        path.write_bytes(furnished(content, level))
        world = World(open_store(path), numbers=count(2 * AFTER))
        try:
            yield world, world.pipeline().assistant("bot")
        finally:
            world.store.close()


@cache
def furnished(content: str | None, level: str) -> bytes:
    """The store of such a household."""
    with tempfile.TemporaryDirectory() as folder:
        world = open_world(Path(folder))
        world.do("member_edit", name="Alex", addresses=["alex@example.com"])
        bot = world.assistant(Home="careful", AI_Assistant_Shared="helper")
        rights = {"own_level": level, "others_level": level, "read_private": "ask"}
        if level == "none":
            rights = dict.fromkeys(rights, "none") | {"read_private": "never"}
        world.do("grant_set", assistant="bot", calendar="Home", others_update="free", **rights)
        world.do("assistant_limit", name="bot", writes_an_hour=10_000)
        event = {"start": "2026-03-05T10:00", "calendar": "AI Assistant Shared"}
        world.do("calendar_create", title="visible", **event)
        world.ask(bot, "calendar_create", title="visible zebra", **event)
        world.numbers = count(AFTER)
        if content is not None:
            world.do("import_file", content=content, calendar="Home", name="home.ics")
        world.store.scrub()
        world.store.close()
        return (Path(folder) / "calward.db").read_bytes()


def idents(world: World) -> list[str]:
    """Names of all that is there, as if they had leaked, and of what is not."""
    with world.store.reading() as conn:
        events = [row[0] for row in conn.exec_driver_sql("SELECT id FROM objects ORDER BY id")]
        batches = [
            row[0]
            for row in conn.exec_driver_sql("SELECT DISTINCT batch FROM changes ORDER BY batch DESC LIMIT 2")
        ]
    return [*events, f"{events[-1]}.20260303T170000Z", *batches, "nothinglikethis1", "zebra"]


def told(world: World, bot: Assistant, asked: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    """Everything the assistant gets to hear: answers, and errors with all they carry."""
    said = []
    pipeline = world.pipeline(OPERATIONS)
    for operation, arguments in asked:
        try:
            outcome = pipeline.execute(bot, Call(operation, arguments))
            said.append(f"{outcome.answer.model_dump_json(by_alias=True)} {outcome.pending}")
        except CalwardError as error:
            said.append(f"{error.code} {error.retryable} {error}")
    return said


def test_what_is_for_people_answers_an_assistant_like_what_is_not_there() -> None:
    with household(home(("zebra", "a", "a"), LOADED), "details") as (world, bot):
        for one in (*CATALOG, *ALIASES):
            if one.callers is Callers.PEOPLE:
                assert told(world, bot, [(one.name, {}), (f"{one.name}_", {})]) == [
                    f"not_found False There is no operation named {name!r} here."
                    for name in (one.name, f"{one.name}_")
                ]


PAIRS = {
    "none": (None, home(("zebra", "zebra", "zebra"), LOADED)),
    "busy": (home(("a", "a", "a"), PLAIN), home(("zebra", "quagga", "okapi"), LOADED)),
    "titles": (home(("zebra", "a", "visible"), ORGANIZED), home(("zebra", "a", "visible"), LOADED)),
}
"""By what the assistant sees of Home: two that differ only in what it does not."""


@pytest.mark.parametrize("level", PAIRS)
def test_one_argument_at_a_time_tells_nothing_of_what_is_not_seen(level: str) -> None:
    for operation in OPERATIONS:
        one, other = PAIRS[level]
        with household(one, level) as (left, bot), household(other, level) as (right, twin):
            named = sorted({*idents(left), *idents(right)})
            for ask in probes(operation, named, WORDS, PLACES, turns=3 * WIDER):
                answers = [told(world, who, [ask]) for world, who in ((left, bot), (right, twin))]
                assert answers[0] == answers[1], ask
                if "approval" in answers[0][0]:
                    decide_all(left)
                    decide_all(right)


def decide_all(world: World) -> None:
    """Nothing waits any more, so that the next question is not one too many."""
    with world.store.writing() as conn:
        conn.exec_driver_sql("UPDATE approvals SET state = 'denied' WHERE state = 'pending'")


@given(data=st.data())
@settings(max_examples=6 * WIDER)
@pytest.mark.parametrize("level", PAIRS)
def test_no_row_of_calls_tells_what_is_not_seen(level: str, data: st.DataObject) -> None:
    one, other = PAIRS[level]
    with household(one, level) as (left, bot), household(other, level) as (right, twin):
        named = sorted({*idents(left), *idents(right)})
        asked = data.draw(st.lists(calls(OPERATIONS, named, WORDS, PLACES), min_size=6, max_size=14))
        assert told(left, bot, asked) == told(right, twin, asked)


@given(data=st.data())
@settings(max_examples=5 * WIDER)
@pytest.mark.parametrize(("less", "more"), [("none", "busy"), ("busy", "titles"), ("titles", "details")])
def test_whoever_may_see_less_is_never_told_more(less: str, more: str, data: st.DataObject) -> None:
    reads = [operation for operation in OPERATIONS if operation.nature is Nature.READ]
    content = home(("zebra", "quagga", "visible"), LOADED)
    with household(content, less) as (world, bot), household(content, more) as (other, twin):
        asked = data.draw(
            st.lists(calls(reads, sorted(idents(world)), ("a", "e", "visible"), PLACES), min_size=2, max_size=8)
        )
        for fewer, further in zip(told(world, bot, asked), told(other, twin, asked), strict=True):
            for secret in ("zebra", "quagga", "okapi", "vera@"):
                assert secret not in fewer.casefold() or secret in further.casefold()

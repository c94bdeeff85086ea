"""Others at the same moment, and being killed in the middle: nothing lost, nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Connection, event

from calward.errors import Conflict
from calward.ical.edit import SetLine
from calward.model.ids import EventId, RecurrenceKey
from calward.operations.catalog import CATALOG
from calward.operations.changes import EditObject
from calward.operations.context import Context
from calward.operations.operation import Draft, Nature, Operation, operation
from calward.operations.pipeline import Call, Pipeline
from calward.operations.shapes import Arguments, Written
from tests.operations.world import World, ics, open_world, vevent

MEETING = ics(*vevent("a", "DTSTART:20260303T090000Z", "SUMMARY:Meeting"))


class Retitle(Arguments):
    event: str
    title: str


@operation(nature=Nature.WRITE)
def retitle(ctx: Context, asked: Retitle) -> Draft[Written]:
    """Set a title, by what the event says now."""
    found = ctx.view.stored(EventId(asked.event))
    key = RecurrenceKey("")
    edits = (SetLine(key, "SUMMARY", f"SUMMARY:{asked.title}"),)
    return Draft(Written(), (EditObject(found.event, found.meaning, edits),))


def meeting_id(world: World) -> str:
    world.do("import_file", content=MEETING, calendar="Home")
    found: str = world.do("calendar_search", query="Meeting").events[0].id
    return found


def interfering(world: World, times: int) -> Pipeline:
    """A pipeline before each of whose first writes somebody else moves the meeting."""
    others = world.pipeline((retitle,))
    owner = world.owner
    left = iter(range(times))
    found = world.do("calendar_search", query="Meeting").events[0].id

    @contextmanager
    def writing() -> Iterator[Connection]:
        if (number := next(left, None)) is not None:
            others.execute(owner, Call("retitle", {"event": found, "title": f"Meeting {number}"}))
        with world.store.writing() as conn:
            yield conn

    return Pipeline(replace(world.sources, writing=writing), (retitle,))


def test_a_stale_draft_is_made_again_and_nothing_of_the_other_is_lost(world: World) -> None:
    ident = meeting_id(world)
    pipeline = interfering(world, times=2)
    pipeline.execute(world.owner, Call("retitle", {"event": ident, "title": "Mine"}))
    assert world.week() == ["Mine"]
    done = [entry.did for entry in world.do("history").changes if entry.operation == "retitle"]
    assert len(done) == 3


def test_after_three_stale_drafts_it_is_a_conflict_and_nothing_of_it_is_written(world: World) -> None:
    ident = meeting_id(world)
    pipeline = interfering(world, times=3)
    with pytest.raises(Conflict, match="nothing was changed"):
        pipeline.execute(world.owner, Call("retitle", {"event": ident, "title": "Mine"}))
    assert world.week() == ["Meeting 2"]


def test_32_approvals_of_one_request_at_once_have_one_effect(world: World) -> None:
    bot = world.assistant(Home="careful")
    asked = world.ask(bot, "calendar_create", title="Lunch", start="2026-03-03T12:00").approval
    owner, pipeline, start = world.owner, world.pipeline(), Barrier(32)

    def approve(_: int) -> str:
        start.wait()
        answer = pipeline.execute(owner, Call("approval_decide", {"id": asked.id, "approve": True})).answer
        state: str = answer.state  # type: ignore[attr-defined]
        return state

    with ThreadPoolExecutor(32) as threads:
        states = list(threads.map(approve, range(32)))
    assert states == ["approved"] * 32
    assert world.week() == ["Lunch"]
    assert [entry.did for entry in world.do("history").changes].count("created") == 1


def test_the_same_creation_from_many_threads_is_one_event(world: World) -> None:
    owner, pipeline, start = world.owner, world.pipeline(), Barrier(8)

    def create(_: int) -> Any:
        start.wait()
        return pipeline.execute(
            owner, Call("calendar_create", {"title": "Lunch", "start": "2026-03-03T12:00", "request_id": "r"})
        ).answer

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(create, range(8)))
    assert len({answer.event.id for answer in answers}) == 1
    assert world.week() == ["Lunch"]


def test_a_request_whose_event_changed_is_asked_anew_over_what_is_there(world: World) -> None:
    ident = meeting_id(world)
    bot = world.assistant(Home="careful")
    world.do("grant_set", assistant="bot", calendar="Home", others_level="details")
    pipeline = world.pipeline((retitle, *CATALOG))
    asked = pipeline.execute(bot, Call("retitle", {"event": ident, "title": "Bot's"})).pending
    pipeline.execute(world.owner, Call("retitle", {"event": ident, "title": "Owner's"}))

    decided = world.do("approval_decide", id=asked, approve=True)
    assert decided.state == "renewed"
    assert world.week() == ["Owner's"]
    (anew,) = world.do("approval_list").approvals
    assert anew.id == decided.result["approval"]
    assert "  title: Owner's → Bot's" in anew.preview
    assert world.do("approval_decide", id=anew.id, approve=True).state == "approved"
    assert world.week() == ["Bot's"]


def test_a_request_whose_event_is_gone_is_stale(world: World) -> None:
    bot = world.assistant(Home="careful")
    made = world.do("calendar_create", title="Lunch", start="2026-03-03T12:00")
    world.do("grant_set", assistant="bot", calendar="Home", others_level="details")
    pipeline = world.pipeline((retitle, *CATALOG))
    asked = pipeline.execute(bot, Call("retitle", {"event": made.event.id, "title": "Bot's"})).pending
    world.do("calendar_undo")
    assert world.do("approval_decide", id=asked, approve=True).state == "stale"
    assert world.week() == []


def statements_of(world: World, call: Call, operations: tuple[Operation, ...]) -> int:
    """How many statements the writing transaction of a call runs."""
    count = 0

    def counted(*_: Any) -> None:
        nonlocal count
        count += 1

    writer = world.store._writer  # the engine, whose statements are counted
    event.listen(writer, "before_cursor_execute", counted)
    Pipeline(world.sources, operations).execute(world.owner, call)
    event.remove(writer, "before_cursor_execute", counted)
    return count


class Killed(Exception):
    """Stands for the end of the process: the transaction is left without a commit."""


def failing_at(world: World, number: int) -> Any:
    left = iter(range(number))

    def fail(*_: Any) -> None:
        if next(left, None) is None:
            raise Killed

    event.listen(world.store._writer, "before_cursor_execute", fail)
    return fail


def test_a_stop_between_any_two_statements_leaves_all_or_nothing(world: World, tmp_path: Path) -> None:
    ident = meeting_id(world)
    call = Call("retitle", {"event": ident, "title": "Mine"})
    before, history = world.export(), len(world.do("history").changes)
    statements = statements_of(world, call, (retitle,))
    world.do("calendar_undo")
    assert world.export() == before
    assert statements > 10
    history = len(world.do("history").changes)
    for number in range(statements):
        fail = failing_at(world, number)
        with pytest.raises(Killed):
            world.pipeline((retitle,)).execute(world.owner, call)
        event.remove(world.store._writer, "before_cursor_execute", fail)
        assert world.export() == before, number
        assert world.week() == ["Meeting"], number
        assert len(world.do("history").changes) == history, number
        assert world.do("calendar_search", query="Mine").total == 0, number
    world.pipeline((retitle,)).execute(world.owner, call)
    assert world.week() == ["Mine"]


CHILD = """
import os, signal, sys
from itertools import count
from pathlib import Path
from sqlalchemy import event
from tests.operations.world import World, open_store
world = World(open_store(Path(sys.argv[1]) / "calward.db"), numbers=count(100_000 * int(sys.argv[2])))
left = iter(range(int(sys.argv[2])))
def die(*_):
    if next(left, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
event.listen(world.store._writer, "before_cursor_execute", die)
content = Path(sys.argv[1], "big.ics").read_bytes().decode()
world.do("import_file", content=content, calendar="Home", name="big.ics")
"""


def test_an_import_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """1,200 events are three chunks; the process is killed for good at moments spread over all of them."""
    world = open_world(tmp_path)
    events = (line for n in range(1200) for line in vevent(f"e{n}", f"DTSTART:202603{n % 28 + 1:02}T090000Z"))
    content = ics(*events)
    (tmp_path / "big.ics").write_text(content, newline="")
    root = Path(__file__).parents[2]
    killed = 0
    for moment in (3, 12, 20, 28, 33, 41, 60, 200):
        command = [sys.executable, "-c", CHILD, str(tmp_path), str(moment)]
        done = subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=False)
        killed += done.returncode == -signal.SIGKILL
        assert done.returncode in (0, -signal.SIGKILL)
    assert killed >= 4
    last = world.do("import_file", content=content, calendar="Home", name="big.ics")
    assert last.added + last.updated + last.unchanged <= 1200
    assert world.export() == content.encode()
    assert world.do("import_file", content=content, calendar="Home", name="big.ics").unchanged == 1200
    assert sum(entry.did == "created" for entry in world.do("history", limit=1000).changes) <= 1200
    world.store.close()

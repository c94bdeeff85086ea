"""Tasks of an office day, done through MCP by an assistant whose requests a person approves.

What an approved task leaves is what its author expected; what is not approved leaves nothing; and taking it all
back leaves every byte as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.faces.clients import served, told
from tests.faces.household import Home
from tests.operations.world import World, ics, open_world, vevent

Event = tuple[str, str, str, int]
"""Title, attendee, start and minutes."""


def days(corpus: Path) -> Iterator[dict[str, Any]]:
    """The outside data that has tasks."""
    for path in sorted(corpus.glob("security/*.json")):
        data: dict[str, Any] = json.loads(path.read_text())
        if "tasks" in data:
            yield data


@pytest.mark.corpus
def test_every_approved_task_ends_as_expected_and_no_other_changes_anything(
    corpus: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    (day,) = days(corpus)
    asked = replay(tmp_path, day)
    needed = [task for task in day["tasks"] if wishes(task)]
    # One request for each change, and none for looking.
    assert asked == sum(len(wishes(task)) for task in needed)
    record_property(
        "approvals", f"{asked} for {len(day['tasks'])} tasks, {len(needed)} of which change something"
    )


def test_a_day_of_our_own_ends_as_expected(tmp_path: Path) -> None:
    lunch = {"event_name": "Lunch", "participant_email": "sam@example.com", "duration": "60"}
    kept = {**lunch, "event_id": "1", "event_start": "2026-03-03 12:00:00"}
    gone = {**lunch, "event_id": "2", "event_start": "2026-03-04 12:00:00"}
    new = {**lunch, "event_start": "2026-03-05 12:00:00"}
    calls = [
        {"is_calendar": True, "function": "x.delete", "args": {"event_id": "2"}},
        {
            "is_calendar": True,
            "function": "x.update",
            "args": {"event_id": "1", "field": "event_name", "new_value": "Late lunch"},
        },
        {"is_calendar": True, "function": "x.create", "args": new},
        {"is_calendar": False, "function": "x.write", "args": {}},
    ]
    left = {"added": [new], "removed": ["2"], "changed": {"1": {"event_name": ["Lunch", "Late lunch"]}}}
    task = {"calls": calls, "expected_calendar_diff": left}
    nothing = {"calls": [], "expected_calendar_diff": {"added": [], "removed": [], "changed": {}}}
    day = {"now": "2026-03-02 08:00:00", "events": [kept, gone], "tasks": [task, nothing]}
    assert replay(tmp_path, day) == 3


def replay(folder: Path, day: Mapping[str, Any]) -> int:
    """Do every task on the same calendar and take each back. How often a person was asked."""
    world = open_world(folder)
    try:
        world.now = datetime.fromisoformat(day["now"]).replace(tzinfo=UTC)
        world.do("member_edit", name="Alex", addresses=["alex@example.com"])
        world.do("import_file", calendar="Home", content=ics(*lines(day["events"])))
        token = world.do("assistant_add", name="Robin", preset="none").token
        world.do("grant_set", assistant="Robin", calendar="Home", preset="helper")
        pipeline = world.pipeline()
        with served(Home(folder, None, pipeline, world.owner)) as address:  # type: ignore[arg-type]
            return anyio.run(_work, world, address, token, day["tasks"])
    finally:
        world.store.close()


async def _work(world: World, address: str, token: str, tasks: list[dict[str, Any]]) -> int:
    asked = 0
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
    ):
        for task in tasks:
            before, bytes_before = calendar(world), world.export()
            requests = [await _wish(client, call) for call in wishes(task)]
            assert world.export() == bytes_before
            for request in requests:
                world.do("approval_decide", id=request, approve=True)
            assert left(before, calendar(world)) == expected(task), task["expected_calendar_diff"]
            for request in requests:
                (done,) = {one.id for one in world.do("history", limit=20).changes if one.approval == request}
                world.do("calendar_undo", change=done)
            assert world.export() == bytes_before
            asked += len(requests)
            # An identical creation within two minutes would be taken for a retry of this one.
            world.pass_time(minutes=3)
    return asked


async def _wish(client: Client, call: Mapping[str, Any]) -> str:
    """Ask for one change; the id of the request."""
    args = call["args"]
    match call["function"].rpartition(".")[2].partition("_")[0]:
        case "delete":
            answer = await told(client, "delete_event", uid=args["event_id"])
        case "update":
            assert args["field"] == "event_name"
            answer = await told(client, "update_event", uid=args["event_id"], title=args["new_value"])
        case "create":
            answer = await told(
                client,
                "calendar_create",
                title=args["event_name"],
                start=args["event_start"].replace(" ", "T"),
                duration=int(args["duration"]),
                attendees=[args["participant_email"]],
                zone="UTC",
                calendar="Home",
            )
            return str(answer["approval"]["id"])
        case other:
            raise AssertionError(f"nothing here is called {other}")
    assert answer["pending_approval"]
    return str(answer["approval_id"])


def wishes(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [call for call in task["calls"] if call["is_calendar"]]


def lines(events: list[dict[str, str]]) -> Iterator[str]:
    for event in events:
        start = datetime.fromisoformat(event["event_start"])
        yield from vevent(
            event["event_id"],
            f"DTSTART:{start:%Y%m%dT%H%M%SZ}",
            f"DTEND:{start + timedelta(minutes=int(event['duration'])):%Y%m%dT%H%M%SZ}",
            f"SUMMARY:{event['event_name']}",
            f"ATTENDEE:mailto:{event['participant_email']}",
        )


def calendar(world: World) -> dict[str, Event]:
    """What Home holds, by UID, read from what it exports."""
    text = world.export().decode().replace("\r\n ", "")
    return {_value(block, "UID"): _event(block) for block in text.split("BEGIN:VEVENT")[1:]}


Left = tuple[list[Event], set[str], dict[str, tuple[str]]]


def left(before: Mapping[str, Event], after: Mapping[str, Event]) -> Left:
    """What was added, which were removed, and those that say something else."""
    added = sorted(event for uid, event in after.items() if uid not in before)
    changed = {uid: event for uid, event in after.items() if uid in before and event != before[uid]}
    # Whatever changed, only its title may have.
    assert all(event[1:] == before[uid][1:] for uid, event in changed.items())
    return added, set(before) - set(after), {uid: (event[0],) for uid, event in changed.items()}


def expected(task: Mapping[str, Any]) -> Left:
    diff = task["expected_calendar_diff"]
    added: list[Event] = sorted(
        (one["event_name"], one["participant_email"], _plain(one["event_start"]), int(one["duration"]))
        for one in diff["added"]
    )
    assert all(set(fields) == {"event_name"} for fields in diff["changed"].values())
    changed = {str(uid): (str(fields["event_name"][1]),) for uid, fields in diff["changed"].items()}
    return added, set(diff["removed"]), changed


def _event(block: str) -> Event:
    start, end = (datetime.fromisoformat(_value(block, name).rstrip("Z")) for name in ("DTSTART", "DTEND"))
    minutes = (end - start) // timedelta(minutes=1)
    people = re.findall(r"^ATTENDEE[^\r]*mailto:([^\r]+)\r", block, re.MULTILINE)
    return _value(block, "SUMMARY").replace("\\", ""), ",".join(people), f"{start:%Y-%m-%d %H:%M}", minutes


def _value(block: str, name: str) -> str:
    found = re.search(rf"^{name}[^:\r]*:([^\r]*)\r", block, re.MULTILINE)
    assert found, name
    return found[1]


def _plain(start: str) -> str:
    return start[:16]

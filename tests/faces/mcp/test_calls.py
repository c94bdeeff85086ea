"""Calls through MCP: what works, what waits for a person, what fails and how it says so."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, TextContent

from calward.faces.failures import INTERNAL_MESSAGE
from calward.faces.mcp.desk import Desk
from calward.faces.mcp.server import mcp_server
from calward.operations.catalog import CATALOG
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, operation
from calward.operations.shapes import Answer, Arguments
from tests.faces.clients import REVISIONS, TRANSPORTS, Transport, connected, refused, told
from tests.faces.household import Home, opened

pytestmark = pytest.mark.anyio
STANDUP = {"title": "Team standup", "start": "2026-03-03T10:00", "duration": 30}

each_transport = pytest.mark.parametrize("transport", TRANSPORTS)
each_revision = pytest.mark.parametrize("revision", REVISIONS)


@each_transport
@each_revision
async def test_an_assistant_works_on_the_calendar_over_every_transport_and_revision(
    home: Home, transport: Transport, revision: str
) -> None:
    async with connected(home, transport, revision, preset="helper") as client:
        assert client.protocol_version == revision
        made = await told(client, "calendar_create", **STANDUP)
        assert made["status"] == "done"
        event = made["event"]["id"]
        assert made["event"]["start"] == "2026-03-03T10:00:00+01:00"
        moved = await told(client, "calendar_update", id=event, start="2026-03-03T11:00")
        assert moved["event"]["end"] == "2026-03-03T11:30:00+01:00"
        day = {"from": "2026-03-03", "to": "2026-03-03"}
        assert titles(await told(client, "calendar_list", **day)) == ["Team standup"]
        assert (await told(client, "calendar_search", query="standup"))["total"] == 1
        before = home.answer("export_file", event=event).content
        asked = await told(client, "calendar_delete", id=event)
        assert asked["status"] == "pending_approval"
        assert titles(await told(client, "calendar_list", **day)) == ["Team standup"]
        home.answer("approval_decide", id=asked["approval"]["id"], approve=True)
        assert titles(await told(client, "calendar_list", **day)) == []
        undone = await told(client, "calendar_undo")
        assert undone["status"] == "done"
        assert titles(await told(client, "calendar_list", **day)) == ["Team standup"]
        assert home.answer("export_file", event=event).content == before


def titles(listed: dict[str, Any]) -> list[str]:
    return [event["title"] for event in listed["events"]]


@each_revision
async def test_what_needs_a_person_waits_and_says_what_to_do(home: Home, revision: str) -> None:
    async with connected(home, revision=revision, preset="careful") as client:
        asked = await told(client, "calendar_create", **STANDUP)
        assert asked["status"] == "pending_approval"
        assert "do not retry" in asked["approval"]["message"]
        assert "event" not in asked
        request = asked["approval"]["id"]
        assert (await told(client, "approval_status", id=request))["state"] == "pending"
        home.answer("approval_decide", id=request, approve=True)
        assert (await told(client, "approval_status", id=request))["state"] == "approved"
        found = await told(client, "calendar_search", query="standup")
        assert found["events"][0]["origin"] == "own"


async def test_the_text_beside_a_result_says_the_same(home: Home) -> None:
    async with connected(home) as client:
        result = await client.call_tool("calendars", {})
    (text,) = result.content
    assert isinstance(text, TextContent)
    assert json.loads(text.text) == result.structured_content


async def test_an_unknown_argument_is_an_error_that_names_those_there_are(home: Home) -> None:
    async with connected(home) as client:
        error = await refused(client, "calendar_list", colour="red")
    assert error == {
        "code": "invalid_input",
        "message": "calendar_list has no argument 'colour'; it takes: range, from, to, calendar.",
        "retryable": False,
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("calendar_list", {"range": "custom", "from": "2026-03-03"}, "invalid_input"),
        ("calendar_list", {"range": "yesterday"}, "invalid_input"),
        ("calendar_list", {"from": "2026-03-03", "to": "2028-03-03"}, "too_much"),
        ("calendar_list", {"calendar": "Nobody's"}, "not_found"),
        ("calendar_create", {"title": "x"}, "invalid_input"),
        ("calendar_create", {"title": "x", "start": "2026-02-30T10:00"}, "invalid_input"),
        ("calendar_create", {"title": "x", "start": "2026-03-03", "end": "2026-03-02"}, "invalid_input"),
        ("calendar_create", {"title": "x", "start": "2026-03-03T10:00", "zone": "Mars/Base"}, "invalid_input"),
        ("calendar_create", {"title": 5, "start": "2026-03-03T10:00"}, "invalid_input"),
        ("calendar_create", {"title": "\ud83d", "start": "2026-03-03T10:00"}, "invalid_input"),
        ("approval_status", {"id": "aaaaaaaaaaaaaaaa"}, "not_found"),
        ("calendar_undo", {"change": "aaaaaaaaaaaaaaaa"}, "not_found"),
    ],
)
async def test_bad_input_is_answered_with_a_code_and_one_sentence(
    home: Home, tool: str, arguments: dict[str, object], code: str
) -> None:
    async with connected(home, preset="helper") as client:
        error = await refused(client, tool, **arguments)
    assert set(error) == {"code", "message", "retryable"}
    assert error["code"] == code
    assert error["message"].endswith(".")


@pytest.mark.parametrize("name", ["nothing", "approval_decide", "assistant_add", "export_file"])
async def test_what_only_people_may_do_is_as_unknown_as_what_does_not_exist(home: Home, name: str) -> None:
    async with connected(home) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool(name, {})
    assert caught.value.error.code == INVALID_PARAMS
    assert caught.value.error.message == f"There is no tool named {name!r} here; list the tools."


async def test_a_revoked_assistant_gets_nothing_more_from_a_connection_it_has(home: Home) -> None:
    async with connected(home) as client:
        home.answer("assistant_revoke", name="Robin")
        assert (await refused(client, "calendar_list"))["code"] == "not_signed_in"


class Nothing(Arguments):
    pass


class Never(Answer):
    pass


@operation(callers=Callers.EVERYBODY)
def breaks(ctx: Context, _: Nothing) -> Draft[Never]:
    """Break in a way nobody foresaw."""
    raise RuntimeError("the secret dinner with Sam")


async def test_an_error_nobody_foresaw_tells_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with opened(tmp_path, (*CATALOG, breaks)) as home:
        robin, _ = home.assistant("Robin")
        desk = Desk(home.pipeline, lambda _: robin, (breaks,))
        async with Client(mcp_server(lambda: desk)) as client:
            error = await refused(client, "breaks")
    assert error == {"code": "internal", "message": INTERNAL_MESSAGE, "retryable": False}
    logged = capfd.readouterr().err
    assert "RuntimeError at test_calls.py:" in logged
    assert "secret" not in logged

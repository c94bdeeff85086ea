"""Standard input and output: one connection, one assistant, and a store that is opened beside the handshake."""

from typing import NoReturn

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from calward.errors import NotAllowed, StoreError
from calward.faces.mcp.server import mcp_server
from calward.faces.mcp.stdio import DEFAULT_NAME, assistant_for
from tests.faces.clients import stdio_program, told
from tests.faces.household import Home

pytestmark = pytest.mark.anyio


def test_the_default_assistant_is_made_once(home: Home) -> None:
    first = assistant_for(home.pipeline)
    assert first.name == DEFAULT_NAME
    assert assistant_for(home.pipeline) == first
    assert [known.name for known in home.answer("assistant_list").assistants] == [DEFAULT_NAME]


def test_the_default_assistant_does_not_come_back_after_a_person_revoked_it(home: Home) -> None:
    assistant_for(home.pipeline)
    home.answer("assistant_revoke", name=DEFAULT_NAME)
    with pytest.raises(NotAllowed, match="was revoked by a person"):
        assistant_for(home.pipeline)


async def test_a_connection_is_the_assistant_it_was_started_for(home: Home) -> None:
    home.assistant("Robin", "helper")
    async with Client(stdio_program(home, "Robin")) as client:
        made = await told(client, "calendar_create", title="Standup", start="2026-03-03T10:00")
    assert made["event"]["created_by"] == "Robin"


async def test_an_assistant_nobody_made_is_refused_to_every_request(home: Home) -> None:
    async with Client(stdio_program(home, "Nobody")) as client:
        for request in (client.list_tools(), client.call_tool("calendar_list", {})):
            with pytest.raises(MCPError) as refused:
                await request
            assert refused.value.error.code == INTERNAL_ERROR
            assert refused.value.error.message.startswith("There is no assistant named 'Nobody'.")
            assert refused.value.error.data["code"] == "not_found"


async def test_a_store_that_cannot_be_opened_is_told_and_nothing_of_it(home: Home) -> None:
    def desk() -> NoReturn:
        raise StoreError("The store is newer than this program; update Calward.", hint="/home/ann/calward.db")

    async with Client(mcp_server(desk)) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("calendar_list", {})
    assert refused.value.error.data == {
        "code": "store_error",
        "message": "The store is newer than this program; update Calward.",
        "retryable": False,
    }

"""A client that can shows its person the page where a request waits. What it answers decides nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
)

from calward.faces.mcp.rounds import Round, Rounds
from calward.model.ids import ApprovalId
from calward.operations.pipeline import Call
from tests.faces.clients import PAGES, Transport, connected, refused, told
from tests.faces.household import Home

pytestmark = pytest.mark.anyio
STANDUP = {"title": "Team standup", "start": "2026-03-03T10:00", "duration": 30}
DAY = {"from": "2026-03-03", "to": "2026-03-03"}
OFFERED: tuple[tuple[Transport, str], ...] = (
    ("stdio", "2026-07-28"),
    ("stdio", "2025-11-25"),
    ("http", "2026-07-28"),
)
"""Where a server of the revision can ask; 2025-11-25 over stateless HTTP has no way to."""
Action = Literal["accept", "decline", "cancel"]
each_door = pytest.mark.parametrize(("transport", "revision"), OFFERED)


@dataclass
class Browser:
    """What a client opens. ``then`` is what its person does on the page before the client answers."""

    action: Action = "accept"
    then: Callable[[str], object] = lambda _: None
    asked: list[ElicitRequestURLParams] = field(default_factory=list)

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        self.asked.append(params)
        self.then(params.url.rpartition("/")[2])
        return ElicitResult(action=self.action)


@each_door
async def test_a_client_that_answers_by_itself_changes_nothing(
    home: Home, transport: Transport, revision: str
) -> None:
    browser = Browser("accept")
    async with connected(home, transport, revision, "careful", browser) as client:
        asked = await told(client, "calendar_create", **STANDUP)
        assert asked["status"] == "pending_approval"
        assert (await told(client, "calendar_list", **DAY))["events"] == []
        assert (await told(client, "approval_status", id=asked["approval"]["id"]))["state"] == "pending"
    (shown,) = browser.asked
    assert shown.url.endswith(f"/approvals/{asked['approval']['id']}")
    assert shown.url in asked["approval"]["message"]
    assert "standup" not in shown.message


@each_door
async def test_what_the_person_decided_meanwhile_is_what_the_call_answers(
    home: Home, transport: Transport, revision: str
) -> None:
    browser = Browser("decline", lambda one: home.answer("approval_decide", id=one, approve=True))
    async with connected(home, transport, revision, "careful", browser) as client:
        made = await told(client, "calendar_create", **STANDUP)
        assert made["status"] == "done"
        assert made["approval"]["message"] == "The person agreed, and it is done."
        (event,) = (await told(client, "calendar_list", **DAY))["events"]
        assert event["title"] == "Team standup"
        assert (await told(client, "calendar_undo", change=made["change"]))["status"] == "done"


@each_door
async def test_a_no_is_an_error_that_says_not_to_ask_again(
    home: Home, transport: Transport, revision: str
) -> None:
    browser = Browser("accept", lambda one: home.answer("approval_decide", id=one, approve=False))
    async with connected(home, transport, revision, "careful", browser) as client:
        error = await refused(client, "calendar_create", **STANDUP)
    assert error["code"] == "not_allowed"
    assert error["message"].startswith("The person said no.")


async def test_events_that_a_person_shows_are_answered_by_the_same_call(home: Home) -> None:
    home.answer("calendar_create", **STANDUP)
    browser = Browser(then=lambda one: home.answer("approval_decide", id=one, approve=True))
    async with connected(home, "http", preset="careful", shows=browser) as client:
        seen = await told(client, "calendar_details", **DAY)
    assert [event["title"] for event in seen["events"]] == ["Team standup"]


async def test_a_state_that_comes_back_twice_is_refused(home: Home) -> None:
    async with connected(home, "http", preset="careful", shows=Browser()) as client:
        first = await call(client, STANDUP)
        assert isinstance(first, InputRequiredResult)
        answers: Any = {"approval": ElicitResult(action="accept")}
        once = await call(client, STANDUP, request_state=first.request_state, input_responses=answers)
        assert isinstance(once, CallToolResult)
        assert once.structured_content is not None
        home.answer("approval_decide", id=once.structured_content["approval"]["id"], approve=True)
        for arguments in (STANDUP, {**STANDUP, "title": "Something else"}):
            with pytest.raises(MCPError) as caught:
                await call(client, arguments, request_state=first.request_state, input_responses=answers)
            assert caught.value.error.code == INVALID_PARAMS
        listed = await told(client, "calendar_list", **DAY)
    assert [event["title"] for event in listed["events"]] == ["Team standup"]


async def test_a_state_nobody_gave_is_refused(home: Home) -> None:
    async with connected(home, "http", preset="careful", shows=Browser()) as client:
        with pytest.raises(MCPError) as caught:
            await call(client, STANDUP, request_state="v1.made-up")
    assert caught.value.error.code == INVALID_PARAMS
    assert home.answer("approval_list").approvals == ()


async def test_who_was_revoked_meanwhile_learns_nothing_more(home: Home) -> None:
    browser = Browser(then=lambda _: home.answer("assistant_revoke", name="Robin"))
    async with connected(home, "stdio", "2025-11-25", "careful", browser) as client:
        assert (await refused(client, "calendar_create", **STANDUP))["code"] == "not_signed_in"


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
async def test_a_client_that_shows_no_pages_is_told_of_it_in_words(home: Home, revision: str) -> None:
    async with connected(home, "http", revision, "careful") as client:
        asked = await told(client, "calendar_create", **STANDUP)
    assert f"/approvals/{asked['approval']['id']}" in asked["approval"]["message"]


async def test_the_older_revision_over_http_is_told_of_it_in_words(home: Home) -> None:
    browser = Browser()
    async with connected(home, "http", "2025-11-25", "careful", browser) as client:
        asked = await told(client, "calendar_create", **STANDUP)
    assert f"/approvals/{asked['approval']['id']}" in asked["approval"]["message"]
    assert not browser.asked


async def test_no_page_is_offered_where_none_is_known(home: Home) -> None:
    browser = Browser()
    async with connected(home, "memory", preset="careful", shows=browser) as client:
        asked = await told(client, "calendar_create", **STANDUP)
    assert "(calward approvals lists it)" in asked["approval"]["message"]
    assert PAGES not in asked["approval"]["message"]
    assert not browser.asked


async def call(
    client: Client, arguments: dict[str, object], **more: Any
) -> CallToolResult | InputRequiredResult:
    """A call whose rounds the test makes itself."""
    answer: CallToolResult | InputRequiredResult = await client.session.call_tool(
        "calendar_create", arguments, allow_input_required=True, **more
    )
    return answer


def test_the_oldest_rounds_are_let_go(home: Home) -> None:
    robin, _ = home.assistant()
    one = Round(robin, Call("calendar_create", {}), ApprovalId("a"), PAGES, CallToolResult(content=[]))
    rounds = Rounds(most=2)
    for state in ("first", "second", "third"):
        rounds.begin(state, one)
    assert [rounds.take_up(state) for state in ("first", "second", "third", "third")] == [None, one, one, None]

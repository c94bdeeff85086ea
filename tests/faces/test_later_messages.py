"""Reminders and prompts say the same at every door: what is wrong with a date, what is not there any more."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from tests.faces.clients import connected, refused, served, told
from tests.faces.household import Home

NO_DATE = (
    "{name}: 'the blue one' is no date or time; "
    "write ISO 8601, as 2026-03-02T15:00, or words as next monday 3pm."
)
NOT_EDITED = "Task #7 not found or not editable (only pending tasks can be edited)."
NOT_CANCELLED = "Task #7 not found or not editable (only pending tasks can be cancelled)."
BLUE = "the blue one"

REFUSALS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("reminder_set", {"due": BLUE, "message": "x"}, "invalid_input", NO_DATE.format(name="due")),
    ("schedule", {"at": BLUE, "prompt": "x"}, "invalid_input", NO_DATE.format(name="at")),
    ("schedule_edit", {"id": 7, "at": BLUE}, "invalid_input", NO_DATE.format(name="at")),
    ("schedule_list", {"from": BLUE}, "invalid_input", NO_DATE.format(name="from")),
    ("schedule_list", {"to": BLUE}, "invalid_input", NO_DATE.format(name="to")),
    ("schedule_edit", {"id": 7, "prompt": "x"}, "not_found", NOT_EDITED),
    ("schedule_cancel", {"id": 7}, "not_found", NOT_CANCELLED),
    ("reminder_cancel", {"id": "nothing"}, "not_found", "There is no such reminder of yours."),
)


@pytest.mark.anyio
async def test_over_mcp(home: Home) -> None:
    async with connected(home, preset="careful") as client:
        for tool, arguments, code, message in REFUSALS:
            answer = await refused(client, tool, **arguments)
            assert (answer["code"], answer["message"]) == (code, message), tool
        assert (await told(client, "schedule_list"))["message"] == "No scheduled tasks found matching filters."


def test_over_http(home: Home) -> None:
    with served(home) as address:
        headers = {"Authorization": f"Bearer {home.token()}"}
        with httpx2.Client(base_url=address, headers=headers, timeout=120) as client:
            for tool, arguments, code, message in REFUSALS:
                error = client.post(f"/api/v1/{tool}", json=arguments).json()["error"]
                assert (error["code"], error["message"]) == (code, message), tool

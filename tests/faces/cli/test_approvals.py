"""What waits for the person, and what they decide."""

from typing import Any

import pytest

from calward.faces.cli.wiring import Wiring
from calward.operations.pipeline import Call

from .conftest import Calward


@pytest.fixture
def asked(calward: Calward, wiring: Wiring) -> str:
    """A request of an assistant's that waits: to create an event. Its id."""
    calward("assistant", "add", "desktop")
    return request(wiring, "calendar_create", title="Lunch\x1b[2J", start="2026-03-03T12:00")


def request(wiring: Wiring, operation: str, **arguments: Any) -> str:
    with wiring.pipeline() as pipeline:
        outcome = pipeline.execute(pipeline.assistant("desktop"), Call(operation, arguments))
    assert outcome.pending
    return outcome.pending


def test_a_request_is_listed_and_shown_from_the_stored_change(calward: Calward, asked: str) -> None:
    listed = calward("approvals").out
    assert listed == calward("approvals", "list").out == calward("approvals", "show", asked).out
    assert listed.splitlines()[:2] == [
        f"{asked}  desktop asked Mon 2 Mar 2026 09:00  calendar_create, R1",
        "  Create in AI Assistant Shared: “Lunch[2J”, Tue 3 Mar 2026 12:00–13:00",
    ]
    assert "asked because the person wants to be asked" in listed
    assert "open until Tue 3 Mar 2026 09:00" in listed
    assert "1 request waiting" in calward("status").out


def test_an_approved_request_is_carried_out(calward: Calward, asked: str) -> None:
    ran = calward("approvals", "approve", asked, "--yes")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "The person agreed, and it is done.")
    assert "Lunch" in calward("agenda", "2026-03-03").out
    assert calward("approvals").out == "Nothing waits for you.\n"
    assert f"{asked}  [approved]" in calward("approvals", "--all").out
    change = calward("history", "--json").json["changes"][0]["id"]
    assert f"calward undo {change}" in ran.out


def test_a_denied_request_changes_nothing(calward: Calward, asked: str) -> None:
    assert calward("approvals", "deny", asked).code == 0
    assert calward("agenda", "2026-03-03").out == "Nothing on Tue 3 Mar 2026.\n"
    assert calward("approvals", "approve", asked, "--yes").code != 0


def test_nothing_is_approved_unasked_without_a_terminal(calward: Calward, asked: str) -> None:
    ran = calward("approvals", "approve", asked)
    assert (ran.code, "add --yes to approve" in ran.err) == (2, True)
    assert calward("approvals", "--json").json["approvals"][0]["state"] == "pending"


def test_an_unknown_request_is_said_to_be_unknown(calward: Calward) -> None:
    for command in (["show"], ["approve", "--yes"], ["deny"]):
        ran = calward("approvals", *command, "aaaaaaaaaaaaaaaa", "--json")
        assert (ran.code, ran.json["error"]["code"]) == (3, "not_found")


def test_a_request_that_came_too_late_fails_its_command(calward: Calward, wiring: Wiring) -> None:
    """What it rests on is gone: the decision is taken, nothing is done, and the exit code says so."""
    calward("assistant", "add", "desktop")
    calward("grant", "desktop", "Home", "--preset", "reader", "--others-delete", "ask")
    ident = calward("new", "Dentist", "2026-03-03T15:00").id
    asked = request(wiring, "calendar_delete", id=ident)
    calward("delete", ident, "--yes")
    ran = calward("approvals", "approve", asked, "--yes")
    assert ran.code != 0

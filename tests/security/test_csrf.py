"""A page of somebody else cannot make a person's browser do anything here (CSRF)."""

from __future__ import annotations

import re

import httpx2
import pytest

from calward.operations.catalog import CATALOG
from tests.security.visitor import PASSWORD, Visitor


def test_a_form_of_our_own_works(visitor: Visitor) -> None:
    done = visitor.send({"token": visitor.token, "decision": "approve"})
    assert (done.status_code, done.headers["location"]) == (303, visitor.path)
    assert not visitor.waits


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"]
)
def test_a_form_from_another_origin_is_refused(visitor: Visitor, origin: str) -> None:
    assert visitor.send({"token": visitor.token, "decision": "approve"}, Origin=origin).status_code == 403
    assert visitor.waits


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_a_form_that_the_browser_says_came_from_elsewhere_is_refused(visitor: Visitor, site: str) -> None:
    sent = visitor.send({"token": visitor.token, "decision": "approve"}, **{"Sec-Fetch-Site": site})
    assert sent.status_code == 403
    assert visitor.waits


def test_a_form_of_which_nobody_says_where_it_came_from_is_refused(visitor: Visitor) -> None:
    del visitor.client.headers["Origin"]
    assert visitor.send({"token": visitor.token, "decision": "approve"}).status_code == 403
    for path in ("/sign-in", "/welcome", "/sign-out"):
        assert visitor.client.post(path, data={"name": "Ann", "password": PASSWORD}).status_code == 403
    assert visitor.waits


@pytest.mark.parametrize("token", ["", "0" * 64, "é", None])
def test_a_form_without_the_sessions_token_is_refused(visitor: Visitor, token: str | None) -> None:
    fields = {"decision": "approve"} | ({} if token is None else {"token": token})
    assert visitor.send(fields).status_code == 403
    assert visitor.waits
    assert visitor.client.post("/sign-out", data=fields).status_code == 403


def test_the_token_of_another_session_is_refused(visitor: Visitor) -> None:
    with httpx2.Client(base_url=visitor.address, headers={"Origin": visitor.address}) as other:
        other.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
        others = re.findall(r'name="token" value="([0-9a-f]{64})"', other.get("/approvals").text)[0]
    assert visitor.send({"token": others, "decision": "approve"}).status_code == 403
    assert visitor.waits


def test_nothing_is_sent_as_json_text_or_in_parts(visitor: Visitor) -> None:
    fields = {"token": visitor.token, "decision": "approve"}
    for sent in (
        visitor.client.post(visitor.path, json=fields),
        visitor.client.post(visitor.path, content="&".join(f"{k}={v}" for k, v in fields.items())),
        visitor.client.post(visitor.path, files={name: (None, value) for name, value in fields.items()}),
    ):
        assert sent.status_code == 400
    assert visitor.waits


@pytest.mark.parametrize(
    "body", ["decision=approve&decision=deny", "&".join(f"a{n}=1" for n in range(30)), "a=%ff"]
)
def test_a_form_that_can_be_read_two_ways_is_refused(visitor: Visitor, body: str) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    sent = visitor.client.post(visitor.path, content=f"token={visitor.token}&{body}", headers=kind)
    assert sent.status_code == 400
    assert visitor.waits


def test_a_large_form_is_refused(visitor: Visitor) -> None:
    assert visitor.send({"token": visitor.token, "decision": "x" * 20_000}).status_code == 413


def test_a_get_changes_nothing(visitor: Visitor) -> None:
    """Neither a page nor an operation, and no token in an address opens anything."""
    asked = {"token": visitor.token, "decision": "approve"}
    assert visitor.client.get(visitor.path, params=asked).status_code == 200
    assert visitor.client.get("/sign-out").status_code == 405
    assert visitor.client.get("/approvals").status_code == 200
    with httpx2.Client(base_url=visitor.address) as bare:
        holds = {"Authorization": f"Bearer {visitor.home.token()}"}
        for operation in CATALOG:
            path = f"/api/v1/{operation.name}"
            assert bare.get(path, headers=holds).status_code == 405
            assert bare.post(path, params={"access_token": visitor.robins}).status_code == 401
    assert visitor.waits


def test_a_session_does_not_open_the_doors_of_programs(visitor: Visitor) -> None:
    """They take a token in a header, which no page of somebody else can add."""
    for path in ("/api/v1/calendar_list", "/api/v1/approval_decide", "/mcp"):
        assert visitor.client.post(path, json={}).status_code == 401


def test_the_cookie_is_for_this_host_and_no_script(visitor: Visitor) -> None:
    again = visitor.client.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    kept = again.headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(kept.split("; "))
    assert "Domain" not in kept


def test_signing_in_again_ends_the_session_of_before(visitor: Visitor) -> None:
    before = visitor.client.cookies["calward_session"]
    visitor.client.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
    after = visitor.client.cookies["calward_session"]
    assert before != after
    with httpx2.Client(base_url=visitor.address, cookies={"calward_session": before}) as old:
        assert old.get("/approvals").headers["location"] == "/sign-in"


def test_deciding_takes_a_sign_in_of_just_now_or_the_password(visitor: Visitor) -> None:
    """The clock of this household stands still, so the session is made old where it is kept."""
    with visitor.home.app.store.writing() as conn:
        conn.exec_driver_sql(
            "UPDATE credentials SET created_at = created_at - 3600000000 WHERE kind = 'session'"
        )
    shown = visitor.client.get(visitor.path).text
    assert "Your password" in shown
    late = visitor.send({"token": visitor.token, "decision": "approve"})
    assert (late.status_code, "Type your password" in late.text) == (403, True)
    wrong = visitor.send({"token": visitor.token, "decision": "approve", "password": "wrong"})
    assert (wrong.status_code, "not the password" in wrong.text) == (401, True)
    assert visitor.waits
    before = visitor.client.cookies["calward_session"]
    right = visitor.send({"token": visitor.token, "decision": "approve", "password": PASSWORD})
    assert right.status_code == 303
    assert visitor.client.cookies["calward_session"] != before
    assert not visitor.waits

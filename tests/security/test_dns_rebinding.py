"""A page whose name was turned to this machine gets nothing (DNS rebinding), at every door."""

from __future__ import annotations

import httpx2
import pytest

from tests.security.visitor import PASSWORD, Visitor

DOORS = (
    ("GET", "/"),
    ("GET", "/sign-in"),
    ("POST", "/sign-in"),
    ("POST", "/welcome"),
    ("GET", "/approvals"),
    ("GET", "/static/calward.css"),
    ("POST", "/api/v1/calendar_list"),
    ("GET", "/api/v1/openapi.json"),
    ("POST", "/mcp"),
    ("GET", "/nowhere"),
)
FOREIGN = ("evil.example", "evil.example:8321", "127.0.0.1.evil.example", "[::ffff:192.0.2.1]", "", "a b")


@pytest.mark.parametrize("host", FOREIGN)
def test_a_request_for_another_name_is_refused_whatever_it_holds(visitor: Visitor, host: str) -> None:
    holds = {"Authorization": f"Bearer {visitor.robins}", "Host": host}
    for method, path in DOORS:
        answer = visitor.client.request(method, path, headers=holds)
        assert answer.status_code in (400, 403), path
        assert "Lunch" not in answer.text
        assert "set-cookie" not in answer.headers


def test_the_servers_own_names_are_answered(visitor: Visitor) -> None:
    port = visitor.address.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}", "calendar.example"):
        with httpx2.Client(base_url=visitor.address, headers={"Host": host}) as client:
            assert client.get("/sign-in").status_code == 200


def test_a_form_under_a_foreign_name_signs_nobody_in(visitor: Visitor) -> None:
    there = {"Host": "evil.example", "Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"}
    sent = visitor.client.post("/sign-in", data={"name": "Ann", "password": PASSWORD}, headers=there)
    assert sent.status_code == 403
    assert len(visitor.home.answer("session_list").sessions) == 1

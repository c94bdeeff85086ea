"""Where a person is signed in, as they see and end it on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from tests.security.visitor import PASSWORD, Visitor

CARD = re.compile(r"(This|Another) browser.*?/sessions/([a-z2-7]{16})", re.DOTALL)


@contextmanager
def another_browser(visitor: Visitor) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=visitor.address, headers={"Origin": visitor.address}, timeout=120) as other:
        other.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
        yield other


def cards(visitor: Visitor) -> dict[str, str]:
    """Which browser → the id of its session."""
    return dict(CARD.findall(visitor.client.get("/sessions").text))


def is_in(browser: httpx2.Client) -> bool:
    return browser.get("/approvals").status_code == 200


def test_each_browser_is_listed_and_this_one_is_told_apart(visitor: Visitor) -> None:
    assert set(cards(visitor)) == {"This"}
    with another_browser(visitor):
        assert set(cards(visitor)) == {"This", "Another"}


def test_another_browser_is_signed_out_and_this_one_stays(visitor: Visitor) -> None:
    with another_browser(visitor) as other:
        done = visitor.client.post(f"/sessions/{cards(visitor)['Another']}", data={"token": visitor.token})
        assert (done.status_code, done.headers["location"]) == (303, "/sessions")
        assert (is_in(other), is_in(visitor.client)) == (False, True)
    assert set(cards(visitor)) == {"This"}


def test_ending_its_own_session_signs_this_browser_out(visitor: Visitor) -> None:
    with another_browser(visitor) as other:
        done = visitor.client.post(f"/sessions/{cards(visitor)['This']}", data={"token": visitor.token})
        assert done.headers["location"] == "/sign-in"
        assert not visitor.client.cookies
        assert (is_in(other), is_in(visitor.client)) == (True, False)


def test_everywhere_is_everywhere(visitor: Visitor) -> None:
    with another_browser(visitor) as other:
        done = visitor.client.post("/sessions", data={"token": visitor.token})
        assert done.headers["location"] == "/sign-in"
        assert (is_in(other), is_in(visitor.client)) == (False, False)


def test_without_the_token_of_its_page_a_form_ends_nothing(visitor: Visitor) -> None:
    for path in ("/sessions", f"/sessions/{cards(visitor)['This']}"):
        assert visitor.client.post(path, data={"token": "0" * 64}).status_code == 403
    assert is_in(visitor.client)


def test_whoever_is_not_signed_in_is_sent_to_sign_in(visitor: Visitor) -> None:
    with httpx2.Client(base_url=visitor.address, headers={"Origin": visitor.address}) as nobody:
        for answer in (nobody.get("/sessions"), nobody.post("/sessions", data={"token": visitor.token})):
            assert answer.headers["location"] == "/sign-in"
    assert is_in(visitor.client)


def test_a_session_of_nobody_is_not_found(visitor: Visitor) -> None:
    missing = visitor.client.post("/sessions/aaaaaaaaaaaaaaaa", data={"token": visitor.token})
    assert missing.status_code == 404

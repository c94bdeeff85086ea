"""Text from strangers stays text on every page (XSS), and a browser is told to run none of it."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import httpx2
import pytest

from tests.security.visitor import PASSWORD, Visitor

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "</title></style></textarea><script>alert(1)</script>",
    "{{ 7 * 7 }}{% include '/etc/passwd' %}",
    "javascript:alert(1)",
    "<a href='//evil.example'>Sign in again</a>",
    "&lt;script&gt;",
)
FORBIDDEN = {"http-equiv", "style", "srcdoc"}
"""Attributes that no page of ours has, beside those of events."""
ACTIVE = {"script", "style", "img", "svg", "iframe", "object", "embed", "base"}
PAGES = ("/sign-in", "/welcome", "/approvals", "/sessions")


class Tags(HTMLParser):
    """The elements of a page as a browser finds them, each with the names of its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, frozenset[str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, frozenset(name for name, _ in attrs)))

    @property
    def active(self) -> bool:
        names = {name for _, attributes in self.found for name in attributes}
        return bool(
            ACTIVE & {tag for tag, _ in self.found}
            or FORBIDDEN & names
            or any(name.startswith("on") for name in names)
        )


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_an_assistant_wrote_is_shown_as_it_is_and_does_nothing(visitor: Visitor, hostile: str) -> None:
    robin, _ = visitor.home.assistant("<b>bold</b> & Co", "careful")
    for field in ("title", "location", "notes"):
        told = {"title": "Lunch", "start": "2026-03-03T12:00"} | {field: hostile}
        visitor.home.call(robin, "calendar_create", **told)
    quiet = visitor.client.get("/approvals").text
    assert not Tags(quiet).active
    assert "<b>bold</b>" not in quiet
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; Co" in quiet
    assert hostile in html.unescape(quiet)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_a_form_sent_is_shown_again_as_text(visitor: Visitor, hostile: str) -> None:
    fields = {"name": hostile, "password": "wrong", "again": "wrong", "code": hostile}
    for path in ("/sign-in", "/welcome"):
        plain = visitor.client.post(path, data=fields | {"name": "x"})
        page = visitor.client.post(path, data=fields)
        assert page.status_code in (401, 429)
        assert not Tags(page.text).active
        assert Tags(page.text).found == Tags(plain.text).found


def test_an_address_made_up_is_not_shown_as_markup(visitor: Visitor) -> None:
    page = visitor.client.get("/approvals/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert "<script>" not in page.text


def test_every_page_forbids_scripts_frames_guessing_and_keeping(visitor: Visitor) -> None:
    missing = visitor.client.get("/approvals/aaaaaaaaaaaaaaaa")
    wrong = visitor.client.post("/sign-in", data={"name": "x", "password": PASSWORD})
    pages = [visitor.client.get(path) for path in (*PAGES, visitor.path, "/static/calward.css", "/")]
    for page in (*pages, missing, wrong, visitor.send({})):
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; form-action 'self'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["x-frame-options"] == "DENY"
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "same-origin"


def test_no_page_has_a_script_or_a_style_of_its_own(visitor: Visitor) -> None:
    for path in (*PAGES, visitor.path):
        text = visitor.client.get(path).text
        assert not re.search(r"<script|<style|style=|javascript:|\bon[a-z]+=", text)
        assert re.findall(r'(?:href|src|action)="([^/"][^"]*)"', text) == []


def test_what_is_no_page_is_no_html(visitor: Visitor) -> None:
    """A browser that is led to the doors of programs shows nothing of what was sent."""
    with httpx2.Client(base_url=visitor.address) as bare:
        for path in ("/api/v1/<script>", "/mcp", "/<script>alert(1)</script>"):
            answer = bare.get(path)
            assert answer.headers["content-type"] == "application/json"
            assert "<script>" not in answer.text

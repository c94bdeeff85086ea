"""Hrefs: compared decoded, requested as returned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.dav.href import href_key, href_of, member, resolve, spellings
from calward.model.ids import Href


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/c/a%20b%40c.ics", "/c/a%20b@c.ics"),
        ("/c/a%20b.ics", "/c/a b.ics"),
        ("/c/%C3%BC.ics", "/c/ü.ics"),
        ("/c/%c3%bc.ics", "/c/%C3%BC.ics"),
        ("https://h.example/c/a.ics", "/c/a.ics"),
        ("https://h.example", "/"),
        ("/c/", "/c"),
        ("/c/a%2Fb.ics", "/c/a%2fb.ics"),
        ("/c/x?y=%41", "/c/x?y=A"),
    ],
)
def test_two_spellings_of_one_resource_are_the_same(one: str, other: str) -> None:
    assert href_key(one) == href_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/c/a.ics", "/c/A.ics"),
        ("/c/a%2Fb.ics", "/c/a/b.ics"),
        ("/c/a%FF.ics", "/c/a%FE.ics"),
        ("/c/a+b.ics", "/c/a%20b.ics"),
        ("/c/x?y=1", "/c/x?y=2"),
        ("/c/é.ics", "/c/e\u0301.ics"),
    ],
)
def test_different_resources_stay_different(one: str, other: str) -> None:
    assert href_key(one) != href_key(other)


@given(st.text(min_size=1).filter(lambda text: "\x00" not in text))
def test_any_name_makes_a_member_whose_key_is_that_name(name: str) -> None:
    name = name.encode("utf-8", "replace").decode()
    href = member("https://h.example/c/", name)
    assert href.startswith("/c/")
    assert href.isascii()
    assert href_key(href) == ("/c/" + name.replace("/", "\x00")).rstrip("/") or name.strip("/") == ""


def test_a_request_keeps_the_spelling_of_the_server() -> None:
    base = "https://h.example/dav/c/"
    assert resolve(base, "/c/a%20b%40c.ics") == "https://h.example/c/a%20b%40c.ics"
    assert resolve(base, "/c/a%2Fb;x=1.ics") == "https://h.example/c/a%2Fb;x=1.ics"
    assert resolve(base, "a.ics") == "https://h.example/dav/c/a.ics"
    assert resolve(base, "https://p34.example/c/") == "https://p34.example/c/"


def test_what_a_request_line_cannot_carry_is_escaped() -> None:
    assert resolve("https://h.example/", "/c/a b ü#1.ics") == "https://h.example/c/a%20b%20%C3%BC%231.ics"
    assert "\n" not in resolve("https://h.example/", "/c/a\r\nX-Evil: 1.ics")


def test_an_href_is_the_path_of_its_url() -> None:
    assert href_of("https://h.example/c/a%40b.ics?x=1#y") == "/c/a%40b.ics?x=1%23y"
    assert href_of("/c/a.ics") == "/c/a.ics"


def test_what_is_found_gets_the_spelling_it_is_known_by() -> None:
    known, found = [Href("/c/a%40b.ics")], [Href("/c/a@b.ics"), Href("/c/new.ics")]
    assert spellings(known, found) == {"/c/a@b.ics": "/c/a%40b.ics", "/c/new.ics": "/c/new.ics"}

"""Which Host and Origin a server lets in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.faces.http.hosts import Names, named

HERE = Names.of("127.0.0.1", ["Calendar.Example", " ", ""])
EVERYWHERE = Names.of("0.0.0.0")


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1:8321", "[::1]:8321", "LOCALHOST:1", "calendar.example:443"],
)
def test_a_server_answers_to_its_own_names(host: str) -> None:
    assert HERE.answers_to(named(host))


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8321",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "calendar.example.evil.example",
        "localhost@evil.example",
        "user:localhost@127.0.0.1",
        "localhost/..",
        "localhost?x",
        "localhost#x",
        "localhost:notaport",
        "localhost:999999",
        "[::1",
        "192.168.1.5",
        "2130706433",
        "0x7f.1",
        "local host",
        "localhost,evil.example",
    ],
)
def test_a_server_answers_to_no_other_name(host: str) -> None:
    assert not HERE.answers_to(named(host))


def test_a_server_on_all_interfaces_answers_to_addresses_and_to_no_foreign_name() -> None:
    assert EVERYWHERE.answers_to(named("192.168.1.5:8321"))
    assert EVERYWHERE.answers_to(named("[fe80::1]:8321"))
    assert not EVERYWHERE.answers_to(named("evil.example"))


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8321", "127.0.0.1:8321"),
        ("http://localhost:8321", "localhost:8321"),
        ("http://localhost", "localhost:80"),
        ("https://localhost:443", "localhost"),
        ("https://calendar.example", "127.0.0.1:8321"),
    ],
)
def test_a_page_of_the_server_itself_or_of_a_configured_host_may_ask(origin: str, host: str) -> None:
    assert HERE.admits(origin, host)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "http://127.0.0.1:3000",
        "http://localhost:8321",
        "http://127.0.0.1:8321.evil.example",
        "http://127.0.0.1:8321@evil.example",
        "file://",
        "chrome-extension://127.0.0.1:8321",
        "127.0.0.1:8321",
        "http://[::1",
    ],
)
def test_a_page_of_any_other_origin_may_not(origin: str) -> None:
    assert not HERE.admits(origin, "127.0.0.1:8321")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_header_is_judged_without_falling_over(origin: str, host: str) -> None:
    HERE.admits(origin, host)
    assert named(host) in ("localhost", "127.0.0.1", "::1", "calendar.example") or not HERE.answers_to(
        named(host)
    )

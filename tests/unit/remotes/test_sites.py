"""Where a password may be carried."""

import pytest

from calward.remotes.sites import refusal, registrable


@pytest.mark.parametrize(
    ("home", "target"),
    [
        ("https://cal.example.org/", "https://cal.example.org/x"),
        ("https://cal.example.org/", "https://CAL.example.org./x"),
        ("https://cal.example.org/", "https://cal.example.org:8443/x"),
        ("https://example.org/", "https://caldav.example.org/"),
        ("https://caldav.icloud.com/", "https://p34-caldav.icloud.com:443/"),
        ("https://cal.firm.co.uk/", "https://dav.firm.co.uk/"),
        ("https://me.duckdns.org/", "https://dav.me.duckdns.org/"),
        ("http://127.0.0.1:5232/", "http://127.0.0.1:5232/x"),
        ("http://localhost:5232/", "http://localhost:5232/x"),
        ("http://[::1]:5232/", "http://[::1]:5232/x"),
        ("https://192.168.1.5:5001/", "https://192.168.1.5:5001/x"),
        ("https://nas/", "https://nas/x"),
    ],
)
def test_a_password_goes_to_its_own_site(home: str, target: str) -> None:
    assert refusal(home, target) is None


@pytest.mark.parametrize(
    ("home", "target", "why"),
    [
        ("https://cal.example.org/", "https://example.com/", "another site"),
        ("https://cal.example.org/", "https://cal.example.org.evil.example/", "another site"),
        ("https://cal.example.org/", "https://evilexample.org/", "another site"),
        ("https://a.co.uk/", "https://b.co.uk/", "another site"),
        ("https://alice.duckdns.org/", "https://mallory.duckdns.org/", "another site"),
        ("https://alice.synology.me/", "https://mallory.synology.me/", "another site"),
        ("https://duckdns.org/", "https://mallory.duckdns.org/", "another site"),
        ("https://nas/", "https://router/", "another site"),
        ("https://nas/", "https://a.nas/", "another site"),
        ("https://192.168.1.5/", "https://192.168.1.6/", "another site"),
        ("https://192.168.1.5:5001/", "https://192.168.1.5:8080/", "another site"),
        ("http://127.0.0.1:5232/", "http://127.0.0.1:8080/", "another site"),
        ("http://127.0.0.1:5232/", "http://localhost:5232/", "another site"),
        ("https://cal.example.org/", "http://cal.example.org/", "from https to plain http"),
        ("https://127.0.0.1:1/", "http://127.0.0.1:1/", "from https to plain http"),
        ("http://cal.example.org/", "http://cal.example.org/", "use https"),
        ("https://cal.example.org/", "ftp://cal.example.org/", "not a web address"),
        ("https://cal.example.org/", "https:///x", "not a web address"),
    ],
)
def test_a_password_goes_nowhere_else(home: str, target: str, why: str) -> None:
    assert why in (refusal(home, target) or "")


def test_plain_http_is_for_an_account_that_was_connected_with_it() -> None:
    assert refusal("http://nas.lan/", "http://nas.lan/x", insecure_http=True) is None
    assert refusal("https://nas.lan/", "http://nas.lan/x", insecure_http=True)
    assert refusal("http://nas.lan/", "http://other.example/x", insecure_http=True)
    assert refusal("http://nas.lan/", "https://nas.lan/x") is None


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.example.org", "example.org"),
        ("example.org", "example.org"),
        ("localhost", None),
        ("co.uk", None),
        ("x.co.uk", "x.co.uk"),
        ("a..org", None),
        ("", None),
        ("me.duckdns.org", "me.duckdns.org"),
        ("duckdns.org", None),
    ],
)
def test_what_one_party_registered(host: str, domain: str | None) -> None:
    assert registrable(host) == domain

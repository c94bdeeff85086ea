"""Nothing that a server, a feed or a name says makes Calward knock at doors of the local network.

Names are resolved by a function of the test's own, so that a name can lead anywhere, and elsewhere next time.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from calward.dav.errors import DavError, LocalTarget, Unreachable, UnsafeTarget
from calward.dav.messages import Ask
from calward.remotes.http import Http, Limits
from calward.remotes.outgoing import PUBLIC, Reach, addresses, reach_of
from tests.unit.remotes.scripted import Scripted, say, scripted

CALM = Limits(body=100_000)
HOME = Reach(local_network=True)


def leads_to(*found: str) -> Callable[[str, int], tuple[str, ...]]:
    return lambda host, port: found


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.8.9.10",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.5",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "240.0.0.1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_an_address_that_is_not_public_is_out_of_reach_in_every_wrapping(host: str) -> None:
    with pytest.raises(LocalTarget, match="local network"):
        addresses(host, 80, PUBLIC)
    with pytest.raises(LocalTarget, match="--local-network"):
        addresses("cal.lark.example", 443, PUBLIC, leads_to(host))


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "127.0.0.1.",
        "1.2.3.4.5",
        "lark.example.0x1",
        "0x",
    ],
)
@pytest.mark.parametrize("reach", [PUBLIC, HOME], ids=["public", "local network"])
def test_a_number_in_disguise_is_refused_before_anybody_is_asked(host: str, reach: Reach) -> None:
    def never(host: str, port: int) -> tuple[str, ...]:
        raise AssertionError("a number was looked up")

    with pytest.raises(LocalTarget, match="unusual spelling"):
        addresses(host, 80, reach, never)


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "[2606:4700::1111]"])
def test_a_public_address_is_in_reach(host: str) -> None:
    assert addresses(host, 443, PUBLIC) == (host.strip("[]"),)


def test_of_a_name_with_several_addresses_only_those_in_reach_are_used() -> None:
    assert addresses("a.example", 443, PUBLIC, leads_to("10.0.0.1", "1.1.1.1", "::1")) == ("1.1.1.1",)


def test_the_local_network_is_open_where_a_person_said_so_and_the_rest_is_not() -> None:
    for open_to in ("127.0.0.1", "192.168.1.5", "fd12::5", "100.100.1.1", "::ffff:10.0.0.1"):
        assert addresses("nas.home", 443, HOME, leads_to(open_to)) == (open_to,)
    for shut in ("169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "240.0.0.1"):
        with pytest.raises(LocalTarget):
            addresses("nas.home", 443, HOME, leads_to(shut))


def test_a_local_address_that_a_person_typed_opens_itself_and_nothing_else() -> None:
    reach = reach_of("http://192.168.1.5:5232/alice/")
    assert addresses("192.168.1.5", 5232, reach) == ("192.168.1.5",)
    for host, port in (("192.168.1.5", 22), ("192.168.1.6", 5232), ("127.0.0.1", 5232)):
        with pytest.raises(LocalTarget):
            addresses(host, port, reach)
    with pytest.raises(LocalTarget):
        addresses("a.example", 5232, reach, leads_to("192.168.1.5"))


@pytest.mark.parametrize("url", ["https://cal.lark.example/", "http://169.254.169.254/", "http://0.0.0.0/"])
def test_a_name_or_an_address_of_nobody_opens_nothing(url: str) -> None:
    assert reach_of(url).typed is None


def test_localhost_is_this_machine_when_it_is_typed_and_a_name_like_any_other_when_not() -> None:
    reach = reach_of("http://localhost:5232/")
    assert addresses("localhost", 5232, reach, leads_to("127.0.0.1", "::1")) == ("127.0.0.1", "::1")
    with pytest.raises(LocalTarget):
        addresses("localhost", 5232, PUBLIC, leads_to("127.0.0.1"))


def test_a_name_that_leads_here_is_not_connected_to() -> None:
    with scripted(say(207)) as server:
        home = f"https://cal.lark.example:{server.port}/"
        http = Http(home, None, limits=CALM, resolve=leads_to("127.0.0.1"))
        with pytest.raises(LocalTarget, match=r"cal\.lark\.example"):
            http.exchange(Ask("PROPFIND", home))
        http.close()
    assert server.heard == []


def test_a_name_that_changes_its_mind_gains_nothing() -> None:
    """DNS rebinding: public for whoever checks, local for whoever connects. There is only one question."""
    asked: list[str] = []

    def rebinds(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        return ("127.0.0.1",) if len(asked) > 1 else ("192.0.2.1", "1.1.1.1")

    assert addresses("a.example", 443, PUBLIC, rebinds) == ("1.1.1.1",)
    assert asked == ["a.example"]
    with scripted(say(207)) as server:
        home = f"http://a.example:{server.port}/"
        http = Http(home, None, limits=CALM, insecure_http=True, resolve=rebinds)
        with pytest.raises(LocalTarget):
            http.exchange(Ask("PROPFIND", home))
        http.close()
    assert server.heard == []


def test_the_connection_goes_to_the_address_that_was_judged() -> None:
    """The name exists nowhere: were it asked for again, there would be no connection."""
    with scripted(say(207)) as server:
        home = f"http://cal.invalid:{server.port}/"
        http = Http(
            home, None, limits=CALM, insecure_http=True, local_network=True, resolve=leads_to("127.0.0.1")
        )
        assert http.exchange(Ask("PROPFIND", home)).status == 207
        http.close()
    assert server.heard[0].headers["host"] == f"cal.invalid:{server.port}"


def test_an_address_that_does_not_answer_leaves_the_next_one() -> None:
    with scripted(say(207)) as server:
        home = f"http://cal.invalid:{server.port}/"
        found = leads_to("127.255.255.254", "127.0.0.1")
        http = Http(home, None, limits=CALM, insecure_http=True, local_network=True, resolve=found)
        assert http.exchange(Ask("PROPFIND", home)).status == 207
        http.close()


def test_a_name_without_an_address_is_unreachable() -> None:
    http = Http("https://cal.invalid/", None, limits=CALM)
    with pytest.raises(Unreachable):
        http.exchange(Ask("PROPFIND", "https://cal.invalid/"))
    http.close()


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.1:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f.1:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://localhost:{port}/",
        "http://0.0.0.0:{port}/",
        "http://here@127.0.0.1:{port}/",
        "http://127.0.0.1:{port}\\@cal.lark.example/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/",
    ],
)
def test_no_redirect_leads_into_the_local_network(place: str) -> None:
    with scripted(say(207)) as inside:
        away = say(302, b"", [("Location", place.format(port=inside.port))])
        with scripted(away) as server, pytest.raises(DavError) as caught:
            _ask(server)
    assert isinstance(caught.value, (UnsafeTarget, LocalTarget))
    assert inside.heard == []


@pytest.mark.parametrize("place", ["https://a:b@cal.lark.example/", "https://a@cal.lark.example/x"])
def test_an_address_with_a_name_in_it_is_refused(place: str) -> None:
    http = Http("https://cal.lark.example/", None, limits=CALM, resolve=leads_to("1.1.1.1"))
    with pytest.raises(UnsafeTarget, match="name of its own"):
        http.exchange(Ask("PROPFIND", place))


def _ask(server: Scripted) -> None:
    http = Http(server.url, None, limits=CALM)
    try:
        http.exchange(Ask("PROPFIND", server.url))
    finally:
        http.close()

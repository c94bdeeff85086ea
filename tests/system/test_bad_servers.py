"""A server at its worst: the status is clear, nothing is lost, nothing is taken for an empty calendar, and the
next run goes on."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from calward.remotes import caldav
from calward.remotes.http import Limits
from tests.contract.caldav_servers import Address
from tests.faces.cli.conftest import Calward
from tests.system.conftest import Other, another_client, connect, titles_here
from tests.system.proxy import MODES, Proxy, standing_before

SHORT = Limits(connect=1.0, silence=0.5, total=1.5, body=1_000_000)

SAYS = {
    "refuses": "trouble",
    "forbids": "did not accept the name and password",
    "redirects": "another site",
    "web page": "web page",
    "closes": "broke off",
    "cuts off": "broke off",
    "floods": "more than",
    "slow": "silent",
    "stutters": "did not finish",
}
"""A word of what is said about each, to somebody who never saw CalDAV."""


@pytest.fixture
def client(radicale_address: Address) -> Generator[Other]:
    other = another_client(radicale_address)
    yield other
    other.remote.close()


@pytest.fixture
def proxy(radicale_address: Address, monkeypatch: pytest.MonkeyPatch) -> Generator[Proxy]:
    """The real server behind one that misbehaves, and a client that does not wait for long."""
    as_it_is = caldav.CaldavRemote.__init__

    def hurried(self: caldav.CaldavRemote, *arguments: object, **options: object) -> None:
        as_it_is(self, *arguments, **(options | {"limits": SHORT}))  # type: ignore[arg-type]

    with standing_before(radicale_address.url) as standing:
        monkeypatch.setattr(caldav.CaldavRemote, "__init__", hurried)
        yield standing


def mirror(calward: Calward, proxy: Proxy, address: Address, client: Other) -> None:
    """The calendar, mirrored through the proxy, with two events."""
    client.adds("lunch", "Lunch")
    client.adds("dinner", "Dinner")
    connect(calward, Address(proxy.url, address.user, address.password), client)
    assert titles_here(calward, client.name) == ["Dinner", "Lunch"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", [(), ("--full",)], ids=["incremental", "full"])
def test_a_bad_answer_to_a_pull_is_told_and_gone_on_from(
    calward: Calward, proxy: Proxy, radicale_address: Address, client: Other, mode: str, how: tuple[str, ...]
) -> None:
    mirror(calward, proxy, radicale_address, client)
    client.adds("tea", "Tea")
    proxy.mode = mode
    ran = calward("sync", client.name, *how)
    assert ran.code == 9
    assert SAYS[mode] in ran.out
    assert titles_here(calward, client.name) == ["Dinner", "Lunch"]
    assert SAYS[mode] in calward("status").out
    assert calward("doctor").code == 1
    proxy.mode = ""
    assert calward("sync", client.name).code == 0
    assert titles_here(calward, client.name) == ["Dinner", "Lunch", "Tea"]
    assert calward("doctor").code == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_bad_answer_to_a_push_loses_and_doubles_nothing(
    calward: Calward, proxy: Proxy, radicale_address: Address, client: Other, mode: str
) -> None:
    mirror(calward, proxy, radicale_address, client)
    proxy.mode, proxy.only = mode, "PUT"
    calward("new", "Tea", "2026-03-04T10:00", "--calendar", client.name)
    found = calward("search", "Lunch", "--json").json["events"][0]["id"]
    calward("edit", found, "--title", "Long lunch")
    proxy.mode = ""
    assert calward("sync", client.name).code == 0
    assert client.titles == titles_here(calward, client.name) == ["Dinner", "Long lunch", "Tea"]
    assert "not yet sent" not in calward("status").out


def test_a_server_that_is_down_is_waited_for(
    calward: Calward, proxy: Proxy, radicale_address: Address, client: Other
) -> None:
    mirror(calward, proxy, radicale_address, client)
    client.edits(client.adds("tea", "Tea"), client.event("tea", "Green tea"))
    proxy.mode = "closes"
    assert calward("sync").code == 9
    assert calward("sync").code == 9
    proxy.mode = ""
    assert calward("sync").code == 0
    assert titles_here(calward, client.name) == ["Dinner", "Green tea", "Lunch"]


def test_credentials_never_go_to_another_site(
    calward: Calward, proxy: Proxy, radicale_address: Address, client: Other
) -> None:
    mirror(calward, proxy, radicale_address, client)
    with standing_before(radicale_address.url) as other_site:
        # Another name for this machine is another site.
        proxy.elsewhere = other_site.url.replace("127.0.0.1", "localhost")
        proxy.mode = "redirects"
        assert calward("sync").code == 9
        assert other_site.signed == 0


@pytest.mark.parametrize("mode", ["refuses", "forbids", "web page", "closes", "redirects"])
def test_connecting_names_the_cause_and_keeps_nothing(
    calward: Calward, proxy: Proxy, radicale_address: Address, mode: str
) -> None:
    proxy.mode = mode
    ran = calward("connect", proxy.url, "--user", "alice", given=b"wonderland\n")
    assert ran.code == 9
    assert SAYS[mode] in ran.err or "No calendar server answers" in ran.err
    assert calward("accounts").out == "No account is connected. Connect one with: calward connect SERVER\n"

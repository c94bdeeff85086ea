"""What each real server does, found out and written down; and that what we rely on is so."""

from __future__ import annotations

from collections.abc import Callable, Generator
from importlib.metadata import version
from subprocess import run

import httpx2
import pytest

from calward.dav.quirks import capabilities_of
from tests.contract.caldav_servers import Address
from tests.system.conftest import NUMBERS, Other
from tests.system.facts import FACTS, Site
from tests.system.findings import note
from tests.system.servers import PACKAGES

pytestmark = pytest.mark.interop


@pytest.fixture
def ask(address: Address, other: Other) -> Generator[Callable[[str], str]]:
    """Answers a question, in a calendar of its own."""
    login = httpx2.BasicAuth(address.user, address.password)
    with httpx2.Client(auth=login, timeout=30) as client:

        def ask(fact: str) -> str:
            name = f"{other.name.lower()}-{next(NUMBERS)}"
            return FACTS[fact](Site(client, other.remote.make_calendar(name, name).url, name))

        yield ask


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_found_out(fact: str, server: str, ask: Callable[[str], str]) -> None:
    found = ask(fact)
    assert found
    note(server, "fact", fact, found)


def test_the_version_is_told(server: str) -> None:
    package = PACKAGES.get(server)
    command = ["dpkg-query", "-W", "-f", "${Version}", package or ""]
    told = run(command, capture_output=True, text=True, check=True).stdout if package else version(server)
    note(server, "version", "version", told)


def test_what_we_rely_on_is_so(other: Other, ask: Callable[[str], str]) -> None:
    believed = capabilities_of(other.remote.discover().signs)
    if believed.checks_if_match:
        assert ask("old `If-Match` on PUT").startswith("412")
        assert ask("old `If-Match` on DELETE").startswith("412")
    if believed.checks_if_none_match:
        assert ask("`If-None-Match: *` over an object").startswith("412")
    if believed.tells_bad_token:
        assert "valid-sync-token" in ask("a sync token it never gave out")
    if believed.keeps_bytes:
        assert ask("stores an object byte for byte") == "yes"
    if believed.put_etag:
        assert "but not the one" not in ask("ETag in the answer to a PUT")
    if believed.pages_changes:
        assert ask("`DAV:limit` in sync-collection") == "pages right"

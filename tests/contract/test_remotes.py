"""What every remote promises, asked of the one in memory and of real servers alike."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from calward.dav.errors import (
    AlreadyThere,
    BadSyncToken,
    Missing,
    ObjectRefused,
    PreconditionFailed,
    SignInRefused,
    UidConflict,
)
from calward.dav.href import href_key, member
from calward.dav.multiget import RemoteObject
from calward.dav.quirks import Capabilities, capabilities_of
from calward.model.ids import ETag, Href, SyncToken
from calward.model.secret import Secret
from calward.model.time import Span
from calward.remotes.caldav import CaldavRemote
from calward.remotes.login import Password
from calward.remotes.memory import MemoryRemote, MemoryServer
from calward.remotes.remote import Changes, Remote
from tests.contract.caldav_servers import Address, radicale
from tests.system.servers import EVERY_SERVER, SERVERS

DIFFERS: Mapping[str, frozenset[str]] = {
    "davical": frozenset({"escapes a name", "takes a UID twice", "says little of a refusal"}),
    "sogo": frozenset({"chooses colours", "tells changes twice", "says little of a refusal"}),
}
"""Server → in what it is no model, beyond what its capabilities say."""
SPRING = Span(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))


@dataclass
class Site:
    """A server to test against: ``open`` signs in anew, each time as another client."""

    open: Callable[[], Remote]
    differs: frozenset[str] = frozenset()
    names: Generator[str] = field(default_factory=lambda: (f"calendar-{n}" for n in count()))


@pytest.fixture(scope="module", params=["memory", *EVERY_SERVER])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    if request.param == "memory":
        server = MemoryServer()
        yield Site(lambda: MemoryRemote(server))
        return
    with SERVERS[request.param](tmp_path_factory.mktemp(request.param)) as address:
        first = sign_in(address)
        known = capabilities_of(first.discover().signs)
        first.close()
        yield Site(lambda: sign_in(address, known), DIFFERS.get(request.param, frozenset()))


def sign_in(address: Address, known: Capabilities = Capabilities(), password: str = "") -> CaldavRemote:  # noqa: B008
    login = Password(address.user, Secret(password or address.password))
    return CaldavRemote(address.url, login, capabilities=known)


@pytest.fixture
def remote(site: Site) -> Generator[Remote]:
    client = site.open()
    yield client
    client.close()


@pytest.fixture
def other(site: Site) -> Generator[Remote]:
    """Another client of the same server."""
    client = site.open()
    yield client
    client.close()


@pytest.fixture
def calendar(site: Site, remote: Remote) -> Generator[str]:
    """A new, empty calendar. Nothing stays in it: some servers take a UID but once for all calendars."""
    segment = next(site.names)
    url = remote.make_calendar(segment, f"Calendar {segment}").url
    yield url
    for item in remote.fetch(url, list(remote.listing(url))).objects:
        remote.delete(url, item.href, tag(item))


def ics(uid: str, title: str = "Lunch", component: str = "VEVENT") -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tests//EN", f"BEGIN:{component}", f"UID:{uid}"]
    end = "DTEND" if component == "VEVENT" else "DUE"
    lines += ["DTSTAMP:20260101T000000Z", "DTSTART:20260301T120000Z", f"{end}:20260301T130000Z"]
    lines += [f"SUMMARY:{title}"]
    lines += ["X-COLOUR-OF-THE-CAT:tabby", f"END:{component}", "END:VCALENDAR", ""]
    return "\r\n".join(lines).encode()


def place(calendar: str, name: str) -> Href:
    return member(calendar, f"{name}.ics")


def store(remote: Remote, calendar: str, name: str, title: str = "Lunch") -> RemoteObject:
    """Put a new object and fetch what the server made of it."""
    href = place(calendar, name)
    remote.put(calendar, href, ics(name, title), None)
    return take(remote, calendar, href)


def take(remote: Remote, calendar: str, href: Href) -> RemoteObject:
    (found,) = remote.fetch(calendar, [href]).objects
    return found


def tag(item: RemoteObject) -> ETag:
    assert item.etag is not None
    return item.etag


def test_a_calendar_that_was_made_is_listed_with_what_it_is(site: Site, remote: Remote) -> None:
    name = "Ünser Kalender" if "escapes a name" in site.differs else "Ünser Kalender & more"
    made = remote.make_calendar(next(site.names), name, ["VEVENT"], "#ff8800")
    (listed,) = (calendar for calendar in remote.calendars() if calendar.url == made.url)
    assert listed.name == name
    if "chooses colours" in site.differs:
        assert "VEVENT" in listed.components
    else:
        assert (listed.color, listed.components) == ("#ff8800", frozenset({"VEVENT"}))
    assert listed.rights.writable
    assert listed.syncs


def test_making_a_calendar_again_after_a_lost_answer_finds_the_first(site: Site, remote: Remote) -> None:
    segment = next(site.names)
    first = remote.make_calendar(segment, "Shared")
    assert remote.make_calendar(segment, "Shared").url == first.url
    with pytest.raises(AlreadyThere):
        remote.make_calendar(segment, "Another")


def test_an_empty_calendar_lists_nothing_and_a_missing_one_is_an_error(remote: Remote, calendar: str) -> None:
    nowhere = calendar.rstrip("/") + "-nowhere/"
    assert remote.listing(calendar) == {}
    assert remote.changes(calendar, None).changed == {}
    with pytest.raises(Missing):
        remote.calendar(nowhere)
    with pytest.raises(Missing):
        remote.listing(nowhere)
    with pytest.raises(Missing):
        remote.changes(nowhere, None)


def test_what_is_put_is_there_with_every_line_and_the_listed_etag(remote: Remote, calendar: str) -> None:
    href = place(calendar, "one")
    remote.put(calendar, href, ics("one", "Café und 會議"), None)
    found = take(remote, calendar, href)
    assert "SUMMARY:Café und 會議\r\n".encode() in found.body
    assert b"X-COLOUR-OF-THE-CAT:tabby\r\n" in found.body
    assert remote.listing(calendar) == {href: found.etag}
    if remote.capabilities.keeps_bytes:
        assert found.body == ics("one", "Café und 會議")


def test_a_create_never_overwrites(remote: Remote, other: Remote, calendar: str) -> None:
    there = store(other, calendar, "one", "Theirs")
    with pytest.raises(PreconditionFailed):
        remote.put(calendar, place(calendar, "one"), ics("one", "Ours"), None)
    assert take(remote, calendar, there.href) == there


def test_an_update_needs_the_etag_it_was_made_from(remote: Remote, other: Remote, calendar: str) -> None:
    first = store(remote, calendar, "one", "First")
    other.put(calendar, first.href, ics("one", "Second"), tag(first))
    with pytest.raises(PreconditionFailed):
        remote.put(calendar, first.href, ics("one", "Third"), tag(first))
    second = take(remote, calendar, first.href)
    assert b"SUMMARY:Second" in second.body
    assert second.etag != first.etag
    remote.put(calendar, first.href, ics("one", "Third"), tag(second))
    assert b"SUMMARY:Third" in take(other, calendar, first.href).body


def test_an_update_of_what_is_gone_does_not_bring_it_back(remote: Remote, other: Remote, calendar: str) -> None:
    item = store(remote, calendar, "one")
    other.delete(calendar, item.href, tag(item))
    with pytest.raises(PreconditionFailed):
        remote.put(calendar, item.href, ics("one", "Again"), tag(item))
    assert remote.listing(calendar) == {}


def test_a_delete_needs_the_etag_it_was_decided_on(remote: Remote, other: Remote, calendar: str) -> None:
    first = store(remote, calendar, "one")
    other.put(calendar, first.href, ics("one", "Edited"), tag(first))
    with pytest.raises(PreconditionFailed):
        remote.delete(calendar, first.href, tag(first))
    second = take(remote, calendar, first.href)
    remote.delete(calendar, first.href, tag(second))
    assert remote.listing(calendar) == {}
    with pytest.raises((Missing, PreconditionFailed)):
        remote.delete(calendar, first.href, tag(second))


def test_a_fetch_answers_for_every_href(remote: Remote, calendar: str) -> None:
    items = [store(remote, calendar, name) for name in ("one", "two", "three")]
    gone = place(calendar, "gone")
    fetched = remote.fetch(calendar, [*(item.href for item in items), gone])
    assert sorted(fetched.objects, key=lambda item: item.href) == sorted(items, key=lambda item: item.href)
    assert fetched.missing == {gone}
    assert fetched.unreadable == {}
    assert remote.fetch(calendar, [gone]).missing == {gone}
    assert remote.fetch(calendar, []).objects == ()


def test_changes_say_what_came_what_differs_and_what_went(
    site: Site, remote: Remote, other: Remote, calendar: str
) -> None:
    kept, edited, dropped = (store(remote, calendar, name) for name in ("kept", "edited", "dropped"))
    start = remote.changes(calendar, None)
    assert start.changed == {item.href: item.etag for item in (kept, edited, dropped)}
    assert start.removed == frozenset()
    assert_told(site, remote.changes(calendar, start.token), {})

    other.put(calendar, edited.href, ics("edited", "Later"), tag(edited))
    other.delete(calendar, dropped.href, tag(dropped))
    added = store(other, calendar, "added")
    later = remote.changes(calendar, start.token)
    now = {href: take(remote, calendar, href).etag for href in (edited.href, added.href)}
    assert_told(site, later, now, dropped.href)
    assert_told(site, remote.changes(calendar, later.token), {})


def assert_told(site: Site, told: Changes, changed: Mapping[Href, ETag | None], *removed: Href) -> None:
    """Just this, or this and what is known already."""
    if "tells changes twice" in site.differs:
        assert told.changed.items() >= changed.items()
        assert told.removed >= set(removed)
    else:
        assert (told.changed, told.removed) == (changed, frozenset(removed))


def test_a_token_the_server_does_not_know_is_told(remote: Remote, calendar: str) -> None:
    item = store(remote, calendar, "one")
    unknown = SyncToken("http://example.org/never/given/out")
    if not remote.capabilities.tells_bad_token:
        assert remote.changes(calendar, unknown).changed == {item.href: item.etag}
        return
    with pytest.raises(BadSyncToken):
        remote.changes(calendar, unknown)


def test_the_state_of_a_calendar_moves_with_its_content(remote: Remote, calendar: str) -> None:
    before = remote.calendar(calendar)
    store(remote, calendar, "one")
    after = remote.calendar(calendar)
    assert before.name == after.name
    assert before.ctag != after.ctag
    assert before.sync_token != after.sync_token


@pytest.mark.parametrize("name", ["a b@c", "ümlaut", "50%", "semi;colon", "plus+and&", "hash#tag"])
def test_odd_names_are_found_again_however_the_server_spells_them(
    remote: Remote, calendar: str, name: str
) -> None:
    href = place(calendar, name)
    remote.put(calendar, href, ics("odd"), None)
    (listed,) = remote.listing(calendar)
    assert href_key(listed) == href_key(href)
    (changed,) = remote.changes(calendar, None).changed
    assert href_key(changed) == href_key(href)
    assert take(remote, calendar, listed).body == take(remote, calendar, href).body
    both = remote.fetch(calendar, [listed, place(calendar, "gone")])
    assert [item.href for item in both.objects] == [listed]
    remote.delete(calendar, listed, tag(take(remote, calendar, href)))
    assert remote.listing(calendar) == {}


def test_one_uid_lives_at_one_href(site: Site, remote: Remote, calendar: str) -> None:
    store(remote, calendar, "one")
    if "takes a UID twice" in site.differs:
        remote.put(calendar, place(calendar, "two"), ics("one"), None)
        assert len(remote.listing(calendar)) == 2
        return
    with pytest.raises(ObjectRefused if "says little of a refusal" in site.differs else UidConflict):
        remote.put(calendar, place(calendar, "two"), ics("one"), None)
    assert len(remote.listing(calendar)) == 1


def test_what_is_no_calendar_object_is_refused(site: Site, remote: Remote, calendar: str) -> None:
    with pytest.raises(PreconditionFailed if "says little of a refusal" in site.differs else ObjectRefused):
        remote.put(calendar, place(calendar, "one"), b"Dear diary", None)
    assert remote.listing(calendar) == {}


@pytest.mark.parametrize("server", EVERY_SERVER)
def test_every_address_a_person_may_have_leads_to_the_calendars(tmp_path: Path, server: str) -> None:
    with SERVERS[server](tmp_path) as address:
        first = sign_in(address)
        made = first.make_calendar("mine", "Mine")
        found = first.discover()
        assert found.principal is not None
        for place in (address.url, found.principal, found.homes[0], made.url, address.url + "wrong/turn/"):
            client = sign_in(Address(place, address.user, address.password))
            again = client.discover()
            assert made.url in [calendar.url for calendar in again.calendars]
            assert again.direct == (made.url if place == made.url else None)
            client.close()
        first.close()


def test_the_server_finds_by_itself_what_was_put(site: Site, remote: Remote, calendar: str) -> None:
    item = store(remote, calendar, "one")
    if isinstance(remote, CaldavRemote):
        assert remote.query(calendar, "VEVENT", SPRING) == (item,)
        assert remote.query(calendar, "VEVENT", Span(SPRING.end, SPRING.end + timedelta(days=1))) == ()


def test_a_wrong_password_is_told_apart_from_an_empty_account(tmp_path: Path) -> None:
    with radicale(tmp_path) as address:
        client = sign_in(address, password="not the password")
        with pytest.raises(SignInRefused, match="app-specific password"):
            client.calendars()
        client.close()

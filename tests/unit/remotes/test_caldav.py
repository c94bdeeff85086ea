"""What the CalDAV remote does about servers that do less than the RFCs ask; the contract suite has the rest."""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterable
from xml.etree import ElementTree

import pytest

from calward.dav.errors import (
    AnswerTooLarge,
    BadAnswer,
    NotCalDav,
    NothingFound,
    NotPermitted,
    PreconditionFailed,
    ReportUnsupported,
    TimedOut,
)
from calward.dav.quirks import Capabilities
from calward.model.ids import ETag, Href, SyncToken
from calward.remotes.caldav import CaldavRemote
from calward.remotes.http import Limits
from tests.unit.remotes.scripted import Heard, Scripted, say, scripted

ICS = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
SMALL = Limits(body=20_000)
Rule = Callable[[Heard], tuple[int, bytes, list[tuple[str, str]]]]
Client = Callable[..., CaldavRemote]


def follow(rule: Rule) -> Callable[[socket.socket, Heard], bool | None]:
    """A server whose answers are computed from the request."""
    return lambda connection, heard: say(*rule(heard))(connection, heard)


@pytest.fixture
def client() -> Generator[Client]:
    """Clients of a scripted server, closed when the test ends."""
    opened: list[CaldavRemote] = []

    def connect(
        server: Scripted, capabilities: Capabilities | None = None, path: str = "", limits: Limits = SMALL
    ) -> CaldavRemote:
        known = capabilities or Capabilities()
        opened.append(CaldavRemote(server.url + path, capabilities=known, limits=limits))
        return opened[-1]

    yield connect
    for remote in opened:
        remote.close()


def multistatus(rows: Iterable[str], token: str = "") -> bytes:
    end = f"<d:sync-token>{token}</d:sync-token>" if token else ""
    return (
        '<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">'
        + "".join(rows)
        + end
        + "</d:multistatus>"
    ).encode()


def row(href: str, etag: str = "", body: str = "", status: str = "", kind: str = "") -> str:
    props = (f"<d:getetag>{etag}</d:getetag>" if etag else "") + (
        f"<c:calendar-data>{body}</c:calendar-data>" if body else ""
    )
    props += f"<d:resourcetype>{kind}</d:resourcetype>" if kind else ""
    stat = (
        f"<d:propstat><d:prop>{props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        if props
        else ""
    )
    line = f"<d:status>HTTP/1.1 {status} X</d:status>" if status else ""
    return f"<d:response><d:href>{href}</d:href>{line}{stat}</d:response>"


def asked_hrefs(heard: Heard) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(heard.body).iter("{DAV:}href")]


def multiget_server(broken: set[str], size: int = 10) -> Rule:
    """Serves every object, but a multiget that touches a broken one comes out as no XML at all."""

    def rule(heard: Heard) -> tuple[int, bytes, list[tuple[str, str]]]:
        if heard.method == "GET":
            bad = heard.path in broken
            return 200, (b"BEGIN:VCALENDAR\x00 cut" if bad else ICS), [("ETag", '"1"')]
        hrefs = asked_hrefs(heard)
        if broken & set(hrefs):
            return 207, multistatus(row(href, '"1"', "\x01") for href in hrefs), []
        return 207, multistatus(row(href, '"1"', ICS.decode() + " " * size) for href in hrefs), []

    return rule


def names(count: int) -> list[Href]:
    return [Href(f"/c/{n:03}.ics") for n in range(count)]


def test_one_broken_object_costs_a_few_requests_and_not_the_calendar(client: Client) -> None:
    with scripted(follow(multiget_server({"/c/017.ics"}))) as server:
        remote = client(server)
        got = remote.fetch(server.url + "c/", names(64))
    assert len(got.objects) == 63
    assert list(got.unreadable) == ["/c/017.ics"]
    assert isinstance(got.unreadable[Href("/c/017.ics")], BadAnswer)
    assert got.missing == frozenset()
    assert len(server.heard) <= 2 * 6 + 2


def test_an_answer_too_large_at_once_is_fetched_in_parts(client: Client) -> None:
    with scripted(follow(multiget_server(set(), size=1000))) as server:
        remote = client(server)
        got = remote.fetch(server.url + "c/", names(64))
    assert len(got.objects) == 64
    assert got.unreadable == {}


def test_an_object_too_large_by_itself_is_unreadable_and_not_missing(client: Client) -> None:
    with scripted(say(200, b"BEGIN:VCALENDAR" + bytes(30_000))) as server:
        got = client(server).fetch(server.url + "c/", names(1))
    assert isinstance(got.unreadable[Href("/c/000.ics")], AnswerTooLarge)
    assert got.missing == frozenset()


def test_objects_the_server_passes_over_are_asked_singly(client: Client) -> None:
    def rule(heard: Heard) -> tuple[int, bytes, list[tuple[str, str]]]:
        if heard.method == "REPORT":
            return 207, multistatus([row("/c/000.ics", '"1"', ICS.decode())]), []
        return {"/c/001.ics": (200, ICS, [("ETag", '"2"')]), "/c/003.ics": (403, b"", [])}.get(
            heard.path, (404, b"", [])
        )

    with scripted(follow(rule)) as server:
        got = client(server).fetch(server.url + "c/", names(4))
    assert {item.href: item.etag for item in got.objects} == {"/c/000.ics": '"1"', "/c/001.ics": '"2"'}
    assert got.missing == {"/c/002.ics"}
    assert isinstance(got.unreadable[Href("/c/003.ics")], NotPermitted)


def test_a_server_without_multiget_is_asked_for_each(client: Client) -> None:
    def rule(heard: Heard) -> tuple[int, bytes, list[tuple[str, str]]]:
        return (200, ICS, [("ETag", '"1"')]) if heard.method == "GET" else (501, b"", [])

    with scripted(follow(rule)) as server:
        assert len(client(server).fetch(server.url + "c/", names(3)).objects) == 3


def test_a_time_out_while_fetching_is_an_error_and_not_a_short_answer(client: Client) -> None:
    def silent(connection: socket.socket, heard: Heard) -> bool:
        connection.recv(1)
        return False

    first = say(207, multistatus([row("/c/000.ics", '"1"', ICS.decode())]))
    with scripted(first, silent) as server, pytest.raises(TimedOut):
        client(server, limits=Limits(silence=0.3)).fetch(server.url + "c/", names(2))


def pages(*answers: bytes) -> list[Callable[[socket.socket, Heard], bool | None]]:
    return [say(207, answer) for answer in answers]


MORE = row("/c/", status="507")


def test_a_list_of_changes_in_pages_is_put_together(client: Client) -> None:
    first = multistatus(
        [row("/c/a.ics", '"1"'), row("/c/b.ics", '"1"'), row("/c/c.ics", status="404"), MORE], "t1"
    )
    last = multistatus([row("/c/b.ics", status="404"), row("/c/c.ics", '"2"')], "t2")
    with scripted(*pages(first, last)) as server:
        found = client(server, Capabilities(pages_changes=True)).changes(server.url + "c/", None)
    assert found.changed == {"/c/a.ics": '"1"', "/c/c.ics": '"2"'}
    assert found.removed == {"/c/b.ics"}
    assert found.token == "t2"
    assert [b"<D:nresults>" in heard.body for heard in server.heard] == [True, True]
    assert b">t1<" in server.heard[1].body


def test_a_limit_is_never_sent_to_a_server_that_is_not_proven(client: Client) -> None:
    with scripted(say(207, multistatus([], "t"))) as server:
        client(server).changes(server.url + "c/", SyncToken("s"))
    assert b"nresults" not in server.heard[0].body


def test_pages_that_never_end_are_an_error(client: Client) -> None:
    with (
        scripted(say(207, multistatus([MORE], "t"))) as server,
        pytest.raises(BadAnswer, match="never gets on"),
    ):
        client(server).changes(server.url + "c/", None)


def test_a_row_of_unclear_status_is_looked_at(client: Client) -> None:
    def rule(heard: Heard) -> tuple[int, bytes, list[tuple[str, str]]]:
        if heard.method == "REPORT" and b"sync-collection" in heard.body:
            return 207, multistatus([row("/c/a.ics", status="418"), row("/c/b.ics", status="418")], "t"), []
        hrefs = asked_hrefs(heard)
        return 207, multistatus([row(hrefs[0], status="404"), row(hrefs[1], '"7"', ICS.decode())]), []

    with scripted(follow(rule)) as server:
        found = client(server).changes(server.url + "c/", SyncToken("s"))
    assert found.changed == {"/c/b.ics": '"7"'}
    assert found.removed == {"/c/a.ics"}


def test_sync_tokens_that_cannot_be_relied_on_are_not_used() -> None:
    remote = CaldavRemote("https://cal.example/", capabilities=Capabilities(sync_tokens=False))
    with pytest.raises(ReportUnsupported):
        remote.changes("https://cal.example/c/", None)


def careless(there: bytes | None, etag: str = '"1"') -> Rule:
    """A server that lets every write through, whatever it names."""

    def rule(heard: Heard) -> tuple[int, bytes, list[tuple[str, str]]]:
        if heard.method == "GET":
            return (404, b"", []) if there is None else (200, there, [("ETag", etag)])
        return 204, b"", [("ETag", '"9"')]

    return rule


CARELESS = Capabilities(checks_if_match=False, checks_if_none_match=False)
HREF = Href("/c/a.ics")


@pytest.mark.parametrize(
    ("there", "expect", "passes"),
    [
        (None, None, True),
        (ICS, None, False),
        (ICS, '"1"', True),
        (ICS, '"0"', False),
        (None, '"1"', False),
    ],
)
def test_a_server_that_ignores_preconditions_is_looked_at_first(
    client: Client, there: bytes | None, expect: str | None, passes: bool
) -> None:
    with scripted(follow(careless(there))) as server:
        remote = client(server, CARELESS)
        tag = ETag(expect) if expect else None
        writes: list[Callable[[], object]] = [lambda: remote.put(server.url + "c/", HREF, ICS, tag)]
        if tag:
            writes.append(lambda: remote.delete(server.url + "c/", HREF, tag))
        for write in writes:
            if passes:
                write()
            else:
                with pytest.raises(PreconditionFailed):
                    write()
    assert any(heard.method in ("PUT", "DELETE") for heard in server.heard) is passes


@pytest.mark.parametrize(
    ("header", "capabilities", "etag"),
    [
        ('"1"', Capabilities(), '"1"'),
        ('W/"1"', Capabilities(), None),
        ('"1"', Capabilities(put_etag=False), None),
        ("", Capabilities(), None),
    ],
)
def test_an_etag_after_a_put_is_passed_on_only_where_it_can_be_used(
    client: Client, header: str, capabilities: Capabilities, etag: str | None
) -> None:
    with scripted(say(201, b"", [("ETag", header)])) as server:
        assert client(server, capabilities).put(server.url + "c/", HREF, ICS, None) == etag


def test_an_update_of_what_is_gone_is_one_error_on_every_server(client: Client) -> None:
    with scripted(say(404)) as server, pytest.raises(PreconditionFailed):
        client(server).put(server.url + "c/", HREF, ICS, ETag('"1"'))


def test_a_calendar_cannot_be_made_where_there_is_no_home(client: Client) -> None:
    alone = multistatus([row("/c/", kind="<d:collection/><c:calendar/>")])
    with scripted(say(207, alone)) as server, pytest.raises(NothingFound, match="no place to make a calendar"):
        client(server, path="c/").make_calendar("new", "New")


def test_a_web_page_instead_of_a_calendar_is_told(client: Client) -> None:
    page = say(200, b"<!doctype html><title>Sign in to the hotel</title>", [("Content-Type", "text/html")])
    with scripted(page) as server:
        remote = client(server)
        for call in (
            lambda: remote.calendars(),
            lambda: remote.listing(server.url + "c/"),
            lambda: remote.changes(server.url + "c/", None),
            lambda: remote.fetch(server.url + "c/", [HREF]),
            lambda: remote.put(server.url + "c/", HREF, ICS, None),
        ):
            with pytest.raises(NotCalDav):
                call()


def test_the_server_is_asked_what_it_finds_itself(client: Client) -> None:
    with scripted(say(207, multistatus([row("/c/a.ics", '"1"', ICS.decode())]))) as server:
        (found,) = client(server).query(server.url + "c/", "VEVENT")
    assert (found.href, found.etag) == ("/c/a.ics", '"1"')


def test_many_objects_are_fetched_in_batches() -> None:
    with scripted(follow(multiget_server(set(), size=0))) as server:
        remote = CaldavRemote(server.url)
        got = remote.fetch(server.url + "c/", names(450))
        remote.close()
    assert len(got.objects) == 450
    assert [len(asked_hrefs(heard)) for heard in server.heard] == [200, 200, 50]

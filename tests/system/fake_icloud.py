"""A stand-in for iCloud's calendar server: the answers that others report of it, over real HTTP.

Nothing here was measured on the live service. What it does is collected from the compatibility hints of the
caldav library (3.6) and from its users' reports:

- an app-specific password, or 401;
- calendars live on a host of their own (``pNN-caldav``), which only discovery names;
- a principal that is asked for its members answers 400;
- a collection lists itself, and a limit on a list of changes is ignored;
- no Schedule-Tag; free/busy answers 400; a query without a component filter 400, one by UID 412;
- an event without DTEND, DUE or DURATION is refused with 403;
- a UID that is in another calendar of the account is refused; to-dos have a calendar of their own.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote
from xml.sax.saxutils import escape

from lxml import etree

from calward.dav.collections import RemoteCalendar
from calward.dav.errors import BadSyncToken, DavError, UidConflict
from calward.dav.href import href_key
from calward.dav.names import CALDAV
from calward.ical.reading import read_object
from calward.model.ids import ETag, Href, SyncToken
from calward.remotes.memory import HOME, MemoryRemote, MemoryServer

ENTRY, SHARD = "caldav.icloud.test", "p34-caldav.icloud.test"
USER, PASSWORD, USUAL = "alex@icloud.test", "abcd-efgh-ijkl-mnop", "the-usual-one"
PRINCIPAL, CALENDARS = "/8123/principal/", "/8123/calendars/"
OFFERS = "1, access-control, calendar-access, calendar-schedule, calendar-auto-schedule, sync-collection"
Heard = tuple[str, str, str]


@dataclass
class FakeICloud:
    """``lost``: so many answers to writes get lost, the write done. ``heard`` are method, host, path."""

    port: int
    server: MemoryServer = field(default_factory=MemoryServer)
    lost: int = 0
    down: bool = False
    heard: list[Heard] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://{ENTRY}:{self.port}/"

    def add(self, segment: str, name: str, components: Iterable[str] = ("VEVENT",)) -> str:
        return self.server.add_calendar(segment, name, components)

    @property
    def remote(self) -> MemoryRemote:
        """Another client of the same account, without the network."""
        return MemoryRemote(self.server)


@contextmanager
def fake_icloud() -> Generator[FakeICloud]:
    listener = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    fake = FakeICloud(listener.server_address[1])
    listener.fake = fake  # type: ignore[attr-defined]
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield fake
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    def handle_one_request(self) -> None:
        self.close_connection = True
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            return
        fake = self._fake
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        host = self.headers.get("Host", "").partition(":")[0]
        fake.heard.append((self.command, host, self.path))
        if fake.down:
            self._say(503, b"")
            return
        if not self._signed_in():
            self._say(401, b"", ("WWW-Authenticate", 'Basic realm="MMCalDav"'))
            return
        try:
            self._answer(host, unquote(self.path), body)
        except UidConflict:
            self._say(403, _error(f'<C:no-uid-conflict xmlns:C="{CALDAV}"/>'))
        except BadSyncToken:
            self._say(403, _error("<D:valid-sync-token/>"))
        except DavError as error:
            self._say(STATUS.get(error.code, 403), b"")

    @property
    def _fake(self) -> FakeICloud:
        fake: FakeICloud = self.server.fake  # type: ignore[attr-defined]
        return fake

    def _signed_in(self) -> bool:
        given = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return self.headers.get("Authorization", "") == f"Basic {given}"

    def _answer(self, host: str, path: str, body: bytes) -> None:
        match self.command:
            case "OPTIONS":
                self._say(
                    200, b"", ("DAV", OFFERS), ("Allow", "OPTIONS, PROPFIND, REPORT, PUT, DELETE, MKCALENDAR")
                )
            case "PROPFIND":
                self._propfind(host, path, self.headers.get("Depth", "0"))
            case "REPORT" if host == SHARD:
                self._report(path, etree.fromstring(body))
            case "GET" if host == SHARD:
                fetched = self._fake.remote.fetch(_calendar(path), [_inside(Href(path))])
                for one in fetched.objects:
                    self._say(200, one.body, ("ETag", one.etag or ""), ("Content-Type", "text/calendar"))
                if fetched.missing:
                    self._say(404, b"")
            case "PUT" if host == SHARD:
                self._put(path, body)
            case "DELETE" if host == SHARD:
                href, expect = Href(path), ETag(self.headers.get("If-Match", ""))
                self._fake.remote.delete(_calendar(path), _inside(href), expect)
                self._wrote(204)
            case "MKCALENDAR" if host == SHARD:
                name = etree.fromstring(body).findtext(".//{DAV:}displayname") or ""
                self._fake.add(path.rstrip("/").rpartition("/")[2], name)
                self._wrote(201)
            case _:
                self._say(404, b"")

    def _propfind(self, host: str, path: str, depth: str) -> None:
        if path in ("/", "/.well-known/caldav"):
            self._rows((path, _props(COLLECTION, principal=PRINCIPAL)))
        elif path == PRINCIPAL:
            if depth != "0":
                self._say(400, b"")
                return
            home = f"http://{SHARD}:{self._fake.port}{CALENDARS}"
            self._rows((path, _props(COLLECTION, home=home, address=f"mailto:{USER}")))
        elif host != SHARD:
            self._say(404, b"")
        elif path == CALENDARS:
            inside = [(_outside(one.url), _shown(one)) for one in self._fake.server.calendars()]
            self._rows((path, _props(COLLECTION)), *(inside if depth == "1" else ()))
        else:
            calendar = _calendar(path)
            shown = (path, _shown(self._fake.server.calendar(calendar)))
            listed = self._fake.remote.listing(calendar) if depth == "1" else {}
            self._rows(shown, *((_outside(href), _props("", etag=etag)) for href, etag in listed.items()))

    def _report(self, path: str, asked: etree._Element) -> None:
        calendar, remote = _calendar(path), self._fake.remote
        match etree.QName(asked).localname:
            case "sync-collection":
                token = SyncToken(asked.findtext("{DAV:}sync-token") or "") or None
                changes = remote.changes(calendar, token)
                rows = [(_outside(href), _props("", etag=etag)) for href, etag in changes.changed.items()]
                rows.append((path, _props(COLLECTION)))
                self._rows(*rows, gone=[_outside(href) for href in changes.removed], token=changes.token)
            case "calendar-multiget":
                hrefs = [Href(unquote(one.text or "")) for one in asked.iter("{DAV:}href")]
                fetched = remote.fetch(calendar, [_inside(href) for href in hrefs])
                self._rows(
                    *(
                        (_outside(one.href), _props("", etag=one.etag, data=one.body))
                        for one in fetched.objects
                    ),
                    gone=[_outside(href) for href in fetched.missing],
                )
            case "calendar-query" if b"UID" in etree.tostring(asked):
                self._say(412, b"")
            case _:
                self._say(400, b"")

    def _put(self, path: str, body: bytes) -> None:
        events = read_object(body).events
        if any(event.end is None and event.duration is None for event in events):
            self._say(403, b"")
            return
        calendar, href = _calendar(path), _inside(Href(path))
        for other in self._fake.server.calendars():
            if other.url != calendar and any(event.uid in self._uids(other.url) for event in events):
                raise UidConflict("In another calendar.")
        expect = self.headers.get("If-Match")
        etag = self._fake.remote.put(calendar, href, body, ETag(expect) if expect else None)
        self._wrote(201, ("ETag", etag or ""))

    def _uids(self, calendar: str) -> set[str]:
        shelf = self._fake.server.shelf(calendar)
        return {event.uid for item in shelf.objects.values() for event in read_object(item.body).events}

    def _wrote(self, status: int, *headers: tuple[str, str]) -> None:
        if self._fake.lost:
            self._fake.lost -= 1
            return
        self._say(status, b"", *headers)

    def _rows(self, *rows: tuple[str, str], gone: Iterable[str] = (), token: str | None = None) -> None:
        parts = [
            f"<D:response><D:href>{escape(href)}</D:href><D:propstat><D:prop>{props}</D:prop>"
            "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
            for href, props in rows
        ]
        parts += [
            f"<D:response><D:href>{escape(href)}</D:href><D:status>{MISSING}</D:status></D:response>"
            for href in gone
        ]
        if token is not None:
            parts.append(f"<D:sync-token>{escape(token)}</D:sync-token>")
        body = f"<D:multistatus {SPACES}>{''.join(parts)}</D:multistatus>"
        self._say(207, body.encode(), ("Content-Type", "text/xml"))

    def _say(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response_only(status)
        for name, value in (*headers, ("Content-Length", str(len(body))), ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


SPACES = f'xmlns:D="DAV:" xmlns:C="{CALDAV}" xmlns:CS="http://calendarserver.org/ns/"'
MISSING = "HTTP/1.1 404 Not Found"
COLLECTION = "<D:resourcetype><D:collection/></D:resourcetype>"
STATUS = {
    "remote_missing": 404,
    "remote_precondition_failed": 412,
    "remote_already_there": 405,
}


def _props(
    more: str,
    *,
    principal: str = "",
    home: str = "",
    address: str = "",
    etag: str | None = None,
    data: bytes = b"",
) -> str:
    found = [more]
    for name, href in (
        ("D:current-user-principal", principal),
        ("C:calendar-home-set", home),
        ("C:calendar-user-address-set", address),
    ):
        if href:
            found.append(f"<{name}><D:href>{escape(href)}</D:href></{name}>")
    if etag is not None:
        found.append(f"<D:getetag>{escape(etag)}</D:getetag>")
    if data:
        found.append(f"<C:calendar-data>{escape(data.decode()).replace(chr(13), '&#13;')}</C:calendar-data>")
    return "".join(found)


def _shown(calendar: RemoteCalendar) -> str:
    comps = "".join(f'<C:comp name="{name}"/>' for name in sorted(calendar.components))
    reports = "".join(
        f"<D:supported-report><D:report><{name}/></D:report></D:supported-report>"
        for name in ("D:sync-collection", "C:calendar-multiget", "C:calendar-query")
    )
    return (
        "<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>"
        f"<D:displayname>{escape(calendar.name)}</D:displayname><CS:getctag>{calendar.ctag}</CS:getctag>"
        f"<D:sync-token>{calendar.sync_token}</D:sync-token>"
        f"<C:supported-calendar-component-set>{comps}</C:supported-calendar-component-set>"
        f"<D:supported-report-set>{reports}</D:supported-report-set>"
    )


def _error(condition: str) -> bytes:
    return f'<D:error xmlns:D="DAV:">{condition}</D:error>'.encode()


def _calendar(path: str) -> str:
    """The address of a collection, or of the one something is in, as the server behind it knows it."""
    segment = path.removeprefix(CALENDARS).partition("/")[0]
    return f"{HOME}{segment}/"


def _inside(href: Href) -> Href:
    return Href(str(href_key(href)).replace(CALENDARS, "/calendars/", 1))


def _outside(place: str) -> str:
    return place.removeprefix("https://memory.invalid").replace("/calendars/", CALENDARS, 1)

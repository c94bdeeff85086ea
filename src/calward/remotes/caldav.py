"""An account on a CalDAV server: what ``dav`` asks and reads, carried over HTTP."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Mapping, Sequence

from calward.dav.calendar_query import ask_query, read_query
from calward.dav.collections import RemoteCalendar
from calward.dav.discovery import Discovery, Talk, discover, normal_address
from calward.dav.errors import (
    AlreadyThere,
    AnswerTooLarge,
    BadAnswer,
    DavError,
    Missing,
    NothingFound,
    NotPermitted,
    PreconditionFailed,
    ReportUnsupported,
)
from calward.dav.href import member, resolve
from calward.dav.messages import Answer, Ask
from calward.dav.mkcalendar import ask_make_calendar, read_make_calendar
from calward.dav.multiget import BATCH, RemoteObject, ask_objects, read_objects
from calward.dav.objects import (
    ask_create,
    ask_delete,
    ask_object,
    ask_update,
    is_weak,
    read_delete,
    read_object,
    read_put,
)
from calward.dav.propfind import ask_calendar, ask_listing, read_calendar, read_listing
from calward.dav.quirks import Capabilities
from calward.dav.status import host_of
from calward.dav.sync_collection import ask_changes, read_changes
from calward.model.ids import ETag, Href, SyncToken
from calward.model.time import Span
from calward.remotes.http import Http, Limits
from calward.remotes.login import Login
from calward.remotes.remote import Changes, Fetched


class CaldavRemote:
    """A ``Remote`` over the network.

    ``address`` is what the person gave: a host, an entry point or a calendar. ``capabilities`` are what was
    found out when the account was connected (``capabilities_of(discovery.signs)``).
    """

    def __init__(
        self,
        address: str,
        login: Login = None,
        *,
        capabilities: Capabilities = Capabilities(),  # noqa: B008  (frozen)
        limits: Limits = Limits(),  # noqa: B008  (frozen)
        insecure_http: bool = False,
        local_network: bool = False,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._address = normal_address(address)
        self._capabilities = capabilities
        self._http = Http(
            self._address,
            login,
            limits=limits,
            insecure_http=insecure_http,
            local_network=local_network,
            context=context,
        )

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    def discover(self) -> Discovery:
        """Find out what is behind the address. Raises as ``calward.dav.discovery.discover`` does."""
        return self._hold(discover(self._address))

    def calendars(self) -> tuple[RemoteCalendar, ...]:
        return self.discover().calendars

    def calendar(self, calendar: str) -> RemoteCalendar:
        ask = ask_calendar(calendar)
        return read_calendar(ask, self._http.exchange(ask))

    def changes(self, calendar: str, token: SyncToken | None) -> Changes:
        host = host_of(calendar)
        if not self._capabilities.sync_tokens:
            raise ReportUnsupported(f"The list of changes of {host} cannot be relied on.", host=host)
        limit = PAGE if self._capabilities.pages_changes else None
        state: dict[Href, ETag | None] = {}
        gone: set[Href] = set()
        for _ in range(PAGES_MAX):
            ask = ask_changes(calendar, token, limit)
            page = read_changes(ask, self._http.exchange(ask))
            unclear = self.fetch(calendar, sorted(page.unclear)) if page.unclear else None
            removed = page.removed | (unclear.missing if unclear else frozenset())
            changed = page.changed | ({item.href: item.etag for item in unclear.objects} if unclear else {})
            gone = (gone | removed) - changed.keys()
            state = {href: etag for href, etag in (state | changed).items() if href not in gone}
            if not page.truncated:
                return Changes(state, frozenset(gone), page.token)
            if page.token == token:
                break
            token = page.token
        raise BadAnswer(f"{host} says there are more changes, but never gets on with them.", host=host)

    def listing(self, calendar: str) -> Mapping[Href, ETag | None]:
        ask = ask_listing(calendar)
        return read_listing(ask, self._http.exchange(ask))

    def query(self, calendar: str, component: str, span: Span | None = None) -> tuple[RemoteObject, ...]:
        """The objects the server itself finds, live: a second opinion, never what an answer rests on."""
        ask = ask_query(calendar, component, span)
        return read_query(ask, self._http.exchange(ask))

    def fetch(self, calendar: str, hrefs: Sequence[Href]) -> Fetched:
        found = _Basket()
        for start in range(0, len(hrefs), BATCH):
            self._fetch_batch(calendar, hrefs[start : start + BATCH], found)
        return Fetched(tuple(found.objects), frozenset(found.missing), found.unreadable)

    def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
        url = resolve(calendar, href)
        if expect is None:
            if not self._capabilities.checks_if_none_match:
                self._see(calendar, href, None)
            ask = ask_create(url, body)
        else:
            if not self._capabilities.checks_if_match:
                self._see(calendar, href, expect)
            ask = ask_update(url, body, expect)
        try:
            etag = read_put(ask, self._http.exchange(ask))
        except Missing as error:  # some servers say 404 where an If-Match finds nothing
            raise PreconditionFailed(error.message, host=error.host) from None
        return etag if etag and self._capabilities.put_etag and not is_weak(etag) else None

    def delete(self, calendar: str, href: Href, expect: ETag) -> None:
        if not self._capabilities.checks_if_match:
            self._see(calendar, href, expect)
        ask = ask_delete(resolve(calendar, href), expect)
        read_delete(ask, self._http.exchange(ask))

    def make_calendar(
        self, segment: str, name: str, components: Iterable[str] = ("VEVENT",), color: str = ""
    ) -> RemoteCalendar:
        homes = self.discover().homes
        if not homes:
            host = host_of(self._address)
            raise NothingFound(f"{host} has no place to make a calendar in.", host=host)
        url = resolve(homes[0], member(homes[0], segment)) + "/"
        ask = ask_make_calendar(url, name, components, color)
        try:
            read_make_calendar(ask, self._http.exchange(ask))
        except AlreadyThere as error:
            there = self._if_calendar(url)
            if there is None or there.name != name:
                raise error
            return there
        return self.calendar(url)

    def remove_scratch(self, calendar: str) -> None:
        """Remove a calendar that was made to try things on; none that has another name by its address."""
        host = host_of(calendar)
        if not calendar.rstrip("/").rpartition("/")[2].startswith(SCRATCH):
            raise NotPermitted(f"That calendar on {host} was not made to try things on.", host=host)
        ask = Ask("DELETE", calendar)
        read_delete(ask, self._http.exchange(ask))

    def close(self) -> None:
        self._http.close()

    def _hold(self, talk: Talk) -> Discovery:
        """Carry the questions of a generator over the network until it returns."""
        answer: Answer | None = None
        try:
            while True:
                ask: Ask = next(talk) if answer is None else talk.send(answer)
                answer = self._http.exchange(ask)
        except StopIteration as done:
            found: Discovery = done.value
            return found

    def _fetch_batch(self, calendar: str, hrefs: Sequence[Href], found: _Basket) -> None:
        """A batch in one request. One whose answer cannot be read is halved, so a broken object costs a few
        requests and not the calendar; what is left, and whatever the server passed over, is asked singly."""
        if len(hrefs) == 1:
            self._fetch_one(calendar, hrefs[0], found)
            return
        ask = ask_objects(calendar, hrefs)
        try:
            got = read_objects(ask, self._http.exchange(ask), hrefs)
        except (BadAnswer, AnswerTooLarge):
            middle = len(hrefs) // 2
            self._fetch_batch(calendar, hrefs[:middle], found)
            self._fetch_batch(calendar, hrefs[middle:], found)
            return
        except ReportUnsupported:
            for href in hrefs:
                self._fetch_one(calendar, href, found)
            return
        found.objects.extend(got.objects)
        found.missing.update(got.missing)
        for href in sorted(got.silent):
            self._fetch_one(calendar, href, found)

    def _fetch_one(self, calendar: str, href: Href, found: _Basket) -> None:
        ask = ask_object(resolve(calendar, href))
        try:
            found.objects.append(read_object(ask, self._http.exchange(ask), href))
        except Missing:
            found.missing.add(href)
        except (BadAnswer, AnswerTooLarge, NotPermitted) as error:
            found.unreadable[href] = error

    def _see(self, calendar: str, href: Href, expect: ETag | None) -> None:
        """For a server that ignores preconditions: look right before writing, which narrows the gap."""
        found = self.fetch(calendar, [href])
        now = next((item.etag for item in found.objects), None)
        there = href not in found.missing
        if there != (expect is not None) or (there and now != expect):
            host = host_of(calendar)
            raise PreconditionFailed(f"The entry on {host} is not in the state we expected.", host=host)

    def _if_calendar(self, url: str) -> RemoteCalendar | None:
        try:
            return self.calendar(url)
        except (Missing, BadAnswer, NotPermitted):
            return None


class _Basket:
    """What was fetched so far."""

    def __init__(self) -> None:
        self.objects: list[RemoteObject] = []
        self.missing: set[Href] = set()
        self.unreadable: dict[Href, DavError] = {}


SCRATCH = "calward-scratch-"
"""How the addresses begin of calendars that are made to try things on."""
PAGE = 5_000
"""Rows in one list of changes, where the server pages them right."""
PAGES_MAX = 1_000

"""A calendar server in memory: the same promises as a real one, and faults on demand.

Several ``MemoryRemote`` share one ``MemoryServer`` as several clients share a real one. It keeps no time and
draws no random numbers: ETags and tokens are counters, so a history can be played again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from calward.dav.collections import ALL_COMPONENTS, RemoteCalendar
from calward.dav.discovery import Discovery
from calward.dav.errors import (
    AlreadyThere,
    BadSyncToken,
    Missing,
    ObjectRefused,
    PreconditionFailed,
    ReportUnsupported,
    UidConflict,
)
from calward.dav.href import HrefKey, href_key, member, resolve
from calward.dav.multiget import RemoteObject
from calward.dav.objects import is_whole
from calward.dav.options import Offers
from calward.dav.quirks import Capabilities
from calward.dav.status import host_of
from calward.model.ids import ETag, Href, SyncToken
from calward.remotes.faults import Fault, Faults, error_after, error_before
from calward.remotes.remote import Changes, Fetched

HOME = "https://memory.invalid/calendars/"
Rewrite = Callable[[bytes], bytes]


@dataclass
class Shelf:
    """One calendar on the server. ``log`` says at which step each key last changed, gone ones included."""

    name: str
    components: frozenset[str]
    color: str
    objects: dict[HrefKey, RemoteObject] = field(default_factory=dict)
    log: dict[HrefKey, tuple[int, Href]] = field(default_factory=dict)
    step: int = 0


class MemoryServer:
    """The state that clients share. ``rewrite`` is what the server does to every body it stores, ``principal``
    whom it takes its clients for."""

    def __init__(
        self,
        *,
        capabilities: Capabilities = Capabilities(keeps_bytes=True),  # noqa: B008  (frozen)
        rewrite: Rewrite | None = None,
        unique_uids: bool = True,
    ) -> None:
        self.capabilities = capabilities
        self.rewrite = rewrite
        self.unique_uids = unique_uids
        self.principal: str | None = None
        self._shelves: dict[str, Shelf] = {}
        self._etags = 0
        self._epoch = 1

    def add_calendar(
        self, segment: str, name: str, components: Iterable[str] = ALL_COMPONENTS, color: str = ""
    ) -> str:
        """A calendar made by the server's own means; answers its URL."""
        url = resolve(HOME, member(HOME, segment)) + "/"
        if url in self._shelves:
            raise AlreadyThere("Something already exists at that place.", host=host_of(url))
        self._shelves[url] = Shelf(name, frozenset(components), color)
        return url

    def drop_calendar(self, url: str) -> None:
        del self._shelves[url]

    def calendars(self) -> tuple[RemoteCalendar, ...]:
        return tuple(self._show(url, shelf) for url, shelf in self._shelves.items())

    def calendar(self, url: str) -> RemoteCalendar:
        return self._show(url, self.shelf(url))

    def shelf(self, url: str) -> Shelf:
        """The live state of a calendar; raises ``Missing``."""
        if url not in self._shelves:
            raise Missing("There is nothing at this address.", host=host_of(url))
        return self._shelves[url]

    def token(self, shelf: Shelf) -> SyncToken:
        return SyncToken(f"memory:{self._epoch}:{shelf.step}")

    def since(self, shelf: Shelf, token: SyncToken) -> int | None:
        """The step a token stands for; None for a token of another epoch, the future or nobody."""
        match = re.fullmatch(r"memory:(\d+):(\d+)", token)
        if match is None or int(match[1]) != self._epoch or int(match[2]) > shelf.step:
            return None
        return int(match[2])

    def forget_tokens(self) -> None:
        """Every token given out so far is bad from now on."""
        self._epoch += 1

    def store(self, shelf: Shelf, href: Href, body: bytes) -> RemoteObject:
        """Put without asking; the step and the ETag move on."""
        self._etags += 1
        kept = self.rewrite(body) if self.rewrite else body
        key = href_key(href)
        before = shelf.objects.get(key)
        item = RemoteObject(before.href if before else href, ETag(f'"m{self._etags}"'), kept)
        shelf.objects[key] = item
        self._log(shelf, key, item.href)
        return item

    def remove(self, shelf: Shelf, href: Href) -> None:
        """Delete without asking."""
        item = shelf.objects.pop(href_key(href))
        self._log(shelf, href_key(href), item.href)

    def backup(self) -> Mapping[str, Shelf]:
        return deepcopy(self._shelves)

    def restore(self, backup: Mapping[str, Shelf]) -> None:
        """Go back to a backup: contents, steps and so the meaning of tokens all go backwards, as they do."""
        self._shelves = dict(deepcopy(backup))

    def _log(self, shelf: Shelf, key: HrefKey, href: Href) -> None:
        shelf.step += 1
        shelf.log[key] = (shelf.step, href)

    def _show(self, url: str, shelf: Shelf) -> RemoteCalendar:
        syncs = self.capabilities.sync_tokens
        return RemoteCalendar(
            url,
            shelf.name,
            color=shelf.color,
            components=shelf.components,
            ctag=f"ctag-{self._epoch}-{shelf.step}",
            sync_token=self.token(shelf) if syncs else None,
            reports=frozenset({"calendar-multiget", "calendar-query", *(["sync-collection"] if syncs else [])}),
        )


class MemoryRemote:
    """A client of a ``MemoryServer``; ``faults`` strike this client only."""

    def __init__(self, server: MemoryServer, faults: Faults | None = None) -> None:
        self.server = server
        self.faults = faults or Faults()

    @property
    def capabilities(self) -> Capabilities:
        return self.server.capabilities

    def discover(self) -> Discovery:
        self._meet("discover")
        offers = Offers(frozenset({"1", "calendar-access", "calendar-auto-schedule"}))
        return Discovery(HOME, self.server.principal, (HOME,), self.server.calendars(), offers=offers)

    def calendars(self) -> tuple[RemoteCalendar, ...]:
        self._meet("calendars")
        return self.server.calendars()

    def calendar(self, calendar: str) -> RemoteCalendar:
        self._meet("calendar")
        return self.server.calendar(calendar)

    def changes(self, calendar: str, token: SyncToken | None) -> Changes:
        fault = self._meet("changes")
        shelf = self.server.shelf(calendar)
        if not self.capabilities.sync_tokens:
            raise ReportUnsupported("There is no list of changes here.", host=HOST)
        after = 0 if token is None else self.server.since(shelf, token)
        hidden = fault is Fault.TOKEN_HIDDEN or (after is None and not self.capabilities.tells_bad_token)
        if after is None and not hidden:
            raise BadSyncToken("This token is not known.", host=HOST)
        touched = {key: href for key, (step, href) in shelf.log.items() if hidden or step > (after or 0)}
        etags = {item.href: item.etag for key, item in shelf.objects.items() if key in touched}
        gone = {href for key, href in touched.items() if key not in shelf.objects}
        if hidden or token is None:
            gone = set()
        return Changes(self._cut(etags, fault), frozenset(gone), self.server.token(shelf))

    def listing(self, calendar: str) -> Mapping[Href, ETag | None]:
        fault = self._meet("listing")
        shelf = self.server.shelf(calendar)
        return self._cut({item.href: item.etag for item in shelf.objects.values()}, fault)

    def fetch(self, calendar: str, hrefs: Sequence[Href]) -> Fetched:
        self._meet("fetch")
        shelf = self.server.shelf(calendar)
        found: list[RemoteObject] = []
        missing: set[Href] = set()
        for href in dict.fromkeys(hrefs):
            item = shelf.objects.get(href_key(href))
            if item is None:
                missing.add(href)
            else:
                found.append(RemoteObject(href, item.etag, item.body))
        return Fetched(tuple(found), frozenset(missing), {})

    def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
        fault = self._meet("put", writes=True)
        shelf = self.server.shelf(calendar)
        before = shelf.objects.get(href_key(href))
        if (before.etag if before else None) != expect:
            raise PreconditionFailed("The entry is not in the state we expected.", host=HOST)
        if not is_whole(body):
            raise ObjectRefused("This is no calendar object.", host=HOST, precondition="valid-calendar-data")
        self._check_uid(shelf, href, body)
        if fault is Fault.REWRITTEN:
            body = body.replace(b"END:VEVENT", b"X-SERVER-WAS-HERE:1\r\nEND:VEVENT")
        item = self.server.store(shelf, href, body)
        if fault is Fault.TWICE:
            item = self.server.store(shelf, href, body)
        self._lose(fault)
        if fault is Fault.STALE_ETAG:
            return before.etag if before else ETag('"m0"')
        if fault is Fault.WEAK_ETAG:
            return ETag(f"W/{item.etag}")
        return None if fault is Fault.NO_ETAG or not self.capabilities.put_etag else item.etag

    def delete(self, calendar: str, href: Href, expect: ETag) -> None:
        fault = self._meet("delete", writes=True)
        shelf = self.server.shelf(calendar)
        item = shelf.objects.get(href_key(href))
        if item is None:
            raise Missing("There is nothing at this address.", host=HOST)
        if item.etag != expect:
            raise PreconditionFailed("The entry is not in the state we expected.", host=HOST)
        self.server.remove(shelf, href)
        self._lose(fault)

    def make_calendar(
        self, segment: str, name: str, components: Iterable[str] = ("VEVENT",), color: str = ""
    ) -> RemoteCalendar:
        fault = self._meet("make_calendar", writes=True)
        try:
            url = self.server.add_calendar(segment, name, components, color)
        except AlreadyThere:
            url = resolve(HOME, member(HOME, segment)) + "/"
            if self.server.calendar(url).name != name:
                raise
        self._lose(fault)
        return self.server.calendar(url)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _meet(self, method: str, *, writes: bool = False) -> Fault | None:
        """The fault for this call, if any; raised at once where it strikes before the work."""
        fault = self.faults.next(method)
        error = error_before(fault, HOST, writes=writes)
        if error is not None:
            raise error
        return fault

    def _lose(self, fault: Fault | None) -> None:
        error = error_after(fault, HOST)
        if error is not None:
            raise error

    def _cut(self, rows: dict[Href, ETag | None], fault: Fault | None) -> dict[Href, ETag | None]:
        if fault is Fault.EMPTY:
            return {}
        return dict(list(rows.items())[::2]) if fault is Fault.PARTIAL else rows

    def _check_uid(self, shelf: Shelf, href: Href, body: bytes) -> None:
        if not self.server.unique_uids:
            return
        uid = _uid(body)
        for key, item in shelf.objects.items():
            if key != href_key(href) and uid and _uid(item.body) == uid:
                raise UidConflict("This UID is taken.", host=HOST, existing=item.href)


HOST = host_of(HOME)


def _uid(body: bytes) -> bytes:
    match = re.search(rb"^UID:(.*?)\r?$", re.sub(rb"\r?\n[ \t]", b"", body), re.MULTILINE | re.IGNORECASE)
    return match[1] if match else b""

"""A feed as a calendar that can only be read: one file, taken apart into its events.

There is no list of changes, so the file itself is the list: what it no longer has is gone. An event's ETag is
made of its meaning, since many feeds stamp every event anew each time they are asked.
"""

# ruff: noqa: ARG002  (a remote's methods are given what a feed has no use for)

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from calward.dav.collections import RemoteCalendar, Rights
from calward.dav.discovery import Discovery
from calward.dav.errors import (
    AnswerTooLarge,
    BadAnswer,
    BadSyncToken,
    Missing,
    NothingFound,
    NotPermitted,
    ServerTrouble,
    Throttled,
)
from calward.dav.href import member
from calward.dav.messages import Ask
from calward.dav.multiget import RemoteObject
from calward.dav.quirks import Capabilities
from calward.dav.status import failure, host_of
from calward.errors import TooLarge
from calward.ical.frames import split
from calward.ical.meaning import meaning
from calward.ical.tree import parse
from calward.model.ids import ETag, Href, SyncToken
from calward.remotes.http import Http, Limits
from calward.remotes.remote import Changes, Fetched

FEED_LIMITS = Limits(body=32 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class Validators:
    """By what a server knows a copy again (RFC 9110 §8.8): its ETag and date, empty where it gave none."""

    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """The whole file as it was fetched, and what to ask with for a newer one."""

    data: bytes
    validators: Validators = Validators()


Source = Callable[[Validators | None], Copy | None]
"""Gets the file; None where it is still the one with these validators. Raises the network's errors,
``BadAnswer`` for what is no calendar, ``Missing`` where there is nothing any more."""


def over_http(http: Http, url: str) -> Source:
    """A file that is fetched from an address, unless it is still the copy that is known."""

    def get(known: Validators | None) -> Copy | None:
        ask = Ask("GET", url, _conditions(known))
        answer = http.exchange(ask)
        host = host_of(url)
        if answer.status == 304 and known is not None:
            return None
        if answer.status in (401, 403, 404, 410):
            raise Missing(
                f"{host} has no feed at this address, or not for us; it may have been given a new one.",
                host=host,
            )
        if not answer.ok:
            error = failure(ask, answer)
            raise error if isinstance(error, (ServerTrouble, Throttled)) else _no_calendar(host)
        if answer.is_html:
            raise BadAnswer(f"{host} answered with a web page where the feed should be.", host=host)
        validators = Validators(answer.header("etag"), answer.header("last-modified"))
        return Copy(_whole(answer.body, host), validators)

    return get


class FeedRemote:
    """A ``Remote`` over one file. ``place`` is the address that stands for the calendar here; the real one may
    be a secret. The file is got once for each remote."""

    capabilities = Capabilities(keeps_bytes=True, drops_old=True)

    def __init__(self, source: Source, place: str, close: Callable[[], None] = lambda: None) -> None:
        self._source = source
        self._place = place
        self._close = close
        self._copy: Copy | None = None
        self._objects: dict[Href, RemoteObject] = {}

    def discover(self) -> Discovery:
        raise NothingFound("A feed is one calendar; there is nothing else to find.")

    def calendars(self) -> tuple[RemoteCalendar, ...]:
        return (self.calendar(self._place),)

    def calendar(self, calendar: str) -> RemoteCalendar:
        copy = self._got()
        state = sha256("\n".join(f"{href} {one.etag}" for href, one in sorted(self._objects.items())).encode())
        return RemoteCalendar(
            self._place,
            name=_name(copy.data),
            rights=READ_ONLY,
            ctag=state.hexdigest(),
            sync_token=_token(copy.validators),
            reports=frozenset({"sync-collection"}),
        )

    def changes(self, calendar: str, token: SyncToken | None) -> Changes:
        """Nothing, where the server says that the file is the same; else the whole is to be listed."""
        if token is None:
            return Changes({href: one.etag for href, one in self._all().items()}, frozenset(), self._now())
        copy = self._source(_validators(token))
        if copy is None:
            return Changes({}, frozenset(), token)
        self._take(copy)
        raise BadSyncToken("The feed has changed, so all of it is compared.")

    def listing(self, calendar: str) -> Mapping[Href, ETag | None]:
        return {href: one.etag for href, one in self._all().items()}

    def fetch(self, calendar: str, hrefs: Sequence[Href]) -> Fetched:
        there = self._all()
        objects = tuple(there[href] for href in hrefs if href in there)
        return Fetched(objects, frozenset(href for href in hrefs if href not in there), {})

    def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
        raise _read_only()

    def delete(self, calendar: str, href: Href, expect: ETag) -> None:
        raise _read_only()

    def make_calendar(
        self, segment: str, name: str, components: Iterable[str] = ("VEVENT",), color: str = ""
    ) -> RemoteCalendar:
        raise _read_only()

    def close(self) -> None:
        self._close()

    def _all(self) -> dict[Href, RemoteObject]:
        self._got()
        return self._objects

    def _now(self) -> SyncToken:
        return _token(self._got().validators) or SyncToken("")

    def _got(self) -> Copy:
        if self._copy is None:
            copy = self._source(None)
            if copy is None:
                raise BadAnswer("The feed says that it has not changed since never.")
            self._take(copy)
            return copy
        return self._copy

    def _take(self, copy: Copy) -> None:
        try:
            framed = split(copy.data).objects
            made = [
                RemoteObject(_href(self._place, one.uid), ETag(f'"{meaning(one.data)}"'), one.data)
                for one in framed
            ]
        except TooLarge as error:
            raise AnswerTooLarge(f"The feed is too large. {error.message}") from None
        self._copy, self._objects = copy, {one.href: one for one in made}


READ_ONLY = Rights(edit=False, create=False, delete=False)


def _conditions(known: Validators | None) -> tuple[tuple[str, str], ...]:
    if known is None:
        return ()
    named = (("If-None-Match", known.etag), ("If-Modified-Since", known.modified))
    return tuple((name, value) for name, value in named if value)


def _whole(body: bytes, host: str) -> bytes:
    """The file, if it begins and ends as a calendar does: one that is cut off lacks what is not gone."""
    text = body.removeprefix(b"\xef\xbb\xbf").strip().upper()
    if not text.startswith(b"BEGIN:VCALENDAR"):
        raise _no_calendar(host)
    if not text.endswith(b"END:VCALENDAR"):
        raise BadAnswer(f"{host} sent only a part of the feed.", host=host)
    return body


def _no_calendar(host: str) -> BadAnswer:
    return BadAnswer(f"What {host} has at this address is no calendar.", host=host)


def _read_only() -> NotPermitted:
    return NotPermitted("A feed can only be read.")


def _href(place: str, uid: str) -> Href:
    return member(place, f"{sha256(uid.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.ics")


def _name(data: bytes) -> str:
    """What the file calls itself (X-WR-CALNAME, or NAME of RFC 7986 §5.1)."""
    for component in parse(data).roots:
        for name in ("X-WR-CALNAME", "NAME"):
            for text in component.texts(name):
                if plain := " ".join(text.split()):
                    return plain[:MOST_NAME]
    return ""


MOST_NAME = 100


def _token(validators: Validators) -> SyncToken | None:
    """Where the server names no copy, all is compared each time."""
    etag, modified = validators.etag, validators.modified
    return SyncToken(f"{etag}\n{modified}") if etag or modified else None


def _validators(token: SyncToken) -> Validators:
    etag, _, modified = token.partition("\n")
    return Validators(etag, modified)

"""One object: GET, PUT and DELETE, each write with the precondition that makes it safe (RFC 9110 §13)."""

from __future__ import annotations

from calward.dav.errors import BadAnswer, PreconditionFailed
from calward.dav.href import href_of
from calward.dav.messages import IDENTITY, Answer, Ask
from calward.dav.multiget import RemoteObject
from calward.dav.status import expect, host_of
from calward.model.ids import ETag, Href


def ask_object(url: str) -> Ask:
    return Ask("GET", url, (("Accept", "text/calendar"), IDENTITY))


def read_object(ask: Ask, answer: Answer, href: Href | None = None) -> RemoteObject:
    """Raises ``Missing`` where there is none, ``BadAnswer`` for a body that is cut off or no calendar object.

    An answer that ends when the connection does cannot be told from a cut-off one, so its last line is read.
    """
    expect(ask, answer, 200)
    if not is_whole(answer.body):
        host = host_of(ask.url)
        raise BadAnswer(f"{host} sent an entry that is cut off or no calendar entry.", host=host)
    return RemoteObject(href or href_of(ask.url), etag_of(answer), answer.body)


def ask_create(url: str, body: bytes) -> Ask:
    """Put where nothing is yet."""
    return Ask("PUT", url, (*_PUT, ("If-None-Match", "*")), body)


def ask_update(url: str, body: bytes, etag: ETag) -> Ask:
    """Put over the version that has this ETag and over no other."""
    return Ask("PUT", url, (*_PUT, ("If-Match", etag)), body)


def read_put(ask: Ask, answer: Answer) -> ETag | None:
    """The ETag the server names, if any. It proves nothing about what is stored: fetch that."""
    expect(ask, answer, 200, 201, 204)
    return etag_of(answer)


def ask_delete(url: str, etag: ETag) -> Ask:
    return Ask("DELETE", url, (IDENTITY, ("If-Match", etag)))


def read_delete(ask: Ask, answer: Answer) -> None:
    """Raises ``Missing`` where nothing is there any more, ``PreconditionFailed`` where something newer is.

    A 207 answer to a DELETE lists what could not be deleted (RFC 4918 §9.6.1), so it is a failure too.
    """
    if answer.status == 207:
        host = host_of(ask.url)
        raise PreconditionFailed(f"{host} could not delete this entry.", host=host)
    expect(ask, answer, 200, 202, 204)


def etag_of(answer: Answer) -> ETag | None:
    return ETag(answer.header("etag").strip()) or None


def is_weak(etag: ETag) -> bool:
    """A weak ETag may stay the same over a change (RFC 9110 §8.8.1)."""
    return etag.startswith(("W/", "w/"))


def is_whole(body: bytes) -> bool:
    """Whether bytes begin and end as an iCalendar object does (RFC 5545 §3.4)."""
    text = body.strip(b"\xef\xbb\xbf \t\r\n\x00")
    return text[:15].upper() == b"BEGIN:VCALENDAR" and text[-13:].upper() == b"END:VCALENDAR"


_PUT = (("Content-Type", "text/calendar; charset=utf-8"), IDENTITY)

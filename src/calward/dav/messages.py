"""The two values of the protocol: what is asked of a server and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from calward.dav.xml import PROLOG

Header = tuple[str, str]
Headers = tuple[Header, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """One HTTP request. ``url`` is absolute; ``body`` is sent as it is."""

    method: str
    url: str
    headers: Headers = ()
    body: bytes = b""

    @property
    def writes(self) -> bool:
        """Whether the server may have changed something although its answer was lost."""
        return self.method in WRITING


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP response, its body decoded. ``url`` is where it came from in the end, redirects followed."""

    status: int
    headers: Headers = ()
    body: bytes = field(default=b"", repr=False)
    url: str = ""

    def header(self, name: str) -> str:
        """The value of a header, several joined by a comma (RFC 9110 §5.3), empty where it is missing."""
        wanted = name.lower()
        return ", ".join(value for key, value in self.headers if key.lower() == wanted)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_html(self) -> bool:
        """A web page where a calendar should be: a sign-in page, a hotel's network, a wrong address."""
        kind = self.header("content-type").partition(";")[0].strip().lower()
        if kind in {"text/html", "application/xhtml+xml"}:
            return True
        return self.body[:256].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype html", b"<html"))


WRITING = frozenset({"PUT", "DELETE", "MKCALENDAR", "MKCOL", "PROPPATCH", "POST", "MOVE"})

IDENTITY = ("Accept-Encoding", "identity")
"""Sent wherever an ETag matters: proxies that compress alter the ETag (``-gzip``, ``W/``)."""


DEPTH_0 = ("Depth", "0")
DEPTH_1 = ("Depth", "1")
"""RFC 4918 §10.2: the resource alone, or with its direct members."""


def xml_ask(method: str, url: str, body: str, *headers: Header) -> Ask:
    """A request whose body is an XML document."""
    kind = ("Content-Type", 'application/xml; charset="utf-8"')
    return Ask(method, url, (*headers, kind), (PROLOG + body).encode())

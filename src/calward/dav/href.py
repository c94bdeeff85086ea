"""Hrefs: compared decoded, requested as returned.

Servers spell one resource differently: asked for ``a%20b%40c.ics``, some list it as ``a%20b@c.ics``; one
returns spaces unescaped. So two hrefs are the same when their decoded paths are (RFC 3986 §6.2.2.2), and what
goes on the wire is the spelling the server used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NewType
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

from calward.model.ids import Href

HrefKey = NewType("HrefKey", str)
"""The decoded path (and query) of an href, fit for comparing and for nothing else."""

SLASH_IN_NAME = "\x00"
"""Stands for an escaped slash in a key: it is part of a name, not a border between two."""


def href_key(href: str) -> HrefKey:
    """What an href is compared by: its decoded path, without scheme, host and trailing slash.

    >>> href_key("/cal/a%20b%40c.ics") == href_key("https://h.example/cal/a%20b@c.ics")
    True
    """
    path = _path(href)
    raw = unquote_to_bytes(path.replace("%2F", SLASH_IN_NAME).replace("%2f", SLASH_IN_NAME))
    # surrogateescape keeps two different broken spellings different.
    return HrefKey(raw.decode("utf-8", "surrogateescape").rstrip("/") or "/")


def href_of(url: str) -> Href:
    """The href of an absolute URL or of an href: its path and query, in the spelling given."""
    return Href(_path(url))


def resolve(base: str, href: str) -> str:
    """The absolute URL to request for an href found in an answer from ``base``.

    Only what may not stand in a request line (spaces, controls, non-ASCII, ``#``) is escaped; everything else
    keeps the server's spelling.
    """
    return urljoin(base, _escape(href))


def member(collection: str, name: str) -> Href:
    """The href for a new member of a collection, ``name`` being any text; unreserved characters stay."""
    path = _path(collection)
    return Href(f"{path if path.endswith('/') else path + '/'}{quote(name, safe='')}")


def spellings(known: Iterable[Href], found: Iterable[Href]) -> Mapping[Href, Href]:
    """For every found href the spelling it is already known by, or itself where it is new."""
    by_key = {href_key(href): href for href in known}
    return {href: by_key.get(href_key(href), href) for href in found}


def _path(href: str) -> str:
    """Path and query of an href or URL. A plain path is the common case and takes no parsing."""
    if href.startswith("/") and not href.startswith("//") and "#" not in href:
        return href
    parts = urlsplit(_escape(href))
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def _escape(href: str) -> str:
    """Escape what a request line cannot carry and leave what is already escaped alone."""
    return quote(href.strip(), safe="%/:=&?~+!$,;'@()*[]")

"""Where credentials may be carried: to the same site, over https.

A server may send us on, by a redirect or by an href on another host, and what it says is not to be trusted
with a password. Two hosts are of one site when they are equal or share a registrable domain; which suffixes are
shared by strangers is a short list here, not the whole Public Suffix List, so it errs towards refusing.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit


def refusal(home: str, target: str, *, insecure_http: bool = False, any_site: bool = False) -> str | None:
    """Why credentials for ``home`` must not go to ``target`` (both URLs), in plain words; None where they may.

    Plain http is for this machine alone, or for an account connected with it on purpose. ``any_site``: there
    are no credentials but the address itself, so that another site learns nothing it was not told.
    """
    here, there = urlsplit(home), urlsplit(target)
    if there.scheme not in ("http", "https") or not there.hostname or AMBIGUOUS.search(target):
        return "the address is not a web address"
    if there.username is not None:
        return "the address carries a name of its own"
    if there.scheme == "http":
        if here.scheme == "https":
            return "it leads from https to plain http"
        if not (insecure_http or is_loopback(there.hostname)):
            secret = "address" if any_site else "password"
            return f"plain http would show the {secret} to the network; use https"
    if not any_site and not same_site(here, there):
        return "it is another site"
    return None


def same_site(here: SplitResult, there: SplitResult) -> bool:
    """Whether two URLs are of one site. Bare addresses and this machine are so only with the same port too."""
    one, other = (here.hostname or "").lower().rstrip("."), (there.hostname or "").lower().rstrip(".")
    if _is_address(one) or _is_address(other) or is_loopback(one):
        return (one, _port(here)) == (other, _port(there))
    if one == other:
        return True
    domain = registrable(one)
    return domain is not None and domain == registrable(other)


def registrable(host: str) -> str | None:
    """The part of a host name that one party has registered; None where that cannot be told.

    >>> registrable("p34-caldav.icloud.com")
    'icloud.com'
    >>> registrable("cal.example.co.uk")
    'example.co.uk'
    """
    labels = host.lower().split(".")
    if len(labels) < 2 or not all(labels):
        return None
    depth = 2
    if any(host == suffix or host.endswith("." + suffix) for suffix in SHARED_SUFFIXES) or (
        len(labels[-1]) == 2 and labels[-2] in SECOND_LEVEL
    ):
        depth = 3
    return ".".join(labels[-depth:]) if len(labels) >= depth else None


def is_loopback(host: str) -> bool:
    """This machine: traffic to it crosses no network."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return _is_address(host) and ip_address(host).is_loopback


AMBIGUOUS = re.compile(r"[\\\x00-\x20\x7f]")
"""What makes two readers of one address see two hosts."""

SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ne", "net", "nom", "or", "org"})
"""Labels under which a two-letter country registers names for strangers: ``co.uk``, ``com.au``, ``or.jp``."""

SHARED_SUFFIXES = frozenset(
    {
        "asuscomm.com",
        "azurewebsites.net",
        "cloudfront.net",
        "ddns.net",
        "diskstation.me",
        "dnsalias.com",
        "duckdns.org",
        "dyndns.org",
        "dynv6.net",
        "fly.dev",
        "freeddns.org",
        "github.io",
        "herokuapp.com",
        "hopto.org",
        "i234.me",
        "myds.me",
        "myfritz.net",
        "mynetgear.com",
        "myqnapcloud.com",
        "netlify.app",
        "ngrok.app",
        "ngrok.io",
        "no-ip.org",
        "onrender.com",
        "pages.dev",
        "selfhost.eu",
        "spdns.de",
        "synology.me",
        "ts.net",
        "vercel.app",
        "workers.dev",
        "zapto.org",
    }
)
"""Domains whose subdomains belong to strangers: dynamic names for machines at home, and hosts for many.
Source: the private section of the Public Suffix List (publicsuffix.org), the rows one meets at home."""


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _port(url: SplitResult) -> int:
    return url.port or (443 if url.scheme == "https" else 80)

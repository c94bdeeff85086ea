"""How servers differ, as data: each row says how a server is known, what it does otherwise, and who says so.

Code asks for a capability, never for a vendor. What is not listed is taken to follow the RFCs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from calward.dav.messages import Answer


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server can be relied on for. The defaults are the RFCs, except where trust has to be proven."""

    checks_if_match: bool = True
    """PUT and DELETE with a stale If-Match are refused (RFC 9110 §13.1.1)."""
    checks_if_none_match: bool = True
    """PUT with ``If-None-Match: *`` over something is refused (RFC 9110 §13.1.2)."""
    tells_bad_token: bool = True
    """A bad sync token is refused (RFC 6578 §3.2), not answered with a list that names no deletion."""
    sync_tokens: bool = True
    """sync-collection can be used at all, where it is offered."""
    pages_changes: bool = False
    """DAV:limit cuts the list and the token continues it (RFC 6578 §3.6). Proven servers only."""
    keeps_bytes: bool = False
    """What is PUT is stored byte for byte, so nothing needs to be fetched after it. Proven servers only."""
    drops_old: bool = False
    """It lets go of what is over, much at once, as feeds do; only to lose everything is suspicious then."""
    schedules_past: bool = True
    """Where it tells attendees by itself, it does so of events that are over too (RFC 6638 names no limit)."""
    put_etag: bool = True
    """The ETag in the answer to a PUT is the one the object has afterwards."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What a server shows of itself: its host, the path of the answer and a few headers, lower-case."""

    host: str = ""
    path: str = ""
    headers: str = ""
    """``name: value`` lines of the headers in ``TELLING``."""


NO_SIGNS = Signs()


@dataclass(frozen=True, slots=True)
class Quirk:
    """One kind of server. It is meant where any of ``hosts`` (as a suffix), ``paths`` or ``headers`` fits."""

    name: str
    says: str
    source: str
    changes: Mapping[str, bool]
    hosts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    headers: tuple[str, ...] = field(default=())

    def fits(self, signs: Signs) -> bool:
        return (
            any(signs.host == host or signs.host.endswith("." + host) for host in self.hosts)
            or any(path in signs.path for path in self.paths)
            or any(mark in signs.headers for mark in self.headers)
        )


COLLECTED = "collected by the caldav library, compatibility hints, version 3.6"

QUIRKS: tuple[Quirk, ...] = (
    Quirk(
        "cyrus",
        "pages a list of changes right; writes bodies in its own way, and names an ETag all the same; sends no "
        "invitations for what is over",
        "measured with Cyrus IMAP 3.6.1, which shows what it is in the answer to OPTIONS alone",
        {"pages_changes": True, "schedules_past": False},
        headers=("cyrus-http",),
    ),
    Quirk(
        "davical",
        "answers a bad sync token with a full list; leaves the missing out of a multiget; keeps bodies as sent",
        "measured with DAViCal 1.1.12",
        {"tells_bad_token": False, "keeps_bytes": True},
        headers=("x-davical-version",),
    ),
    Quirk(
        "sogo",
        "ignores If-None-Match, and If-Match on DELETE; answers a bad sync token with a full list",
        "measured with SOGo 5.8",
        {"checks_if_match": False, "checks_if_none_match": False, "tells_bad_token": False},
        paths=("/sogo/dav/",),
        headers=("server: sogo",),
    ),
    Quirk(
        "synology",
        "is built on DAViCal and shares its treatment of sync tokens",
        "DAViCal measured; Synology itself not tried",
        {"tells_bad_token": False},
        paths=("/caldav.php/",),
    ),
    Quirk(
        "radicale",
        "writes bodies in its own way, and names an ETag all the same; ignores a limit on a list of changes",
        "measured with Radicale 3.9, which names itself in nothing but the list of what it offers",
        {},
        headers=("dav: 1, 2, 3, calendar-access, addressbook, extended-mkcol",),
    ),
    Quirk(
        "xandikos",
        "writes bodies in its own way; cuts a limited list of changes, and its token skips the rest; delivers "
        "invitations to people on the same server alone",
        "measured with Xandikos 0.4.10, save the last, which is in its source (scheduling.py)",
        {},
        headers=("extended-mkcol, add-member, sync-collection",),
    ),
    Quirk(
        "nextcloud",
        "cuts a limited list of changes, and its token skips the rest",
        f"{COLLECTED}; not tried",
        {},
        paths=("/remote.php/dav",),
    ),
    Quirk(
        "icloud",
        "wants an app-specific password; keeps calendars on a host that only discovery names; refuses events "
        "without an end, and a UID that is in another calendar; ignores a limit on a list of changes",
        f"{COLLECTED}, and its users' reports; not tried live",
        {},
        hosts=("icloud.com",),
    ),
    Quirk(
        "google",
        "takes tokens of registered programs alone; refuses changes of events that others organize",
        f"{COLLECTED}; not used here, where Google's calendars are read as feeds",
        {},
        hosts=("googleusercontent.com", "google.com"),
    ),
    Quirk(
        "fastmail",
        "runs a Cyrus of its own; none of what was measured with Cyrus is assumed of it",
        "https://www.fastmail.com/blog (it develops Cyrus IMAP); not tried live",
        {},
        hosts=("fastmail.com",),
    ),
    Quirk(
        "weak-etag",
        "names a weak ETag in the answer to a PUT",
        f"{COLLECTED}; not tried live",
        {"put_etag": False},
        hosts=("gmx.net", "gmx.com"),
    ),
    Quirk(
        "stalwart",
        "cuts the first list of changes",
        f"{COLLECTED}; not tried",
        {"sync_tokens": False},
        headers=("server: stalwart",),
    ),
    Quirk(
        "infomaniak",
        "lists what is deleted with a status of its own (418)",
        f"{COLLECTED}; not tried live",
        {"sync_tokens": False},
        hosts=("infomaniak.com",),
    ),
    Quirk(
        "open-xchange",
        "names an old ETag in the answer to a PUT",
        f"{COLLECTED}; not tried live",
        {"put_etag": False},
        hosts=("dav.mailbox.org",),
        headers=("open-xchange",),
    ),
    Quirk(
        "broken-sync",
        "offers sync-collection, but its tokens cannot be relied on",
        f"{COLLECTED}; not tried live",
        {"sync_tokens": False},
        hosts=("gmx.net", "gmx.com", "calendar.yahoo.com", "posteo.de"),
    ),
)


def quirks_of(signs: Signs) -> tuple[Quirk, ...]:
    """The rows that fit a server, in the order of the table."""
    return tuple(quirk for quirk in QUIRKS if quirk.fits(signs))


def capabilities_of(signs: Signs) -> Capabilities:
    """What a server can be relied on for, by what it shows of itself."""
    known = Capabilities()
    for quirk in quirks_of(signs):
        known = replace(known, **quirk.changes)
    return known


TELLING = ("server", "x-davical-version", "x-sabre-version", "x-powered-by", "dav")
"""Headers that servers name themselves in."""


def joined(one: Signs, more: Signs) -> Signs:
    """What two answers of one server show together; the place is the first one's."""
    lines = dict.fromkeys((*one.headers.splitlines(), *more.headers.splitlines()))
    return Signs(one.host or more.host, one.path or more.path, "\n".join(lines))


def signs_of(answer: Answer) -> Signs:
    """What one answer shows."""
    parts = urlsplit(answer.url)
    shown = [f"{name}: {value}" for name in TELLING if (value := answer.header(name))]
    return Signs((parts.hostname or "").lower(), parts.path.lower(), "\n".join(shown).lower())

"""What a server does with writes, tried on a calendar made for that, which is removed in the end.

Nothing of the person's is touched and nobody is invited: the one event in it has no attendees. The remote
should take nothing for granted (``Capabilities()``), so that what is seen is the server's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from calward.dav.errors import DavError, PreconditionFailed
from calward.dav.href import member
from calward.model.ids import ETag, Href
from calward.remotes.caldav import SCRATCH, CaldavRemote

NAME = "Calward scratch"
STALE = ETag('"calward-was-never-here"')


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried. Not ``well``: the server does it in a way that Calward has to work around."""

    what: str
    says: str
    well: bool = True


def write_checks(remote: CaldavRemote, mark: str) -> Iterator[Check]:
    """Try each thing in turn. ``mark`` makes the calendar's address and the event's UID unlike any other.

    Raises ``DavError`` where not even a calendar can be made, or where it cannot be removed again.
    """
    with _scratch(remote, mark) as calendar:
        yield Check("Calendars", "can be made here")
        href, body = member(calendar, f"{mark}.ics"), _event(mark, "Scratch")
        told = remote.put(calendar, href, body, None)
        yield Check("ETag", "is named for what was stored" if told else "has to be asked for", told is not None)
        found = remote.fetch(calendar, [href]).objects
        kept = bool(found) and found[0].body == body
        yield Check("Bytes", "are kept as they were sent" if kept else "are written anew", kept)
        etag = found[0].etag if found else None
        if told is not None and told != etag:
            yield Check("ETag after a PUT", "is not the one the event has then", well=False)
        yield _refused("Overwriting", lambda: _put(remote, calendar, href, body, None))
        yield _refused("An edit of what changed since", lambda: _put(remote, calendar, href, body, STALE))
        yield _refused("A deletion of what changed since", lambda: remote.delete(calendar, href, STALE))
        yield _gone(remote, calendar, href)


@contextmanager
def _scratch(remote: CaldavRemote, mark: str) -> Iterator[str]:
    calendar = remote.make_calendar(f"{SCRATCH}{mark}", NAME).url
    try:
        yield calendar
    finally:
        remote.remove_scratch(calendar)


def _put(remote: CaldavRemote, calendar: str, href: Href, body: bytes, expect: ETag | None) -> None:
    remote.put(calendar, href, body, expect)


def _refused(what: str, act: Callable[[], None]) -> Check:
    try:
        act()
    except PreconditionFailed:
        return Check(what, "is refused, as it should be")
    except DavError as error:
        return Check(what, f"is refused in another way: {error.message}", well=False)
    return Check(what, "is done, although it should be refused", well=False)


def _gone(remote: CaldavRemote, calendar: str, href: Href) -> Check:
    now = remote.fetch(calendar, [href]).objects
    if not now:
        return Check("A deletion", "could not be tried, since the event is gone already", well=False)
    if now[0].etag is None:
        return Check("A deletion", "could not be tried, since the event has no ETag", well=False)
    remote.delete(calendar, href, now[0].etag)
    left = remote.fetch(calendar, [href]).objects
    return Check("A deletion", "leaves the event there" if left else "is done", not left)


def _event(mark: str, title: str) -> bytes:
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Calward//Checks//EN",
        "BEGIN:VEVENT",
        f"UID:{mark}@calward",
        "DTSTAMP:20260101T000000Z",
        "DTSTART:20260101T120000Z",
        "DTEND:20260101T130000Z",
        f"SUMMARY:{title}",
        "X-CALWARD-CHECK:kept",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    return "\r\n".join(lines).encode()

"""What the house asks of a calendar server, whichever it is. One contract suite runs against every remote.

A *calendar* is named by its absolute URL (``RemoteCalendar.url``), an object by its href, as given by this
remote before. Every method may raise the network's errors (``Unreachable``, ``TimedOut``, ``ConnectionLost``,
``BadCertificate``, ``UnsafeTarget``) and those of an answer as a whole (``SignInRefused``, ``NotPermitted``,
``Throttled``, ``ServerTrouble``, ``BadAnswer``, ``NotCalDav``, ``AnswerTooLarge``), all in
``calward.dav.errors``. A failure is never an empty answer. A write that failed with ``in_doubt`` may have
happened. A remote is used by one thread at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from calward.dav.collections import RemoteCalendar
from calward.dav.discovery import Discovery
from calward.dav.errors import DavError
from calward.dav.multiget import RemoteObject
from calward.dav.quirks import Capabilities
from calward.model.ids import ETag, Href, SyncToken


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since a token, whole. ``token`` is the place to go on from next time."""

    changed: Mapping[Href, ETag | None]
    removed: frozenset[Href]
    token: SyncToken


@dataclass(frozen=True, slots=True)
class Fetched:
    """``missing``: the server says each of these does not exist. ``unreadable``: there, with what is wrong with
    it; one broken object does not hold up the others."""

    objects: tuple[RemoteObject, ...]
    missing: frozenset[Href]
    unreadable: Mapping[Href, DavError]


class Remote(Protocol):
    """A signed-in account on a calendar server."""

    @property
    def capabilities(self) -> Capabilities:
        """What this server can be relied on for."""
        ...

    def discover(self) -> Discovery:
        """What there is behind the account's address, found anew. Raises ``NothingFound``, ``NotCalDav``."""
        ...

    def calendars(self) -> tuple[RemoteCalendar, ...]:
        """Every calendar of the account. Raises ``NothingFound`` where it has no place for calendars."""
        ...

    def calendar(self, calendar: str) -> RemoteCalendar:
        """One calendar as it is now, its ctag and sync token with it. Raises ``Missing``."""
        ...

    def changes(self, calendar: str, token: SyncToken | None) -> Changes:
        """What changed since ``token``; everything there is where it is None.

        Raises ``BadSyncToken`` (list anew), ``ReportUnsupported`` (use ``listing``), ``Missing``.
        """
        ...

    def listing(self, calendar: str) -> Mapping[Href, ETag | None]:
        """Every object there is with its ETag. Raises ``Missing`` where the calendar itself is gone."""
        ...

    def fetch(self, calendar: str, hrefs: Sequence[Href]) -> Fetched:
        """The objects at these hrefs; each of them is in exactly one part of the answer.

        A ``Missing`` raised is about the calendar itself. Not every server tells it from its objects' being
        missing, so where many are, look at the calendar too.
        """
        ...

    def put(self, calendar: str, href: Href, body: bytes, expect: ETag | None) -> ETag | None:
        """Store ``body``: over the version with the ETag ``expect``, or where nothing is when it is None.

        Answers the ETag the object has now, or None where the server's word cannot be taken: fetch it then.
        Even an ETag says nothing about what was stored, unless ``capabilities.keeps_bytes``.
        Raises ``PreconditionFailed`` (also where the object to replace is gone), ``UidConflict``,
        ``ObjectRefused``, ``NoSpace``, ``Locked``.
        """
        ...

    def delete(self, calendar: str, href: Href, expect: ETag) -> None:
        """Delete the version with this ETag. Raises ``PreconditionFailed``, ``Missing``, ``Locked``."""
        ...

    def make_calendar(
        self, segment: str, name: str, components: Iterable[str] = ("VEVENT",), color: str = ""
    ) -> RemoteCalendar:
        """Make a calendar called ``name``, its address ending in ``segment``.

        Asked again after an answer was lost, it answers the calendar made before. Raises ``AlreadyThere`` where
        something else has that address, ``NotPermitted``, ``ObjectRefused``.
        """
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...

"""Events as the house knows them, read from VEVENT components (RFC 5545 §3.6.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from calward.model.ids import EventUid, RecurrenceKey
from calward.model.time import CalTime, Duration, recurrence_key


@dataclass(frozen=True, slots=True)
class Flag:
    """Something about an event or a file that its reader should know: a stable code and one plain sentence.

    Codes in use: ``unknown_zone``, ``zone_differs``, ``no_uid``, ``bad_line``, ``bad_value``,
    ``not_expanded``, ``partial``, ``unsupported``, ``duplicate``, ``orphan``, ``no_start``.
    """

    code: str
    detail: str
    line: int | None = None
    """1-based content line in the file the flag was found in, where that helps."""


@dataclass(frozen=True, slots=True)
class Attendee:
    """An ATTENDEE or ORGANIZER (RFC 5545 §3.8.4.1, §3.8.4.3); ``address`` as written, usually ``mailto:``."""

    address: str
    name: str = ""
    role: str = "REQ-PARTICIPANT"
    partstat: str = "NEEDS-ACTION"
    cutype: str = "INDIVIDUAL"
    rsvp: bool = False
    agent: str = ""
    """Who is to tell them (SCHEDULE-AGENT, RFC 6638 §7.1): CLIENT, NONE, or empty for the server."""

    @property
    def email(self) -> str:
        """The bare lower-case address, empty where it is not a mailto: one."""
        scheme, _, rest = self.address.partition(":")
        return rest.strip().lower() if scheme.strip().lower() == "mailto" else ""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A VALARM (RFC 5545 §3.6.6): either relative to the start or end, or at a moment.

    ``repeats`` times more it goes off, ``gap`` apart (§3.8.6.2). What programs note on it is of RFC 9074: its
    ``uid`` (§4), until when it was ``acknowledged`` (§6), the UID of the alarm that it ``snoozes`` (§7), and
    whether it waits for a ``place`` and not for its time (§8).
    """

    action: str
    offset: Duration | None = None
    related_to_end: bool = False
    at: CalTime | None = None
    description: str = ""
    repeats: int = 0
    gap: Duration | None = None
    uid: str = ""
    acknowledged: datetime | None = None
    snoozes: str = ""
    place: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """A PERIOD value (RFC 5545 §3.3.9)."""

    start: CalTime
    end: CalTime


@dataclass(frozen=True, slots=True)
class Event:
    """One VEVENT component: a single event, the master of a series, or an override of one occurrence.

    ``end`` is DTEND (exclusive), ``duration`` is DURATION; at most one is set. Text is unescaped. Recurrence
    rules are raw RECUR text, read by ``calward.recurrence``.
    """

    uid: EventUid
    start: CalTime | None
    end: CalTime | None = None
    duration: Duration | None = None
    recurrence_id: CalTime | None = None
    this_and_future: bool = False
    """RANGE=THISANDFUTURE on the RECURRENCE-ID (RFC 5545 §3.2.13)."""
    summary: str = ""
    description: str = ""
    location: str = ""
    url: str = ""
    status: str = ""
    """TENTATIVE, CONFIRMED, CANCELLED or empty."""
    transparent: bool = False
    """TRANSP:TRANSPARENT: it takes no time on a free/busy search."""
    classification: str = ""
    """CLASS: PUBLIC, PRIVATE, CONFIDENTIAL or empty."""
    categories: tuple[str, ...] = ()
    organizer: Attendee | None = None
    attendees: tuple[Attendee, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    related: tuple[EventUid, ...] = ()
    """UIDs that RELATED-TO names, children left out (RFC 5545 §3.8.4.5)."""
    sequence: int = 0
    created: datetime | None = None
    last_modified: datetime | None = None
    rrules: tuple[str, ...] = ()
    exrules: tuple[str, ...] = ()
    rdates: tuple[CalTime | Period, ...] = ()
    exdates: tuple[CalTime, ...] = ()
    flags: tuple[Flag, ...] = field(default=())

    @property
    def key(self) -> RecurrenceKey:
        """Which component of its object this is; empty for the master."""
        return recurrence_key(self.recurrence_id) if self.recurrence_id else RecurrenceKey("")

    @property
    def recurs(self) -> bool:
        """Whether this component alone describes more than its own start."""
        return bool(self.rrules or self.rdates)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One occurrence of an event or series.

    ``original`` is the start it had in the series (its RECURRENCE-ID value); ``start`` and ``end`` are where it
    is now; ``component`` is the key of the component that describes it (the master's is empty).
    """

    original: CalTime
    start: CalTime
    end: CalTime
    component: RecurrenceKey

    @property
    def key(self) -> RecurrenceKey:
        return recurrence_key(self.original)

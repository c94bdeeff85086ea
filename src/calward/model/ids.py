"""Identifiers, each with a type of its own, so that one is never passed for another.

Event, approval, change and run ids are 80 random bits in lower-case base32 (16 characters). They are made by
``bootstrap`` only and handed inwards.
"""

import base64
from typing import NewType

HouseholdId = NewType("HouseholdId", int)
MemberId = NewType("MemberId", str)
AssistantId = NewType("AssistantId", str)
AccountId = NewType("AccountId", str)
CalendarId = NewType("CalendarId", str)
EventId = NewType("EventId", str)
"""The id of a stored calendar object. It outlives moves, renames, re-imports and changes of href."""
OccurrenceId = NewType("OccurrenceId", str)
"""``EventId`` alone for an event that does not recur, else ``EventId + "." + RecurrenceKey``."""
ChangeId = NewType("ChangeId", str)
ApprovalId = NewType("ApprovalId", str)
RunId = NewType("RunId", str)
UploadId = NewType("UploadId", str)
ReminderId = NewType("ReminderId", str)
ChannelId = NewType("ChannelId", str)

EventUid = NewType("EventUid", str)
"""The UID property (RFC 5545 §3.8.4.7), as written."""
Href = NewType("Href", str)
"""Where an object lives on its server, percent-encoded as the server gave it (RFC 4918 §8.3)."""
ETag = NewType("ETag", str)
"""An entity tag as the server sent it, quotes and any ``W/`` included (RFC 9110 §8.8.3)."""
SyncToken = NewType("SyncToken", str)
"""A server's name for a state of one collection (RFC 6578 §3.2); opaque."""
RecurrenceKey = NewType("RecurrenceKey", str)
"""Which occurrence of a series: see ``calward.model.time.recurrence_key``. Empty for the master."""

ID_BYTES = 10


def id_from_bytes(entropy: bytes) -> str:
    """Spell ``ID_BYTES`` random bytes as an id.

    >>> id_from_bytes(bytes(10))
    'aaaaaaaaaaaaaaaa'
    """
    if len(entropy) != ID_BYTES:
        raise ValueError(f"an id is made of {ID_BYTES} bytes, not {len(entropy)}")
    return base64.b32encode(entropy).decode("ascii").lower()


def is_event_id(text: str) -> bool:
    """Whether a text has the shape of an event's id, or an occurrence's; not whether there is one."""
    event, _ = split_occurrence_id(text)
    return len(event) == 16 and event.isalnum()


def occurrence_id(event: EventId, key: RecurrenceKey) -> OccurrenceId:
    """Name one occurrence of a series, or the event itself where ``key`` is empty."""
    return OccurrenceId(f"{event}.{key}" if key else event)


def split_occurrence_id(text: str) -> tuple[EventId, RecurrenceKey]:
    """Take an id a caller sent apart; whether it names anything is for the view to say."""
    event, _, key = text.strip().partition(".")
    return EventId(event), RecurrenceKey(key)

"""Changes as data: what a draft proposes, an approval stores, and apply carries out.

A change is fully resolved: ids, instants and line edits, nothing left to decide. Those that touch an object
name the meaning it had when they were drafted (``rests_on``), so that a change never lands on something else.
The digest of their canonical JSON names them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, get_args

from pydantic import TypeAdapter

from calward.ical.edit import Edit, edits_from_json, edits_to_json
from calward.model.ids import (
    ApprovalId,
    AssistantId,
    CalendarId,
    ChangeId,
    EventId,
    EventUid,
    Href,
    MemberId,
    UploadId,
)
from calward.operations.later_changes import ChannelChange, PromptChange, ReminderChange, VaultChange
from calward.operations.mirror_changes import MirrorChange
from calward.operations.people_changes import PeopleChange


@dataclass(frozen=True, slots=True)
class CreateObject:
    """A new object. ``data`` is its text; bytes that are no UTF-8 travel as surrogate escapes.

    ``split_from`` is the event whose series it goes on with: splitting is a change of that event, and who made
    that one made this one.
    """

    event: EventId
    calendar: CalendarId
    uid: EventUid
    href: Href
    data: str
    split_from: EventId | None = None


@dataclass(frozen=True, slots=True)
class EditObject:
    """Line edits on an object."""

    event: EventId
    rests_on: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class ReplaceObject:
    """An object's bytes set to earlier ones, which the journal keeps under ``digest``; or to ``data``, of that
    digest, where it does not."""

    event: EventId
    rests_on: str
    digest: str
    data: str | None = None


@dataclass(frozen=True, slots=True)
class MoveObject:
    """The same object in another calendar of the same account."""

    event: EventId
    rests_on: str
    calendar: CalendarId


@dataclass(frozen=True, slots=True)
class DeleteObject:
    event: EventId
    rests_on: str


@dataclass(frozen=True, slots=True)
class RestoreObject:
    """A deleted object, back with the bytes it had."""

    event: EventId
    rests_on: str


@dataclass(frozen=True, slots=True)
class GrantRead:
    """Let an assistant read some events of one calendar, up to a level, for some minutes from then on."""

    assistant: AssistantId
    calendar: CalendarId
    events: tuple[EventId, ...]
    level: int
    minutes: int


@dataclass(frozen=True, slots=True)
class AddCalendar:
    calendar: CalendarId
    name: str
    member: MemberId
    offer: str


@dataclass(frozen=True, slots=True)
class SetAlarms:
    """Whether the alarms of a calendar's events become reminders of its member."""

    calendar: CalendarId
    on: bool


@dataclass(frozen=True, slots=True)
class Forget:
    """Bytes and text that are kept of the past, let go of for good: of one event, or of all that was done
    before a moment. What an event says now stays, unless it is deleted."""

    event: EventId | None
    before: datetime | None


@dataclass(frozen=True, slots=True)
class ImportUpload:
    """A file, carried into a calendar chunk by chunk. ``data`` may hold bytes as surrogate escapes."""

    upload: UploadId
    calendar: CalendarId
    name: str
    data: str
    again: bool = False
    """The same file went into the calendar before."""


@dataclass(frozen=True, slots=True)
class KeepFile:
    """Whether an imported file still frames the events that came with it when they are exported."""

    upload: UploadId
    kept: bool


@dataclass(frozen=True, slots=True)
class DecideApproval:
    """``details``: whoever asked to look is shown all of the events, and not their titles and times alone."""

    approval: ApprovalId
    approve: bool
    details: bool = False


@dataclass(frozen=True, slots=True)
class Undoes:
    """Marks a draft as the undoing of an earlier batch, so that it is not undone twice."""

    batch: ChangeId


ObjectChange = EditObject | ReplaceObject | MoveObject | DeleteObject | RestoreObject
LaterChange = ReminderChange | PromptChange | ChannelChange | VaultChange
CalendarChange = GrantRead | AddCalendar | SetAlarms | Forget | ImportUpload | KeepFile
Change = (
    CreateObject
    | ObjectChange
    | CalendarChange
    | PeopleChange
    | MirrorChange
    | LaterChange
    | DecideApproval
    | Undoes
)

_BY_NAME: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Change)}


def to_json(change: Change) -> dict[str, Any]:
    """A change as plain JSON values; ``from_json`` is its inverse."""
    if isinstance(change, EditObject):
        return {
            "kind": "EditObject",
            "event": change.event,
            "rests_on": change.rests_on,
            "edits": edits_to_json(change.edits),
        }
    return {"kind": type(change).__name__, **_plain(asdict(change))}


def from_json(value: dict[str, Any]) -> Change:
    """Read a stored change back."""
    fields = dict(value)
    kind = _BY_NAME[fields.pop("kind")]
    if kind is EditObject:
        return EditObject(fields["event"], fields["rests_on"], edits_from_json(fields["edits"]))
    change: Change = TypeAdapter(kind).validate_python(fields)
    return change


def canonical(value: Any) -> bytes:
    """The one spelling of a JSON value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def digest(changes: Sequence[Change]) -> str:
    """The name of a list of changes: SHA-256 of their canonical JSON, in hex."""
    return hashlib.sha256(canonical([to_json(change) for change in changes])).hexdigest()


def digest_bytes(data: bytes) -> str:
    """The name under which the journal keeps an object's bytes."""
    return hashlib.sha256(data).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value

"""Changes of what is to happen later: reminders, prompts, channels, vaults; part of ``operations.changes``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from calward.model.ids import AssistantId, ChannelId, EventId, RecurrenceKey, ReminderId
from calward.model.note import Block


@dataclass(frozen=True, slots=True)
class SetReminder:
    """A new reminder for the member who asks or is acted for.

    ``kind`` is moment (due at ``at``), event (the occurrence ``key`` of ``event``, which was at ``starts_at``
    in its series) or title (``wanted`` is a part of it, which no event has yet where ``event`` is None).
    ``offset`` is in seconds from the start.
    """

    reminder: ReminderId
    kind: str
    message: str
    at: datetime | None
    event: EventId | None
    key: RecurrenceKey
    starts_at: datetime | None
    wanted: str | None
    offset: int
    every: bool


@dataclass(frozen=True, slots=True)
class CancelReminder:
    reminder: ReminderId


@dataclass(frozen=True, slots=True)
class FinishReminder:
    """It fired, and is done with."""

    reminder: ReminderId


@dataclass(frozen=True, slots=True)
class SnoozeReminder:
    """It fired, and is to fire once more: as the new reminder ``again``."""

    reminder: ReminderId
    again: ReminderId
    at: datetime


@dataclass(frozen=True, slots=True)
class AddPrompt:
    """A prompt that fires at ``at``, and then as ``repeat`` says in ``zone``. Its number is given when it is
    written."""

    prompt: str
    at: datetime
    repeat: str | None
    zone: str
    deliver: str


@dataclass(frozen=True, slots=True)
class EditPrompt:
    """A pending prompt with another moment, another text or both; ``deliver`` is where it goes, as before."""

    number: int
    prompt: str | None
    at: datetime | None
    deliver: str


@dataclass(frozen=True, slots=True)
class CancelPrompt:
    number: int


@dataclass(frozen=True, slots=True)
class SetChannel:
    """A channel of the member who asks, new or with other facts. ``sealed`` is its address, of no use without
    the key ``key_id``; None: the one it has. ``quiet`` is from and until, ``HH:MM`` on the wall clock."""

    channel: ChannelId
    name: str
    kind: str
    sealed: str | None
    key_id: str
    shows: str
    quiet: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class RemoveChannel:
    """The channel and its address; what was on its way there is given up."""

    channel: ChannelId
    name: str


@dataclass(frozen=True, slots=True)
class TryChannel:
    """Send a test message, whose key is ``key``."""

    channel: ChannelId
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class SetVault:
    """The folder of the member's notes, an absolute path; None: there is none any more."""

    root: str | None


@dataclass(frozen=True, slots=True)
class GrantFolder:
    """Whether an assistant reaches a folder of the vault."""

    assistant: AssistantId
    folder: str
    on: bool


@dataclass(frozen=True, slots=True)
class RemindInNote:
    """A reminder written as ``block`` into the front matter of a note. ``rests_on`` is the word of the block
    that the note had before; None: it had none."""

    reminder: ReminderId
    note: str
    rests_on: str | None
    block: Block


@dataclass(frozen=True, slots=True)
class CancelInNote:
    """A reminder that is to come no more, and is taken out of the note that says it."""

    reminder: ReminderId
    note: str
    rests_on: str | None


ReminderChange = SetReminder | CancelReminder | FinishReminder | SnoozeReminder
PromptChange = AddPrompt | EditPrompt | CancelPrompt
ChannelChange = SetChannel | RemoveChannel | TryChannel
NoteChange = RemindInNote | CancelInNote
VaultChange = SetVault | GrantFolder | NoteChange

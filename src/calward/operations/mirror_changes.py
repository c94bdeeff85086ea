"""Changes of accounts, of mirrored calendars and of what their syncs left to a person. Part of
``calward.operations.changes``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calward.model.ids import AccountId, CalendarId, MemberId, RunId


@dataclass(frozen=True, slots=True)
class AddAccount:
    """An account on a calendar server, or new facts about one that is there. ``sealed`` is its password, or the
    address of a feed, of no use without the key ``key_id``; None where none is kept. ``kind`` is the account's:
    ``caldav``, ``feed`` or ``holidays``."""

    account: AccountId
    member: MemberId
    name: str
    url: str
    username: str
    options: dict[str, Any]
    sealed: str | None
    key_id: str = ""
    kind: str = "caldav"


@dataclass(frozen=True, slots=True)
class RemoveAccount:
    """The account, its password and the mirrors of its calendars; nothing on the server."""

    account: AccountId


@dataclass(frozen=True, slots=True)
class MirrorCalendar:
    """A calendar that lives on an account. ``url`` None: to be found there by its name. Where ``calendar`` is
    one that lives here alone, it moves to the account with all it holds. ``follow``: calendars that appear on
    the account later are mirrored as well."""

    calendar: CalendarId
    account: AccountId
    member: MemberId
    url: str | None
    name: str
    color: str
    offer: str
    writable: bool
    follow: bool = False


@dataclass(frozen=True, slots=True)
class ForgetMirror:
    """A calendar that is mirrored no longer; on the server it stays."""

    calendar: CalendarId


@dataclass(frozen=True, slots=True)
class RequestRun:
    """Have a mirrored calendar synced now."""

    run: RunId
    mode: str
    calendar: CalendarId


@dataclass(frozen=True, slots=True)
class DecideHeld:
    """What a sync held: carry it out, or undo what led to it. ``removes``: how many events that takes away;
    ``whole``: and their calendar with them."""

    held: str
    calendar: CalendarId
    agree: bool
    removes: int = 0
    whole: bool = False


@dataclass(frozen=True, slots=True)
class CloseConflict:
    """A person has looked at both versions; what they chose is a change of its own beside this one."""

    conflict: str
    calendar: CalendarId
    keep: str


MirrorChange = (
    AddAccount | RemoveAccount | MirrorCalendar | ForgetMirror | RequestRun | DecideHeld | CloseConflict
)

"""A calendar: a named collection of objects that belongs to one member."""

from __future__ import annotations

from dataclasses import dataclass

from calward.model.ids import AccountId, CalendarId, MemberId


@dataclass(frozen=True, slots=True)
class Calendar:
    """``account`` is None for a calendar that lives only here. ``offer`` names the preset of rights that a new
    assistant gets on it (``calward.guard.presets``); ``alarms``: those of its events become reminders of its
    member."""

    id: CalendarId
    name: str
    member: MemberId
    account: AccountId | None
    color: str | None
    offer: str
    writable: bool
    alarms: bool = False

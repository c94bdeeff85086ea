"""What is to happen later, as one principal may know of it. Part of the view.

A person knows of all that is for them, whoever made it; an assistant of what it made itself. Others' are not
there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import NotFound, TooMuch
from calward.model.ids import ReminderId
from calward.model.reminder import TOLD
from calward.model.time import Span
from calward.operations.due import DELIVERY, NOTE, PROMPT, REMINDER, VAULT
from calward.operations.identity import Access
from calward.operations.view.vault import VaultView
from calward.store import deliveries, due, prompts, reminders
from calward.store.deliveries import ChannelRow, DeliveryRow
from calward.store.prompts import PromptRow, PromptRunRow
from calward.store.reminders import ReminderRow

MOST = 500
"""Rows in one answer; more is an error that says how to narrow, never a silent cut."""
DEAD_KINDS = (REMINDER, PROMPT, DELIVERY, NOTE, VAULT)


@dataclass(frozen=True, slots=True)
class Failing:
    """Work that is not tried any more."""

    kind: str
    at: datetime
    error: str


class Later:
    """Reminders, prompts and what was told."""

    def __init__(self, conn: Connection, access: Access, vault: VaultView) -> None:
        self._conn = conn
        self._access = access
        self._vault = vault
        self._household = access.household.id
        self._maker = (access.principal.kind, access.principal.id) if access.assistant else None

    def reminders(
        self,
        states: Collection[str],
        start: datetime | None = None,
        end: datetime | None = None,
        alarms: Span | None = None,
    ) -> list[ReminderRow]:
        """Reminders in these states that are due from ``start`` and before ``end``, the next first; of alarms
        only those in a span, where one is given. Raises ``TooMuch``."""
        found = reminders.list_reminders(
            self._conn,
            self._household,
            self._access.person.member,
            states=states,
            start=start,
            end=end,
            made_by=self._maker,
            alarms=alarms,
            limit=MOST + 1,
        )
        _check_count(len(found), "reminders")
        return [row for row in found if self._is_ours(row)]

    def reminder(self, ident: str) -> ReminderRow:
        """One by id. Raises ``NotFound``."""
        found = reminders.get_reminders(self._conn, self._household, [ReminderId(ident)])
        row = found.get(ReminderId(ident))
        if row is None or not self._is_ours(row):
            raise NotFound("There is no such reminder of yours.")
        return row

    def fired(self, ident: str) -> ReminderRow:
        """One that fired or was missed, or one of every occurrence that has. Raises ``NotFound``."""
        row = self.reminder(ident)
        if row.state not in TOLD and not (row.every and row.fired_at):
            raise NotFound("That reminder has not fired.")
        return row

    def prompts(
        self, states: Collection[str] | None, start: datetime | None, end: datetime | None
    ) -> list[PromptRow]:
        """Prompts by the moment they fire. Raises ``TooMuch``."""
        found = prompts.list_prompts(
            self._conn,
            self._household,
            self._access.person.member,
            states=states,
            start=start,
            end=end,
            made_by=self._maker,
            limit=MOST + 1,
        )
        _check_count(len(found), "prompts")
        return found

    def pending_prompt(self, number: int) -> PromptRow | None:
        """One by number, if it is pending and this principal may know of it."""
        row = prompts.get_prompt(self._conn, self._household, number)
        return row if row is not None and row.state == prompts.PENDING and self._is_ours(row) else None

    def last_runs(self, numbers: Collection[int]) -> dict[int, PromptRunRow]:
        """What became of prompts the last time they fired."""
        return prompts.last_runs(self._conn, self._household, numbers)

    def has_channel(self, kind: str) -> bool:
        """Whether there is a channel of a kind to the person."""
        member = self._access.person.member
        found = deliveries.channels_of(self._conn, self._household, [member])
        return any(one.kind == kind for one in found)

    def channels(self) -> list[ChannelRow]:
        """The person's channels, in the order they were added."""
        return deliveries.channels_of(self._conn, self._household, [self._access.person.member])

    def channel(self, name: str) -> ChannelRow:
        """Raises ``NotFound``, which names those there are."""
        known = self.channels()
        found = next((one for one in known if one.name == name), None)
        if found is None:
            names = ", ".join(one.name for one in known) or "none yet"
            raise NotFound(f"There is no channel {name!r} of yours; there are: {names}.")
        return found

    def sent_out(self, limit: int) -> list[DeliveryRow]:
        """What went to the person's channels, or was to, the newest first."""
        return deliveries.sent_out(self._conn, self._household, self._access.person.member, limit=limit)

    def told(self, limit: int) -> list[DeliveryRow]:
        """What the person was told, the newest first. For persons."""
        return deliveries.inbox(self._conn, self._household, self._access.person.member, limit=limit)

    def failing(self) -> list[Failing]:
        """What ended in failure and is not tried any more. For persons."""
        rows = due.dead_rows(self._conn, self._household, DEAD_KINDS)
        return [Failing(row.kind, row.fire_at, row.last_error or "") for row in rows]

    def _is_ours(self, row: ReminderRow | PromptRow) -> bool:
        if row.member_id != self._access.person.member:
            return False
        if isinstance(row, ReminderRow) and row.note is not None and not self._vault.reaches(row.note):
            return self._maker is None
        return self._maker is None or (row.made_by_kind, row.made_by_id) == self._maker


def _check_count(count: int, what: str) -> None:
    if count > MOST:
        raise TooMuch(f"More than {MOST} {what}; give from and to for a shorter time.")

"""Changes of vaults and their notes → rows and files.

A note is checked where a change is prepared, its word is taken with the other rows, and its file is written at
the very end of the transaction: where that fails, nothing of it happened; where the commit does, the next look
takes the word from the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.model.ids import HouseholdId, MemberId, ReminderId
from calward.model.reminder import LIVE, State
from calward.notes.editing import read_block, with_block, without_block
from calward.notes.front_matter import HEAD
from calward.notes.vault import Head, Stamp, opened
from calward.operations.apply.eyes import Eyes
from calward.operations.apply.vault_words import Words
from calward.operations.due import NOTE, REMINDER, VAULT, work_row
from calward.operations.identity import Access
from calward.operations.later_changes import (
    CancelInNote,
    GrantFolder,
    NoteChange,
    RemindInNote,
    SetVault,
    VaultChange,
)
from calward.operations.shapes import Receipt
from calward.operations.stored import Superseded
from calward.operations.view.vault import VaultView
from calward.store import assistants, notes, reminders
from calward.store import due as due_rows
from calward.store.notes import VaultRow
from calward.store.reminders import ReminderRow

VAULT_GONE = "The vault was turned off, or is another folder now."
CANCELLED = "It was cancelled."
UNSEEN = Stamp(0, 0)
"""Of a note that is yet to be written: the next look reads it."""


def check(conn: Connection, access: Access, change: NoteChange) -> None:
    """Whether a note can be written into as things are now. Raises ``Superseded``, and what ``VaultView.note``
    does."""
    _, block = VaultView(conn, access).note(change.note)
    if (block.word if block else None) != change.rests_on:
        raise Superseded


def carry_out(
    conn: Connection, access: Access, change: VaultChange, now: datetime, new_id: Callable[[], str]
) -> Receipt:
    """Write the rows of one change; files are left to ``write``."""
    household, member = access.household.id, access.person.member
    match change:
        case SetVault():
            _set_vault(conn, access, change, now)
        case GrantFolder():
            if change.on:
                notes.add_folder(conn, household, change.assistant, change.folder)
            else:
                notes.drop_folders(conn, household, [change.assistant], change.folder)
        case RemindInNote() | CancelInNote():
            if isinstance(change, CancelInNote):
                _cancel(conn, household, change.reminder, now)
            data = _edit(change)(_read(conn, access, change))
            ident = change.reminder if isinstance(change, RemindInNote) else ReminderId(new_id())
            eyes = Eyes(conn, household, access.epoch, now)
            words = Words(conn, household, access.principal, eyes, now, lambda: ident)
            known = notes.get_note(conn, household, member, change.note)
            notes.put_notes(conn, household, [words.take(change.note, Head(UNSEEN, data[:HEAD]), known)])
        case _:
            assert_never(change)
    return Receipt()


def write(conn: Connection, access: Access, change: NoteChange, now: datetime) -> None:
    """Write the note. Raises ``Superseded`` where it says something else by now."""
    vault = notes.get_vault(conn, access.household.id, access.person.member)
    if vault is None:
        raise Superseded
    with opened(vault.root) as files:
        files.rewrite(change.note, _edit(change), now)


def drop(conn: Connection, household: HouseholdId, member: MemberId, now: datetime) -> None:
    """Let go of a vault, what was read in it and who reached it; nothing on disk."""
    live = notes.live_in_notes(conn, household, member)
    values = {"state": State.CANCELLED, "reason": VAULT_GONE, "ended_at": now}
    reminders.set_all(conn, household, live, expected=LIVE, **values)
    for ident in live:
        due_rows.disarm(conn, household, REMINDER, ident)
    theirs = [one.id for one in assistants.list_assistants(conn, household) if one.member_id == member]
    notes.drop_folders(conn, household, theirs)
    notes.drop_vault(conn, household, member)
    due_rows.disarm(conn, household, VAULT, member)


def have_marked(conn: Connection, household: HouseholdId, rows: Iterable[ReminderRow], now: datetime) -> None:
    """Have the notes of reminders that were worked on marked, once it is seen that these are over."""
    for row in rows:
        if row.note is not None:
            due_rows.move(conn, household, work_row(NOTE, row.id, now, now))


def _set_vault(conn: Connection, access: Access, change: SetVault, now: datetime) -> None:
    household, member = access.household.id, access.person.member
    known = notes.get_vault(conn, household, member)
    if known is not None and known.root != change.root:
        drop(conn, household, member, now)
    if change.root is not None:
        if known is None or known.root != change.root:
            notes.put_vault(conn, household, VaultRow(member, change.root, now))
        due_rows.move(conn, household, work_row(VAULT, member, now, now))


def _cancel(conn: Connection, household: HouseholdId, ident: ReminderId, now: datetime) -> None:
    """Before its note says so, so that nobody is told."""
    values = {"state": State.CANCELLED, "reason": CANCELLED, "ended_at": now}
    reminders.set_all(conn, household, [ident], expected=LIVE, **values)
    due_rows.disarm(conn, household, REMINDER, ident)


def _read(conn: Connection, access: Access, change: NoteChange) -> bytes:
    vault = notes.get_vault(conn, access.household.id, access.person.member)
    if vault is None:
        raise Superseded
    with opened(vault.root) as files:
        return files.read(change.note)


def _edit(change: NoteChange) -> Callable[[bytes], bytes]:
    """What a change makes of a note, as long as that says what the change rests on."""

    def edited(data: bytes) -> bytes:
        block = read_block(data)
        if (block.word if block else None) != change.rests_on:
            raise Superseded
        if isinstance(change, CancelInNote):
            return without_block(data)
        return with_block(data, change.block)

    return edited

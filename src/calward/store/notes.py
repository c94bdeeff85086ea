"""Vaults, who reaches which of their folders, and what was read in their notes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AssistantId, HouseholdId, MemberId, ReminderId
from calward.store.databases import dialect_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import notes, reminders, vault_folders, vaults

_BOUND = 500


@dataclass(frozen=True, slots=True)
class VaultRow:
    """A member's folder of notes. ``looked_at`` is when it was last looked through, ``problem`` why it could
    not be since."""

    member_id: MemberId
    root: str
    set_at: datetime
    looked_at: datetime | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note as it was last seen: ``mtime`` in nanoseconds and ``size`` of its file, ``digest`` of its start.
    ``word`` and ``sent`` are what its block said when it could be read, and ``reminder_id`` came of that."""

    member_id: MemberId
    path: str
    mtime: int
    size: int
    digest: str
    word: str | None = None
    sent: bool = False
    reminder_id: ReminderId | None = None
    problem: str | None = None


_VAULT = columns_of(VaultRow, vaults)
_NOTE = columns_of(NoteRow, notes)


def put_vault(connection: Connection, household: HouseholdId, row: VaultRow) -> None:
    """A member's only vault, whatever it was before."""
    upsert = dialect_of(connection).upsert(
        vaults, unique=("household", "member_id"), update=("root", "set_at", "looked_at", "problem")
    )
    connection.execute(upsert, values_of(household, row))


def get_vault(connection: Connection, household: HouseholdId, member: MemberId) -> VaultRow | None:
    query = sa.select(*_VAULT).where(vaults.c.household == household, vaults.c.member_id == member)
    row = connection.execute(query).first()
    return VaultRow(*row) if row else None


def list_vaults(connection: Connection, household: HouseholdId) -> list[VaultRow]:
    query = sa.select(*_VAULT).where(vaults.c.household == household).order_by(vaults.c.rowid)
    return [VaultRow(*row) for row in connection.execute(query)]


def drop_vault(connection: Connection, household: HouseholdId, member: MemberId) -> None:
    """The vault and what was read in it; nothing on disk."""
    for table in (notes, vaults):
        connection.execute(table.delete().where(table.c.household == household, table.c.member_id == member))


def looked_through(
    connection: Connection,
    household: HouseholdId,
    member: MemberId,
    *,
    at: datetime | None,
    problem: str | None,
) -> None:
    """A vault was looked through ``at`` a moment, or could not be."""
    values: dict[str, Any] = {"problem": problem} | ({"looked_at": at} if at is not None else {})
    connection.execute(
        vaults.update().where(vaults.c.household == household, vaults.c.member_id == member), values
    )


def add_folder(connection: Connection, household: HouseholdId, assistant: AssistantId, folder: str) -> None:
    upsert = dialect_of(connection).upsert(vault_folders, unique=("household", "assistant_id", "folder"))
    connection.execute(upsert, {"household": household, "assistant_id": assistant, "folder": folder})


def drop_folders(
    connection: Connection,
    household: HouseholdId,
    assistants: Collection[AssistantId],
    folder: str | None = None,
) -> None:
    """One folder, or all that these assistants reach."""
    query = vault_folders.delete().where(
        vault_folders.c.household == household, vault_folders.c.assistant_id.in_(assistants)
    )
    connection.execute(query if folder is None else query.where(vault_folders.c.folder == folder))


def folders_of(connection: Connection, household: HouseholdId, assistant: AssistantId) -> list[str]:
    """The folders that an assistant reaches, by name."""
    query = sa.select(vault_folders.c.folder).where(
        vault_folders.c.household == household, vault_folders.c.assistant_id == assistant
    )
    return list(connection.scalars(query.order_by(vault_folders.c.folder)))


def get_note(connection: Connection, household: HouseholdId, member: MemberId, path: str) -> NoteRow | None:
    return get_notes(connection, household, member, [path]).get(path)


def get_notes(
    connection: Connection, household: HouseholdId, member: MemberId, paths: Sequence[str]
) -> dict[str, NoteRow]:
    """Notes by path; paths that name nothing are passed over."""
    found: dict[str, NoteRow] = {}
    for first in range(0, len(paths), _BOUND):
        query = sa.select(*_NOTE).where(_named(household, member, paths[first : first + _BOUND]))
        found |= {row[1]: NoteRow(*row) for row in connection.execute(query)}
    return found


def list_notes(connection: Connection, household: HouseholdId, member: MemberId) -> dict[str, NoteRow]:
    """All that was seen in a vault, by path."""
    query = sa.select(*_NOTE).where(notes.c.household == household, notes.c.member_id == member)
    return {row[1]: NoteRow(*row) for row in connection.execute(query.order_by(notes.c.path))}


def note_of(connection: Connection, household: HouseholdId, reminder: ReminderId) -> NoteRow | None:
    """The note that a reminder came of, as long as it still says the same."""
    query = sa.select(*_NOTE).where(notes.c.household == household, notes.c.reminder_id == reminder)
    row = connection.execute(query).first()
    return NoteRow(*row) if row else None


def put_notes(connection: Connection, household: HouseholdId, rows: Sequence[NoteRow]) -> None:
    """Write down what was seen."""
    if rows:
        kept = tuple(column.name for column in _NOTE[2:])
        upsert = dialect_of(connection).upsert(notes, unique=("household", "member_id", "path"), update=kept)
        connection.execute(upsert, [values_of(household, row) for row in rows])


def drop_notes(connection: Connection, household: HouseholdId, member: MemberId, paths: Sequence[str]) -> None:
    for first in range(0, len(paths), _BOUND):
        some = paths[first : first + _BOUND]
        connection.execute(notes.delete().where(_named(household, member, some)))


def live_in_notes(connection: Connection, household: HouseholdId, member: MemberId) -> list[ReminderId]:
    """A member's reminders in notes that are still to come."""
    query = sa.select(reminders.c.id).where(
        reminders.c.household == household,
        reminders.c.member_id == member,
        reminders.c.note.is_not(None),
        reminders.c.state.in_(("waiting", "armed")),
    )
    return [ReminderId(ident) for ident in connection.scalars(query)]


def _named(household: HouseholdId, member: MemberId, paths: Sequence[str]) -> sa.ColumnElement[bool]:
    return sa.and_(notes.c.household == household, notes.c.member_id == member, notes.c.path.in_(paths))

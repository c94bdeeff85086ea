"""The vault as one principal reaches it: a person all of it, an assistant the folders that were granted to it.

A note elsewhere is not found, like one that does not exist. Nothing but the block of a reminder is read of a
note. Part of the view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from calward.errors import CalwardError, InvalidInput, NotAllowed, NotFound
from calward.model.ids import AssistantId, ReminderId
from calward.model.note import ALL, Block, is_within, note_path
from calward.notes.editing import read_block, with_block
from calward.notes.vault import NO_NOTE, Vault, opened, real_path
from calward.operations.identity import Access
from calward.store import notes
from calward.store.notes import NoteRow, VaultRow

TRIAL = Block(due="2026-03-02T09:00:00Z")
"""Written into a copy of a note, to see whether one can be."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Looked:
    """What is known of a vault: the notes that were seen in it, and why it cannot be opened now, if so."""

    vault: VaultRow
    notes: tuple[NoteRow, ...]
    problem: str | None


class VaultView:
    """The vault of the member who asks or is acted for."""

    def __init__(self, conn: Connection, access: Access) -> None:
        self._conn = conn
        self._access = access
        self._household = access.household.id

    @cached_property
    def vault(self) -> VaultRow | None:
        return notes.get_vault(self._conn, self._household, self._access.person.member)

    def reaches(self, path: str) -> bool:
        """Whether this principal may know of a note."""
        return self.vault is not None and any(is_within(folder, path) for folder in self._folders)

    def note(self, text: str) -> tuple[str, Block | None]:
        """The path of a note that a reminder may be written into, and what it says of one now.

        Raises ``NotFound``; ``InvalidInput`` for what is no path; ``Unsupported`` and ``TooLarge`` for a note
        that cannot be written into; ``NotAllowed`` for an assistant that only reads.
        """
        path = note_path(text)
        data = self._in_vault(path, lambda vault: vault.read(path))
        if self._access.limits is not None and self._access.limits.read_only:
            raise NotAllowed("The person lets you only read, so nothing is written into notes.")
        block = read_block(data)
        with_block(data, TRIAL)
        return path, block

    def note_of(self, reminder: ReminderId) -> tuple[str, str] | None:
        """The note that a reminder can be taken out of, and what that says of it: the same as when it was made.

        Raises as ``note`` does for a note that cannot be written into.
        """
        row = notes.note_of(self._conn, self._household, reminder)
        if row is None or row.word is None:
            return None
        try:
            path, block = self.note(row.path)
        except NotFound:
            return None
        return (path, row.word) if block is not None and block.word == row.word else None

    def check_root(self, text: str) -> str:
        """A folder that may be a vault, as it really is named. Raises ``InvalidInput``."""
        root = real_path(text)
        try:
            with opened(root) as vault:
                vault.listing()
        except CalwardError as error:
            raise InvalidInput(f"folder: {error.message}") from None
        mine = self._access.person.member
        others = [one for one in notes.list_vaults(self._conn, self._household) if one.member_id != mine]
        if any(is_within(one.root, root) or is_within(root, one.root) for one in others):
            raise InvalidInput("folder: that folder cannot be taken; choose another.")
        return root

    def has_folder(self, path: str) -> bool:
        return self._in_vault(path, lambda vault: vault.has_folder(path))

    def folders_of(self, assistant: AssistantId) -> list[str]:
        """What was granted to an assistant. For persons."""
        return notes.folders_of(self._conn, self._household, assistant)

    def looked(self) -> Looked | None:
        """How the vault stands. For persons."""
        if self.vault is None:
            return None
        seen = notes.list_notes(self._conn, self._household, self.vault.member_id)
        problem = self.vault.problem
        try:
            with opened(self.vault.root):
                pass
        except CalwardError as error:
            problem = error.message
        return Looked(self.vault, tuple(seen.values()), problem)

    def _in_vault(self, path: str, look: Callable[[Vault], Found]) -> Found:
        if self.vault is None or not self.reaches(path):
            raise NotFound(NO_NOTE)
        with opened(self.vault.root) as vault:
            return look(vault)

    @cached_property
    def _folders(self) -> list[str]:
        assistant = self._access.assistant
        return [ALL] if assistant is None else self.folders_of(assistant)

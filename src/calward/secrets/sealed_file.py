"""The file of sealed secrets: one for each account and name, written whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from calward.errors import SettingsError
from calward.model.ids import AccountId
from calward.model.secret import Secret
from calward.secrets.key import Entropy, Key
from calward.secrets.sealing import seal, unseal
from calward.secrets.sources import check_private

Sealed = dict[str, dict[str, str]]
"""Account id → name → sealed text."""


class SealedFileDamaged(SettingsError):
    """The file cannot be read as what it should be. It is left as it is."""

    code = "secret_file_damaged"


class SealedFile:
    """Secrets of accounts in one 0600 file beside the database. Several processes may use it at once."""

    def __init__(self, path: Path, key: Key, entropy: Entropy = os.urandom) -> None:
        self._path = path
        self._key = key
        self._entropy = entropy

    def get(self, account: AccountId, name: str) -> Secret | None:
        """None where nothing is kept. Raises ``SealBroken``, ``SealedFileDamaged``, ``OpenToOthers``."""
        sealed = self._load().get(account, {}).get(name)
        return None if sealed is None else unseal(self._key, account, name, sealed)

    def put(self, account: AccountId, name: str, secret: Secret) -> None:
        with self._changing() as kept:
            kept.setdefault(account, {})[name] = seal(self._key, account, name, secret, self._entropy)

    def forget(self, account: AccountId) -> None:
        """Remove everything of an account; nothing happens where there is nothing."""
        with self._changing() as kept:
            kept.pop(account, None)

    @contextmanager
    def _changing(self) -> Generator[Sealed]:
        """Read, change and replace the file while no other process does."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(self._path.with_name(self._path.name + ".lock"), os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self._load()
            yield kept
            self._save(kept)
        finally:
            os.close(lock)

    def _load(self) -> Sealed:
        try:
            with self._path.open(encoding="utf-8") as file:
                check_private(os.fstat(file.fileno()), f"the file {self._path.name}")
                kept = json.load(file)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise self._damaged() from None
        if not _is_sealed(kept):
            raise self._damaged()
        return dict(kept)

    def _save(self, kept: Sealed) -> None:
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(kept, file, indent=1, sort_keys=True)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path)
        finally:
            draft.unlink(missing_ok=True)

    def _damaged(self) -> SealedFileDamaged:
        name = self._path.name
        return SealedFileDamaged(f"The file {name} cannot be read. Put a backup in its place, or move it away.")


def _is_sealed(kept: object) -> bool:
    return isinstance(kept, dict) and all(
        isinstance(names, dict) and all(isinstance(text, str) for text in names.values())
        for names in kept.values()
    )

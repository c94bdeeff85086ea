"""Where a store is kept on disk: its folder, its file, and the copies beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from calward.errors import StoreError

KEPT_BACKUPS = 5
_OWNER_ONLY_FILE = 0o600
_OWNER_ONLY_FOLDER = 0o700


@dataclass(frozen=True, slots=True)
class Place:
    """The path of a database file. A file here is whole from its first moment: it appears by ``appearing``."""

    path: Path

    def make_folder(self) -> None:
        """Make the folder for its owner alone; one that exists keeps the rights it has.

        Raises StoreError where it cannot be made.
        """
        try:
            self.path.parent.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                "The folder of the calendar store cannot be made. Choose another folder for Calward's data.",
                hint=f"{self.path.parent}: {error.strerror}.",
            ) from error

    @contextmanager
    def appearing(self) -> Iterator[Path]:
        """Give a path to build a new file at; it takes its place at the end, unless another got there first."""
        with _private_file(self.path.with_name(f"{self.path.name}.new-{os.getpid()}")) as draft:
            yield draft
            try:
                os.link(draft, self.path)
            except FileExistsError:
                return
            except OSError:
                # A file system without hard links. Two first starts at the same instant could replace one
                # another here, and both stores are still empty.
                os.rename(draft, self.path)

    @contextmanager
    def backing_up(self, revision: str) -> Iterator[Path]:
        """Give a path to copy the file to before it is brought to ``revision``; only the newest copies stay."""
        with _private_file(self.path.with_name(f"{self.path.name}.backup-{os.getpid()}")) as draft:
            yield draft
            os.replace(draft, self.path.with_name(f"{self.path.name}.before-{revision}.backup"))
        for old in self.backups()[KEPT_BACKUPS:]:
            old.unlink(missing_ok=True)

    def backups(self) -> list[Path]:
        """The copies made before migrations, newest first."""
        found = self.path.parent.glob("*.backup")
        mine = [file for file in found if file.name.startswith(f"{self.path.name}.before-")]
        return sorted(mine, key=lambda file: (file.stat().st_mtime_ns, file.name), reverse=True)


@contextmanager
def _private_file(path: Path) -> Iterator[Path]:
    """An empty file nobody else can read, gone at the end if it is still there."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW, _OWNER_ONLY_FILE))
    except OSError as error:
        raise StoreError(
            "The calendar store cannot write in its folder. Give Calward the right to, or choose another.",
            hint=f"{path.parent}: {error.strerror}.",
        ) from error
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)

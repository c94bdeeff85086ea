"""The epoch, kept beside the store and outside of it: in another one, nothing that was granted before counts.

A copy of the store that is taken elsewhere finds no epoch there and begins one. One that is put back in its own
place finds beside it how far the store had come; where that is further than the copy is, it is from before, and
whatever was revoked, decided or used up since would count again. So another epoch begins: tokens, sessions,
one-time codes, permits and waiting approvals of the copy open nothing, and an assistant that is bound to this
machine waits until a person confirms it. Members, passwords, grants and calendars are as the copy has them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from calward.bootstrap.places import EPOCH_FILE, read_epoch

PUT_BACK = (
    "This store was put back from a copy: tokens, sessions and waiting requests that it holds open nothing any "
    "more. Make new ones with: calward token add, and sign in again. Assistants on this machine wait until you "
    "let them in again with: calward assistant confirm NAME."
)


class Mark:
    """How far the store named ``database`` had come when this machine last changed it."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._path = folder / f"mark.{sha256(database.encode()).hexdigest()[:12]}"

    def epoch(self, reached: int, new_id: Callable[[], str]) -> tuple[str, bool]:
        """The epoch for a store that has come this far, and whether it begins since the store went back."""
        epoch = read_epoch(self._folder, new_id())
        with self._held() as file:
            if reached >= _number(file):
                return epoch, False
            fresh = self._folder / f".{EPOCH_FILE}.{os.getpid()}.tmp"
            fresh.touch(mode=0o600)
            fresh.write_text(new_id(), encoding="ascii")
            fresh.replace(self._folder / EPOCH_FILE)
            _write(file, reached)
        return read_epoch(self._folder, epoch), True

    def note(self, reached: int) -> None:
        """The store has come this far. What is lost of this in a crash is at most the last of it."""
        with self._held() as file:
            if reached > _number(file):
                _write(file, reached)

    @contextmanager
    def _held(self) -> Iterator[int]:
        """The open file, which no other process has meanwhile."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


def _number(file: int) -> int:
    text = os.pread(file, 20, 0)
    return int(text) if text.strip().isdigit() else 0


def _write(file: int, number: int) -> None:
    """Always of one length, so that no number is ever half another's."""
    os.pwrite(file, f"{number:019d}\n".encode(), 0)

"""A vault on disk: its notes found, read and written, and no way out of its folder.

Every name is opened below the folder that was opened before it, and never through a symbolic link, so that a
link put in anybody's place meanwhile leads nowhere. What is no plain file is no note. A note is replaced in one
step by a file beside it, and read once more right before; the name of that file also keeps two writers apart.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from calward.errors import Busy, Conflict, NotFound, StoreError, TooLarge, Unsupported
from calward.model.note import ALL, DEEPEST, SUFFIX, is_hidden, is_text
from calward.notes.front_matter import HEAD

MOST_BYTES = 16 * 1024 * 1024
MOST_ENTRIES = 100_000
TRIES = 5
"""How often a note that somebody else keeps changing is begun anew."""
ABANDONED = timedelta(minutes=1)
"""A file to replace a note that is older was left behind by a process that was killed."""
NO_NOTE = "There is no such note in the vault."
_NEW = ".calward-"
_CHUNK = 1 << 20
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)

Edit = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells without reading that a file changed: its time of change in nanoseconds, and its size."""

    mtime: int
    size: int


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a note, which holds its front matter."""

    stamp: Stamp
    data: bytes

    @property
    def digest(self) -> str:
        """Names what the front matter was read from."""
        return digest_of(self.data)


@dataclass(slots=True)
class Listing:
    """The notes of a vault by path; ``closed`` are folders that could not be looked into. ``entries`` counts
    all that was come across."""

    notes: dict[str, Stamp] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    entries: int = 0


class Vault:
    """A vault that is open; see ``opened``."""

    def __init__(self, descriptor: int) -> None:
        self._top = descriptor

    def head(self, path: str) -> Head:
        """The beginning of a note. Raises ``NotFound``."""
        with self._folder_of(path) as (folder, name), _file(folder, name) as (file, found):
            return Head(_stamp(found), _read(file, HEAD))

    def read(self, path: str) -> bytes:
        """All of a note. Raises ``NotFound``, and ``TooLarge`` beyond ``MOST_BYTES``."""
        with self._folder_of(path) as (folder, name):
            return _content(folder, name)[0]

    def has_folder(self, path: str) -> bool:
        try:
            with self._folder(path.split("/") if path != ALL else []):
                return True
        except NotFound:
            return False

    def rewrite(self, path: str, edit: Edit, now: datetime) -> bytes:
        """Replace a note by what ``edit`` makes of it; what was written. Mode and owner stay where they may.

        Raises what ``edit`` raises, ``NotFound``, ``TooLarge``, ``Busy`` while another process is at the note,
        ``Conflict`` where it never holds still, ``StoreError`` where the disk does not take it.
        """
        with self._folder_of(path) as (folder, name):
            for _ in range(TRIES):
                was, found = _content(folder, name)
                data = edit(was)
                if data == was or _replaced(folder, name, was, data, found, now):
                    return data
        raise Conflict("That note changes all the time; nothing was written. Try again later.")

    def listing(self) -> Listing:
        """All notes that are there. Raises ``TooLarge`` beyond ``MOST_ENTRIES``, ``StoreError``."""
        listed = Listing()
        try:
            self._list(self._top, "", listed, DEEPEST)
        except OSError as error:
            raise StoreError(f"The vault cannot be listed: {error.strerror}.") from None
        return listed

    def _list(self, folder: int, prefix: str, listed: Listing, deep: int) -> None:
        with os.scandir(folder) as entries:
            here = sorted((one for one in entries if _is_ours(one.name)), key=lambda one: one.name)
            listed.entries += len(here)
            if listed.entries > MOST_ENTRIES:
                raise TooLarge(f"The folder holds more than {MOST_ENTRIES} files and folders; choose another.")
            for one in here:
                path = f"{prefix}{one.name}"
                with suppress(FileNotFoundError):
                    if one.is_dir(follow_symlinks=False) and deep > 1:
                        self._list_below(folder, one.name, path, listed, deep - 1)
                    elif one.name.lower().endswith(SUFFIX) and one.is_file(follow_symlinks=False):
                        listed.notes[path] = _stamp(one.stat(follow_symlinks=False))

    def _list_below(self, folder: int, name: str, path: str, listed: Listing, deep: int) -> None:
        try:
            with _opened_folder(name, folder) as below:
                self._list(below, f"{path}/", listed, deep)
        except (NotFound, OSError):
            listed.closed.append(path)

    @contextmanager
    def _folder_of(self, path: str) -> Iterator[tuple[int, str]]:
        """The folder of a note, open, and the note's name in it."""
        *folders, name = path.split("/")
        with self._folder(folders) as folder:
            yield folder, name

    @contextmanager
    def _folder(self, names: list[str]) -> Iterator[int]:
        held = [os.dup(self._top)]
        try:
            for name in names:
                held.append(_open(name, os.O_RDONLY | _FOLDER, held[-1]))
            yield held[-1]
        finally:
            for one in held:
                os.close(one)


@contextmanager
def opened(root: str) -> Iterator[Vault]:
    """Open a vault by its absolute path. Raises ``StoreError`` where the folder is not there, ``Unsupported``
    on a system that cannot keep a path inside of it."""
    if not _can_keep_inside():
        raise Unsupported(
            "This system cannot open files below a folder (dir_fd), so there are no vaults on it."
        )
    try:
        descriptor = os.open(root, os.O_RDONLY | _FOLDER)
    except OSError as error:
        raise StoreError(f"The folder of the vault cannot be opened: {error.strerror}.") from None
    try:
        yield Vault(descriptor)
    finally:
        os.close(descriptor)


def digest_of(data: bytes) -> str:
    """As ``Head.digest``, of all of a note or its beginning."""
    return hashlib.sha256(data[:HEAD]).hexdigest()


def beside(name: str) -> str:
    """The file that is written to replace a note: one for each, hidden, so that it is no note itself."""
    return f"{_NEW}{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}"


def real_path(root: str) -> str:
    """Where a folder really is."""
    return os.path.realpath(root)


def _can_keep_inside() -> bool:
    return hasattr(os, "O_NOFOLLOW") and {os.open, os.unlink, os.rename} <= os.supports_dir_fd


@contextmanager
def _opened_folder(name: str, folder: int) -> Iterator[int]:
    descriptor = _open(name, os.O_RDONLY | _FOLDER, folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _file(folder: int, name: str) -> Iterator[tuple[int, os.stat_result]]:
    """A plain file, open to be read. A pipe does not make us wait, and is refused."""
    file = _open(name, os.O_RDONLY | _FILE, folder)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise NotFound(NO_NOTE)
        yield file, found
    finally:
        os.close(file)


def _open(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError:
        # Not there, a link, no folder, not ours to read: all of them are no note here.
        raise NotFound(NO_NOTE) from None


def _content(folder: int, name: str) -> tuple[bytes, os.stat_result]:
    with _file(folder, name) as (file, found):
        data = _read(file, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise TooLarge(f"That note is larger than {MOST_BYTES // 1024**2} MiB, so nothing is written into it.")
    return data, found


def _read(file: int, most: int) -> bytes:
    pieces: list[bytes] = []
    while most > 0 and (piece := os.read(file, min(most, _CHUNK))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def _replaced(folder: int, name: str, was: bytes, data: bytes, found: os.stat_result, now: datetime) -> bool:
    """Put new content in the place of a note; False where it changed meanwhile, which leaves it as it is."""
    new = beside(name)
    replaced = False
    try:
        file = _new_file(folder, new, now)
        try:
            _write(file, data, found)
            if _content(folder, name)[0] == was:
                os.rename(new, name, src_dir_fd=folder, dst_dir_fd=folder)
                replaced = True
        finally:
            os.close(file)
            if not replaced:
                os.unlink(new, dir_fd=folder)
        os.fsync(folder)
    except OSError as error:
        raise StoreError(f"The note cannot be written: {error.strerror}.") from None
    return replaced


def _new_file(folder: int, name: str, now: datetime) -> int:
    """A file that was not there. Raises ``Busy`` where another writer has one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
    try:
        return os.open(name, flags, 0o600, dir_fd=folder)
    except FileExistsError:
        with suppress(FileNotFoundError):
            age = now.timestamp() - os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime
            if age > ABANDONED.total_seconds():
                os.unlink(name, dir_fd=folder)
    raise Busy("Another process is writing into that note. Try again in a minute.")


def _write(file: int, data: bytes, like: os.stat_result) -> None:
    os.fchmod(file, stat.S_IMODE(like.st_mode))
    with suppress(OSError):
        os.fchown(file, like.st_uid, like.st_gid)
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]
    os.fsync(file)


def _stamp(found: os.stat_result) -> Stamp:
    return Stamp(found.st_mtime_ns, found.st_size)


def _is_ours(name: str) -> bool:
    """Neither hidden, nor a name that is no text."""
    return not is_hidden(name) and is_text(name)

"""A note of a vault: the names it may have, and what its front matter says of a reminder.

A vault is a folder of Markdown files. Notes and folders are named relative to it, with slashes; hidden ones
are no part of it.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass

from calward.errors import InvalidInput

ALL = "."
"""The folder that is the vault itself."""
SUFFIX = ".md"
LONGEST = 1000
DEEPEST = 32
UNWRITTEN = ("Cc", "Cs", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class Block:
    """The block ``reminder:`` of a note, as its text says it.

    ``due`` is ISO 8601, or for a ``recurring`` one an RRULE or a cron line; it wins over ``calendar_event``, an
    event's id or a part of its title. ``offset`` is in seconds from the start, negative before it. ``sent``: it
    fired.
    """

    due: str | None = None
    calendar_event: str | None = None
    offset: int = 0
    recurring: bool = False
    sent: bool = False

    @property
    def word(self) -> str:
        """What it asks for, in one spelling: the same as long as nobody asks for something else."""
        return json.dumps([self.due, self.calendar_event, self.offset, self.recurring])


def note_path(text: str) -> str:
    """A note's path as it is kept. Raises ``InvalidInput`` for one that leads outside, or is none of a note."""
    path = _path(text)
    if not path.lower().endswith(SUFFIX):
        raise InvalidInput("note: a note is a Markdown file of the vault; its path ends in .md.")
    return path


def folder_path(text: str) -> str:
    """A folder's path as it is kept, ``ALL`` for the vault itself. Raises ``InvalidInput``."""
    folder = text.strip().rstrip("/") if text.strip("/. ") else text.strip()
    return ALL if folder in (ALL, "./") else _path(folder)


def is_within(folder: str, path: str) -> bool:
    """Whether a note or folder is in a folder, or below it."""
    return folder in (ALL, path) or path.startswith(f"{folder}/")


def name_of(path: str) -> str:
    """The note's name: its file's, without the ending."""
    return path.rpartition("/")[2][: -len(SUFFIX)]


def is_text(text: str) -> bool:
    """Whether it is of one line, and can be stored: no control characters, nothing that is no Unicode."""
    return all(unicodedata.category(one) not in UNWRITTEN for one in text)


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def _path(text: str) -> str:
    parts = text.split("/")
    wrong = (
        len(text) > LONGEST
        or len(parts) > DEEPEST
        or not is_text(text)
        or any(not part or is_hidden(part) for part in parts)
    )
    if wrong:
        raise InvalidInput(
            "A path in the vault is relative to it, as Work/Plan.md: no .. in it, no / before it, and nothing "
            "hidden."
        )
    return text

"""The vault and its notes, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.days import moment_words

if TYPE_CHECKING:
    from calward.operations.usecases.vault import FolderGranted, VaultStatus, VaultWritten


def written(answer: VaultWritten | FolderGranted) -> Iterator[Line]:
    yield line(answer.message or "")


def status(answer: VaultStatus) -> Iterator[Line]:
    if answer.folder is None:
        yield line("No vault. Name your folder of notes with: calward vault set FOLDER")
        return
    looked = (
        f"looked through {moment_words(answer.looked_at)}" if answer.looked_at else "not looked through yet"
    )
    yield line(Cell(answer.folder, "bold"), looked)
    yield line(f"{counted(answer.notes, 'note')}, {answer.reminders} with a reminder", indent=1)
    if answer.problem:
        yield line(Cell(answer.problem, "red"), indent=1)
    for one in answer.reach:
        where = ", ".join("all of it" if folder == "." else folder for folder in one.folders)
        yield line(f"{one.assistant} may ask to write into: {where}", indent=1)
    for note in answer.problems:
        yield line(Cell(note.note, "bold"), Cell(note.problem, "yellow"), indent=1)
    if answer.more:
        yield line(f"and {answer.more} more", indent=1)


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"

"""What was changed: the answer to a write, and the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.days import moment_words
from calward.faces.cli.rendering.events import alone

if TYPE_CHECKING:
    from calward.operations.answers import EventWritten
    from calward.operations.usecases.status import History, HistoryEntry
    from calward.operations.usecases.undoing import Undone


TOLD = {
    "sent_by_server": "The calendar's server says that it tells the others on it.",
    "not_sent": "The others on it are not told.",
    "unknown": "Whether the calendar's server tells the others on it, it does not say.",
}


def written(did: str, answer: EventWritten) -> Iterator[Line]:
    """What became of an event, and how to take it back."""
    yield line(f"{'Already there' if answer.status == 'already_created' else did}:")
    if answer.event:
        yield from (Line(one.cells, one.indent + 1) for one in alone(answer.event))
    yield from noted(answer.note)
    yield from noted(TOLD.get(answer.invitations or ""))
    if answer.status == "done":
        yield from undo_with(answer.change)


def undone(answer: Undone) -> Iterator[Line]:
    """What is now as it was."""
    yield line("Taken back." if not answer.events else "Taken back; as it was:")
    for event in answer.events:
        yield from (Line(one.cells, one.indent + 1) for one in alone(event))
    yield from noted(TOLD.get(answer.invitations or ""))
    yield from undo_with(answer.change)


def history(answer: History) -> Iterator[Line]:
    """The journal, newest first."""
    if not answer.changes:
        yield line("Nothing was changed yet.")
    yield from (entry(one) for one in answer.changes)


def entry(one: HistoryEntry) -> Line:
    """One change, with the id that undoes it."""
    return line(
        Cell(moment_words(one.at), "cyan"),
        f"{one.by}:",
        one.did,
        Cell(one.title or "", "bold"),
        Cell("[undone]" if one.undone else "", "yellow"),
        Cell("[approved]" if one.approval else "", "green"),
        Cell(one.id, "dim"),
    )


def noted(note: str | None) -> Iterable[Line]:
    """What a reader should know besides."""
    return [line(Cell(note, "yellow"))] if note else []


def undo_with(change: str | None) -> Iterable[Line]:
    """The command that takes a change back."""
    return [line(Cell(f"Take it back with: calward undo {change}", "dim"))] if change else []

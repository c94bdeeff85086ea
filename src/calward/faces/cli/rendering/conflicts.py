"""Both versions of what was changed on both sides, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.changes import TOLD, noted
from calward.faces.cli.rendering.days import moment_words

if TYPE_CHECKING:
    from calward.operations.usecases.conflicts import ConflictList, ConflictResolved, ConflictView


def conflicts(answer: ConflictList) -> Iterator[Line]:
    if not answer.conflicts:
        yield line("Nothing was changed on both sides.")
        return
    for one in answer.conflicts:
        yield from conflict(one)
    yield line("calward conflicts keep server|ours|both ID chooses; the server's version is live until then.")


def conflict(one: ConflictView) -> Iterator[Line]:
    """One event: the lines that only one of its versions has."""
    state = "deleted since" if one.deleted else ""
    yield line(
        Cell(one.now, "bold"), f"in {one.calendar}, since {moment_words(one.since)}", state, Cell(one.id, "dim")
    )
    for side, lines in (("server", one.only_now), ("ours", one.only_ours)):
        for number, text in enumerate(lines):
            yield line(Cell("" if number else side, "dim", 6), text, indent=1)


def resolved(answer: ConflictResolved) -> Iterator[Line]:
    yield line(answer.message or "")
    yield from noted(TOLD.get(answer.invitations or ""))
    if answer.change and answer.event:
        yield line(Cell(f"Take it back with: calward undo {answer.change}", "dim"))

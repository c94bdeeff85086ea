"""What an import did, and what it did not understand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line

if TYPE_CHECKING:
    from calward.operations.usecases.files import Imported, Problem


def imported(name: str, answer: Imported) -> Iterator[Line]:
    """The counts of one file, and each part that was kept without being understood."""
    counts = f"{answer.added} added, {answer.updated} updated, {answer.unchanged} unchanged"
    yield line(Cell(f"{name}:", "bold"), f"{counts} in {answer.calendar}")
    if answer.problems:
        yield line(
            Cell(f"{len(answer.problems)} not understood; kept, and exported again:", "yellow"), indent=1
        )
    yield from (_problem(one) for one in answer.problems)


def _problem(one: Problem) -> Line:
    return line(f"line {one.line}:" if one.line else "", Cell(one.what, "bold"), one.why, indent=2)

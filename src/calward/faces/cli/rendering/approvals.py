"""What waits for the person, made from the stored change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.days import moment_words

if TYPE_CHECKING:
    from calward.operations.usecases.status import ApprovalsView, ApprovalView, Decided


def approvals(answer: ApprovalsView) -> Iterator[Line]:
    if not answer.approvals:
        yield line("Nothing waits for you.")
    for one in answer.approvals:
        yield from approval(one)


def approval(one: ApprovalView) -> Iterator[Line]:
    """One request: who asks, what would be done, why it is asked, until when."""
    state = "" if one.state == "pending" else f"[{one.state}]"
    yield line(
        Cell(one.id, "bold"),
        Cell(state, "yellow"),
        f"{one.asked_by} asked {moment_words(one.made_at)}",
        Cell(f"{one.operation}, {one.risk}", "dim"),
    )
    for text in one.preview:
        words = text.lstrip()
        yield line(words, indent=1 + (len(text) - len(words)) // 2)
    if one.reasons:
        yield line(Cell(f"asked because {' and '.join(one.reasons)}", "dim"), indent=1)
    if one.state == "pending" and one.offers_details:
        yield line(Cell("to show notes, places and people too: --with-details", "dim"), indent=1)
    if one.state == "pending":
        yield line(Cell(f"open until {moment_words(one.expires_at)}", "dim"), indent=1)


def decided(answer: Decided) -> Iterator[Line]:
    yield line(answer.message or "")
    change = (answer.result or {}).get("change")
    if change:
        yield line(Cell(f"Take it back with: calward undo {change}", "dim"))

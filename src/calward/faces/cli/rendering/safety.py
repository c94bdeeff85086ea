"""The lockdown, and what was forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Line, line

if TYPE_CHECKING:
    from calward.operations.usecases.safety import Forgotten, Lockdown, LockdownState


def lockdown(answer: Lockdown | LockdownState) -> Iterator[Line]:
    if answer.on:
        yield line("The lockdown is on: assistants see no text from outside the household.")
    else:
        yield line("The lockdown is off: assistants see what they were granted.")


def forgotten(answer: Forgotten) -> Iterator[Line]:
    counts = (
        (answer.versions, "earlier version"),
        (answer.events, "deleted event"),
        (answer.requests, "request"),
        (answer.files, "imported file"),
    )
    said = [f"{count} {what}{'s' if count != 1 else ''}" for count, what in counts if count]
    yield line(f"Forgot {', '.join(said)}." if said else "There was nothing to forget.")

"""A scheduled prompt: the states it goes through, and what its messages say."""

from __future__ import annotations

from enum import StrEnum


class PromptState(StrEnum):
    """A recurring prompt stays pending from one time to the next; each time has a state of its own."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Deliver(StrEnum):
    """Where a prompt goes when it fires."""

    NOTIFY = "notify"
    """To the person."""
    WEBHOOK = "webhook"
    """To a program of the person's, signed."""


NONE_FOUND = "No scheduled tasks found matching filters."


def not_editable(number: int) -> str:
    return f"Task #{number} not found or not editable (only pending tasks can be edited)."


def not_cancellable(number: int) -> str:
    return f"Task #{number} not found or not editable (only pending tasks can be cancelled)."

"""What the person was told, in words: the channel that everybody has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, operation
from calward.operations.shapes import Answer, Arguments


class InboxFilter(Arguments):
    limit: int = Field(50, ge=1, le=500)


class Told(Answer):
    """``subject`` is the id of the reminder or the number of the prompt that it is about."""

    at: str
    kind: str
    subject: str
    text: str
    late: bool | None = None


class Inbox(Answer):
    zone: str
    told: tuple[Told, ...]


@operation(callers=Callers.PEOPLE)
def inbox(ctx: Context, asked: InboxFilter) -> Draft[Inbox]:
    """What you were told, newest first: reminders that fired, were missed or lost their event, and prompts."""
    told = tuple(
        Told(
            at=ctx.view.presenter.moment(row.made_at),
            kind=row.kind,
            subject=row.subject,
            text=text_of(row.kind, row.body),
            late=True if row.body.get("late") else None,
        )
        for row in ctx.view.later.told(asked.limit)
    )
    return Draft(Inbox(zone=ctx.zone_name, told=told))


def text_of(kind: str, body: Mapping[str, Any]) -> str:
    """The parts of a message in one sentence."""
    match kind:
        case "reminder":
            return _reminder(body)
        case "missed":
            return f"Missed while nothing ran: {'; '.join(map(_reminder, body['missed']))}"
        case "void":
            return f"No reminder any more: {body['message'] or 'an event'}. {body['reason']}"
        case "prompt_made":
            return f"{body['made_by']} left a prompt for later, task #{body['number']}: {body['prompt']}"
        case _:
            return f"Task #{body['number']}, by {body['made_by']}: {body['prompt']}"


def _reminder(body: Mapping[str, Any]) -> str:
    words = ": ".join(filter(None, (body.get("event"), body["message"])))
    return words or "You have a reminder."

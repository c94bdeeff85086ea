"""What the person was told, in words: the channel that everybody has."""

from __future__ import annotations

from pydantic import Field

from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, operation
from calward.operations.shapes import Answer, Arguments
from calward.operations.told import text_of


class InboxFilter(Arguments):
    limit: int = Field(50, ge=1, le=500)


class Told(Answer):
    """``subject`` is the id of the reminder or request, or the number of the prompt, that it is about."""

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
    """What you were told, newest first: reminders that fired, were missed or are void, prompts and requests."""
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

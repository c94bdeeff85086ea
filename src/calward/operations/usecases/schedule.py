"""Prompts that fire later: told to the person, or sent to a program of theirs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from calward.errors import InvalidInput, NotFound
from calward.model.prompt import (
    NONE_FOUND,
    Deliver,
    not_cancellable,
    not_editable,
)
from calward.operations.context import Context
from calward.operations.later_changes import AddPrompt, CancelPrompt, EditPrompt
from calward.operations.operation import Draft, Nature, operation
from calward.operations.recurring import checked, next_after
from calward.operations.shapes import Answer, Arguments, Receipt, Written
from calward.operations.show import plain
from calward.operations.spans import ends
from calward.operations.when import future_moment

MOST_TEXT = 10_000
SHORT = 80
SECOND = timedelta(seconds=1)
FIRST_AND_REPEAT = "name its first time, and give the rest as repeat"


class NewTask(Arguments):
    at: str = Field(description="The first time")
    prompt: str = Field(min_length=1, max_length=MOST_TEXT)
    repeat: str | None = Field(None, max_length=500, description="Cron line or RRULE")
    deliver: Deliver = Deliver.NOTIFY
    request_id: str | None = Field(None, max_length=200)


class TaskWritten(Written):
    id: int | None = None
    fire_at: str | None = None
    zone: str | None = None
    message: str | None = None


@operation(nature=Nature.WRITE)
def schedule(ctx: Context, new: NewTask) -> Draft[TaskWritten]:
    """Have a prompt come up later, once or again and again."""
    if not plain(new.prompt):
        raise InvalidInput("prompt: say what it is about.")
    at = future_moment(ctx, "at", new.at, instead=FIRST_AND_REPEAT)
    repeat = checked(new.repeat, at, ctx.zone) if new.repeat and new.repeat.strip() else None
    first = _first(repeat, at, ctx) if repeat else at
    if new.deliver is Deliver.WEBHOOK and not ctx.view.later.has_channel(Deliver.WEBHOOK):
        raise InvalidInput("deliver: the person has no webhook; notify tells them themselves.")

    def answer(receipts: tuple[Receipt, ...]) -> TaskWritten:
        number = receipts[0].facts["number"]
        said = ctx.view.presenter.moment(first)
        return TaskWritten(
            id=number, fire_at=said, zone=ctx.zone_name, message=f"Task #{number} is scheduled for {said}."
        )

    return Draft(answer, (AddPrompt(new.prompt.strip(), first, repeat, ctx.zone_name, new.deliver),))


class TaskFilter(Arguments):
    status: Literal["pending", "running", "done", "failed", "cancelled", "all"] = "pending"
    start: str | None = Field(None, alias="from")
    end: str | None = Field(None, alias="to")


class TaskView(Answer):
    """``prompt`` is shortened to one line; ``last`` is what became of it the last time it fired."""

    id: int
    fire_at: str
    status: str
    prompt: str
    repeat: str | None = None
    deliver: str
    made_by: str
    last: str | None = None
    reason: str | None = None


class Tasks(Answer):
    zone: str
    tasks: tuple[TaskView, ...]
    message: str | None = None


@operation()
def schedule_list(ctx: Context, asked: TaskFilter) -> Draft[Tasks]:
    """Scheduled prompts by the moment they fire."""
    states = None if asked.status == "all" else (asked.status,)
    rows = ctx.view.later.prompts(states, *ends(ctx, asked.start, asked.end))
    runs = ctx.view.later.last_runs([row.number for row in rows])
    tasks = tuple(
        TaskView(
            id=row.number,
            fire_at=ctx.view.presenter.moment(row.fire_at),
            status=row.state,
            prompt=_shortened(row.prompt),
            repeat=row.repeat,
            deliver=row.deliver,
            made_by=row.made_by_name,
            last=" ".join(filter(None, (run.state, run.result))) if run else None,
            reason=row.reason,
        )
        for row in rows
        for run in (runs.get(row.number),)
    )
    return Draft(Tasks(zone=ctx.zone_name, tasks=tasks, message=None if tasks else NONE_FOUND))


class EditTask(Arguments):
    id: int
    at: str | None = None
    prompt: str | None = Field(None, min_length=1, max_length=MOST_TEXT)


@operation(nature=Nature.WRITE, idempotent=True)
def schedule_edit(ctx: Context, asked: EditTask) -> Draft[TaskWritten]:
    """Change the time or the text of a pending prompt."""
    if asked.at is None and asked.prompt is None:
        raise InvalidInput("Give at, prompt or both.")
    if asked.prompt is not None and not plain(asked.prompt):
        raise InvalidInput("prompt: say what it is about.")
    at = future_moment(ctx, "at", asked.at, instead=FIRST_AND_REPEAT) if asked.at is not None else None
    row = ctx.view.later.pending_prompt(asked.id)
    if row is None:
        raise NotFound(not_editable(asked.id))
    if at is not None and row.repeat:
        at = _first(row.repeat, at, ctx)
    text = asked.prompt.strip() if asked.prompt is not None else None
    fires = ctx.view.presenter.moment(at or row.fire_at)
    answer = TaskWritten(
        id=row.number, fire_at=fires, zone=ctx.zone_name, message=f"Task #{row.number} updated."
    )
    return Draft(answer, (EditPrompt(row.number, text, at, row.deliver),))


class WhichTask(Arguments):
    id: int


@operation(nature=Nature.WRITE)
def schedule_cancel(ctx: Context, which: WhichTask) -> Draft[TaskWritten]:
    """Cancel a pending prompt."""
    row = ctx.view.later.pending_prompt(which.id)
    if row is None:
        raise NotFound(not_cancellable(which.id))
    return Draft(
        TaskWritten(id=row.number, message=f"Task #{row.number} cancelled."), (CancelPrompt(row.number),)
    )


def _first(repeat: str, at: datetime, ctx: Context) -> datetime:
    """The first time of a repetition, from a moment on."""
    first = next_after(repeat, at, ctx.zone, max(ctx.now, at.replace(microsecond=0) - SECOND))
    if first is None:
        raise InvalidInput("repeat: that never happens after that moment.")
    return first


def _shortened(prompt: str) -> str:
    text = plain(prompt)
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"

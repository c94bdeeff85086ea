"""Reminders, prompts and what was told, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.days import moment_words

if TYPE_CHECKING:
    from calward.operations.usecases.inbox import Inbox
    from calward.operations.usecases.reminders import ReminderEnded, Reminders, ReminderView, ReminderWritten
    from calward.operations.usecases.schedule import Tasks, TaskWritten

UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def reminder_written(answer: ReminderWritten) -> Iterator[Line]:
    if answer.reminder is not None:
        yield _reminder(answer.reminder)
    if answer.message:
        yield line(Cell(answer.message, "dim"))


def reminders(answer: Reminders) -> Iterator[Line]:
    if not answer.reminders:
        yield line("No reminders.")
    if answer.message:
        yield line(Cell(answer.message, "dim"))
    for one in answer.reminders:
        yield _reminder(one)
        if one.reason:
            yield line(Cell(one.reason, "yellow"), indent=1)


def ended(answer: ReminderEnded) -> Iterator[Line]:
    yield line(answer.message or "")


def inbox(answer: Inbox) -> Iterator[Line]:
    if not answer.told:
        yield line("Nothing yet.")
    for one in answer.told:
        yield line(
            moment_words(one.at), Cell("late" if one.late else "", "yellow"), one.text, Cell(one.subject, "dim")
        )


def tasks(answer: Tasks) -> Iterator[Line]:
    """The table of prompts."""
    if answer.message:
        yield line(answer.message)
        return
    width = max(len(str(one.id)) for one in answer.tasks)
    for one in answer.tasks:
        yield line(
            Cell(f"#{one.id}", "bold", width + 1),
            moment_words(one.fire_at),
            Cell(one.status, width=len("cancelled")),
            one.prompt,
            Cell(f"repeats {one.repeat}" if one.repeat else "", "dim"),
        )
        if one.last or one.reason:
            yield line(Cell(one.reason or f"last: {one.last}", "dim"), indent=2)


def task_written(answer: TaskWritten) -> Iterator[Line]:
    if answer.fire_at and answer.id:
        yield line(f"Task #{answer.id}: {moment_words(answer.fire_at)}")
    elif answer.message:
        yield line(answer.message)


def _reminder(one: ReminderView) -> Line:
    when = moment_words(one.due) if one.due else "no moment yet"
    about = one.event.title if one.event else (f"waits for: {one.waits_for}" if one.waits_for else "")
    state = "" if one.state in ("armed", "waiting") else f"[{one.state}]"
    return line(
        when,
        Cell(state, "yellow"),
        one.message,
        about,
        _offset(one),
        "every time" if one.every_occurrence else "",
        Cell(f"in {one.note}" if one.note else "", "dim"),
        Cell(one.id, "dim"),
    )


def _offset(one: ReminderView) -> str:
    """How far from the start of its event: ``1 hour before``."""
    if one.offset is None or (one.event is None and not one.waits_for):
        return ""
    if one.offset == 0:
        return "when it starts"
    size, unit = next((size, unit) for size, unit in UNITS if one.offset % size == 0)
    count = abs(one.offset) // size
    return f"{count} {unit}{'s' if count != 1 else ''} {'before' if one.offset < 0 else 'after it starts'}"

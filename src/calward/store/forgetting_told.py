"""Letting go of what was told: the words of reminders and prompts that are over, and of messages about them.

The rows stay, with their states and moments; only words go. What is still to come keeps its words.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import EventId, HouseholdId
from calward.store.deliveries import WAITING
from calward.store.tables import approvals, deliveries, prompt_runs, prompts, reminders

FACTS = frozenset({"due", "late", "number", "maker"})
"""Parts of a message that are no words of anybody's."""

Names = Callable[[str], bool]


def forget_told(
    connection: Connection,
    household: HouseholdId,
    *,
    event: EventId | None,
    before: datetime | None,
    names: Names,
) -> None:
    """Of one event: what hung on it, and every other text that ``names`` it; or all from before a moment."""
    messages = _messages(connection, household, event, before, names)
    _reminders(connection, household, event, before, names)
    _prompts(connection, household, before, names)
    for ident, body in messages:
        told = deliveries.update().where(deliveries.c.household == household, deliveries.c.id == ident)
        connection.execute(told.values(body=_emptied(body), last_error=None))


def _messages(
    connection: Connection,
    household: HouseholdId,
    event: EventId | None,
    before: datetime | None,
    names: Names,
) -> list[tuple[str, Any]]:
    """Messages that went out or never will, with their bodies."""
    query = sa.select(deliveries.c.id, deliveries.c.subject, deliveries.c.body, deliveries.c.made_at).where(
        deliveries.c.household == household, deliveries.c.state != WAITING
    )
    about = _subjects(connection, household, event) if event is not None else set()
    return [
        (row.id, row.body)
        for row in connection.execute(query)
        if (row.made_at < before if before is not None else row.subject in about or _any(names, row.body))
    ]


def _subjects(connection: Connection, household: HouseholdId, event: EventId) -> set[str]:
    """The reminders that hang on an event, and the requests about it."""
    hung = sa.select(reminders.c.id).where(reminders.c.household == household, reminders.c.event_id == event)
    asked = sa.select(approvals.c.id).where(
        approvals.c.household == household,
        sa.cast(approvals.c.changes, sa.Text).contains(event, autoescape=True),
    )
    return {*connection.scalars(hung), *connection.scalars(asked)}


def _reminders(
    connection: Connection,
    household: HouseholdId,
    event: EventId | None,
    before: datetime | None,
    names: Names,
) -> None:
    ended = sa.func.coalesce(reminders.c.ended_at, reminders.c.fired_at)
    over = sa.and_(reminders.c.household == household, reminders.c.state.not_in(("waiting", "armed", "missed")))
    query = sa.select(reminders.c.id, reminders.c.event_id, reminders.c.message, reminders.c.wanted)
    if before is not None:
        query = query.where(ended < before)
    gone = [
        row.id
        for row in connection.execute(query.where(over))
        if before is not None or row.event_id == event or names(row.message) or names(row.wanted or "")
    ]
    for ident in gone:
        one = reminders.update().where(reminders.c.household == household, reminders.c.id == ident)
        connection.execute(one.values(message="", wanted=None, note=None))


def _prompts(connection: Connection, household: HouseholdId, before: datetime | None, names: Names) -> None:
    over = sa.and_(prompts.c.household == household, prompts.c.state.not_in(("pending", "running")))
    query = sa.select(prompts.c.number, prompts.c.prompt, prompts.c.fire_at).where(over)
    for row in connection.execute(query).all():
        if row.fire_at < before if before is not None else names(row.prompt):
            one = prompts.update().where(prompts.c.household == household, prompts.c.number == row.number)
            connection.execute(one.values(prompt=""))
    runs = sa.select(prompt_runs.c.key, prompt_runs.c.result, prompt_runs.c.ended_at).where(
        prompt_runs.c.household == household, prompt_runs.c.ended_at.is_not(None)
    )
    for run in connection.execute(runs).all():
        if run.ended_at < before if before is not None else names(run.result or ""):
            this = prompt_runs.update().where(
                prompt_runs.c.household == household, prompt_runs.c.key == run.key
            )
            connection.execute(this.values(result=None))


def _any(names: Names, body: Any) -> bool:
    if isinstance(body, dict):
        return any(_any(names, value) for value in body.values())
    if isinstance(body, list):
        return any(_any(names, value) for value in body)
    return isinstance(body, str) and names(body)


def _emptied(body: Any) -> Any:
    """The same shape without words."""
    if isinstance(body, dict):
        return {key: value if key in FACTS else _emptied(value) for key, value in body.items()}
    if isinstance(body, list):
        return [_emptied(value) for value in body]
    return "" if isinstance(body, str) else body

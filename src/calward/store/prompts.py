"""Scheduled prompts, numbered from 1 in each household, and what became of each time they fired.

A move from state to state is a guarded update: how many rows it touched says whether it happened.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import prompt_runs, prompts

PENDING = "pending"
RUNNING = "running"


@dataclass(frozen=True, slots=True)
class PromptRow:
    """One prompt for a member. ``repeat`` is a cron line or an RRULE, read in ``zone`` from ``starts_at`` on;
    ``fire_at`` is its next time, or its last where there is none."""

    number: int
    member_id: MemberId
    made_by_kind: str
    made_by_id: str
    made_by_name: str
    prompt: str
    deliver: str
    repeat: str | None
    zone: str
    starts_at: datetime
    fire_at: datetime
    state: str
    made_at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PromptRunRow:
    """One time a prompt fired; ``key`` is the idempotency key its deliveries carry."""

    key: str
    number: int
    fire_at: datetime
    started_at: datetime
    state: str
    ended_at: datetime | None = None
    result: str | None = None


_COLUMNS = columns_of(PromptRow, prompts)
_RUN_COLUMNS = columns_of(PromptRunRow, prompt_runs)


def next_number(connection: Connection, household: HouseholdId) -> int:
    """The number of the next prompt; ask and insert within one writing transaction."""
    last = connection.scalar(sa.select(sa.func.max(prompts.c.number)).where(prompts.c.household == household))
    return (last or 0) + 1


def insert_prompt(connection: Connection, household: HouseholdId, row: PromptRow) -> None:
    connection.execute(prompts.insert(), values_of(household, row))


def get_prompt(connection: Connection, household: HouseholdId, number: int) -> PromptRow | None:
    query = sa.select(*_COLUMNS).where(prompts.c.household == household, prompts.c.number == number)
    row = connection.execute(query).first()
    return PromptRow(*row) if row else None


def list_prompts(
    connection: Connection,
    household: HouseholdId,
    member: MemberId,
    *,
    states: Collection[str] | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    made_by: tuple[str, str] | None = None,
    limit: int,
) -> list[PromptRow]:
    """A member's prompts by the moment they fire: in some states, from ``start`` and before ``end``, of one
    maker (kind, id). None leaves a limit out."""
    tests = [prompts.c.household == household, prompts.c.member_id == member]
    if states is not None:
        tests.append(prompts.c.state.in_(states))
    if start is not None:
        tests.append(prompts.c.fire_at >= start)
    if end is not None:
        tests.append(prompts.c.fire_at < end)
    if made_by is not None:
        tests += [prompts.c.made_by_kind == made_by[0], prompts.c.made_by_id == made_by[1]]
    query = sa.select(*_COLUMNS).where(*tests).order_by(prompts.c.fire_at, prompts.c.number).limit(limit)
    return [PromptRow(*row) for row in connection.execute(query)]


def count_pending(connection: Connection, household: HouseholdId, made_by: tuple[str, str]) -> int:
    """How many of a maker's prompts are still to fire."""
    query = sa.select(sa.func.count()).where(
        prompts.c.household == household,
        prompts.c.made_by_kind == made_by[0],
        prompts.c.made_by_id == made_by[1],
        prompts.c.state == PENDING,
    )
    return connection.execute(query).scalar_one()


def edit_prompt(connection: Connection, household: HouseholdId, number: int, **values: Any) -> bool:
    """Change a pending prompt; False where there is none with that number, or it is not pending."""
    return move_prompt(connection, household, number, expected=PENDING, **values)


def move_prompt(
    connection: Connection, household: HouseholdId, number: int, *, expected: str, **values: Any
) -> bool:
    """Change a prompt that is in the ``expected`` state; False where it is not."""
    where = (prompts.c.household == household, prompts.c.number == number, prompts.c.state == expected)
    return connection.execute(prompts.update().where(*where), values).rowcount == 1


def cancel_of(connection: Connection, household: HouseholdId, made_by: tuple[str, str], *, reason: str) -> None:
    """Cancel what a maker who is gone has left to fire."""
    connection.execute(
        prompts.update().where(
            prompts.c.household == household,
            prompts.c.made_by_kind == made_by[0],
            prompts.c.made_by_id == made_by[1],
            prompts.c.state == PENDING,
        ),
        {"state": "cancelled", "reason": reason},
    )


def begin_run(connection: Connection, household: HouseholdId, row: PromptRunRow) -> None:
    connection.execute(prompt_runs.insert(), values_of(household, row))


def end_run(
    connection: Connection, household: HouseholdId, key: str, *, state: str, result: str, at: datetime
) -> int | None:
    """Say what became of a run; the number of its prompt, None where it had ended already."""
    ended = (
        prompt_runs.update()
        .where(
            prompt_runs.c.household == household,
            prompt_runs.c.key == key,
            prompt_runs.c.state == RUNNING,
        )
        .values(state=state, result=result, ended_at=at)
        .returning(prompt_runs.c.number)
    )
    number: int | None = connection.scalar(ended)
    return number


def last_runs(
    connection: Connection, household: HouseholdId, numbers: Collection[int]
) -> dict[int, PromptRunRow]:
    """What became of each of these prompts the last time it fired."""
    query = (
        sa.select(*_RUN_COLUMNS)
        .where(prompt_runs.c.household == household, prompt_runs.c.number.in_(numbers))
        .order_by(prompt_runs.c.rowid)
    )
    return {row.number: row for row in (PromptRunRow(*each) for each in connection.execute(query))}

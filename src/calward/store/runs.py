"""Runs: work that goes on beside the calls and can be followed by its id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId, RunId
from calward.store.rows import columns_of, values_of
from calward.store.tables import runs


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of a kind of work on a target. ``asked_by`` is the principal's kind and id, as ``person:id``."""

    id: RunId
    kind: str
    target: str
    state: str
    progress: dict[str, Any]
    error: str | None
    asked_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    asked_by: str | None = None


_COLUMNS = columns_of(RunRow, runs)


def insert_run(connection: Connection, household: HouseholdId, run: RunRow) -> None:
    """Add one."""
    connection.execute(runs.insert(), values_of(household, run))


def get_run(connection: Connection, household: HouseholdId, run: RunId) -> RunRow | None:
    """One run, by id."""
    query = sa.select(*_COLUMNS).where(runs.c.household == household, runs.c.id == run)
    row = connection.execute(query).first()
    return RunRow(*row) if row else None


def unended_runs(
    connection: Connection, household: HouseholdId, kinds: Sequence[str], target: str
) -> list[RunRow]:
    """The runs on a target that were asked for or begun and not ended, oldest first."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            runs.c.household == household,
            runs.c.kind.in_(kinds),
            runs.c.target == target,
            runs.c.ended_at.is_(None),
        )
        .order_by(runs.c.rowid)
    )
    return [RunRow(*row) for row in connection.execute(query)]


def set_progress(connection: Connection, household: HouseholdId, run: str, progress: dict[str, Any]) -> None:
    """How far a run is."""
    connection.execute(
        runs.update().where(runs.c.household == household, runs.c.id == run), {"progress": progress}
    )


def move_run(
    connection: Connection,
    household: HouseholdId,
    run: RunId,
    *,
    expected: str,
    state: str,
    progress: dict[str, Any],
    error: str | None = None,
    started_at: datetime | None = None,
    ended_at: datetime | None = None,
) -> bool:
    """Take a run from the state ``expected`` to another; False where it is in none such.

    ``started_at`` and ``ended_at`` None leave what is there.
    """
    values: dict[str, Any] = {"state": state, "progress": progress, "error": error}
    moments = {"started_at": started_at, "ended_at": ended_at}
    values |= {name: moment for name, moment in moments.items() if moment is not None}
    result = connection.execute(
        runs.update().where(runs.c.household == household, runs.c.id == run, runs.c.state == expected), values
    )
    return result.rowcount == 1

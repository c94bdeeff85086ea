"""Changes of prompts → rows. A prompt that an assistant leaves for later is told to its person at once."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.errors import Busy, NotFound
from calward.model.ids import HouseholdId
from calward.model.principal import Assistant
from calward.model.prompt import PromptState, not_cancellable, not_editable
from calward.operations.apply.telling import Notice, tell
from calward.operations.due import PROMPT, work_row
from calward.operations.identity import Access
from calward.operations.later_changes import AddPrompt, CancelPrompt, EditPrompt, PromptChange
from calward.operations.shapes import Receipt
from calward.store import due as due_rows
from calward.store import prompts
from calward.store.columns import Instant
from calward.store.prompts import PromptRow

MOST_PENDING = 100
"""Prompts of one maker that are still to fire."""


def carry_out(conn: Connection, access: Access, change: PromptChange, now: datetime) -> Receipt:
    """Write one change of a prompt. Raises ``NotFound`` for one that is not pending any more."""
    household = access.household.id
    match change:
        case AddPrompt():
            return _add(conn, access, change, now)
        case EditPrompt():
            values = {
                name: value
                for name, value in (("prompt", change.prompt), ("fire_at", change.at), ("starts_at", change.at))
                if value is not None
            }
            if not prompts.edit_prompt(conn, household, change.number, **values):
                raise NotFound(not_editable(change.number))
            if change.at is not None:
                arm(conn, household, change.number, change.at, now)
            if change.prompt is not None:
                _tell_person(conn, access, change.number, change.prompt, change.at, now)
        case CancelPrompt():
            if not prompts.edit_prompt(conn, household, change.number, state=PromptState.CANCELLED):
                raise NotFound(not_cancellable(change.number))
            due_rows.disarm(conn, household, PROMPT, str(change.number))
        case _:
            assert_never(change)
    return Receipt({"number": change.number})


def arm(conn: Connection, household: HouseholdId, number: int, at: datetime, now: datetime) -> None:
    """Have a prompt fire at a moment, whatever it was armed for."""
    due_rows.move(conn, household, work_row(PROMPT, str(number), at, now))


def _add(conn: Connection, access: Access, change: AddPrompt, now: datetime) -> Receipt:
    household, maker = access.household.id, access.principal
    if prompts.count_pending(conn, household, (maker.kind, maker.id)) >= MOST_PENDING:
        raise Busy(f"{MOST_PENDING} prompts of yours are still to fire; cancel some first.")
    number = prompts.next_number(conn, household)
    row = PromptRow(
        number=number,
        member_id=access.person.member,
        made_by_kind=maker.kind,
        made_by_id=maker.id,
        made_by_name=maker.name,
        prompt=change.prompt,
        deliver=change.deliver,
        repeat=change.repeat,
        zone=change.zone,
        starts_at=change.at,
        fire_at=change.at,
        state=PromptState.PENDING,
        made_at=now,
    )
    prompts.insert_prompt(conn, household, row)
    arm(conn, household, number, change.at, now)
    _tell_person(conn, access, number, change.prompt, change.at, now)
    return Receipt({"number": number})


def _tell_person(
    conn: Connection, access: Access, number: int, prompt: str, at: datetime | None, now: datetime
) -> None:
    """What a program leaves behind to be said later is seen by the person when it is left."""
    if not isinstance(access.principal, Assistant):
        return
    body = {"number": number, "prompt": prompt, "made_by": access.principal.name}
    if at is not None:
        body["due"] = at.isoformat()
    key = f"{PROMPT}-{number}:made@{Instant.stored(now)}"
    tell(conn, access.household.id, [Notice(key, access.person.member, "prompt_made", str(number), body)], now)

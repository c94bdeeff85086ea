"""What a person does when something looks wrong: lock text from outside away, forget, look at the journal."""

from __future__ import annotations

from pydantic import Field

from calward.errors import InvalidInput
from calward.model.ids import EventId, split_occurrence_id
from calward.operations.changes import Forget
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.people_changes import SetLockdown
from calward.operations.shapes import Answer, Arguments, Receipt, Written
from calward.operations.usecases.calendars import NoArguments
from calward.operations.when import first_moment


class Switch(Arguments):
    on: bool


class Lockdown(Written):
    on: bool | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def lockdown_set(_: Context, switch: Switch) -> Draft[Lockdown]:
    """Keep text from outside the household from all assistants, or let them see it again."""
    return Draft(Lockdown(on=switch.on), (SetLockdown(switch.on),))


class LockdownState(Answer):
    on: bool


@operation(callers=Callers.PEOPLE)
def lockdown_status(ctx: Context, _: NoArguments) -> Draft[LockdownState]:
    """Whether text from outside the household is kept from assistants."""
    return Draft(LockdownState(on=ctx.view.lockdown))


class WhatToForget(Arguments):
    """One of the two."""

    event: str | None = Field(None, description="Id of an event; what it says now stays, unless it is deleted")
    before: str | None = Field(None, description="ISO 8601 or words; all that was done before that moment")


class Forgotten(Written):
    """How much was let go of; what was done then can be undone no more."""

    versions: int | None = None
    events: int | None = None
    requests: int | None = None
    files: int | None = None


@operation(nature=Nature.DESTROY, callers=Callers.PEOPLE)
def forget(ctx: Context, what: WhatToForget) -> Draft[Forgotten]:
    """Let go for good of earlier versions, deleted events and decided requests. The journal stays."""
    if (what.event is None) == (what.before is None):
        raise InvalidInput("Say what to forget: either event, or before.")
    if what.event is not None:
        change = Forget(ctx.view.forgettable(EventId(split_occurrence_id(what.event)[0])), None)
    else:
        moment = first_moment(ctx, "before", what.before or "")
        if moment > ctx.now:
            raise InvalidInput("before: that moment is still to come.")
        change = Forget(None, moment)

    def answer(receipts: tuple[Receipt, ...]) -> Forgotten:
        return Forgotten(**receipts[0].facts)

    return Draft(answer, (change,))


class JournalState(Answer):
    """``broken_at`` is the first row that is not what was written, or does not follow the one before."""

    rows: int
    whole: bool
    broken_at: str | None = None


@operation(callers=Callers.PEOPLE)
def journal_verify(ctx: Context, _: NoArguments) -> Draft[JournalState]:
    """Walk the journal, and tell whether a row was altered, left out or put in."""
    rows, broken = ctx.view.records.verify()
    return Draft(JournalState(rows=rows, whole=broken is None, broken_at=broken))

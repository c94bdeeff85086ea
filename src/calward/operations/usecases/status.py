"""What became of a request, what happened, and how things stand."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from calward import __version__
from calward.errors import InvalidInput
from calward.model.ids import AccountId, ApprovalId
from calward.model.principal import Person
from calward.operations.approval_states import WORDS
from calward.operations.changes import DecideApproval
from calward.operations.context import Context
from calward.operations.operation import Callers, Draft, Nature, operation
from calward.operations.shapes import Answer, Arguments, Receipt, Written
from calward.operations.when import first_moment


class WhichRun(Arguments):
    run: str | None = Field(None, description="From calendar_sync: also tell how far that run is")


class CalendarStatus(Answer):
    name: str
    account: str | None = None
    events: int | None = None
    unpushed: int | None = None
    last_sync: str | None = None
    next_sync: str | None = None
    conflicts: int | None = None
    error: str | None = None


class FailingView(Answer):
    """Work of a kind (reminder, prompt, delivery, note, vault) that failed and is not tried any more."""

    kind: str
    at: str
    error: str


class RunStatus(Answer):
    id: str
    mode: str
    state: str
    progress: dict[str, int]
    error: str | None = None


class Status(Answer):
    version: str
    zone: str
    now: str
    calendars: tuple[CalendarStatus, ...]
    pending_approvals: int
    lockdown: bool | None = Field(None, description="Whether text from outside is kept from assistants")
    held: int | None = None
    failing: tuple[FailingView, ...] | None = None
    run: RunStatus | None = None
    message: str


@operation()
def calendar_status(ctx: Context, which: WhichRun) -> Draft[Status]:
    """How things stand: calendars, syncs, what waits to be sent, what waits for a person."""
    presenter, mirrors = ctx.view.presenter, ctx.view.mirrors
    syncs, names, conflicts = mirrors.syncs(), mirrors.account_names(), mirrors.conflict_counts()
    calendars = tuple(
        CalendarStatus(
            name=one.calendar.name,
            account=names.get(AccountId(one.account)) if one.account else None,
            events=one.events,
            unpushed=one.unpushed,
            last_sync=presenter.moment(one.synced_at) if one.synced_at else None,
            next_sync=presenter.moment(sync.next_at) if sync and sync.next_at else None,
            conflicts=conflicts.get(one.calendar.id) if one.events is not None else None,
            error=sync.error if sync else None,
        )
        for one in ctx.view.calendars.states()
        for sync in (syncs.get(one.calendar.id),)
    )
    pending = ctx.view.requests.count_pending()
    return Draft(
        Status(
            version=__version__,
            zone=ctx.zone_name,
            now=presenter.moment(ctx.now),
            calendars=calendars,
            pending_approvals=pending,
            lockdown=ctx.view.lockdown or None,
            held=len(mirrors.held()) if isinstance(ctx.principal, Person) else None,
            failing=_failing(ctx) if isinstance(ctx.principal, Person) else None,
            run=_run(ctx, which.run) if which.run else None,
            message=_message(calendars, pending),
        )
    )


class WhichApproval(Arguments):
    id: str = Field(description="From a pending_approval answer")


class ApprovalState(Answer):
    id: str
    state: str
    message: str
    result: dict[str, Any] | None = None


@operation()
def approval_status(ctx: Context, which: WhichApproval) -> Draft[ApprovalState]:
    """What became of a request of yours that waits for a person."""
    row = ctx.view.requests.own_approval(ApprovalId(which.id))
    return Draft(ApprovalState(id=row.id, state=row.state, message=WORDS[row.state], result=row.result))


class ApprovalView(Answer):
    id: str
    state: str
    asked_by: str
    operation: str
    risk: str
    reasons: tuple[str, ...]
    summary: str
    preview: tuple[str, ...]
    offers_details: bool = Field(description="Whether approving with_details shows more than without")
    made_at: str
    expires_at: str


class ApprovalsView(Answer):
    approvals: tuple[ApprovalView, ...]


class ApprovalFilter(Arguments):
    state: Literal["pending", "all"] = "pending"
    id: str | None = None


@operation(callers=Callers.PEOPLE)
def approval_list(ctx: Context, asked: ApprovalFilter) -> Draft[ApprovalsView]:
    """What waits for your decision, or all there was."""
    moment = ctx.view.presenter.moment
    rows = ctx.view.requests.approvals(everything=asked.state == "all" or asked.id is not None)
    return Draft(
        ApprovalsView(
            approvals=tuple(
                ApprovalView(
                    id=row.id,
                    state=row.state,
                    asked_by=row.asked_by_name,
                    operation=row.operation,
                    risk=f"R{row.risk}",
                    reasons=tuple(row.reasons),
                    summary=row.summary,
                    offers_details=row.offers_details,
                    preview=tuple(row.preview),
                    made_at=moment(row.made_at),
                    expires_at=moment(row.expires_at),
                )
                for row in rows
                if asked.id is None or row.id == asked.id
            )
        )
    )


class Decision(Arguments):
    id: str
    approve: bool
    with_details: bool = Field(
        False, description="A look at events shows all of them, not title and time alone"
    )


class Decided(Written):
    state: str | None = None
    message: str | None = None
    result: dict[str, Any] | None = None


@operation(nature=Nature.WRITE, callers=Callers.PEOPLE, idempotent=True)
def approval_decide(ctx: Context, decision: Decision) -> Draft[Decided]:
    """Approve or deny a request; an approved one is carried out at once."""
    row = ctx.view.requests.approval(ApprovalId(decision.id))
    if decision.with_details and not (decision.approve and row.offers_details):
        raise InvalidInput("with_details: goes with approving a request to look at events, and no other.")

    def answer(receipts: tuple[Receipt, ...]) -> Decided:
        facts = receipts[0].facts
        return Decided(state=facts["state"], message=facts["message"], result=facts.get("result"))

    return Draft(answer, (DecideApproval(row.id, decision.approve, decision.with_details),))


class HistoryFilter(Arguments):
    limit: int = Field(50, ge=1, le=1000)
    event: str | None = None
    who: str | None = Field(None, description="Name of a person or an assistant")
    since: str | None = Field(None, description="ISO 8601 or words")


class HistoryEntry(Answer):
    id: str
    at: str
    by: str
    operation: str
    did: str
    title: str | None = None
    event: str | None = None
    undone: bool = False
    approval: str | None = None


class History(Answer):
    changes: tuple[HistoryEntry, ...]


@operation(callers=Callers.PEOPLE)
def history(ctx: Context, asked: HistoryFilter) -> Draft[History]:
    """What was changed, when and by whom, newest first; ids can be undone."""
    moment = ctx.view.presenter.moment
    since = first_moment(ctx, "since", asked.since) if asked.since else None
    return Draft(
        History(
            changes=tuple(
                HistoryEntry(
                    id=entry.batch,
                    at=moment(entry.at),
                    by=entry.by,
                    operation=entry.operation,
                    did=entry.did,
                    title=entry.title,
                    event=entry.event,
                    undone=entry.undone,
                    approval=entry.approval,
                )
                for entry in ctx.view.records.history(asked.limit, asked.event, who=asked.who, since=since)
            )
        )
    )


def _failing(ctx: Context) -> tuple[FailingView, ...] | None:
    found = ctx.view.later.failing()
    moment = ctx.view.presenter.moment
    return tuple(FailingView(kind=one.kind, at=moment(one.at), error=one.error) for one in found) or None


def _run(ctx: Context, ident: str) -> RunStatus:
    run = ctx.view.mirrors.run(ident)
    return RunStatus(id=run.id, mode=run.mode, state=run.state, progress=run.progress, error=run.error)


def _message(calendars: tuple[CalendarStatus, ...], pending: int) -> str:
    if not calendars:
        return "No calendar is visible here. A person can add or grant one."
    failing = [one.name for one in calendars if one.error]
    well = f"The last sync failed for {_names(failing)}." if failing else "All is well."
    waiting = f" {pending} request{'s' if pending != 1 else ''} waiting for a person." if pending else ""
    unsent = sum(one.unpushed or 0 for one in calendars)
    sent = f" {unsent} change{'s' if unsent != 1 else ''} not yet sent to a server." if unsent else ""
    both = sum(one.conflicts or 0 for one in calendars)
    clash = f" {both} event{'s' if both != 1 else ''} changed on both sides." if both else ""
    return f"{well}{waiting}{sent}{clash}"


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""The only way in: parse, gather, draft, judge, then apply or ask.

A draft is made on a read-only connection. Judging and applying share one writing transaction, so that nothing
comes between the look and the act: what the draft rests on is checked there, and where somebody else was faster
the draft is made again, three times at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.errors import Conflict, NotAllowed, NotFound, NotFresh, Unsupported
from calward.guard.effect import Effect
from calward.guard.verdict import Decision, Verdict, judge
from calward.language.conventions import Conventions
from calward.model.grant import Rights
from calward.model.ids import ApprovalId, CalendarId, ChangeId, EventId, HouseholdId
from calward.model.principal import Assistant, Person, Principal
from calward.operations import approvals, identity
from calward.operations.aliases import ALIASES
from calward.operations.apply import budget, importing, requests
from calward.operations.apply.batch import carry_out
from calward.operations.apply.journalling import Stamp
from calward.operations.apply.judging import judge_now
from calward.operations.apply.preparing import prepare
from calward.operations.arguments import parse
from calward.operations.call_rate import CallRate
from calward.operations.catalog import CATALOG
from calward.operations.changes import CreateObject, DecideApproval, Forget
from calward.operations.context import Context
from calward.operations.identity import Access
from calward.operations.operation import Callers, Draft, Operation
from calward.operations.outside import Outside
from calward.operations.shapes import Answer, Receipt, Waiting, Written
from calward.operations.stored import Prepared, Superseded
from calward.operations.view.events import View
from calward.operations.wording import approval_page, explain, waiting_message
from calward.secrets.passwords import Passwords

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Call:
    """``arguments`` are as they came through the door; ``patience`` is how long a request for approval that it
    leads to may wait."""

    operation: str
    arguments: Mapping[str, Any]
    patience: timedelta = approvals.LASTS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call; ``pending`` is set where a person is asked."""

    answer: Answer
    pending: ApprovalId | None = None


@dataclass(frozen=True, slots=True)
class Sources:
    """What the pipeline needs from the outside: two kinds of connection, the time, fresh ids and tokens.

    ``reading`` opens a read-only transaction; ``writing`` one that holds the store's write lock from its start
    and commits when it is left without an error.
    """

    reading: Callable[[], AbstractContextManager[Connection]]
    writing: Callable[[], AbstractContextManager[Connection]]
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    new_token: Callable[[], str]
    epoch: str
    """Kept outside of the store, so that a restored copy revives nothing that was granted."""
    household: HouseholdId
    """The one at home here: whose owner sits at the terminal."""
    conventions: Conventions = field(default_factory=lambda: Conventions(ZoneInfo("UTC")))
    """How words for times are meant here; the zone is each person's own."""
    outside: Outside | None = None
    """None where nothing outside of the store can be reached."""
    passwords: Passwords = field(default_factory=Passwords)
    call_rate: CallRate = field(default_factory=CallRate)
    pages: str | None = None
    """The address of the pages that people sign in on, where they are served and it is known."""
    scrub: Callable[[], None] = lambda: None
    """Called after something was forgotten, so that no trace of it stays in the store's files."""
    wake: Callable[[], None] = lambda: None
    """Called after a change, so that workers of this process look at once for what it made due."""


Progress = Callable[[int, int], None]
"""Called with (done, of) while long work goes on."""


class Pipeline:
    """Executes calls. Safe to share between threads: every call has its own connections."""

    def __init__(self, sources: Sources, operations: tuple[Operation, ...] = (*CATALOG, *ALIASES)) -> None:
        self._sources = sources
        self._operations = {operation.name: operation for operation in operations}

    @property
    def sources(self) -> Sources:
        """For what stands beside the pipeline at the same store: see ``operations.entrance``."""
        return self._sources

    def execute(self, principal: Principal, call: Call, progress: Progress | None = None) -> Outcome:
        """Carry out one call for a principal.

        Raises a ``CalwardError``: ``InvalidInput`` for arguments, ``NotFound`` for what the principal may not
        know of, ``NotAllowed`` where the guard denies, ``Conflict`` where others kept changing the same thing,
        ``TooFast`` for an assistant that calls without end.
        """
        self._sources.call_rate.count(principal, self._sources.now())
        operation = self._operation(principal, call.operation)
        arguments = parse(operation, call.arguments)
        request = requests.named(operation, call.arguments)
        gathered = operation.gather(self._outside, arguments) if operation.gather else None
        for _ in range(ATTEMPTS):
            with self._sources.reading() as conn:
                now = self._sources.now()
                context = self._context(conn, principal, now, gathered)
                if kept := requests.recall(conn, principal, operation, request, now):
                    return Outcome(kept.answer, kept.pending)
                draft = operation.propose(context, arguments)
            if not draft.changes:
                return Outcome(_worded(draft, ()))
            try:
                settled = self._settle(principal, operation, draft, request, call.patience)
            except Superseded:
                continue
            if isinstance(settled, Outcome):
                return settled
            if any(isinstance(change, Forget) for change in draft.changes):
                self._sources.scrub()
            self._sources.wake()
            receipts = importing.finish(principal, settled.receipts, settled.batch, self._sources, progress)
            return Outcome(_stamped(_worded(draft, receipts), settled.batch))
        raise Conflict(
            "Somebody else keeps changing the same thing; nothing was changed. Look again and retry."
        )

    def principal_of(self, token: str) -> Principal:
        """Who holds a token. Raises ``NotSignedIn``, the same for every reason."""
        with self._sources.reading() as conn:
            return identity.by_token(conn, token, self._sources.now(), self._sources.epoch)

    def owner(self) -> Person:
        """The household's owner, for whoever is at the terminal of its own machine."""
        with self._sources.reading() as conn:
            return identity.owner(conn, self._sources.household)

    def assistant(self, name: str) -> Assistant:
        """A live assistant by name, for a connection bound to it on this machine. Raises ``NotFound``."""
        with self._sources.reading() as conn:
            return identity.by_assistant_name(conn, self._sources.household, name)

    def _operation(self, principal: Principal, name: str) -> Operation:
        operation = self._operations.get(name)
        if operation is None or (operation.callers is Callers.PEOPLE and principal.kind != "person"):
            raise NotFound(f"There is no operation named {name!r} here.")
        return operation

    @property
    def _outside(self) -> Outside:
        if self._sources.outside is None:
            raise Unsupported("Nothing outside can be reached from here.")
        return self._sources.outside

    def _context(
        self, conn: Connection, principal: Principal, now: datetime, gathered: object = None
    ) -> Context:
        access = identity.access(conn, principal, self._sources.epoch)
        return Context(
            principal=principal,
            person=access.person,
            view=View(conn, access, now),
            now=now,
            zone=access.zone,
            conventions=self._sources.conventions.in_zone(access.zone),
            new_id=self._sources.new_id,
            new_token=self._sources.new_token,
            seal=lambda account, secret: self._outside.seal(account, secret),
            gathered=gathered,
        )

    def _settle(
        self,
        principal: Principal,
        operation: Operation,
        draft: Draft[Any],
        request: requests.Request | None,
        patience: timedelta,
    ) -> Outcome | _Applied:
        """Judge the draft as things are now, then apply it or leave it with a person: one transaction."""
        if principal.reads_only:
            raise NotAllowed("This token opens nothing but reading. Nothing was changed.")
        with self._sources.writing() as conn:
            now = self._sources.now()
            access = identity.access(conn, principal, self._sources.epoch)
            request = request or requests.twin(operation, draft.once)
            if kept := requests.recall(conn, principal, operation, request, now):
                return Outcome(kept.answer, kept.pending)
            prepared = prepare(conn, access, draft.changes, now)
            judged = judge_now(conn, access, prepared, now)
            verdict = judged.verdict
            if verdict.decision is Decision.DENY:
                raise _denied(principal, verdict, access.rights, judged.effects)
            if verdict.decision is Decision.ASK:
                asked = approvals.ask(
                    conn, access, operation.name, prepared, verdict, now, self._sources.new_id, patience
                )
                pages = self._sources.pages
                page = approval_page(pages, asked.id) if pages else None
                waiting = Waiting(
                    id=asked.id,
                    message=waiting_message(verdict, asked.expires_at, access.zone, page),
                    expires_at=asked.expires_at.astimezone(access.zone).isoformat(timespec="seconds"),
                )
                outcome = Outcome(_asked(operation, draft, waiting), asked.id)
                requests.remember(conn, principal, request, outcome.answer, outcome.pending, now)
                return outcome
            budget.check(conn, access, prepared, now)
            batch = ChangeId(self._sources.new_id())
            stamp = Stamp(principal, operation.name, now, batch, self._sources.new_id)
            receipts = _carry_out(conn, access, prepared, stamp, judged.deleting)
            if request is not None and isinstance(draft.answer, Answer):
                made = next((c.event for c in draft.changes if isinstance(c, CreateObject)), None)
                answer = _stamped(draft.answer, batch)
                requests.remember(conn, principal, request, answer, None, now, made=made)
            return _Applied(batch, receipts)


@dataclass(frozen=True, slots=True)
class _Applied:
    batch: ChangeId
    receipts: tuple[Receipt, ...]


def _carry_out(
    conn: Connection,
    access: Access,
    prepared: tuple[Prepared, ...],
    stamp: Stamp,
    deleting: frozenset[EventId],
) -> tuple[Receipt, ...]:
    decisions = [one.change for one in prepared if isinstance(one.change, DecideApproval)]
    if decisions:
        return tuple(approvals.decide(conn, access, decision, stamp) for decision in decisions)
    return carry_out(conn, access, prepared, stamp, deleting=deleting)


def _denied(
    principal: Principal, verdict: Verdict, rights: Mapping[CalendarId, Rights], effects: tuple[Effect, ...]
) -> NotAllowed:
    """Why not; told apart is what a person only has to prove themself for."""
    if isinstance(principal, Person) and not principal.fresh:
        proven = judge(replace(principal, fresh=True), rights, effects)
        if proven.decision is not Decision.DENY:
            return NotFresh(explain(verdict, principal))
    return NotAllowed(explain(verdict, principal))


def _worded(draft: Draft[Any], receipts: tuple[Receipt, ...]) -> Answer:
    answer: Answer = draft.answer if isinstance(draft.answer, Answer) else draft.answer(receipts)
    return answer


def _stamped(answer: Answer, batch: ChangeId) -> Answer:
    """Name the change, so that the caller can take it back by id."""
    if isinstance(answer, Written) and answer.status == "done":
        return answer.model_copy(update={"change": batch})
    return answer


def _asked(operation: Operation, draft: Draft[Any], waiting: Waiting) -> Answer:
    """What was read is answered; what would be written is not."""
    if operation.writes:
        return operation.output.model_validate({"status": "pending_approval", "approval": waiting})
    return _worded(draft, ()).model_copy(update={"approval": waiting})

"""One claimed sync from beginning to end, and what is remembered of how it went."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import Connection

from calward.dav.errors import DavError, Missing, NothingFound, OtherPrincipal, SignInRefused, Throttled
from calward.errors import CalwardError
from calward.model.ids import CalendarId, Href, RunId
from calward.operations.account_words import account_options, failure_words
from calward.operations.due import FULL, SYNC, arm_sync
from calward.operations.sync_run.ground import Ground, LeaseLost, Tally, Tools
from calward.operations.sync_run.look import look
from calward.operations.sync_run.pull import pull
from calward.operations.sync_run.push import push
from calward.operations.sync_run.removals import count_held
from calward.operations.sync_run.survey import is_due, survey
from calward.operations.sync_run.vanished import hold_vanished, let_go_of_vanished
from calward.remotes.remote import Remote
from calward.store import accounts, calendars, runs
from calward.store import due as due_rows
from calward.store.accounts import AccountRow
from calward.store.calendars import CalendarRow
from calward.store.due import Claim
from calward.store.runs import RunRow

RUN_KINDS = ("incremental", "full")
ASKED, RUNNING, DONE, FAILED = "asked", "running", "done", "failed"
REFUSED = "refused"
"""An account's state while its password is not accepted, or cannot be read."""
STOPPED = "stopped"
"""An account's state while it leads to somebody else's calendars."""
VANISHED = (
    "It may have been deleted there. All of it is kept here; to let go of it: calward accounts choose ACCOUNT "
    "--forget CALENDAR"
)
CALDAV = "caldav"
"""The kind of accounts that change from one minute to the next; feeds do not."""
SIGN_INS = 5
"""How often a refused password is tried before it rests for a day, or until a person does something about it;
more would have some providers lock the account."""


def run_sync(tools: Tools, claimed: Claim) -> Tally | None:
    """Sync the collection of a claimed row and arm the row for the next time. What went wrong is remembered
    where it is shown, not raised; None then.

    Raises only what is no ``CalwardError``; ``abandon`` is for that.
    """
    with tools.reading() as conn:
        calendar = calendars.get_calendar(conn, claimed.household, CalendarId(claimed.row.target))
        account, sealed = _account(conn, claimed, calendar)
        unended = _unended(conn, claimed)
    if calendar is None or account is None:
        with tools.writing() as conn:
            due_rows.disarm(conn, claimed.household, claimed.row.kind, claimed.row.target)
        return None
    begun = _begin(tools, claimed, calendar, unended)
    try:
        account, calendar = _look_over(tools, claimed, calendar, account, sealed, begun)
        remote = tools.open_remote(account, sealed)
        try:
            tally = _sync(tools, claimed, calendar, account, remote, begun)
        finally:
            remote.close()
    except LeaseLost:
        return None
    except CalwardError as error:
        _failed(tools, claimed, account, begun, error)
        return None
    _done(tools, claimed, account, begun, tally)
    return tally


def abandon(tools: Tools, claimed: Claim) -> None:
    """Give back a claim whose run ended in an error nobody foresaw."""
    error = "Something went wrong inside Calward; the log has the place. It is tried again by itself."
    with tools.writing() as conn:
        next_at = tools.now() + tools.pace.again(claimed.row.attempt, tools.jitter())
        due_rows.give_back(conn, claimed, error=error, next_at=next_at)
        _end(conn, claimed, _unended(conn, claimed), FAILED, {}, error, tools.now())


def _sync(
    tools: Tools,
    claimed: Claim,
    calendar: CalendarRow,
    account: AccountRow,
    remote: Remote,
    begun: Sequence[RunRow],
) -> Tally:
    url = calendar.href or _settle_place(tools, claimed, calendar, account, remote)
    run = begun[-1].id if begun else None
    ground = Ground(tools, claimed, calendar, url, remote, run)
    try:
        pull(ground, look(ground, full=_is_full(tools, claimed, calendar)))
    except Missing:
        if account.kind == CALDAV:
            hold_vanished(ground)
        raise
    let_go_of_vanished(ground)
    if calendar.writable:
        push(ground)
    count_held(ground)
    return ground.tally


def _look_over(
    tools: Tools,
    claimed: Claim,
    calendar: CalendarRow,
    account: AccountRow,
    sealed: str | None,
    begun: Sequence[RunRow],
) -> tuple[AccountRow, CalendarRow]:
    """With a full listing, see what became of the account as well; what the server can be relied on for may be
    known only then. An account that was stopped is looked at first every time."""
    due = _is_full(tools, claimed, calendar) and is_due(tools, account, begun)
    if not due and account.state != STOPPED:
        return account, calendar
    remote = tools.open_remote(account, sealed)
    try:
        account = survey(tools, claimed.household, account, remote)
    finally:
        remote.close()
    with tools.reading() as conn:
        return account, calendars.get_calendar(conn, claimed.household, calendar.id) or calendar


def _is_full(tools: Tools, claimed: Claim, calendar: CalendarRow) -> bool:
    """Whether everything is to be listed: because that was asked for, or was not done for a day."""
    listed = calendar.listed_at
    return bool(claimed.row.payload.get(FULL)) or listed is None or tools.now() - listed >= tools.pace.full


def _settle_place(
    tools: Tools, claimed: Claim, calendar: CalendarRow, account: AccountRow, remote: Remote
) -> str:
    """Find the collection a calendar is meant to be by its name; make it where the account says so."""
    options = account_options(account.options)
    found = [one for one in remote.calendars() if one.name == calendar.name]
    if found:
        place = found[0]
    elif options.create:
        # The segment is chosen before the request, so that asking again makes no second one.
        place = remote.make_calendar(f"calward-{calendar.id}", calendar.name)
    else:
        raise NothingFound(
            f"There is no calendar named {calendar.name!r} on this account. Make one there, or set "
            "CALDAV_CREATE_CALENDAR=1 to have it made."
        )
    with tools.writing() as conn:
        calendars.set_place(
            conn,
            claimed.household,
            calendar.id,
            account=account.id,
            href=Href(place.url),
            writable=place.rights.writable,
        )
    return place.url


def _account(
    conn: Connection, claimed: Claim, calendar: CalendarRow | None
) -> tuple[AccountRow | None, str | None]:
    if calendar is None or calendar.account_id is None:
        return None, None
    return (
        accounts.get_account(conn, claimed.household, calendar.account_id),
        accounts.get_secret(conn, claimed.household, calendar.account_id),
    )


def _begin(tools: Tools, claimed: Claim, calendar: CalendarRow, begun: list[RunRow]) -> list[RunRow]:
    """The runs that this sync fulfils: those asked for, those a stop left behind, and one of its own where it
    is the first, which takes long enough to be followed."""
    if not begun and calendar.synced_at is not None:
        return []
    now = tools.now()
    with tools.writing() as conn:
        if not begun:
            first = RunRow(RunId(tools.new_id()), "full", calendar.id, ASKED, {}, None, now)
            runs.insert_run(conn, claimed.household, first)
            begun = [first]
        for run in begun:
            runs.move_run(
                conn,
                claimed.household,
                run.id,
                expected=run.state,
                state=RUNNING,
                progress=run.progress,
                started_at=run.started_at or now,
            )
    return begun


def _done(tools: Tools, claimed: Claim, account: AccountRow, begun: Sequence[RunRow], tally: Tally) -> None:
    now = tools.now()
    with tools.writing() as conn:
        due_rows.finish(
            conn, claimed, next_at=now + tools.pace.next(tools.jitter(), feed=account.kind != CALDAV)
        )
        _end(conn, claimed, begun, DONE, tally.facts(), None, now)
        accounts.set_state(conn, claimed.household, account.id, state="ok", last_error=None)
        if account.state in (REFUSED, STOPPED):
            for calendar in _others(conn, claimed, account):
                arm_sync(conn, claimed.household, calendar, now, tools.new_id)


def _failed(
    tools: Tools, claimed: Claim, account: AccountRow, begun: Sequence[RunRow], error: CalwardError
) -> None:
    words, now = failure_words(error, account_options(account.options).preset), tools.now()
    if isinstance(error, Missing):
        words = f"{words} {VANISHED}"
    with tools.writing() as conn:
        next_at = _next_try(tools, claimed, error, now)
        if due_rows.give_back(conn, claimed, error=words, next_at=next_at):
            _end(conn, claimed, begun, FAILED, {}, words, now)
            if isinstance(error, OtherPrincipal):
                accounts.set_state(conn, claimed.household, account.id, state=STOPPED, last_error=words)
            if not isinstance(error, DavError) or isinstance(error, SignInRefused):
                accounts.set_state(conn, claimed.household, account.id, state=REFUSED, last_error=words)
            if isinstance(error, SignInRefused):
                # One password, so one try at it: its other calendars wait as long. Nothing else waits.
                due_rows.put_off(
                    conn,
                    claimed.household,
                    SYNC,
                    _others(conn, claimed, account),
                    until=next_at,
                    attempt=claimed.row.attempt,
                )


def _others(conn: Connection, claimed: Claim, account: AccountRow) -> list[CalendarId]:
    """The account's calendars but the one that was synced."""
    found = calendars.list_calendars(conn, claimed.household)
    return [one.id for one in found if one.account_id == account.id and one.id != claimed.row.target]


def _next_try(tools: Tools, claimed: Claim, error: CalwardError, now: datetime) -> datetime:
    attempt = claimed.row.attempt
    if isinstance(error, SignInRefused) and attempt >= SIGN_INS:
        return now + tools.pace.full
    wait = tools.pace.again(attempt, tools.jitter())
    if isinstance(error, Throttled) and error.retry_after is not None:
        with suppress(OverflowError):
            wait = max(wait, min(timedelta(seconds=error.retry_after), tools.pace.full))
    return now + wait


def _unended(conn: Connection, claimed: Claim) -> list[RunRow]:
    return runs.unended_runs(conn, claimed.household, RUN_KINDS, claimed.row.target)


def _end(
    conn: Connection,
    claimed: Claim,
    begun: Sequence[RunRow],
    state: str,
    progress: dict[str, int],
    error: str | None,
    now: datetime,
) -> None:
    for run in begun:
        runs.move_run(
            conn,
            claimed.household,
            run.id,
            expected=RUNNING,
            state=state,
            progress=progress,
            error=error,
            ended_at=now,
        )

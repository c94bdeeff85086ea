"""The lanes: what a worker does with each kind of due row.

Work that is rows alone is done in the transaction that takes it, a batch at a time: it happens once, whatever
is killed when. Work that talks to others is claimed first, with a lease that a heartbeat renews while the
talk goes on; a lease that runs out lets another worker do it again, with the same key.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import Busy, CalwardError, StoreError
from calward.operations.apply.firing import fire
from calward.operations.apply.sending import dropped, failed, outgoing, put_off, sent
from calward.operations.due import (
    FIRING,
    NOTE,
    NOTING,
    SENDING,
    SYNCING,
    TIDYING,
    Claim,
    Pace,
    bring_looks_forward,
    bring_syncs_forward,
    claim_due,
    claim_within,
    give_back,
    take_claimed,
    take_within,
)
from calward.operations.sync_run.drive import abandon, run_sync
from calward.operations.sync_run.ground import Tools
from calward.operations.tidying import tidy
from calward.operations.vault_run import look_through, mark_sent
from calward.workers.heartbeat import beating
from calward.workers.worker import Duties, Lane

BATCH = 64
AT_ONCE = 1
"""Syncs claimed in one go: each is a long talk, and a claimed row that waits is nobody's."""
MOST_TRIES = 5
"""How often what fails in a way nobody foresaw is tried before it rests, to be seen."""
UNFORESEEN = "Something went wrong inside Calward; the log has the place."


def sync_once(duties: Duties) -> int:
    """Do what is due to be synced; how many collections that were."""
    tools = duties.tools
    claims = claim_due(tools.writing, tools.now(), duties.name, AT_ONCE, SYNCING)
    if not claims:
        return bring_syncs_forward(tools.reading, tools.writing, tools.now(), tools.pace)
    for claimed in claims:
        try:
            with beating(duties, claims):
                run_sync(duties.tools, claimed)
        except CalwardError:
            # The store's own: the claim runs out by itself where it cannot even be given back.
            raise
        except Exception as error:  # noqa: BLE001  (the loop goes on)
            duties.complain(error)
            abandon(duties.tools, claimed)
    return len(claims)


def fire_once(duties: Duties) -> int:
    """Fire a batch of what is due; how many rows that were."""
    tools = duties.tools
    try:
        with tools.writing() as conn:
            now = tools.now()
            taken = take_within(conn, now, BATCH, FIRING)
            fire(conn, taken, tools.epoch, now)
    except (Busy, StoreError):
        raise
    except Exception as error:  # noqa: BLE001  (the loop goes on)
        duties.complain(error)
        return _fire_singly(duties)
    return len(taken)


def send_once(duties: Duties) -> int:
    """Send a batch of deliveries; how many rows that were."""
    tools = duties.tools
    claims = claim_due(tools.writing, tools.now(), duties.name, BATCH, SENDING)
    with beating(duties, claims):
        for claimed in claims:
            _send(duties, claimed)
    return len(claims)


def note_once(duties: Duties) -> int:
    """Look through a vault, or mark a note: one at a time, since files may be slow. How many that were."""
    tools = duties.tools
    claims = claim_due(tools.writing, tools.now(), duties.name, AT_ONCE, NOTING)
    if not claims:
        return bring_looks_forward(tools.reading, tools.writing, tools.now())
    for claimed in claims:
        _work_on(duties, claimed, mark_sent if claimed.row.kind == NOTE else look_through)
    return len(claims)


def tidy_once(duties: Duties) -> int:
    """Tidy a household that it is time for; how many that were."""
    tools = duties.tools
    claims = claim_due(tools.writing, tools.now(), duties.name, AT_ONCE, TIDYING)
    for claimed in claims:
        _work_on(duties, claimed, tidy)
    return len(claims)


def _work_on(duties: Duties, claimed: Claim, work: Callable[[Tools, Claim], None]) -> None:
    """Do one piece of work; where it fails in a way nobody foresaw, it is tried again later."""
    tools = duties.tools
    try:
        with beating(duties, [claimed]):
            work(tools, claimed)
    except CalwardError:
        # As for a sync: the claim runs out by itself.
        raise
    except Exception as error:  # noqa: BLE001  (the loop goes on)
        duties.complain(error)
        with tools.writing() as conn:
            wait = Pace().again(claimed.row.attempt, tools.jitter())
            give_back(conn, claimed, UNFORESEEN, tools.now(), wait)


def _fire_singly(duties: Duties) -> int:
    """The same one by one, so that a single bad row does not keep the others."""
    tools = duties.tools
    with tools.writing() as conn:
        now = tools.now()
        claims = claim_within(conn, now, duties.name, BATCH, FIRING)
        for claimed in claims:
            if error := _tried(conn, claimed, tools.epoch, now):
                attempt = claimed.row.attempt
                wait = Pace().again(attempt, tools.jitter()) if attempt < MOST_TRIES else None
                give_back(conn, claimed, UNFORESEEN, now, wait)
                duties.complain(error)
    return len(claims)


def _tried(conn: Connection, claimed: Claim, epoch: str, now: datetime) -> Exception | None:
    """Fire this one, or nothing of it and the reason."""
    try:
        with conn.begin_nested():
            fire(conn, [take_claimed(conn, claimed)], epoch, now)
    except Exception as error:  # noqa: BLE001  (the loop goes on)
        return error
    return None


def _send(duties: Duties, claimed: Claim) -> None:
    tools = duties.tools
    message = outgoing(tools.reading, claimed, tools.now())
    if message is None or duties.deliver is None:
        with tools.writing() as conn:
            dropped(conn, claimed, tools.now())
        return
    if message.quiet_until is not None:
        with tools.writing() as conn:
            put_off(conn, claimed, message.quiet_until, tools.now())
        return
    try:
        duties.deliver(message, message.key)
    except CalwardError as error:
        _not_sent(duties, claimed, error.message, retryable=error.retryable)
    except Exception as error:  # noqa: BLE001  (the loop goes on)
        duties.complain(error)
        _not_sent(duties, claimed, UNFORESEEN, retryable=True)
    else:
        with tools.writing() as conn:
            sent(conn, claimed, tools.now())


def _not_sent(duties: Duties, claimed: Claim, error: str, *, retryable: bool) -> None:
    tools = duties.tools
    with tools.writing() as conn:
        failed(conn, claimed, error, tools.now(), tools.jitter(), retryable=retryable)


SYNC_LANE = Lane("sync", SYNCING, sync_once)
FIRE_LANE = Lane("fire", FIRING, fire_once)
SEND_LANE = Lane("send", SENDING, send_once)
NOTE_LANE = Lane("note", NOTING, note_once)
TIDY_LANE = Lane("tidy", TIDYING, tidy_once)
LANES = (SYNC_LANE, FIRE_LANE, SEND_LANE, NOTE_LANE, TIDY_LANE)

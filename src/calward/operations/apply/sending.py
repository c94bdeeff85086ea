"""Deliveries to channels: what is sent, and what is remembered of how it went.

A delivery is sent at least once. A receiver that gets one twice can tell by its key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.ids import HouseholdId
from calward.model.prompt import PromptState
from calward.model.reminder import PUNCTUAL
from calward.operations.due import DELIVERY, LEASE, PROMPT, Pace, work_row
from calward.operations.due import give_back as back
from calward.operations.quiet import quiet_until
from calward.operations.told import TEST
from calward.store import deliveries, people, prompts
from calward.store import due as due_rows
from calward.store.deliveries import DEAD, SENT, WAITING, ChannelRow, DeliveryRow
from calward.store.due import Claim

MOST_TRIES = 8
"""With the pace of retries, about half an hour."""
PACE = Pace(first=timedelta(seconds=10), most=timedelta(minutes=15))
NO_CHANNEL = "The channel was removed."

Opened = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message on its way to one channel. ``body`` is all of it; the channel shows what ``channel.shows``
    allows. ``kind`` and ``subject`` are as in ``calward.operations.apply.telling.Notice``; ``late``: it was to
    be told before. Until ``quiet_until`` the channel wants none."""

    household: HouseholdId
    key: str
    kind: str
    subject: str
    body: Mapping[str, Any]
    channel: ChannelRow
    late: bool = False
    quiet_until: datetime | None = None


Deliver = Callable[[Outgoing, str], None]
"""``deliver(outgoing, key)`` sends one message; ``key`` goes along, so that a receiver knows it again. It
raises a ``CalwardError`` where it could not: tried again if ``retryable``, else dead, with its message as the
reason."""


def outgoing(reading: Opened, claimed: Claim, now: datetime) -> Outgoing | None:
    """What a claimed row wants sent; None where there is nothing (any more)."""
    with reading() as conn:
        row = deliveries.get_delivery(conn, claimed.household, claimed.row.target)
        if row is None or row.state != WAITING:
            return None
        channel = deliveries.get_channel(conn, claimed.household, row.channel)
        if channel is None:
            return None
        quiet = None if row.kind == TEST else _quiet_until(conn, claimed.household, channel, now)
    late = bool(row.body.get("late")) or now - row.made_at > PUNCTUAL
    return Outgoing(claimed.household, row.key, row.kind, row.subject, row.body, channel, late, quiet)


def put_off(conn: Connection, claimed: Claim, until: datetime, now: datetime) -> None:
    """Its channel wants quiet; that is no failure."""
    if due_rows.renew(conn, claimed, now + LEASE):
        due_rows.move(conn, claimed.household, work_row(DELIVERY, claimed.row.target, until, now))


def sent(conn: Connection, claimed: Claim, now: datetime) -> None:
    """It arrived."""
    row = deliveries.get_delivery(conn, claimed.household, claimed.row.target)
    if due_rows.complete(conn, claimed) and row is not None:
        _settle(conn, claimed, row, SENT, None, now)


def dropped(conn: Connection, claimed: Claim, now: datetime) -> None:
    """There is nothing to send it by."""
    row = deliveries.get_delivery(conn, claimed.household, claimed.row.target)
    if due_rows.complete(conn, claimed) and row is not None:
        _settle(conn, claimed, row, DEAD, NO_CHANNEL, now)


def failed(
    conn: Connection, claimed: Claim, error: str, now: datetime, jitter: float, *, retryable: bool
) -> None:
    """It did not arrive: tried again later, or given up with the reason."""
    again = retryable and claimed.row.attempt < MOST_TRIES
    wait = PACE.again(claimed.row.attempt, jitter) if again else None
    row = deliveries.get_delivery(conn, claimed.household, claimed.row.target)
    if back(conn, claimed, error, now, wait) and row is not None:
        _settle(conn, claimed, row, WAITING if again else DEAD, error, None if again else now)


def _quiet_until(
    conn: Connection, household: HouseholdId, channel: ChannelRow, now: datetime
) -> datetime | None:
    if channel.quiet_from is None or channel.quiet_until is None:
        return None
    member = people.get_member(conn, household, channel.member_id)
    home = people.get_household(conn, household)
    zone = (member.zone if member else None) or (home.zone if home else "UTC")
    return quiet_until(now, channel.quiet_from, channel.quiet_until, ZoneInfo(zone))


def _settle(
    conn: Connection, claimed: Claim, row: DeliveryRow, state: str, error: str | None, at: datetime | None
) -> None:
    household = claimed.household
    deliveries.settle(conn, household, row.id, state=state, attempt=claimed.row.attempt, error=error, at=at)
    if row.kind != PROMPT or at is None:
        return
    ended = PromptState.DONE if state == SENT else PromptState.FAILED
    result = "Sent." if state == SENT else (error or "")
    number = prompts.end_run(conn, household, row.key, state=ended, result=result, at=at)
    if number is not None:
        prompts.move_prompt(conn, household, number, expected=PromptState.RUNNING, state=ended)

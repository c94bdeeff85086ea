"""Telling people things: a row for each message and channel, written with what it tells of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from calward.model.ids import HouseholdId, MemberId
from calward.model.prompt import Deliver
from calward.operations.due import DELIVERY, work_row
from calward.store import deliveries
from calward.store import due as due_rows
from calward.store.deliveries import INBOX, SENT, WAITING, DeliveryRow

CHANNEL_KINDS: Mapping[Deliver, tuple[str, ...]] = {
    Deliver.NOTIFY: ("apprise",),
    Deliver.WEBHOOK: ("webhook",),
}
"""The kinds of channels that a message takes. What goes to a person is always in the inbox too."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell a member. ``key`` names it for ever; ``kind`` is ``reminder``, ``missed``, ``void``,
    ``prompt``, ``prompt_made``, ``approval`` or ``test`` and ``subject`` the id of what it is about. ``body``
    holds plain JSON values, of which a channel shows what it may."""

    key: str
    member: MemberId
    kind: str
    subject: str
    body: Mapping[str, Any] = field(default_factory=dict)
    to: Deliver = Deliver.NOTIFY
    only: str | None = None
    """The one channel that it goes to, and nowhere else."""


def tell(conn: Connection, household: HouseholdId, notices: Sequence[Notice], now: datetime) -> dict[str, int]:
    """Write the deliveries of notices. Returns for each key to how many channels it goes out.

    A key is told once. Callers tell only in the transaction that made what they tell of so, which happens once;
    and the store refuses a second delivery of a key to a channel.
    """
    if not notices:
        return {}
    channels = deliveries.channels_of(conn, household, {notice.member for notice in notices})
    written: list[DeliveryRow] = []
    waiting: dict[str, int] = {}
    for notice in notices:
        kinds = CHANNEL_KINDS[notice.to]
        ways = [one.id for one in channels if one.member_id == notice.member and one.kind in kinds]
        if notice.only is not None:
            ways = [notice.only]
        waiting[notice.key] = len(ways)
        if notice.to is Deliver.NOTIFY and notice.only is None:
            written.append(_row(notice, INBOX, SENT, now))
        written += [_row(notice, way, WAITING, now) for way in ways]
    deliveries.insert_deliveries(conn, household, written)
    for row in written:
        if row.state == WAITING:
            due_rows.move(conn, household, work_row(DELIVERY, row.id, now, now))
    return waiting


def _row(notice: Notice, channel: str, state: str, now: datetime) -> DeliveryRow:
    return DeliveryRow(
        id=f"{notice.key}:{channel}",
        key=notice.key,
        channel=channel,
        member_id=notice.member,
        kind=notice.kind,
        subject=notice.subject,
        body=dict(notice.body),
        state=state,
        attempt=0,
        made_at=now,
        ended_at=now if state == SENT else None,
    )

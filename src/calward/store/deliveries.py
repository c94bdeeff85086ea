"""What is told to whom: one row for each message and channel. A key goes to a channel once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId, MemberId
from calward.store.columns import Instant
from calward.store.databases import dialect_of
from calward.store.digests import canonical_json
from calward.store.rows import columns_of, values_of
from calward.store.tables import channels, deliveries

INBOX = "inbox"
"""The channel that everybody has: what is told can be read here."""
WAITING = "waiting"
SENT = "sent"
DEAD = "dead"


class DeliveryRow(NamedTuple):
    """One message on one channel. ``kind`` says what it is about and ``subject`` names that; ``body`` holds the
    parts of the message, of which a channel shows what it may."""

    id: str
    key: str
    channel: str
    member_id: MemberId
    kind: str
    subject: str
    body: dict[str, Any]
    state: str
    attempt: int
    made_at: datetime
    ended_at: datetime | None = None
    last_error: str | None = None


@dataclass(frozen=True, slots=True)
class ChannelRow:
    """A way to reach a member. ``sealed`` is its address, of no use without the key ``key_id``; ``shows`` is
    how much of a message it may say; quiet hours are ``HH:MM`` on the member's wall clock."""

    id: str
    member_id: MemberId
    name: str
    kind: str
    sealed: bytes
    key_id: str
    shows: str
    quiet_from: str | None
    quiet_until: str | None
    created_at: datetime


_COLUMNS = [deliveries.c[name] for name in DeliveryRow._fields]
_CHANNEL_COLUMNS = columns_of(ChannelRow, channels)
# Built once: a burst of reminders asks it again and again.
_CHANNELS_OF = (
    sa.select(*_CHANNEL_COLUMNS)
    .where(
        channels.c.household == sa.bindparam("of"),
        channels.c.member_id.in_(sa.bindparam("members", expanding=True)),
    )
    .order_by(channels.c.rowid)
)


_PLAIN = ("household", *DeliveryRow._fields)


def insert_deliveries(connection: Connection, household: HouseholdId, rows: Sequence[DeliveryRow]) -> None:
    if rows:
        plain = [_plain(household, row) for row in rows]
        dialect_of(connection).insert_plain(connection, deliveries, _PLAIN, plain)


def get_delivery(connection: Connection, household: HouseholdId, ident: str) -> DeliveryRow | None:
    query = sa.select(*_COLUMNS).where(deliveries.c.household == household, deliveries.c.id == ident)
    row = connection.execute(query).first()
    return DeliveryRow._make(row) if row else None


def inbox(connection: Connection, household: HouseholdId, member: MemberId, *, limit: int) -> list[DeliveryRow]:
    """What a member was told, the newest first."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            deliveries.c.household == household,
            deliveries.c.member_id == member,
            deliveries.c.channel == INBOX,
        )
        .order_by(deliveries.c.rowid.desc())
        .limit(limit)
    )
    return list(map(DeliveryRow._make, connection.execute(query)))


def log(connection: Connection, household: HouseholdId, key: str) -> list[DeliveryRow]:
    """Where a message went, and what became of it there."""
    query = (
        sa.select(*_COLUMNS)
        .where(deliveries.c.household == household, deliveries.c.key == key)
        .order_by(deliveries.c.rowid)
    )
    return list(map(DeliveryRow._make, connection.execute(query)))


def sent_out(
    connection: Connection, household: HouseholdId, member: MemberId, *, limit: int
) -> list[DeliveryRow]:
    """What went to a member's channels, or was to, the newest first."""
    query = (
        sa.select(*_COLUMNS)
        .where(
            deliveries.c.household == household,
            deliveries.c.member_id == member,
            deliveries.c.channel != INBOX,
        )
        .order_by(deliveries.c.rowid.desc())
        .limit(limit)
    )
    return list(map(DeliveryRow._make, connection.execute(query)))


def settle(
    connection: Connection,
    household: HouseholdId,
    ident: str,
    *,
    state: str,
    attempt: int,
    error: str | None,
    at: datetime | None,
) -> bool:
    """Remember how an attempt went; False where the delivery had ended already."""
    where = (
        deliveries.c.household == household,
        deliveries.c.id == ident,
        deliveries.c.state == WAITING,
    )
    values = {"state": state, "attempt": attempt, "last_error": error, "ended_at": at}
    return connection.execute(deliveries.update().where(*where), values).rowcount == 1


def channels_of(
    connection: Connection, household: HouseholdId, members: Collection[MemberId]
) -> list[ChannelRow]:
    """The channels of these members, in the order they were added."""
    bound = {"of": household, "members": list(members)}
    return [ChannelRow(*row) for row in connection.execute(_CHANNELS_OF, bound)]


def get_channel(connection: Connection, household: HouseholdId, ident: str) -> ChannelRow | None:
    query = sa.select(*_CHANNEL_COLUMNS).where(channels.c.household == household, channels.c.id == ident)
    row = connection.execute(query).first()
    return ChannelRow(*row) if row else None


def put_channel(connection: Connection, household: HouseholdId, row: ChannelRow) -> None:
    """Write a channel, new or with other facts."""
    values = values_of(household, row)
    where = (channels.c.household == household, channels.c.id == row.id)
    if not connection.execute(channels.update().where(*where), values).rowcount:
        connection.execute(channels.insert(), values)


def drop_channel(connection: Connection, household: HouseholdId, ident: str) -> bool:
    where = (channels.c.household == household, channels.c.id == ident)
    return connection.execute(channels.delete().where(*where)).rowcount == 1


def drop_channels_of(connection: Connection, household: HouseholdId, member: MemberId) -> None:
    where = (channels.c.household == household, channels.c.member_id == member)
    connection.execute(channels.delete().where(*where))


def _plain(household: HouseholdId, row: DeliveryRow) -> tuple[Any, ...]:
    """The values of ``_PLAIN``, as the database keeps them."""
    return (
        household,
        row.id,
        row.key,
        row.channel,
        row.member_id,
        row.kind,
        row.subject,
        canonical_json(row.body),
        row.state,
        row.attempt,
        Instant.stored(row.made_at),
        None if row.ended_at is None else Instant.stored(row.ended_at),
        row.last_error,
    )

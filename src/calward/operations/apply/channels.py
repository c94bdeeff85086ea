"""Changes of channels → rows."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from sqlalchemy import Connection

from calward.errors import NotFound
from calward.operations.apply.telling import Notice, tell
from calward.operations.identity import Access
from calward.operations.later_changes import ChannelChange, RemoveChannel, SetChannel, TryChannel
from calward.operations.shapes import Receipt
from calward.operations.told import TEST
from calward.store import deliveries
from calward.store.deliveries import ChannelRow


def carry_out(conn: Connection, access: Access, change: ChannelChange, now: datetime) -> Receipt:
    """Write one change of the member's own channels. Raises ``NotFound`` for another's, or one that is gone."""
    household, member = access.household.id, access.person.member
    known = deliveries.get_channel(conn, household, change.channel)
    mine = known is not None and known.member_id == member
    if not mine and not (isinstance(change, SetChannel) and known is None and change.sealed is not None):
        raise NotFound(f"There is no channel {change.name!r} of yours any more.")
    match change:
        case SetChannel():
            deliveries.put_channel(conn, household, _row(access, change, known, now))
        case RemoveChannel():
            deliveries.drop_channel(conn, household, change.channel)
        case TryChannel():
            notice = Notice(
                change.key, member, TEST, change.channel, {"channel": change.name}, only=change.channel
            )
            tell(conn, household, [notice], now)
        case _:
            assert_never(change)
    return Receipt()


def _row(access: Access, change: SetChannel, known: ChannelRow | None, now: datetime) -> ChannelRow:
    sealed = known.sealed if change.sealed is None and known else (change.sealed or "").encode("ascii")
    quiet_from, quiet_until = change.quiet or (None, None)
    return ChannelRow(
        id=change.channel,
        member_id=access.person.member,
        name=change.name,
        kind=change.kind,
        sealed=sealed,
        key_id=known.key_id if change.sealed is None and known else change.key_id,
        shows=change.shows,
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        created_at=known.created_at if known else now,
    )

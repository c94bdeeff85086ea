"""How often somebody tried to sign in within a stretch of time, counted over all processes."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId
from calward.store.databases import dialect_of
from calward.store.tables import tries


def count_try(
    connection: Connection, household: HouseholdId, key: str, at: datetime, *, most: int, within: timedelta
) -> datetime | None:
    """Count one more try under a key; where there were ``most`` already, nothing is counted, and the answer is
    the moment from which on it may be tried again. Stretches that are over are forgotten, whoever's they were;
    one that begins in the future, since a clock was set back, counts as over."""
    over = sa.or_(tries.c.since <= at - within, tries.c.since > at)
    connection.execute(tries.delete().where(tries.c.household == household, over))
    query = sa.select(tries.c.since, tries.c.count).where(tries.c.household == household, tries.c.key == key)
    found = connection.execute(query).first()
    if found is not None and found[1] >= most:
        since: datetime = found[0]
        return since + within
    since, count = (found[0], found[1] + 1) if found else (at, 1)
    upsert = dialect_of(connection).upsert(tries, unique=("household", "key"), update=("count",))
    connection.execute(upsert, {"household": household, "key": key, "since": since, "count": count})
    return None


def forget_tries(connection: Connection, household: HouseholdId, key: str) -> None:
    """Count from nothing again."""
    connection.execute(tries.delete().where(tries.c.household == household, tries.c.key == key))


def take_back_try(connection: Connection, household: HouseholdId, key: str) -> None:
    """Count one less: the try was a good one."""
    connection.execute(
        tries.update()
        .where(tries.c.household == household, tries.c.key == key, tries.c.count > 0)
        .values(count=tries.c.count - 1)
    )

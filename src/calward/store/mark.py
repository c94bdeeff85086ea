"""How far a store has come, as a number that only grows. A copy made earlier has a smaller one."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.store.approvals import PENDING
from calward.store.tables import approvals, changes


def mark_of(connection: Connection) -> int:
    """What was written into the journal and what was decided, counted together; neither is ever deleted."""
    written = sa.select(sa.func.coalesce(sa.func.max(changes.c.rowid), 0)).scalar_subquery()
    decided = sa.select(sa.func.count()).where(approvals.c.state != PENDING).scalar_subquery()
    return int(connection.execute(sa.select(written + decided)).scalar_one())

"""What is known of servers and feeds, and the traces of events that moved between them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.add_column("accounts", sa.Column("surveyed_at", _INSTANT))
    op.add_column("objects", sa.Column("moved_to", sa.Text))
    moved = sa.text("moved_to IS NOT NULL")
    op.create_index(
        "ix_objects_moved", "objects", ["household", "moved_to"], sqlite_where=moved, postgresql_where=moved
    )

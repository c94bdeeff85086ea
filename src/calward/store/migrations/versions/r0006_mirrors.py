"""What is known of servers and feeds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.add_column("accounts", sa.Column("surveyed_at", _INSTANT))

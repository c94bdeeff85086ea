"""How people sign in, how often they tried, what they share with each other, and that members leave."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.add_column("members", sa.Column("removed_at", _INSTANT))
    op.add_column("credentials", sa.Column("scope", sa.Text))
    op.create_table(
        "shares",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("share", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_shares"),
        sa.UniqueConstraint(
            "household", "calendar_id", "member_id", name="uq_shares_household_calendar_id_member_id"
        ),
        sa.ForeignKeyConstraint(
            ["household", "calendar_id"],
            ["calendars.household", "calendars.id"],
            name="fk_shares_household_calendar_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_shares_household_member_id",
        ),
    )
    op.create_table(
        "tries",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("since", _INSTANT, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_tries"),
        sa.UniqueConstraint("household", "key", name="uq_tries_household_key"),
    )

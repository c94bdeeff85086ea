"""What a sync leaves to a person: conflicts and held work; what was sent; who asked for a run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.add_column("objects", sa.Column("sent", sa.Text))
    op.add_column("runs", sa.Column("asked_by", sa.Text))
    op.create_table(
        "conflicts",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.Column("resolved_at", _INSTANT),
        sa.Column("ours", sa.LargeBinary, nullable=False),
        sa.Column("base", sa.LargeBinary),
        sa.PrimaryKeyConstraint("rowid", name="pk_conflicts"),
        sa.UniqueConstraint("household", "id", name="uq_conflicts_household_id"),
        sa.ForeignKeyConstraint(
            ["household", "event_id"],
            ["objects.household", "objects.id"],
            name="fk_conflicts_household_event_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_conflicts_calendar", "conflicts", ["household", "calendar_id"])
    op.create_table(
        "held",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("hrefs", sa.JSON, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.Column("decided_at", _INSTANT),
        sa.Column("decided_by", sa.Text),
        sa.PrimaryKeyConstraint("rowid", name="pk_held"),
        sa.UniqueConstraint("household", "id", name="uq_held_household_id"),
        sa.ForeignKeyConstraint(
            ["household", "calendar_id"],
            ["calendars.household", "calendars.id"],
            name="fk_held_household_calendar_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_held_calendar", "held", ["household", "calendar_id", "state"])

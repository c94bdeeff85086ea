"""Reminders, prompts, notes, and what was delivered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.create_table(
        "reminders",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("made_by_kind", sa.Text, nullable=False),
        sa.Column("made_by_id", sa.Text, nullable=False),
        sa.Column("made_by_name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("wanted", sa.Text),
        sa.Column("event_id", sa.Text),
        sa.Column("uid", sa.Text),
        sa.Column("key", sa.Text),
        sa.Column("starts_at", _INSTANT),
        sa.Column("offset", sa.BigInteger, nullable=False),
        sa.Column("every", sa.Boolean, nullable=False),
        sa.Column("since", _INSTANT, nullable=False),
        sa.Column("fire_at", _INSTANT),
        sa.Column("fired_at", _INSTANT),
        sa.Column("ended_at", _INSTANT),
        sa.Column("reason", sa.Text),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_reminders"),
        sa.UniqueConstraint("household", "id", name="uq_reminders_household_id"),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_reminders_household_member_id",
        ),
    )
    op.create_index("ix_reminders_event", "reminders", ["household", "event_id"])
    op.create_index("ix_reminders_state", "reminders", ["household", "state", "fire_at"])
    op.create_index("ix_reminders_uid", "reminders", ["household", "uid"])
    op.create_table(
        "prompts",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("made_by_kind", sa.Text, nullable=False),
        sa.Column("made_by_id", sa.Text, nullable=False),
        sa.Column("made_by_name", sa.Text, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("deliver", sa.Text, nullable=False),
        sa.Column("repeat", sa.Text),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("starts_at", _INSTANT, nullable=False),
        sa.Column("fire_at", _INSTANT, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_prompts"),
        sa.UniqueConstraint("household", "number", name="uq_prompts_household_number"),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_prompts_household_member_id",
        ),
    )
    op.create_index("ix_prompts_state", "prompts", ["household", "state", "fire_at"])
    op.create_table(
        "prompt_runs",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("fire_at", _INSTANT, nullable=False),
        sa.Column("started_at", _INSTANT, nullable=False),
        sa.Column("ended_at", _INSTANT),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("result", sa.Text),
        sa.PrimaryKeyConstraint("rowid", name="pk_prompt_runs"),
        sa.UniqueConstraint("household", "key", name="uq_prompt_runs_household_key"),
        sa.ForeignKeyConstraint(
            ["household", "number"],
            ["prompts.household", "prompts.number"],
            name="fk_prompt_runs_household_number",
        ),
    )
    op.create_index("ix_prompt_runs_number", "prompt_runs", ["household", "number"])
    op.create_table(
        "notes",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("mtime", sa.BigInteger, nullable=False),
        sa.Column("reminder_id", sa.Text),
        sa.Column("problem", sa.Text),
        sa.Column("seen_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_notes"),
        sa.UniqueConstraint("household", "id", name="uq_notes_household_id"),
        sa.UniqueConstraint("household", "path", name="uq_notes_household_path"),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_notes_household_member_id",
        ),
        sa.ForeignKeyConstraint(
            ["household", "reminder_id"],
            ["reminders.household", "reminders.id"],
            name="fk_notes_household_reminder_id",
        ),
    )
    op.create_index("ix_notes_reminder", "notes", ["household", "reminder_id"])
    op.create_table(
        "channels",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("shows", sa.Text, nullable=False),
        sa.Column("quiet_from", sa.Text),
        sa.Column("quiet_until", sa.Text),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_channels"),
        sa.UniqueConstraint("household", "id", name="uq_channels_household_id"),
        sa.UniqueConstraint("household", "member_id", "name", name="uq_channels_household_member_id_name"),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_channels_household_member_id",
        ),
    )
    op.create_table(
        "deliveries",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("last_error", sa.Text),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.Column("ended_at", _INSTANT),
        sa.PrimaryKeyConstraint("rowid", name="pk_deliveries"),
        sa.UniqueConstraint("household", "id", name="uq_deliveries_household_id"),
        sa.UniqueConstraint("household", "key", "channel", name="uq_deliveries_household_key_channel"),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_deliveries_household_member_id",
        ),
    )
    op.create_index("ix_deliveries_inbox", "deliveries", ["household", "member_id", "channel"])

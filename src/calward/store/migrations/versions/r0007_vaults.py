"""Vaults and what was read in their notes, and the switch that makes alarms of a calendar reminders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.add_column("calendars", sa.Column("alarms", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("reminders", sa.Column("note", sa.Text))
    op.add_column("reminders", sa.Column("repeat", sa.Text))
    op.drop_table("notes")  # nothing was ever written there
    op.create_table(
        "vaults",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("set_at", _INSTANT, nullable=False),
        sa.Column("looked_at", _INSTANT),
        sa.Column("problem", sa.Text),
        sa.PrimaryKeyConstraint("rowid", name="pk_vaults"),
        sa.UniqueConstraint("household", "member_id", name="uq_vaults_household_member_id"),
        sa.ForeignKeyConstraint(
            ["household", "member_id"],
            ["members.household", "members.id"],
            name="fk_vaults_household_member_id",
        ),
    )
    op.create_table(
        "vault_folders",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("assistant_id", sa.Text, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_vault_folders"),
        sa.UniqueConstraint(
            "household", "assistant_id", "folder", name="uq_vault_folders_household_assistant_id_folder"
        ),
        sa.ForeignKeyConstraint(
            ["household", "assistant_id"],
            ["assistants.household", "assistants.id"],
            name="fk_vault_folders_household_assistant_id",
        ),
    )
    op.create_table(
        "notes",
        sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("household", sa.Integer, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("mtime", sa.BigInteger, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("word", sa.Text),
        sa.Column("sent", sa.Boolean, nullable=False),
        sa.Column("reminder_id", sa.Text),
        sa.Column("problem", sa.Text),
        sa.PrimaryKeyConstraint("rowid", name="pk_notes"),
        sa.UniqueConstraint("household", "member_id", "path", name="uq_notes_household_member_id_path"),
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

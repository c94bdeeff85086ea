"""Who there is: households, members, assistants, how they sign in, what they were granted."""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id
from calward.store.tables.metadata import table

households = table(
    "households",
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("epoch", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)

members = table(
    "members",
    rowid(),
    household(),
    text_id(),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("zone", sa.Text),
    sa.Column("nicknames", sa.JSON, nullable=False),
    sa.Column("addresses", sa.JSON, nullable=False),
    sa.Column("password_hash", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("removed_at", Instant),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "name"),
)

assistants = table(
    "assistants",
    rowid(),
    household(),
    text_id(),
    text_id("member_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("revoked_at", Instant),
    sa.Column("read_only", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("writes_an_hour", sa.Integer, nullable=False, server_default="60"),
    sa.UniqueConstraint("household", "id"),
    belongs_to("members", "member_id"),
)
sa.Index(
    "uq_assistants_live_name",
    assistants.c.household,
    assistants.c.name,
    unique=True,
    sqlite_where=assistants.c.revoked_at.is_(None),
    postgresql_where=assistants.c.revoked_at.is_(None),
)

credentials = table(
    "credentials",
    rowid(),
    household(),
    text_id(),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    text_id("member_id"),
    text_id("assistant_id", nullable=True),
    sa.Column("epoch", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("expires_at", Instant),
    sa.Column("revoked_at", Instant),
    sa.Column("scope", sa.Text),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("hash"),
    belongs_to("members", "member_id"),
    belongs_to("assistants", "assistant_id"),
)

grants = table(
    "grants",
    rowid(),
    household(),
    text_id("assistant_id"),
    text_id("calendar_id"),
    sa.Column("own_level", sa.Integer, nullable=False),
    sa.Column("others_level", sa.Integer, nullable=False),
    sa.Column("read_private", sa.Text, nullable=False),
    sa.Column("create", sa.Text, nullable=False),
    sa.Column("own_update", sa.Text, nullable=False),
    sa.Column("own_delete", sa.Text, nullable=False),
    sa.Column("others_update", sa.Text, nullable=False),
    sa.Column("others_delete", sa.Text, nullable=False),
    sa.Column("invite", sa.Text, nullable=False),
    sa.Column("changed_at", Instant, nullable=False),
    sa.Column("invite_list", sa.JSON, nullable=False, server_default="[]"),
    sa.UniqueConstraint("household", "assistant_id", "calendar_id"),
    belongs_to("assistants", "assistant_id"),
    belongs_to("calendars", "calendar_id", cascade=True),
)

shares = table(
    "shares",
    rowid(),
    household(),
    text_id("calendar_id"),
    text_id("member_id"),
    sa.Column("share", sa.Text, nullable=False),
    sa.UniqueConstraint("household", "calendar_id", "member_id"),
    belongs_to("calendars", "calendar_id", cascade=True),
    belongs_to("members", "member_id"),
)

tries = table(
    "tries",
    rowid(),
    household(),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("since", Instant, nullable=False),
    sa.Column("count", sa.Integer, nullable=False),
    sa.UniqueConstraint("household", "key"),
)

settings = table(
    "settings",
    rowid(),
    household(),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("value", sa.JSON, nullable=False),
    sa.UniqueConstraint("household", "name"),
)

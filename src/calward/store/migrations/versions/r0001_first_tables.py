"""The first tables.

A migration is history: it borrows nothing from ``calward.store.tables``, which moves on.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from calward.store.databases import dialect_of

revision = "0001"
down_revision = None

_INSTANT = sa.BigInteger


def upgrade() -> None:
    op.create_table(
        "change_bytes",
        _rowid(),
        _household(),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("bytes", sa.LargeBinary, nullable=False),
        sa.Column("used_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_change_bytes"),
        _unique("change_bytes", "household", "digest"),
    )
    op.create_table(
        "changes",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("batch", sa.Text, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("principal_kind", sa.Text, nullable=False),
        sa.Column("principal_id", sa.Text, nullable=False),
        sa.Column("principal_name", sa.Text, nullable=False),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("event_id", sa.Text),
        sa.Column("calendar_id", sa.Text),
        sa.Column("before_digest", sa.Text),
        sa.Column("after_digest", sa.Text),
        sa.Column("facts", sa.JSON, nullable=False),
        sa.Column("approval_id", sa.Text),
        sa.Column("undoes", sa.Text),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("chain", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_changes"),
        _unique("changes", "household", "id"),
    )
    op.create_index("ix_changes_batch", "changes", ["household", "batch"])
    op.create_index("ix_changes_event", "changes", ["household", "event_id"])
    op.create_index("ix_changes_order", "changes", ["household", "rowid"])
    op.create_index("ix_changes_principal", "changes", ["household", "principal_kind", "principal_id"])
    op.create_index("ix_changes_undoes", "changes", ["household", "undoes"])
    op.create_table(
        "due",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("fire_at", _INSTANT, nullable=False),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("claimed_by", sa.Text),
        sa.Column("lease_until", _INSTANT),
        sa.Column("last_error", sa.Text),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_due"),
        _unique("due", "household", "id"),
        _unique("due", "household", "kind", "target"),
    )
    op.create_index("ix_due_armed", "due", ["state", "fire_at"])
    op.create_index("ix_due_lease", "due", ["state", "lease_until"])
    op.create_table(
        "households",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_households"),
    )
    op.create_table(
        "members",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("zone", sa.Text),
        sa.Column("nicknames", sa.JSON, nullable=False),
        sa.Column("addresses", sa.JSON, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_members"),
        _unique("members", "household", "id"),
        _unique("members", "household", "name"),
    )
    op.create_table(
        "requests",
        _rowid(),
        _household(),
        sa.Column("principal", sa.Text, nullable=False),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("call_digest", sa.Text, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("outcome", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_requests"),
        _unique("requests", "household", "principal", "request_id"),
    )
    op.create_table(
        "runs",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("progress", sa.JSON, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("asked_at", _INSTANT, nullable=False),
        sa.Column("started_at", _INSTANT),
        sa.Column("ended_at", _INSTANT),
        sa.PrimaryKeyConstraint("rowid", name="pk_runs"),
        _unique("runs", "household", "id"),
    )
    op.create_index("ix_runs_target", "runs", ["household", "kind", "target", "rowid"])
    op.create_table(
        "settings",
        _rowid(),
        _household(),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_settings"),
        _unique("settings", "household", "name"),
    )
    op.create_table(
        "accounts",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("username", sa.Text),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("last_error", sa.Text),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_accounts"),
        _unique("accounts", "household", "id"),
        _unique("accounts", "household", "name"),
        _belongs_to("accounts", "member_id", "members"),
    )
    op.create_table(
        "approvals",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("asked_by_kind", sa.Text, nullable=False),
        sa.Column("asked_by_id", sa.Text, nullable=False),
        sa.Column("asked_by_name", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("risk", sa.Integer, nullable=False),
        sa.Column("reasons", sa.JSON, nullable=False),
        sa.Column("preview", sa.JSON, nullable=False),
        sa.Column("changes", sa.JSON, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.Column("expires_at", _INSTANT, nullable=False),
        sa.Column("decided_at", _INSTANT),
        sa.Column("decided_by", sa.Text),
        sa.Column("result", sa.JSON),
        sa.PrimaryKeyConstraint("rowid", name="pk_approvals"),
        _unique("approvals", "household", "id"),
        _belongs_to("approvals", "member_id", "members"),
    )
    op.create_index("ix_approvals_state", "approvals", ["household", "state", "expires_at"])
    op.create_index(
        "uq_approvals_pending_digest",
        "approvals",
        ["household", "asked_by_id", "digest"],
        unique=True,
        **_where("state = 'pending'"),
    )
    op.create_table(
        "assistants",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("revoked_at", _INSTANT),
        sa.PrimaryKeyConstraint("rowid", name="pk_assistants"),
        _unique("assistants", "household", "id"),
        _belongs_to("assistants", "member_id", "members"),
    )
    op.create_index(
        "uq_assistants_live_name",
        "assistants",
        ["household", "name"],
        unique=True,
        **_where("revoked_at IS NULL"),
    )
    op.create_table(
        "calendars",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("account_id", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("color", sa.Text),
        sa.Column("offer", sa.Text, nullable=False),
        sa.Column("writable", sa.Boolean, nullable=False),
        sa.Column("href", sa.Text),
        sa.Column("sync_token", sa.Text),
        sa.Column("ctag", sa.Text),
        sa.Column("synced_at", _INSTANT),
        sa.Column("listed_at", _INSTANT),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_calendars"),
        _unique("calendars", "household", "account_id", "href"),
        _unique("calendars", "household", "id"),
        _unique("calendars", "household", "name"),
        _belongs_to("calendars", "account_id", "accounts"),
        _belongs_to("calendars", "member_id", "members"),
    )
    op.create_table(
        "credentials",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("member_id", sa.Text, nullable=False),
        sa.Column("assistant_id", sa.Text),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("expires_at", _INSTANT),
        sa.Column("revoked_at", _INSTANT),
        sa.PrimaryKeyConstraint("rowid", name="pk_credentials"),
        _unique("credentials", "hash"),
        _unique("credentials", "household", "id"),
        _belongs_to("credentials", "assistant_id", "assistants"),
        _belongs_to("credentials", "member_id", "members"),
    )
    op.create_table(
        "secrets",
        _rowid(),
        _household(),
        sa.Column("account_id", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_secrets"),
        _unique("secrets", "household", "account_id"),
        _belongs_to("secrets", "account_id", "accounts", cascade=True),
    )
    op.create_table(
        "grants",
        _rowid(),
        _household(),
        sa.Column("assistant_id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("own_level", sa.Integer, nullable=False),
        sa.Column("others_level", sa.Integer, nullable=False),
        sa.Column("read_private", sa.Text, nullable=False),
        sa.Column("create", sa.Text, nullable=False),
        sa.Column("own_update", sa.Text, nullable=False),
        sa.Column("own_delete", sa.Text, nullable=False),
        sa.Column("others_update", sa.Text, nullable=False),
        sa.Column("others_delete", sa.Text, nullable=False),
        sa.Column("invite", sa.Text, nullable=False),
        sa.Column("changed_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_grants"),
        _unique("grants", "household", "assistant_id", "calendar_id"),
        _belongs_to("grants", "assistant_id", "assistants"),
        _belongs_to("grants", "calendar_id", "calendars", cascade=True),
    )
    op.create_table(
        "uploads",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("bytes", sa.LargeBinary, nullable=False),
        sa.Column("problems", sa.JSON, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_uploads"),
        _unique("uploads", "household", "id"),
        _belongs_to("uploads", "calendar_id", "calendars", cascade=True),
    )
    op.create_index("ix_uploads_digest", "uploads", ["household", "calendar_id", "digest"])
    op.create_table(
        "objects",
        _rowid(),
        _household(),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("uid", sa.Text, nullable=False),
        sa.Column("href", sa.Text, nullable=False),
        sa.Column("local_digest", sa.Text, nullable=False),
        sa.Column("meaning", sa.Text, nullable=False),
        sa.Column("base_etag", sa.Text),
        sa.Column("push_state", sa.Text, nullable=False),
        sa.Column("upload_id", sa.Text),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("updated_at", _INSTANT, nullable=False),
        sa.Column("deleted_at", _INSTANT),
        sa.Column("local", sa.LargeBinary, nullable=False),
        sa.Column("base", sa.LargeBinary),
        sa.PrimaryKeyConstraint("rowid", name="pk_objects"),
        _unique("objects", "household", "calendar_id", "href"),
        _unique("objects", "household", "id"),
        _belongs_to("objects", "calendar_id", "calendars"),
        _belongs_to("objects", "upload_id", "uploads"),
    )
    op.create_index("ix_objects_uid", "objects", ["household", "calendar_id", "uid"])
    op.create_index(
        "ix_objects_unpushed", "objects", ["household", "calendar_id"], **_where("push_state != 'clean'")
    )
    op.create_table(
        "components",
        _rowid(),
        _household(),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("location", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("transparent", sa.Boolean, nullable=False),
        sa.Column("recurs", sa.Boolean, nullable=False),
        sa.Column("rrule", sa.Text, nullable=False),
        sa.Column("organizer", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("first_start", sa.BigInteger),
        sa.Column("last_end", sa.BigInteger),
        sa.Column("flags", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_components"),
        _unique("components", "household", "event_id", "key"),
        _belongs_to("components", "event_id", "objects", cascade=True),
    )
    op.create_index(
        "ix_components_series",
        "components",
        ["household", "first_start", "last_end"],
        **_where("recurs = 1", postgresql="recurs = true"),
    )
    op.create_table(
        "origins",
        _rowid(),
        _household(),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("assistant_id", sa.Text, nullable=False),
        sa.Column("authored", sa.JSON, nullable=False),
        sa.Column("reach", sa.Integer, nullable=False),
        sa.Column("made_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_origins"),
        _unique("origins", "household", "event_id"),
        _belongs_to("origins", "assistant_id", "assistants"),
        _belongs_to("origins", "event_id", "objects", cascade=True),
    )
    op.create_table(
        "read_permits",
        _rowid(),
        _household(),
        sa.Column("assistant_id", sa.Text, nullable=False),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("until", _INSTANT, nullable=False),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_read_permits"),
        _unique("read_permits", "household", "assistant_id", "event_id"),
        _belongs_to("read_permits", "assistant_id", "assistants"),
        _belongs_to("read_permits", "event_id", "objects", cascade=True),
    )
    op.create_index("ix_read_permits_event", "read_permits", ["household", "event_id"])
    op.create_table(
        "component_people",
        _rowid(),
        _household(),
        sa.Column("component", sa.Integer, nullable=False),
        sa.Column("member_id", sa.Text),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("partstat", sa.Text, nullable=False),
        sa.Column("organizer", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_component_people"),
        sa.ForeignKeyConstraint(
            ["component"], ["components.rowid"], name="fk_component_people_component", ondelete="CASCADE"
        ),
        _belongs_to("component_people", "member_id", "members"),
    )
    op.create_index("ix_component_people_component", "component_people", ["component"])
    op.create_index("ix_component_people_member", "component_people", ["member_id", "household"])
    op.create_table(
        "occurrences",
        _rowid(),
        _household(),
        sa.Column("component", sa.Integer, nullable=False),
        sa.Column("event_id", sa.Text, nullable=False),
        sa.Column("calendar_id", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("wall_start", sa.Text, nullable=False),
        sa.Column("wall_end", sa.Text, nullable=False),
        sa.Column("tzid", sa.Text),
        sa.Column("utc_start", sa.BigInteger, nullable=False),
        sa.Column("utc_end", sa.BigInteger, nullable=False),
        sa.Column("long", sa.Boolean, nullable=False),
        sa.Column("tzdata", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("rowid", name="pk_occurrences"),
        sa.ForeignKeyConstraint(
            ["component"], ["components.rowid"], name="fk_occurrences_component", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_occurrences_component", "occurrences", ["component"])
    op.create_index("ix_occurrences_event", "occurrences", ["household", "event_id", "key"])
    op.create_index(
        "ix_occurrences_long",
        "occurrences",
        ["household", "utc_end"],
        **_where("long = 1", postgresql="long = true"),
    )
    op.create_index(
        "ix_occurrences_short",
        "occurrences",
        ["household", "utc_start", "utc_end"],
        **_where("long = 0", postgresql="long = false"),
    )
    op.create_table(
        "search_text",
        sa.Column("component", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("location", sa.Text, nullable=False),
        sa.Column("people", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("component", name="pk_search_text"),
        sa.ForeignKeyConstraint(
            ["component"], ["components.rowid"], name="fk_search_text_component", ondelete="CASCADE"
        ),
    )
    dialect_of(op.get_bind()).create_search(op.get_bind())


def _rowid() -> sa.Column[int]:
    return sa.Column("rowid", sa.Integer, nullable=False, autoincrement=True)


def _household() -> sa.Column[int]:
    return sa.Column("household", sa.Integer, nullable=False)


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def _belongs_to(table: str, column: str, referred: str, *, cascade: bool = False) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["household", column],
        [f"{referred}.household", f"{referred}.id"],
        name=f"fk_{table}_household_{column}",
        ondelete="CASCADE" if cascade else None,
    )


def _where(condition: str, *, postgresql: str | None = None) -> dict[str, Any]:
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(postgresql or condition)}

"""What happened and may be taken back: makers, permits, the journal, requests and approvals."""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id
from calward.store.tables.metadata import table

# ``authored`` holds digests of what the assistant wrote; ``reach`` is the level up to which that is still all
# there is: its own level on the calendar holds up to it, the level for others' events beyond.
origins = table(
    "origins",
    rowid(),
    household(),
    text_id("event_id"),
    text_id("assistant_id"),
    sa.Column("authored", sa.JSON, nullable=False),
    sa.Column("reach", sa.Integer, nullable=False),
    sa.Column("made_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "event_id"),
    belongs_to("objects", "event_id", cascade=True),
    belongs_to("assistants", "assistant_id"),
)

read_permits = table(
    "read_permits",
    rowid(),
    household(),
    text_id("assistant_id"),
    text_id("event_id"),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("until", Instant, nullable=False),
    sa.Column("epoch", sa.Text, nullable=False),
    sa.UniqueConstraint("household", "assistant_id", "event_id"),
    belongs_to("assistants", "assistant_id"),
    belongs_to("objects", "event_id", cascade=True),
)

sa.Index("ix_read_permits_event", read_permits.c.household, read_permits.c.event_id)

changes = table(
    "changes",
    rowid(),
    household(),
    text_id(),
    text_id("batch"),
    sa.Column("at", Instant, nullable=False),
    sa.Column("principal_kind", sa.Text, nullable=False),
    text_id("principal_id"),
    sa.Column("principal_name", sa.Text, nullable=False),
    sa.Column("operation", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    text_id("event_id", nullable=True),
    text_id("calendar_id", nullable=True),
    sa.Column("before_digest", sa.Text),
    sa.Column("after_digest", sa.Text),
    sa.Column("facts", sa.JSON, nullable=False),
    text_id("approval_id", nullable=True),
    text_id("undoes", nullable=True),
    sa.Column("previous", sa.Text, nullable=False),
    sa.Column("chain", sa.Text, nullable=False),
    sa.UniqueConstraint("household", "id"),
)
sa.Index("ix_changes_order", changes.c.household, changes.c.rowid)
sa.Index("ix_changes_principal", changes.c.household, changes.c.principal_kind, changes.c.principal_id)
sa.Index("ix_changes_batch", changes.c.household, changes.c.batch)
sa.Index("ix_changes_event", changes.c.household, changes.c.event_id)
sa.Index("ix_changes_undoes", changes.c.household, changes.c.undoes)

change_bytes = table(
    "change_bytes",
    rowid(),
    household(),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("bytes", sa.LargeBinary, nullable=False),
    sa.Column("used_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "digest"),
)

requests = table(
    "requests",
    rowid(),
    household(),
    sa.Column("principal", sa.Text, nullable=False),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("call_digest", sa.Text, nullable=False),
    sa.Column("at", Instant, nullable=False),
    sa.Column("outcome", sa.JSON, nullable=False),
    sa.UniqueConstraint("household", "principal", "request_id"),
)

approvals = table(
    "approvals",
    rowid(),
    household(),
    text_id(),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("operation", sa.Text, nullable=False),
    sa.Column("asked_by_kind", sa.Text, nullable=False),
    text_id("asked_by_id"),
    sa.Column("asked_by_name", sa.Text, nullable=False),
    text_id("member_id"),
    sa.Column("risk", sa.Integer, nullable=False),
    sa.Column("reasons", sa.JSON, nullable=False),
    sa.Column("preview", sa.JSON, nullable=False),
    sa.Column("changes", sa.JSON, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("epoch", sa.Text, nullable=False),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("expires_at", Instant, nullable=False),
    sa.Column("decided_at", Instant),
    text_id("decided_by", nullable=True),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.Column("sameness", sa.Text, nullable=False, server_default=""),
    sa.Column("summary", sa.Text, nullable=False, server_default=""),
    sa.UniqueConstraint("household", "id"),
    belongs_to("members", "member_id"),
)
sa.Index("ix_approvals_state", approvals.c.household, approvals.c.state, approvals.c.expires_at)
sa.Index(
    "uq_approvals_pending_sameness",
    approvals.c.household,
    approvals.c.asked_by_id,
    approvals.c.sameness,
    unique=True,
    sqlite_where=approvals.c.state == "pending",
    postgresql_where=approvals.c.state == "pending",
)

"""What is to happen: due rows, runs, and files on their way in."""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id
from calward.store.tables.metadata import table

due = table(
    "due",
    rowid(),
    household(),
    text_id(),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("fire_at", Instant, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("claimed_by", sa.Text),
    sa.Column("lease_until", Instant),
    sa.Column("last_error", sa.Text),
    sa.Column("made_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "kind", "target"),
)
sa.Index("ix_due_armed", due.c.state, due.c.fire_at)
sa.Index("ix_due_lease", due.c.state, due.c.lease_until)

runs = table(
    "runs",
    rowid(),
    household(),
    text_id(),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("progress", sa.JSON, nullable=False),
    sa.Column("error", sa.Text),
    sa.Column("asked_at", Instant, nullable=False),
    sa.Column("started_at", Instant),
    sa.Column("ended_at", Instant),
    sa.Column("asked_by", sa.Text),
    sa.UniqueConstraint("household", "id"),
)
sa.Index("ix_runs_target", runs.c.household, runs.c.kind, runs.c.target, runs.c.rowid)

uploads = table(
    "uploads",
    rowid(),
    household(),
    text_id(),
    text_id("calendar_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("bytes", sa.LargeBinary, nullable=False),
    sa.Column("problems", sa.JSON, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("made_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "id"),
    belongs_to("calendars", "calendar_id", cascade=True),
)
sa.Index("ix_uploads_digest", uploads.c.household, uploads.c.calendar_id, uploads.c.digest)

"""What a sync left to a person."""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id
from calward.store.tables.metadata import table

conflicts = table(
    "conflicts",
    rowid(),
    household(),
    text_id(),
    text_id("event_id"),
    text_id("calendar_id"),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("resolved_at", Instant),
    sa.Column("ours", sa.LargeBinary, nullable=False),
    sa.Column("base", sa.LargeBinary),
    sa.UniqueConstraint("household", "id"),
    belongs_to("objects", "event_id", cascade=True),
)
sa.Index("ix_conflicts_calendar", conflicts.c.household, conflicts.c.calendar_id)

held = table(
    "held",
    rowid(),
    household(),
    text_id(),
    text_id("calendar_id"),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("hrefs", sa.JSON, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("decided_at", Instant),
    text_id("decided_by", nullable=True),
    sa.UniqueConstraint("household", "id"),
    belongs_to("calendars", "calendar_id", cascade=True),
)
sa.Index("ix_held_calendar", held.c.household, held.c.calendar_id, held.c.state)

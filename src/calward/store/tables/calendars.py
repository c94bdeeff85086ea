"""Accounts, calendars, and what is read from their objects."""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id
from calward.store.tables.metadata import table

accounts = table(
    "accounts",
    rowid(),
    household(),
    text_id(),
    text_id("member_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("username", sa.Text),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("last_error", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("surveyed_at", Instant),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "name"),
    belongs_to("members", "member_id"),
)

secrets = table(
    "secrets",
    rowid(),
    household(),
    text_id("account_id"),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.UniqueConstraint("household", "account_id"),
    belongs_to("accounts", "account_id", cascade=True),
)

calendars = table(
    "calendars",
    rowid(),
    household(),
    text_id(),
    text_id("member_id"),
    text_id("account_id", nullable=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("color", sa.Text),
    sa.Column("offer", sa.Text, nullable=False),
    sa.Column("writable", sa.Boolean, nullable=False),
    sa.Column("href", sa.Text),
    sa.Column("sync_token", sa.Text),
    sa.Column("ctag", sa.Text),
    sa.Column("synced_at", Instant),
    sa.Column("listed_at", Instant),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("alarms", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "name"),
    sa.UniqueConstraint("household", "account_id", "href"),
    belongs_to("members", "member_id"),
    belongs_to("accounts", "account_id"),
)

objects = table(
    "objects",
    rowid(),
    household(),
    text_id(),
    text_id("calendar_id"),
    sa.Column("uid", sa.Text, nullable=False),
    sa.Column("href", sa.Text, nullable=False),
    sa.Column("local_digest", sa.Text, nullable=False),
    sa.Column("meaning", sa.Text, nullable=False),
    sa.Column("base_etag", sa.Text),
    sa.Column("push_state", sa.Text, nullable=False),
    text_id("upload_id", nullable=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    # Last, so that a list of events never walks over bytes to reach a column behind them.
    sa.Column("local", sa.LargeBinary, nullable=False),
    sa.Column("base", sa.LargeBinary),
    sa.Column("sent", sa.Text),
    text_id("moved_to", nullable=True),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "calendar_id", "href"),
    belongs_to("calendars", "calendar_id"),
    belongs_to("uploads", "upload_id"),
)
sa.Index(
    "ix_objects_moved",
    objects.c.household,
    objects.c.moved_to,
    sqlite_where=objects.c.moved_to.is_not(None),
    postgresql_where=objects.c.moved_to.is_not(None),
)
sa.Index("ix_objects_uid", objects.c.household, objects.c.calendar_id, objects.c.uid)
sa.Index(
    "ix_objects_unpushed",
    objects.c.household,
    objects.c.calendar_id,
    sqlite_where=objects.c.push_state != "clean",
    postgresql_where=objects.c.push_state != "clean",
)

components = table(
    "components",
    rowid(),
    household(),
    text_id("event_id"),
    text_id("calendar_id"),
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
    sa.UniqueConstraint("household", "event_id", "key"),
    belongs_to("objects", "event_id", cascade=True),
)
sa.Index(
    "ix_components_series",
    components.c.household,
    components.c.first_start,
    components.c.last_end,
    sqlite_where=components.c.recurs == sa.true(),
    postgresql_where=components.c.recurs == sa.true(),
)

component_people = table(
    "component_people",
    rowid(),
    household(),
    sa.Column("component", sa.Integer, sa.ForeignKey("components.rowid", ondelete="CASCADE"), nullable=False),
    text_id("member_id", nullable=True),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("partstat", sa.Text, nullable=False),
    sa.Column("organizer", sa.Boolean, nullable=False),
    belongs_to("members", "member_id"),
)
sa.Index("ix_component_people_component", component_people.c.component)
# The member first: begun by the household, SQLite would take it to find the people of a component.
sa.Index("ix_component_people_member", component_people.c.member_id, component_people.c.household)

occurrences = table(
    "occurrences",
    rowid(),
    household(),
    sa.Column("component", sa.Integer, sa.ForeignKey("components.rowid", ondelete="CASCADE"), nullable=False),
    text_id("event_id"),
    text_id("calendar_id"),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("wall_start", sa.Text, nullable=False),
    sa.Column("wall_end", sa.Text, nullable=False),
    sa.Column("tzid", sa.Text),
    sa.Column("utc_start", sa.BigInteger, nullable=False),
    sa.Column("utc_end", sa.BigInteger, nullable=False),
    sa.Column("long", sa.Boolean, nullable=False),
    sa.Column("tzdata", sa.Text, nullable=False),
)
sa.Index("ix_occurrences_component", occurrences.c.component)
sa.Index("ix_occurrences_event", occurrences.c.household, occurrences.c.event_id, occurrences.c.key)
sa.Index(
    "ix_occurrences_short",
    occurrences.c.household,
    occurrences.c.utc_start,
    occurrences.c.utc_end,
    sqlite_where=occurrences.c.long == sa.false(),
    postgresql_where=occurrences.c.long == sa.false(),
)
sa.Index(
    "ix_occurrences_long",
    occurrences.c.household,
    occurrences.c.utc_end,
    sqlite_where=occurrences.c.long == sa.true(),
    postgresql_where=occurrences.c.long == sa.true(),
)

search_text = table(
    "search_text",
    sa.Column(
        "component",
        sa.Integer,
        sa.ForeignKey("components.rowid", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("notes", sa.Text, nullable=False),
    sa.Column("location", sa.Text, nullable=False),
    sa.Column("people", sa.Text, nullable=False),
)

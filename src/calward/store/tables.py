"""The tables, as they are after the last migration (a test holds the two equal).

Four groups: who (households … grants), calendars and what is read from them (calendars … search_text), what
happened or will happen (origins … uploads), and what a sync left to a person (conflicts, held). Ids are the
texts of ``calward.model.ids``.
"""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, METADATA, *parts)


# --- who ---------------------------------------------------------------------------------------------------

households = _table(
    "households",
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("epoch", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)

members = _table(
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
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "name"),
)

assistants = _table(
    "assistants",
    rowid(),
    household(),
    text_id(),
    text_id("member_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("revoked_at", Instant),
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

credentials = _table(
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
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("hash"),
    belongs_to("members", "member_id"),
    belongs_to("assistants", "assistant_id"),
)

grants = _table(
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
    sa.UniqueConstraint("household", "assistant_id", "calendar_id"),
    belongs_to("assistants", "assistant_id"),
    belongs_to("calendars", "calendar_id", cascade=True),
)

settings = _table(
    "settings",
    rowid(),
    household(),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("value", sa.JSON, nullable=False),
    sa.UniqueConstraint("household", "name"),
)

# --- calendars, and what is read from them -----------------------------------------------------------------

accounts = _table(
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
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "name"),
    belongs_to("members", "member_id"),
)

secrets = _table(
    "secrets",
    rowid(),
    household(),
    text_id("account_id"),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.UniqueConstraint("household", "account_id"),
    belongs_to("accounts", "account_id", cascade=True),
)

calendars = _table(
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
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "name"),
    sa.UniqueConstraint("household", "account_id", "href"),
    belongs_to("members", "member_id"),
    belongs_to("accounts", "account_id"),
)

objects = _table(
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
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "calendar_id", "href"),
    belongs_to("calendars", "calendar_id"),
    belongs_to("uploads", "upload_id"),
)
sa.Index("ix_objects_uid", objects.c.household, objects.c.calendar_id, objects.c.uid)
sa.Index(
    "ix_objects_unpushed",
    objects.c.household,
    objects.c.calendar_id,
    sqlite_where=objects.c.push_state != "clean",
    postgresql_where=objects.c.push_state != "clean",
)

components = _table(
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

component_people = _table(
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

occurrences = _table(
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

search_text = _table(
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

# --- what happened, and what will ---------------------------------------------------------------------------

# ``authored`` holds digests of what the assistant wrote; ``reach`` is the level up to which that is still all
# there is: its own level on the calendar holds up to it, the level for others' events beyond.
origins = _table(
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

read_permits = _table(
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

changes = _table(
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

change_bytes = _table(
    "change_bytes",
    rowid(),
    household(),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("bytes", sa.LargeBinary, nullable=False),
    sa.Column("used_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "digest"),
)

requests = _table(
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

approvals = _table(
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
    sa.UniqueConstraint("household", "id"),
    belongs_to("members", "member_id"),
)
sa.Index("ix_approvals_state", approvals.c.household, approvals.c.state, approvals.c.expires_at)
sa.Index(
    "uq_approvals_pending_digest",
    approvals.c.household,
    approvals.c.asked_by_id,
    approvals.c.digest,
    unique=True,
    sqlite_where=approvals.c.state == "pending",
    postgresql_where=approvals.c.state == "pending",
)

due = _table(
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

runs = _table(
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

uploads = _table(
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

# --- what a sync could not settle by itself -------------------------------------------------------------------

conflicts = _table(
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

held = _table(
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

"""What happens later: reminders, prompts and their runs, notes with reminders, and what reached whom."""

import sqlalchemy as sa

from calward.store.columns import Instant, belongs_to, household, rowid, text_id
from calward.store.tables.metadata import table

# ``event_id`` and ``uid`` name what a reminder follows, and may outlive it: what is gone is told, not dropped.
reminders = table(
    "reminders",
    rowid(),
    household(),
    text_id(),
    text_id("member_id"),
    sa.Column("made_by_kind", sa.Text, nullable=False),
    text_id("made_by_id"),
    sa.Column("made_by_name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("wanted", sa.Text),
    text_id("event_id", nullable=True),
    sa.Column("uid", sa.Text),
    sa.Column("key", sa.Text),
    sa.Column("starts_at", Instant),
    sa.Column("offset", sa.BigInteger, nullable=False),
    sa.Column("every", sa.Boolean, nullable=False),
    sa.Column("since", Instant, nullable=False),
    sa.Column("fire_at", Instant),
    sa.Column("fired_at", Instant),
    sa.Column("ended_at", Instant),
    sa.Column("reason", sa.Text),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("repeat", sa.Text),
    sa.UniqueConstraint("household", "id"),
    belongs_to("members", "member_id"),
)
sa.Index("ix_reminders_event", reminders.c.household, reminders.c.event_id)
sa.Index("ix_reminders_uid", reminders.c.household, reminders.c.uid)
sa.Index("ix_reminders_state", reminders.c.household, reminders.c.state, reminders.c.fire_at)

prompts = table(
    "prompts",
    rowid(),
    household(),
    sa.Column("number", sa.Integer, nullable=False),
    text_id("member_id"),
    sa.Column("made_by_kind", sa.Text, nullable=False),
    text_id("made_by_id"),
    sa.Column("made_by_name", sa.Text, nullable=False),
    sa.Column("prompt", sa.Text, nullable=False),
    sa.Column("deliver", sa.Text, nullable=False),
    sa.Column("repeat", sa.Text),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("starts_at", Instant, nullable=False),
    sa.Column("fire_at", Instant, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("reason", sa.Text),
    sa.Column("made_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "number"),
    belongs_to("members", "member_id"),
)
sa.Index("ix_prompts_state", prompts.c.household, prompts.c.state, prompts.c.fire_at)

prompt_runs = table(
    "prompt_runs",
    rowid(),
    household(),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("fire_at", Instant, nullable=False),
    sa.Column("started_at", Instant, nullable=False),
    sa.Column("ended_at", Instant),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("result", sa.Text),
    sa.UniqueConstraint("household", "key"),
    sa.ForeignKeyConstraint(["household", "number"], ["prompts.household", "prompts.number"]),
)
sa.Index("ix_prompt_runs_number", prompt_runs.c.household, prompt_runs.c.number)

# A member's folder of notes, as an absolute path; ``problem`` is why it could not be looked through last.
vaults = table(
    "vaults",
    rowid(),
    household(),
    text_id("member_id"),
    sa.Column("root", sa.Text, nullable=False),
    sa.Column("set_at", Instant, nullable=False),
    sa.Column("looked_at", Instant),
    sa.Column("problem", sa.Text),
    sa.UniqueConstraint("household", "member_id"),
    belongs_to("members", "member_id"),
)

# The folders of its member's vault that an assistant reaches.
vault_folders = table(
    "vault_folders",
    rowid(),
    household(),
    text_id("assistant_id"),
    sa.Column("folder", sa.Text, nullable=False),
    sa.UniqueConstraint("household", "assistant_id", "folder"),
    belongs_to("assistants", "assistant_id"),
)

# ``mtime`` in nanoseconds and ``size``: a note that has the same is not read again. ``digest`` is of its start,
# ``word`` what its block asked for when it was read, which ``reminder_id`` came of.
notes = table(
    "notes",
    rowid(),
    household(),
    text_id("member_id"),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("mtime", sa.BigInteger, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("word", sa.Text),
    sa.Column("sent", sa.Boolean, nullable=False),
    text_id("reminder_id", nullable=True),
    sa.Column("problem", sa.Text),
    sa.UniqueConstraint("household", "member_id", "path"),
    belongs_to("members", "member_id"),
    belongs_to("reminders", "reminder_id"),
)
sa.Index("ix_notes_reminder", notes.c.household, notes.c.reminder_id)

# ``shows`` is how much a channel may say; quiet hours are wall-clock times of the member's zone, ``HH:MM``.
channels = table(
    "channels",
    rowid(),
    household(),
    text_id(),
    text_id("member_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.Column("shows", sa.Text, nullable=False),
    sa.Column("quiet_from", sa.Text),
    sa.Column("quiet_until", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "member_id", "name"),
    belongs_to("members", "member_id"),
)

# ``channel`` is a channel's id, or the inbox that everybody has. A key goes to a channel once.
deliveries = table(
    "deliveries",
    rowid(),
    household(),
    text_id(),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("channel", sa.Text, nullable=False),
    text_id("member_id"),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("body", sa.JSON, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("last_error", sa.Text),
    sa.Column("made_at", Instant, nullable=False),
    sa.Column("ended_at", Instant),
    sa.UniqueConstraint("household", "id"),
    sa.UniqueConstraint("household", "key", "channel"),
    belongs_to("members", "member_id"),
)
sa.Index("ix_deliveries_inbox", deliveries.c.household, deliveries.c.member_id, deliveries.c.channel)

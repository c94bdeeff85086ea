"""The tables, as they are after the last migration (a test holds the two equal).

Ids are the texts of ``calward.model.ids``.
"""

from calward.store.tables.calendars import (
    accounts,
    calendars,
    component_people,
    components,
    objects,
    occurrences,
    search_text,
    secrets,
)
from calward.store.tables.history import approvals, change_bytes, changes, origins, read_permits, requests
from calward.store.tables.later import (
    channels,
    deliveries,
    notes,
    prompt_runs,
    prompts,
    reminders,
    vault_folders,
    vaults,
)
from calward.store.tables.left_over import conflicts, held
from calward.store.tables.metadata import METADATA
from calward.store.tables.who import (
    assistants,
    credentials,
    grants,
    households,
    members,
    settings,
    shares,
    tries,
)
from calward.store.tables.work import due, runs, uploads

__all__ = [
    "METADATA",
    "accounts",
    "approvals",
    "assistants",
    "calendars",
    "change_bytes",
    "changes",
    "channels",
    "component_people",
    "components",
    "conflicts",
    "credentials",
    "deliveries",
    "due",
    "grants",
    "held",
    "households",
    "members",
    "notes",
    "objects",
    "occurrences",
    "origins",
    "prompt_runs",
    "prompts",
    "read_permits",
    "reminders",
    "requests",
    "runs",
    "search_text",
    "secrets",
    "settings",
    "shares",
    "tries",
    "uploads",
    "vault_folders",
    "vaults",
]

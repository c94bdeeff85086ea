"""Assistants and what they are granted, calendar by calendar."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.grant import WRITES_AN_HOUR
from calward.model.ids import AssistantId, CalendarId, HouseholdId, MemberId
from calward.store.databases import dialect_of
from calward.store.rows import columns_of, values_of
from calward.store.tables import assistants, credentials, grants


@dataclass(frozen=True, slots=True)
class AssistantRow:
    """One assistant, which acts for one member. Among those not revoked, names differ."""

    id: AssistantId
    member_id: MemberId
    name: str
    created_at: datetime
    revoked_at: datetime | None = None
    read_only: bool = False
    writes_an_hour: int = WRITES_AN_HOUR


@dataclass(frozen=True, slots=True)
class GrantRow:
    """What one assistant may do in one calendar: two levels to read by, and a word for each kind of write."""

    assistant_id: AssistantId
    calendar_id: CalendarId
    own_level: int
    others_level: int
    read_private: str
    create: str
    own_update: str
    own_delete: str
    others_update: str
    others_delete: str
    invite: str
    changed_at: datetime
    invite_list: list[str] = field(default_factory=list)


def insert_assistant(connection: Connection, household: HouseholdId, assistant: AssistantRow) -> None:
    """Add one. Raises sqlalchemy's IntegrityError where a live one has the name; see ``assistant_named``."""
    connection.execute(assistants.insert(), values_of(household, assistant))


def get_assistant(
    connection: Connection, household: HouseholdId, assistant: AssistantId
) -> AssistantRow | None:
    """One assistant by id, revoked or not."""
    query = sa.select(*columns_of(AssistantRow, assistants)).where(
        assistants.c.household == household, assistants.c.id == assistant
    )
    row = connection.execute(query).first()
    return AssistantRow(*row) if row else None


def assistant_named(connection: Connection, household: HouseholdId, name: str) -> AssistantRow | None:
    """The live assistant of this name."""
    query = sa.select(*columns_of(AssistantRow, assistants)).where(
        assistants.c.household == household, assistants.c.name == name, assistants.c.revoked_at.is_(None)
    )
    row = connection.execute(query).first()
    return AssistantRow(*row) if row else None


def list_assistants(connection: Connection, household: HouseholdId) -> list[AssistantRow]:
    """All of them, revoked ones too, in the order they were added."""
    return [AssistantRow(*row) for row in connection.execute(_ASSISTANTS, {"household": household})]


def revoke_assistant(
    connection: Connection, household: HouseholdId, assistant: AssistantId, at: datetime
) -> bool:
    """End an assistant and every credential of it; False where it was not live."""
    revoked = connection.execute(
        assistants.update().where(
            assistants.c.household == household,
            assistants.c.id == assistant,
            assistants.c.revoked_at.is_(None),
        ),
        {"revoked_at": at},
    )
    connection.execute(
        credentials.update().where(
            credentials.c.household == household,
            credentials.c.assistant_id == assistant,
            credentials.c.revoked_at.is_(None),
        ),
        {"revoked_at": at},
    )
    return revoked.rowcount == 1


def set_limits(
    connection: Connection,
    household: HouseholdId,
    assistant: AssistantId,
    *,
    read_only: bool,
    writes_an_hour: int,
) -> None:
    """What holds for an assistant on every calendar."""
    connection.execute(
        assistants.update().where(assistants.c.household == household, assistants.c.id == assistant),
        {"read_only": read_only, "writes_an_hour": writes_an_hour},
    )


def set_grant(connection: Connection, household: HouseholdId, grant: GrantRow) -> None:
    """Grant this and no more; what was granted before for the same calendar is replaced."""
    row = values_of(household, grant)
    unique = ("household", "assistant_id", "calendar_id")
    upsert = dialect_of(connection).upsert
    connection.execute(upsert(grants, unique=unique, update=[name for name in row if name not in unique]), row)


def grants_of(connection: Connection, household: HouseholdId, assistant: AssistantId) -> list[GrantRow]:
    """What an assistant is granted; a calendar that is not among them is granted not at all."""
    found = connection.execute(_GRANTS, {"household": household, "assistant": assistant})
    return [GrantRow(*row) for row in found]


# Asked by every call, so they are put together once.
_ASSISTANTS = (
    sa.select(*columns_of(AssistantRow, assistants))
    .where(assistants.c.household == sa.bindparam("household"))
    .order_by(assistants.c.rowid)
)
_GRANTS = (
    sa.select(*columns_of(GrantRow, grants))
    .where(grants.c.household == sa.bindparam("household"), grants.c.assistant_id == sa.bindparam("assistant"))
    .order_by(grants.c.rowid)
)

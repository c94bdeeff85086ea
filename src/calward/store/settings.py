"""What a household has set, by name."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId
from calward.store.databases import dialect_of
from calward.store.tables import settings


def get_setting(connection: Connection, household: HouseholdId, name: str) -> Any:
    """The value, a plain JSON one; None where it was never set."""
    return connection.scalar(_VALUE, {"household": household, "name": name})


def set_setting(connection: Connection, household: HouseholdId, name: str, value: Any) -> None:
    """Set it, whatever it was."""
    upsert = dialect_of(connection).upsert(settings, unique=("household", "name"), update=("value",))
    connection.execute(upsert, {"household": household, "name": name, "value": value})


_VALUE = sa.select(settings.c.value).where(
    settings.c.household == sa.bindparam("household"), settings.c.name == sa.bindparam("name")
)

"""Sessions and tokens. Only a hash of what the holder shows is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AssistantId, HouseholdId, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import credentials


@dataclass(frozen=True, slots=True)
class CredentialRow:
    """One session or token, of a member or of an assistant that acts for the member."""

    id: str
    kind: str
    hash: str
    member_id: MemberId
    assistant_id: AssistantId | None
    epoch: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


def insert_credential(connection: Connection, household: HouseholdId, credential: CredentialRow) -> None:
    """Add one."""
    connection.execute(credentials.insert(), values_of(household, credential))


def live_credential(
    connection: Connection, shown_hash: str, *, at: datetime, epoch: str
) -> tuple[HouseholdId, CredentialRow] | None:
    """The credential of this hash and the household it opens, if it counts at this moment.

    None where it is unknown, expired, revoked or from another epoch: the four look alike on purpose. It takes
    no household, since this is how a caller's household is found.
    """
    query = sa.select(credentials.c.household, *columns_of(CredentialRow, credentials)).where(
        credentials.c.hash == shown_hash,
        credentials.c.epoch == epoch,
        credentials.c.revoked_at.is_(None),
        sa.or_(credentials.c.expires_at.is_(None), credentials.c.expires_at > at),
    )
    row = connection.execute(query).first()
    return (row[0], CredentialRow(*row[1:])) if row else None


def list_credentials(connection: Connection, household: HouseholdId) -> list[CredentialRow]:
    """All of them, dead ones too, in the order they were made."""
    query = (
        sa.select(*columns_of(CredentialRow, credentials))
        .where(credentials.c.household == household)
        .order_by(credentials.c.rowid)
    )
    return [CredentialRow(*row) for row in connection.execute(query)]


def revoke_credential(connection: Connection, household: HouseholdId, credential: str, at: datetime) -> bool:
    """End one; False where it was not live."""
    result = connection.execute(
        credentials.update().where(
            credentials.c.household == household,
            credentials.c.id == credential,
            credentials.c.revoked_at.is_(None),
        ),
        {"revoked_at": at},
    )
    return result.rowcount == 1

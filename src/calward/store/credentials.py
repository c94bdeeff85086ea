"""Ways in: tokens, sessions, one-time codes, doors on this machine. Only a hash of what is shown is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import AssistantId, HouseholdId, MemberId
from calward.store.rows import columns_of, values_of
from calward.store.tables import credentials

TOKEN, SESSION, CODE, HERE = "token", "session", "code", "here"
"""The kinds. ``HERE`` is a program of this machine that speaks as an assistant: it shows nothing, so its hash
is none."""


@dataclass(frozen=True, slots=True)
class CredentialRow:
    """One way in, of a member or of an assistant that acts for them. ``scope`` None is all they may do."""

    id: str
    kind: str
    hash: str
    member_id: MemberId
    assistant_id: AssistantId | None
    epoch: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    scope: str | None = None


def insert_credential(connection: Connection, household: HouseholdId, credential: CredentialRow) -> None:
    """Add one."""
    connection.execute(credentials.insert(), values_of(household, credential))


def live_credential(
    connection: Connection, shown_hash: str, kind: str, *, at: datetime, epoch: str
) -> tuple[HouseholdId, CredentialRow] | None:
    """The credential of this hash and kind and the household it opens, if it counts at this moment.

    None where it is unknown, expired, revoked or from another epoch: the four look alike on purpose. It takes
    no household, since this is how a caller's household is found.
    """
    query = sa.select(credentials.c.household, *columns_of(CredentialRow, credentials)).where(
        credentials.c.hash == shown_hash,
        credentials.c.kind == kind,
        credentials.c.epoch == epoch,
        credentials.c.revoked_at.is_(None),
        sa.or_(credentials.c.expires_at.is_(None), credentials.c.expires_at > at),
    )
    row = connection.execute(query).first()
    return (row[0], CredentialRow(*row[1:])) if row else None


def list_credentials(connection: Connection, household: HouseholdId, kind: str) -> list[CredentialRow]:
    """All of a kind, dead ones too, in the order they were made."""
    query = (
        sa.select(*columns_of(CredentialRow, credentials))
        .where(credentials.c.household == household, credentials.c.kind == kind)
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


def revoke_kind_of(
    connection: Connection, household: HouseholdId, member: MemberId, kinds: tuple[str, ...], at: datetime
) -> None:
    """End every live credential of these kinds that a member has, those of the member's assistants too."""
    connection.execute(
        credentials.update().where(
            credentials.c.household == household,
            credentials.c.member_id == member,
            credentials.c.kind.in_(kinds),
            credentials.c.revoked_at.is_(None),
        ),
        {"revoked_at": at},
    )


def has_live(connection: Connection, household: HouseholdId, kind: str) -> bool:
    """Whether there is one of a kind that was not revoked."""
    query = sa.select(
        sa.exists().where(
            credentials.c.household == household,
            credentials.c.kind == kind,
            credentials.c.revoked_at.is_(None),
        )
    )
    return bool(connection.execute(query).scalar())


def has_any_of(connection: Connection, household: HouseholdId, assistant: AssistantId, epoch: str) -> bool:
    """Whether an assistant was given any in an epoch, whatever became of it."""
    query = sa.select(
        sa.exists().where(
            credentials.c.household == household,
            credentials.c.assistant_id == assistant,
            credentials.c.epoch == epoch,
        )
    )
    return bool(connection.execute(query).scalar())

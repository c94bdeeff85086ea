"""Who tries to get in, and how often: the rows behind ``operations.entrance``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from calward.model.ids import AssistantId, HouseholdId, MemberId
from calward.model.principal import Assistant, Person
from calward.store import credentials, people, tries
from calward.store.credentials import CODE, HERE
from calward.store.people import MemberRow


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` tries under one key within a stretch of time. ``kind`` keeps keys of different kinds
    apart (a name, an address). A try that was right clears the key if ``clears`` is set; else it only takes
    itself back, since others may be guessing from the same place."""

    kind: str
    most: int
    within: timedelta
    clears: bool = True


Tries = Sequence[tuple[Limit, str]]


def count(conn: Connection, household: HouseholdId, asked: Tries, now: datetime) -> datetime | None:
    """Count one try under each key; where one of them had too many, from when on it may be tried again."""
    waits = [
        tries.count_try(conn, household, _key(limit, key), now, most=limit.most, within=limit.within)
        for limit, key in asked
    ]
    return max((until for until in waits if until is not None), default=None)


def forget(conn: Connection, household: HouseholdId, asked: Tries) -> None:
    """A try that was right is not counted."""
    for limit, key in asked:
        undo = tries.forget_tries if limit.clears else tries.take_back_try
        undo(conn, household, _key(limit, key))


def member_called(conn: Connection, household: HouseholdId, called: str) -> MemberRow | None:
    """The member of a name or e-mail address, letter case aside; none where two answer to it."""
    rows = people.list_members(conn, household)
    found = [row for row in rows if called == row.name.casefold()]
    found = found or [row for row in rows if called in row.addresses]
    return found[0] if len(found) == 1 else None


def is_taken(conn: Connection, household: HouseholdId, name: str, *, but: MemberId) -> bool:
    """Whether another member answers to a name."""
    rows = people.list_members(conn, household)
    return any(row.name.casefold() == name.casefold() for row in rows if row.id != but)


def password_of(conn: Connection, person: Person) -> str | None:
    """What is kept of a member's password."""
    row = people.get_member(conn, person.household, person.member)
    return row.password_hash if row else None


@dataclass(frozen=True, slots=True)
class Code:
    """A live one-time code: its id, and the member it is for."""

    id: str
    member: MemberRow


def code_of(conn: Connection, kept: str, now: datetime, epoch: str) -> Code | None:
    """The live code of this hash."""
    found = credentials.live_credential(conn, kept, CODE, at=now, epoch=epoch)
    row = people.get_member(conn, found[0], found[1].member_id) if found else None
    return Code(found[1].id, row) if found and row else None


def use_up(conn: Connection, household: HouseholdId, code: Code, now: datetime) -> bool:
    """Use a code up; False where somebody else just did."""
    return credentials.revoke_credential(conn, household, code.id, now)


def end_codes(conn: Connection, person: Person, now: datetime) -> None:
    """No code made before opens anything for this member."""
    credentials.revoke_kind_of(conn, person.household, person.member, (CODE,), now)


def is_bound(conn: Connection, household: HouseholdId, assistant: AssistantId | None = None) -> bool:
    """Whether a program of this machine speaks as an assistant, or as this one."""
    if assistant is None:
        return credentials.has_live(conn, household, HERE)
    rows = credentials.list_credentials(conn, household, HERE)
    return any(row.assistant_id == assistant and row.revoked_at is None for row in rows)


def is_confirmed(conn: Connection, assistant: Assistant, epoch: str) -> bool:
    """Whether a person let this assistant in since the store was last put back from a copy: by adding it, by
    making it a token, by confirming it."""
    household = people.get_household(conn, assistant.household)
    if household is not None and household.epoch == epoch:
        return True
    return credentials.has_any_of(conn, assistant.household, assistant.assistant, epoch)


def zone(conn: Connection, household: HouseholdId) -> ZoneInfo:
    row = people.get_household(conn, household)
    return ZoneInfo(row.zone if row else "UTC")


def _key(limit: Limit, key: str) -> str:
    return f"{limit.kind} {key}"

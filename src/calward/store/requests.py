"""Requests that named themselves: the same principal and id answer the first outcome."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.ids import HouseholdId
from calward.store.rows import columns_of, values_of
from calward.store.tables import requests


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One answered request; ``call_digest`` names the call, so that an id used for another call shows."""

    principal: str
    request_id: str
    call_digest: str
    at: datetime
    outcome: Any


def get_request(
    connection: Connection, household: HouseholdId, principal: str, request_id: str, *, since: datetime
) -> RequestRow | None:
    """What was answered to this id at or after ``since``."""
    query = sa.select(*columns_of(RequestRow, requests)).where(
        requests.c.household == household,
        requests.c.principal == principal,
        requests.c.request_id == request_id,
        requests.c.at >= since,
    )
    row = connection.execute(query).first()
    return RequestRow(*row) if row else None


def record_request(
    connection: Connection, household: HouseholdId, request: RequestRow, *, since: datetime
) -> bool:
    """Remember an answer; False where another call answered this id at or after ``since``."""
    connection.execute(
        requests.delete().where(
            requests.c.household == household,
            requests.c.principal == request.principal,
            requests.c.request_id == request.request_id,
            requests.c.at < since,
        )
    )
    # Asked first: a refused insert would leave PostgreSQL's whole transaction broken.
    if get_request(connection, household, request.principal, request.request_id, since=since):
        return False
    connection.execute(requests.insert(), values_of(household, request))
    return True


def forget_request(connection: Connection, household: HouseholdId, principal: str, request_id: str) -> None:
    """Answer this id no more."""
    connection.execute(
        requests.delete().where(
            requests.c.household == household,
            requests.c.principal == principal,
            requests.c.request_id == request_id,
        )
    )


def prune_requests(connection: Connection, household: HouseholdId, before: datetime) -> int:
    """Forget the answers given before this moment. Returns how many they were."""
    result = connection.execute(
        requests.delete().where(requests.c.household == household, requests.c.at < before)
    )
    return result.rowcount

"""Retries without harm: the same request answers its first outcome, an identical creation its first event."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection

from calward.errors import InvalidInput
from calward.model.ids import ApprovalId, EventId
from calward.model.principal import Principal
from calward.operations.changes import canonical
from calward.operations.operation import Operation
from calward.operations.shapes import Answer, Written
from calward.store import objects
from calward.store import requests as rows
from calward.store.requests import RequestRow

KEPT = timedelta(hours=24)
TWINS = timedelta(minutes=2)
"""How long an identical creation without a request_id counts as the same."""


@dataclass(frozen=True, slots=True)
class Request:
    """``name`` is the caller's request_id, or stands for the call itself; ``lasts`` is how long it counts."""

    name: str
    digest: str
    lasts: timedelta
    twin: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    answer: Answer
    pending: ApprovalId | None


def named(operation: Operation, arguments: Mapping[str, Any]) -> Request | None:
    """The request a caller named, if it did."""
    name = arguments.get("request_id")
    if not name or not operation.writes:
        return None
    call = {"operation": operation.name, "arguments": _plain(operation, arguments)}
    return Request(f"named:{name}", hashlib.sha256(canonical(call)).hexdigest(), KEPT)


def twin(operation: Operation, once: str | None) -> Request | None:
    """The request that an identical call within two minutes would be."""
    return Request(f"twin:{operation.name}:{once}", once, TWINS, twin=True) if once else None


def recall(
    conn: Connection, principal: Principal, operation: Operation, request: Request | None, now: datetime
) -> Kept | None:
    """The first outcome of a request. Raises ``InvalidInput`` where the id was used for another call.

    A creation that was taken back since has no twin: what is asked for is not there.
    """
    if request is None:
        return None
    row = rows.get_request(conn, principal.household, _who(principal), request.name, since=now - request.lasts)
    if row is None:
        return None
    if row.call_digest != request.digest:
        raise InvalidInput("request_id: it was used for another call within the last day; use a new one.")
    if request.twin and (event := row.outcome["event"]) is not None:
        made = objects.get_object(conn, principal.household, event)
        if made is None or made.deleted_at is not None:
            rows.forget_request(conn, principal.household, _who(principal), request.name)
            return None
    answer = operation.output.model_validate(row.outcome["answer"])
    if request.twin and isinstance(answer, Written) and answer.status == "done":
        answer = answer.model_copy(update={"status": "already_created"})
    return Kept(answer, row.outcome["pending"])


def remember(
    conn: Connection,
    principal: Principal,
    request: Request | None,
    answer: Answer,
    pending: ApprovalId | None,
    now: datetime,
    *,
    made: EventId | None = None,
) -> None:
    """Keep the outcome of a request, in the transaction that brought it about; ``made``: the event it made."""
    if request is None:
        return
    outcome = {"answer": answer.model_dump(mode="json"), "pending": pending, "event": made}
    row = RequestRow(_who(principal), request.name, request.digest, now, outcome)
    rows.record_request(conn, principal.household, row, since=now - request.lasts)


def _who(principal: Principal) -> str:
    return f"{principal.kind}:{principal.id}"


def _plain(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What tells one call from another. A secret does not: its digest would be a hint."""
    fields = operation.input.model_fields
    secret = {name for name, field in fields.items() if field.annotation is SecretStr}
    return {name: value for name, value in arguments.items() if name != "request_id" and name not in secret}

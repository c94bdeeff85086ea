"""The shapes that go in and out of operations: pydantic at the edge, nothing unknown let through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict


class Arguments(BaseModel):
    """The input of an operation. An unknown argument is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    carries_bytes: ClassVar[frozenset[str]] = frozenset()
    """Arguments that may hold bytes which are no UTF-8, as surrogate escapes (PEP 383)."""


class Answer(BaseModel):
    """The output of an operation, or a part of one."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Waiting(Answer):
    """A request that waits for a person. The id opens nothing; it only lets one ask what became of it."""

    id: str
    message: str
    expires_at: str


class Written(Answer):
    """What every operation that changes something answers with; subclasses add what was made of it."""

    status: Literal["done", "already_created", "pending_approval"] = "done"
    change: str | None = None
    approval: Waiting | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What applying one change gave, for answers that can only be worded afterwards."""

    facts: Mapping[str, Any] = field(default_factory=dict)

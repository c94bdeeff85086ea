"""Errors as the doors give them: one table from code to HTTP status and exit code, and nothing internal.

Every door answers with ``{code, message, retryable}``. What was not foreseen is ``internal``: the caller learns
nothing of it, and the log gets its type and where it came from, never its text, which could hold an event's.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any

from calward.errors import CalwardError

INTERNAL = "internal"
INTERNAL_MESSAGE = (
    "Something went wrong inside Calward, and it was logged. Look whether anything was changed before "
    "trying again."
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a code is outside: a status over HTTP, an exit code of the command line."""

    status: HTTPStatus
    exit_code: int


MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        INTERNAL: Meaning(HTTPStatus.INTERNAL_SERVER_ERROR, 1),
        "error": Meaning(HTTPStatus.INTERNAL_SERVER_ERROR, 1),
        "invalid_input": Meaning(HTTPStatus.BAD_REQUEST, 2),
        "scope_needed": Meaning(HTTPStatus.BAD_REQUEST, 2),
        "too_much": Meaning(HTTPStatus.BAD_REQUEST, 2),
        "too_large": Meaning(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, 2),
        "not_found": Meaning(HTTPStatus.NOT_FOUND, 3),
        "not_signed_in": Meaning(HTTPStatus.UNAUTHORIZED, 4),
        "not_allowed": Meaning(HTTPStatus.FORBIDDEN, 4),
        "not_fresh": Meaning(HTTPStatus.FORBIDDEN, 4),
        "too_many_tries": Meaning(HTTPStatus.TOO_MANY_REQUESTS, 4),
        "too_fast": Meaning(HTTPStatus.TOO_MANY_REQUESTS, 7),
        "unsupported": Meaning(HTTPStatus.UNPROCESSABLE_ENTITY, 5),
        "conflict": Meaning(HTTPStatus.CONFLICT, 6),
        "stale": Meaning(HTTPStatus.CONFLICT, 6),
        "busy": Meaning(HTTPStatus.SERVICE_UNAVAILABLE, 7),
        "store_error": Meaning(HTTPStatus.SERVICE_UNAVAILABLE, 8),
        "settings_error": Meaning(HTTPStatus.INTERNAL_SERVER_ERROR, 8),
        # Not 502: nothing is wrong here, and often it was the caller who named that server.
        "remote_error": Meaning(HTTPStatus.FAILED_DEPENDENCY, 9),
    }
)
"""By code; a code that is not listed means what its nearest listed ancestor in the tree of errors means."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as a caller gets it."""

    code: str
    message: str
    retryable: bool
    meaning: Meaning

    @property
    def body(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "retryable": self.retryable}


def failure_of(error: BaseException) -> Failure:
    """What a caller gets of any error; one that was not foreseen is written to the log on the way."""
    if isinstance(error, CalwardError):
        return Failure(error.code, error.message, error.retryable, _meaning(type(error)))
    print(f"calward: internal error: {trace(error)}", file=sys.stderr, flush=True)
    return Failure(INTERNAL, INTERNAL_MESSAGE, False, MEANINGS[INTERNAL])


def trace(error: BaseException) -> str:
    """The types of an error and of what caused it, and the lines it came through: no text, no values."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    cause = error.__cause__ or error.__context__
    because = f"; after {trace(cause)}" if cause is not None else ""
    return f"{type(error).__name__} at {places or 'no place'}{because}"


def _meaning(kind: type[CalwardError]) -> Meaning:
    codes = (ancestor.code for ancestor in kind.__mro__ if issubclass(ancestor, CalwardError))
    return next(MEANINGS[code] for code in codes if code in MEANINGS)

"""How a failure looks over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import JSONResponse

from calward.faces.failures import Failure

CHALLENGE = {"WWW-Authenticate": "Bearer"}
"""What a 401 has to name (RFC 9110 §11.6.1, RFC 6750 §3)."""


def refusal(
    failure: Failure, status: HTTPStatus | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """``{"error": {code, message, retryable}}`` under the status of its code, or another that says more."""
    chosen = status or failure.meaning.status
    challenge = CHALLENGE if chosen is HTTPStatus.UNAUTHORIZED else {}
    return JSONResponse({"error": failure.body}, chosen, {**challenge, **(headers or {})})

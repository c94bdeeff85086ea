"""The body of a request: its type, its size, then strict JSON."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import Request

from calward.errors import CalwardError, InvalidInput
from calward.faces.strict_json import MAX_BYTES, too_large


class NotJson(InvalidInput):
    """The body says itself that it is something else than JSON."""


def status_of(error: CalwardError) -> HTTPStatus | None:
    """The status that says more than the code's own, where there is one."""
    return HTTPStatus.UNSUPPORTED_MEDIA_TYPE if isinstance(error, NotJson) else None


async def read_body(request: Request) -> bytes:
    """At most ``MAX_BYTES``; no more than that is taken in.

    Raises ``NotJson`` for another type or an encoding, ``TooLarge``, and ``InvalidInput`` where it breaks off.
    """
    _check_type(request.headers)
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_BYTES:
        raise too_large()
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise too_large()
    return bytes(body)


def _check_type(headers: Headers) -> None:
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    kind, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().replace('"', "")
    if not empty and (kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8")):
        raise NotJson("Send the arguments as JSON, with the header Content-Type: application/json.")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise NotJson("Send the body as it is, without a Content-Encoding.")

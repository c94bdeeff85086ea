"""What a form sends, and whether it is one of ours (CSRF).

Three things have to hold: the browser says that the form came from this very server, the session's cookie is
there, and the form holds a token that only a page of that session has shown.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import Request

from calward.errors import InvalidInput, NotAllowed, TooLarge

MAX_BYTES = 16 * 1024
MAX_FIELDS = 20
TYPE = "application/x-www-form-urlencoded"
FOREIGN = "This form did not come from a page of this server. Open the page again and send it from there."


async def read_form(request: Request) -> Mapping[str, str]:
    """The fields of a form, each there once. Raises ``NotAllowed`` for a form from anywhere else."""
    check_from_here(request.headers)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != TYPE:
        raise InvalidInput("Send the form as a browser does.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise TooLarge(f"The form is larger than {MAX_BYTES // 1024} KiB.")
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict"
        )
    except ValueError:
        raise InvalidInput("The form cannot be read.") from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise InvalidInput("The form says one thing twice.")
    return fields


def check_from_here(headers: Headers) -> None:
    """Raises ``NotAllowed`` where the browser does not say that its page is of the same origin.

    ``Origin`` was compared with this server's names when the request came in (``faces.http.hosts``), so that it
    is there is enough. A program that sends neither has no cookie that a page could abuse, and no business
    with forms.
    """
    site = headers.get("sec-fetch-site")
    if site not in (None, "same-origin") or (site is None and "origin" not in headers):
        raise NotAllowed(FOREIGN)


def token_for(shown: str) -> str:
    """What the forms of a session hold; it tells nothing about the session's cookie."""
    return hashlib.sha256(b"form " + shown.encode("utf-8", "surrogatepass")).hexdigest()


def check_token(fields: Mapping[str, str], shown: str) -> None:
    """Raises ``NotAllowed`` for a form that no page of this session has shown."""
    given = fields.get("token", "").encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(given, token_for(shown).encode()):
        raise NotAllowed(FOREIGN)

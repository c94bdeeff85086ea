"""A program of the person's own: JSON over POST, signed as Standard Webhooks 1.0 says (standardwebhooks.com).

``webhook-id`` is the message's key, the same at every try. The body is
``{"type": kind, "timestamp": ISO 8601 in UTC, "data": {…}}``.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from calward.model.secret import Secret
from calward.notify.channel import Address, Message, NotDelivered, Refused

Post = Callable[[str, Sequence[tuple[str, str]], bytes], int]
"""``post(url, headers, body)`` gives the status of the answer to a request, or raises ``RemoteError``."""
GONE = 410
"""The receiver is shut for good (Standard Webhooks, "Operational considerations")."""
SECRET_PREFIX = "whsec_"


def signing_secret(chance: str) -> Secret:
    """The secret that both sides know, of a fresh token: 32 bytes in base64 after the standard's prefix."""
    return Secret(SECRET_PREFIX + base64.b64encode(hashlib.sha256(chance.encode()).digest()).decode("ascii"))


class Webhook:
    """``now`` is the moment that goes into the signature: receivers refuse what is too old."""

    def __init__(self, address: Address, post: Post, now: Callable[[], datetime]) -> None:
        self._address = address
        self._post = post
        self._now = now

    def send(self, message: Message) -> None:
        from standardwebhooks import Webhook as Signer  # few processes sign

        now = self._now().astimezone(UTC)
        body = json.dumps(
            {
                "type": f"calward.{message.kind}",
                "timestamp": now.isoformat(timespec="seconds"),
                "data": {"title": message.title, "text": message.text, **message.facts},
            }
        )
        headers = (
            ("Content-Type", "application/json"),
            ("webhook-id", message.key),
            ("webhook-timestamp", str(int(now.timestamp()))),
            ("webhook-signature", Signer(self._address.signing).sign(message.key, now, body)),
        )
        status = self._post(self._address.url, headers, body.encode())
        if status == GONE:
            raise Refused("The webhook says that it is gone for good (410). Remove it, or set another address.")
        if not 200 <= status < 300:
            raise NotDelivered(f"The webhook answered with status {status}.")

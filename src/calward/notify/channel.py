"""What is sent to a channel, where that is, and what a channel can do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from calward.errors import RemoteError
from calward.model.secret import Secret

APPRISE, WEBHOOK = "apprise", "webhook"
"""The kinds there are."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a channel may say, cut already. ``key`` names it for ever: whoever gets two of one key has seen it
    before. ``facts`` are plain JSON values for programs."""

    key: str
    kind: str
    title: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a channel leads: all of it is secret. ``signing`` is what a webhook's messages are signed with,
    empty for others; ``local_network``: a person said that it may lead to the local network."""

    url: str
    signing: str = ""
    local_network: bool = False

    def sealable(self) -> Secret:
        """In one secret; ``address_of`` is its inverse."""
        return Secret(json.dumps(asdict(self)))


def address_of(secret: Secret) -> Address:
    return Address(**json.loads(secret.reveal()))


class Channel(Protocol):
    """Sends one message at a time. Safe to make anew for each."""

    def send(self, message: Message) -> None:
        """Raises ``NotDelivered``, ``Refused`` and other ``RemoteError``."""


class NotDelivered(RemoteError):
    """A message did not reach a channel; it is tried again."""

    code = "not_delivered"


class Refused(RemoteError):
    """A channel does not want messages any more; it is not tried again."""

    code = "channel_refused"
    retryable = False

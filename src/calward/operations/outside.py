"""What an operation reaches outside of the store: a calendar server to look at, a key that seals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calward.dav.discovery import Discovery
from calward.errors import Unsupported
from calward.model.ids import AccountId
from calward.model.secret import Secret


@dataclass(frozen=True, slots=True)
class SignIn:
    """Where to look for calendars, and as whom."""

    url: str
    username: str
    password: Secret
    insecure_http: bool = False
    local_network: bool = False


@dataclass(frozen=True, slots=True)
class FeedAddress:
    """Where a feed is. ``address`` may let whoever has it read the calendar, and so is a secret."""

    address: Secret
    insecure_http: bool = False
    local_network: bool = False


@dataclass(frozen=True, slots=True)
class FoundFeed:
    """What a feed holds now; ``name`` is what it calls itself, empty where it does not."""

    name: str
    events: int


def _no_feeds(_: FeedAddress) -> FoundFeed:
    raise Unsupported("Nothing outside can be reached from here.")


@dataclass(frozen=True, slots=True)
class WantedChannel:
    """Where a channel is to lead; ``kind`` is apprise or webhook."""

    kind: str
    url: Secret
    local_network: bool


@dataclass(frozen=True, slots=True)
class MadeChannel:
    """``address`` is all that is to be sealed; ``signing`` is what a webhook's messages are signed with."""

    address: Secret
    signing: Secret | None


def _no_channels(_: WantedChannel) -> MadeChannel:
    raise Unsupported("Nothing outside can be reached from here.")


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret that only the key of this name opens, and only for the account it was sealed for."""

    text: str
    key_id: str


@dataclass(frozen=True, slots=True)
class Outside:
    """``discover`` and ``read_feed`` take ten seconds at most and raise ``RemoteError``; ``seal`` raises
    ``SettingsError`` where there is no key to use."""

    discover: Callable[[SignIn], Discovery]
    seal: Callable[[AccountId, Secret], Sealed]
    read_feed: Callable[[FeedAddress], FoundFeed] = _no_feeds
    make_channel: Callable[[WantedChannel], MadeChannel] = _no_channels
    """Raises ``InvalidInput`` for an address that nothing can be sent to; sends nothing."""

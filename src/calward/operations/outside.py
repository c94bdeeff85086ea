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

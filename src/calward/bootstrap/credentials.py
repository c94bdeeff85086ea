"""Accounts and their passwords on this machine: the key that seals, remotes that are signed in, discovery."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from calward.dav.discovery import Discovery, discover
from calward.dav.errors import TimedOut
from calward.dav.quirks import Capabilities, capabilities_of
from calward.dav.status import host_of
from calward.errors import SettingsError
from calward.model.ids import AccountId
from calward.model.secret import Secret
from calward.operations.account_words import account_options
from calward.operations.outside import (
    FeedAddress,
    FoundFeed,
    MadeChannel,
    Outside,
    Sealed,
    SignIn,
    WantedChannel,
)
from calward.operations.usecases.feeds import FEED, HOLIDAYS, place_of
from calward.secrets.sources import find_secret
from calward.store.accounts import AccountRow

if TYPE_CHECKING:
    from calward.remotes.caldav import CaldavRemote
    from calward.remotes.feed import FeedRemote
    from calward.remotes.http import Limits
    from calward.remotes.remote import Remote
    from calward.secrets.key import Key

KEY_FILE = "secret.key"
PASSWORD = "password"
"""What the one secret of an account is sealed under."""
ENVIRONMENT_PASSWORD = "CALDAV_PASSWORD"
LOOK_SECONDS = 10.0
"""How long a person waits for an account to be looked at."""


class Credentials:
    """The key is looked for when it is first needed, so that a store without accounts needs none."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    @cached_property
    def _key(self) -> Key:
        from calward.secrets.key import load_key  # here and below: few commands need cryptography

        return load_key(os.environ, self._folder() / KEY_FILE)

    @property
    def outside(self) -> Outside:
        return Outside(discover=look, seal=self.seal, read_feed=look_at_feed, make_channel=self._make_channel)

    def seal(self, account: AccountId, secret: Secret) -> Sealed:
        from calward.secrets.sealing import seal

        return Sealed(seal(self._key, account, PASSWORD, secret), self._key.id)

    def unseal(self, account: AccountId, sealed: str) -> Secret:
        """Raises ``SealBroken``."""
        from calward.secrets.sealing import unseal

        return unseal(self._key, account, PASSWORD, sealed)

    def _make_channel(self, wanted: WantedChannel) -> MadeChannel:
        from calward.bootstrap.channels import make_channel  # as below

        return make_channel(wanted, secrets.token_hex(32))

    def open_remote(self, account: AccountRow, sealed: str | None) -> Remote:
        """Raises ``SettingsError`` where the password cannot be had."""
        if account.kind in (FEED, HOLIDAYS):
            options = account_options(account.options)
            address = FeedAddress(self._password(account, sealed), options.insecure_http, options.local_network)
            return open_feed(address, place_of(account.id))
        return self.open_server(account, sealed, capabilities_of(account_options(account.options).signs))

    def open_server(self, account: AccountRow, sealed: str | None, capabilities: Capabilities) -> CaldavRemote:
        """An account on a calendar server that is relied on for this much. Raises as ``open_remote``."""
        from calward.remotes.caldav import CaldavRemote  # the network takes long to import, and few need it
        from calward.remotes.login import Password

        options = account_options(account.options)
        return CaldavRemote(
            account.url,
            Password(account.username or "", self._password(account, sealed)),
            capabilities=capabilities,
            insecure_http=options.insecure_http,
            local_network=options.local_network,
        )

    def _password(self, account: AccountRow, sealed: str | None) -> Secret:
        if account_options(account.options).environment:
            found = find_secret(ENVIRONMENT_PASSWORD, os.environ)
            if found is None:
                raise SettingsError(
                    f"The account {account.name} takes its password from {ENVIRONMENT_PASSWORD}, which is not "
                    f"set here. Set it, or {ENVIRONMENT_PASSWORD}_FILE."
                )
            return found.secret
        if sealed is None:
            raise SettingsError(f"There is no password for the account {account.name}. Connect it again.")
        return self.unseal(account.id, sealed)


def look_at_feed(address: FeedAddress) -> FoundFeed:
    """What a feed holds, within ``LOOK_SECONDS``."""
    from calward.remotes.http import Limits  # as above

    remote = open_feed(address, place_of("look"), Limits(connect=5.0, silence=LOOK_SECONDS, total=LOOK_SECONDS))
    try:
        return FoundFeed(remote.calendar("").name, len(remote.listing("")))
    finally:
        remote.close()


def open_feed(address: FeedAddress, place: str, limits: Limits | None = None) -> FeedRemote:
    """A feed, which is read when something is asked of it."""
    from calward.remotes.feed import FEED_LIMITS, FeedRemote, over_http  # as above
    from calward.remotes.holidays import SCHEME, made_here
    from calward.remotes.http import Http

    url = address.address.reveal()
    if url.startswith(SCHEME):
        return FeedRemote(made_here(url.removeprefix(SCHEME), datetime.now(UTC).date()), place)
    http = Http(
        url,
        None,
        limits=limits or FEED_LIMITS,
        insecure_http=address.insecure_http,
        local_network=address.local_network,
        any_site=True,
    )
    return FeedRemote(over_http(http, url), place, http.close)


def look(sign_in: SignIn) -> Discovery:
    """Find the calendars of an account, within ``LOOK_SECONDS``."""
    from calward.remotes.http import Http, Limits  # as above
    from calward.remotes.login import Password

    limits = Limits(connect=5.0, silence=LOOK_SECONDS, total=LOOK_SECONDS)
    login = Password(sign_in.username, sign_in.password)
    http = Http(
        sign_in.url,
        login,
        limits=limits,
        insecure_http=sign_in.insecure_http,
        local_network=sign_in.local_network,
    )
    until = time.monotonic() + LOOK_SECONDS
    talk = discover(sign_in.url)
    try:
        ask = next(talk)
        while True:
            if time.monotonic() > until:
                host = host_of(sign_in.url)
                raise TimedOut(f"{host} took longer than {LOOK_SECONDS:.0f} s to answer.", host=host)
            ask = talk.send(http.exchange(ask))
    except StopIteration as done:
        found: Discovery = done.value
        return found
    finally:
        http.close()

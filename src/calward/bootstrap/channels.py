"""Channels on this machine: their addresses opened with the key, and messages sent within the rules for where
requests may go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import urlsplit

from calward.errors import InvalidInput
from calward.model.ids import AccountId
from calward.model.secret import Secret
from calward.notify.by_apprise import ByApprise, check_url
from calward.notify.channel import WEBHOOK, Address, Channel, Message, address_of
from calward.notify.own_connections import Judge
from calward.notify.webhook import Webhook, signing_secret
from calward.operations.apply.sending import Deliver, Outgoing
from calward.operations.outside import MadeChannel, WantedChannel
from calward.operations.told import APPROVAL, shown

Unseal = Callable[[AccountId, str], Secret]
SECONDS = 15.0
"""How long a webhook may take for one answer."""
ANSWER_BYTES = 64 * 1024


def make_channel(wanted: WantedChannel, chance: str) -> MadeChannel:
    """What is to be kept of a new channel. Raises ``InvalidInput``."""
    url = wanted.url.reveal()
    if wanted.kind != WEBHOOK:
        check_url(url)
        return MadeChannel(Address(url, local_network=wanted.local_network).sealable(), None)
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise InvalidInput("url: a webhook is an address with https://, or http:// on the local network.")
    if urlsplit(url).scheme == "http" and not wanted.local_network:
        raise InvalidInput("url: plain http shows messages to the network; use https, or say local_network.")
    signing = signing_secret(chance)
    return MadeChannel(Address(url, signing.reveal(), wanted.local_network).sealable(), signing)


def sending(unseal: Unseal, public_url: str) -> Deliver:
    """Sends one message to its channel. ``public_url`` is where people reach this server, empty where that is
    not known."""

    def deliver(outgoing: Outgoing, key: str) -> None:
        row = outgoing.channel
        address = address_of(unseal(AccountId(row.id), row.sealed.decode("ascii")))
        link = f"{public_url.rstrip('/')}/approvals/{outgoing.subject}" if outgoing.kind == APPROVAL else ""
        said = shown(
            outgoing.kind, outgoing.body, row.shows, late=outgoing.late, link=link if public_url else ""
        )
        _channel(row.kind, address).send(Message(key, outgoing.kind, said.title, said.text, said.facts))

    return deliver


def reach(address: Address) -> Judge:
    """What a channel may reach. Where a name does not resolve is the service's to stumble over: some channels
    have a word there that is no host."""
    from calward.remotes.outgoing import Reach, addresses  # beside what is sent, not before help

    def judge(host: str, port: int) -> None:
        with suppress(OSError):
            addresses(host, port, Reach(local_network=address.local_network))

    return judge


def _channel(kind: str, address: Address) -> Channel:
    if kind == WEBHOOK:
        return Webhook(address, lambda url, headers, body: _post(address, url, headers, body), _now)
    return ByApprise(address, reach(address))


def _post(address: Address, url: str, headers: Sequence[tuple[str, str]], body: bytes) -> int:
    """The status of the answer. Raises ``RemoteError``."""
    from calward.dav.messages import Ask
    from calward.remotes.http import Http, Limits  # the network takes long to import, and few need it

    limits = Limits(connect=5.0, silence=SECONDS, total=SECONDS, body=ANSWER_BYTES)
    http = Http(
        address.url,
        None,
        limits=limits,
        insecure_http=address.local_network,
        local_network=address.local_network,
    )
    try:
        return http.exchange(Ask("POST", url, tuple(headers), body)).status
    finally:
        http.close()


def _now() -> datetime:
    return datetime.now(UTC)

"""Everything Apprise speaks to: e-mail, ntfy, Matrix, Telegram and a hundred more, one URL for each channel.

Apprise tells no reason for a failure, only that there was one. It makes its connections by itself, so where it
may go is judged before, by the host in the URL.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from calward.errors import InvalidInput
from calward.notify.channel import Address, Message, NotDelivered

Check = Callable[[str, int], None]
"""``check(host, port)`` raises ``RemoteError`` for a host that the channel may not reach."""
KEY_HEADER = "X-Calward-Id"
"""Carries the key, where the service lets a message have headers: e-mail, JSON, XML and forms."""
ON_THIS_MACHINE = frozenset({"dbus", "gio", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"})
"""Services of the machine that Calward runs on, which is not where its people are."""


class ByApprise:
    """``check`` judges where the URL leads."""

    def __init__(self, address: Address, check: Check) -> None:
        self._address = address
        self._check = check

    def send(self, message: Message) -> None:
        service = _service(self._address.url)
        if host := getattr(service, "host", None):
            self._check(str(host), int(service.port or 443))
        headers = getattr(service, "headers", None)
        if isinstance(headers, dict):
            headers[KEY_HEADER] = message.key
        if not service.notify(title=message.title, body=message.text or message.title):
            raise NotDelivered("The channel's service did not take the message.")


def check_url(url: str) -> None:
    """Raises ``InvalidInput`` for a URL that no service of Apprise knows."""
    if url.partition(":")[0].lower() in ON_THIS_MACHINE:
        raise InvalidInput("url: that is a service of this machine; name one that reaches you elsewhere.")
    _service(url)


def _service(url: str) -> Any:
    import apprise  # large: only what sends loads it

    logging.getLogger("apprise").addHandler(logging.NullHandler())  # its words may hold what is secret
    asset = apprise.AppriseAsset(app_id="Calward", app_desc="Calward", storage_mode="memory", async_mode=False)
    service = apprise.Apprise.instantiate(url, asset=asset, suppress_exceptions=True)
    if service is None:
        raise InvalidInput("url: no service is known for that address; see the guide to notifications.")
    return service

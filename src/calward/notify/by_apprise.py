"""Everything Apprise speaks to: e-mail, ntfy, Matrix, Telegram and a hundred more, one URL for each channel.

Apprise tells no reason for a failure, only that there was one. It makes its connections by itself; where it may
go is judged by the host in the URL before, so that a refusal can be told, and at each connection.
"""

from __future__ import annotations

import logging
from typing import Any

from calward.errors import InvalidInput
from calward.notify.channel import Address, Message, NotDelivered
from calward.notify.own_connections import Judge, judged

KEY_HEADER = "X-Calward-Id"
"""Carries the key, where the service lets a message have headers: e-mail, JSON, XML and forms."""
ON_THIS_MACHINE = frozenset({"dbus", "gio", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"})
"""Services of the machine that Calward runs on, which is not where its people are."""


class ByApprise:
    """``judge`` says what may be reached: the host in the URL, and every address that it leads to."""

    def __init__(self, address: Address, judge: Judge) -> None:
        self._address = address
        self._judge = judge

    def send(self, message: Message) -> None:
        service = _service(self._address.url)
        if host := getattr(service, "host", None):
            self._judge(str(host), int(service.port or 443))
        headers = getattr(service, "headers", None)
        if isinstance(headers, dict):
            headers[KEY_HEADER] = message.key
        with judged(self._judge) as connections:
            sent = service.notify(title=message.title, body=message.text or message.title)
        if not sent:
            raise connections.refused or NotDelivered("The channel's service did not take the message.")


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

"""Well-known calendar services: a row of data each, so that a person types a name instead of an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calward.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Preset:
    """One service. ``address`` holds ``{host}`` where the person runs it themselves; discovery starts there.

    ``password_hint`` is said when asking for the password and again when it is refused; ``password_page`` is
    where to make one, empty where the usual password serves. ``source`` is where the row's facts come from.
    """

    name: str
    title: str
    address: str
    source: str
    password_hint: str = ""
    password_page: str = ""

    @property
    def needs_host(self) -> bool:
        return "{host}" in self.address

    def url(self, host: str = "") -> str:
        """The address to start at. Raises ``InvalidInput`` where the service needs a host and none is given."""
        if not self.needs_host:
            return self.address
        plain = host.strip().removeprefix("https://").strip("/")
        if not plain:
            raise InvalidInput(f"{self.title} runs on a machine of your own: give its host name.")
        return plain if "://" in plain else self.address.replace("{host}", plain)


PRESETS: tuple[Preset, ...] = (
    Preset(
        "icloud",
        "iCloud",
        "https://caldav.icloud.com/",
        "https://support.apple.com/102654; the address as in the caldav library's hints",
        "iCloud wants an app-specific password, not the one of your Apple Account.",
        "https://account.apple.com",
    ),
    Preset(
        "fastmail",
        "Fastmail",
        "https://caldav.fastmail.com/",
        "https://www.fastmail.help/hc/en-us/articles/1500000278342-Server-names-and-ports",
        "Fastmail wants an app password with access to calendars.",
        "https://app.fastmail.com/settings/security",
    ),
    Preset(
        "nextcloud",
        "Nextcloud",
        "https://{host}/remote.php/dav/",
        "the path as in the caldav library's compatibility hints, version 3.6",
        "With two-factor sign-in, make an app password under Settings, Security.",
    ),
    Preset(
        "mailbox.org",
        "mailbox.org",
        "https://dav.mailbox.org/",
        "https://kb.mailbox.org/en/private/account/data-synchronization-overview; not tried live",
        "mailbox.org wants your main address as the name and an app password for calendars.",
    ),
    Preset(
        "posteo",
        "Posteo",
        "https://posteo.de:8443/",
        "the address as in TbSync's list of CalDAV services; not tried live",
    ),
    Preset(
        "synology",
        "Synology Calendar",
        "https://{host}:5001/caldav/",
        "https://www.davx5.com/tested-with/synology/; not tried live",
        "Use the name and password of your user on the NAS.",
    ),
    Preset(
        "radicale",
        "Radicale",
        "https://{host}/",
        "https://radicale.org/v3.html; tried with Radicale 3.9",
    ),
    Preset(
        "baikal",
        "Baïkal",
        "https://{host}/dav.php/",
        "https://sabre.io/baikal/; the path may have /baikal/html in front; not tried live",
    ),
    Preset(
        "generic",
        "Another CalDAV server",
        "https://{host}/",
        "https://www.rfc-editor.org/rfc/rfc6764#section-5",
    ),
)


NOT_HERE: Mapping[str, str] = {
    "google": "Google Calendar can only be read here, as a feed: copy the calendar's secret address in iCal "
    "format from its settings, and say: calward connect feed"
}
"""Services without a row, and what to do instead. Google's CalDAV takes tokens of a registered program alone
(Google's CalDAV API developer's guide)."""


def preset(name: str) -> Preset:
    """The row of that name; raises ``InvalidInput`` naming the rows there are."""
    for row in PRESETS:
        if row.name == name.strip().lower():
            return row
    known = ", ".join(row.name for row in PRESETS)
    raise InvalidInput(f"There is no preset of that name. Known: {known}.")

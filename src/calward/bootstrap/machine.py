"""What this machine says of itself and its user, where the settings say nothing."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from calward.errors import SettingsError
from calward.settings import Settings

LOCALTIME = Path("/etc/localtime")
UNNAMED = "Owner"


def owner_name(settings: Settings) -> str:
    """How the owner is called: the setting, else the user's login name."""
    if settings.name:
        return settings.name
    try:
        return getpass.getuser() or UNNAMED
    except (OSError, KeyError):
        return UNNAMED


def zone_name(settings: Settings) -> str:
    """The zone of a new household: the setting, TZ, or what /etc/localtime links to; else UTC.

    Raises ``SettingsError`` for a setting that is no IANA zone.
    """
    if settings.zone:
        if not _known(settings.zone):
            raise SettingsError(
                f"The setting zone is {settings.zone!r}, which is no IANA time zone; use one as Europe/Berlin."
            )
        return settings.zone
    _, _, linked = str(LOCALTIME.resolve()).partition("/zoneinfo/")
    candidates = (os.environ.get("TZ", "").removeprefix(":"), linked)
    return next((name for name in candidates if name and _known(name)), "UTC")


def _known(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True

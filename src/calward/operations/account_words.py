"""What is known of an account beside its address, and what went wrong with it in words for its owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calward.dav.errors import SignInRefused
from calward.dav.presets import PRESETS, Preset
from calward.dav.quirks import NO_SIGNS, Signs
from calward.errors import CalwardError


@dataclass(frozen=True, slots=True)
class AccountOptions:
    """``create``: a calendar that is not there is made. ``environment``: the credentials are the process's
    own variables. ``local_network``: names may lead to this network. ``signs``: what the server showed of itself when it was connected."""

    preset: str = ""
    insecure_http: bool = False
    local_network: bool = False
    create: bool = False
    environment: bool = False
    signs: Signs = NO_SIGNS

    def plain(self) -> dict[str, Any]:
        """As the store keeps it."""
        return {
            "preset": self.preset,
            "insecure_http": self.insecure_http,
            "local_network": self.local_network,
            "create": self.create,
            "environment": self.environment,
            "signs": [self.signs.host, self.signs.path, self.signs.headers],
        }


def account_options(kept: Mapping[str, Any]) -> AccountOptions:
    """Read what the store keeps; what is missing has its default."""
    return AccountOptions(
        preset=str(kept.get("preset", "")),
        insecure_http=bool(kept.get("insecure_http")),
        local_network=bool(kept.get("local_network")),
        create=bool(kept.get("create")),
        environment=bool(kept.get("environment")),
        signs=Signs(*kept.get("signs", ())),
    )


def failure_words(error: CalwardError, preset: str) -> str:
    """The cause, and for a refused password where to make the right one."""
    known = preset_named(preset)
    if not isinstance(error, SignInRefused) or known is None or not known.password_hint:
        return error.message
    page = f" Make one at {known.password_page}" if known.password_page else ""
    return f"{known.title} did not accept the name and password. {known.password_hint}{page}"


def preset_named(name: str) -> Preset | None:
    """The row of a preset; None where none has that name."""
    return next((row for row in PRESETS if row.name == name), None)

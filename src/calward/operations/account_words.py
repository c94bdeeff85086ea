"""What is known of an account beside its address, and what went wrong with it in words for its owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from calward.dav.discovery import Discovery
from calward.dav.errors import SignInRefused
from calward.dav.options import NO_OFFERS, Offers
from calward.dav.presets import PRESETS, Preset
from calward.dav.quirks import NO_SIGNS, Signs
from calward.errors import CalwardError


@dataclass(frozen=True, slots=True)
class FoundCalendar:
    """A calendar that was on the server when it was last looked over.

    ``lists_changes`` and ``ctag``: it tells what is new by sync-collection (RFC 6578), or that something is.
    ``new``: it was not there yet when the account was connected, and nothing was said about it since. ``gone``:
    it was not there when the server was looked over last.
    """

    url: str
    name: str
    color: str
    events: bool
    writable: bool
    components: tuple[str, ...] = ()
    lists_changes: bool | None = None
    ctag: bool | None = None
    multiget: bool | None = None
    max_size: int | None = None
    new: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class AccountOptions:
    """What is kept of an account as plain values.

    ``create``: a calendar that is not there is made. ``environment``: the credentials are the process's own
    variables. ``local_network``: names may lead to this network. ``follow``: calendars that appear on the
    server are mirrored unasked. The rest was found out: ``signs`` and ``offers`` are what the server shows and
    says of itself, ``found`` its calendars, ``principal`` the address of whose they are (RFC 5397).
    """

    preset: str = ""
    insecure_http: bool = False
    local_network: bool = False
    create: bool = False
    environment: bool = False
    follow: bool = False
    signs: Signs = NO_SIGNS
    offers: Offers = NO_OFFERS
    found: tuple[FoundCalendar, ...] = ()
    principal: str = ""

    def plain(self) -> dict[str, Any]:
        """As the store keeps it."""
        return {
            "preset": self.preset,
            "insecure_http": self.insecure_http,
            "local_network": self.local_network,
            "create": self.create,
            "environment": self.environment,
            "follow": self.follow,
            "signs": [self.signs.host, self.signs.path, self.signs.headers],
            "offers": [sorted(self.offers.compliance), sorted(self.offers.methods)],
            "principal": self.principal,
            "found": [asdict(one) | {"components": list(one.components)} for one in self.found],
        }


def account_options(kept: Mapping[str, Any]) -> AccountOptions:
    """Read what the store keeps; what is missing has its default."""
    return AccountOptions(
        preset=str(kept.get("preset", "")),
        insecure_http=bool(kept.get("insecure_http")),
        local_network=bool(kept.get("local_network")),
        create=bool(kept.get("create")),
        environment=bool(kept.get("environment")),
        follow=bool(kept.get("follow")),
        principal=str(kept.get("principal", "")),
        signs=Signs(*kept.get("signs", ())),
        offers=Offers(*(frozenset(words) for words in kept.get("offers", ()))),
        found=tuple(
            FoundCalendar(**one | {"components": tuple(one.get("components", ()))})
            for one in kept.get("found", ())
        ),
    )


def found_on(discovery: Discovery) -> tuple[FoundCalendar, ...]:
    """The calendars of an account, as they are kept."""
    return tuple(
        FoundCalendar(
            url=one.url,
            name=one.name,
            color=one.color,
            events=EVENTS in one.components,
            writable=one.rights.writable,
            components=tuple(sorted(one.components)),
            lists_changes=one.syncs,
            ctag=bool(one.ctag),
            multiget="calendar-multiget" in one.reports if one.reports else None,
            max_size=one.max_size,
        )
        for one in discovery.calendars
    )


EVENTS = "VEVENT"


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


def free_name(name: str, taken: set[str], more: str = "") -> str:
    """The name itself, else with more to it, else with a number."""
    if name not in taken:
        return name
    fuller = f"{name} ({more})" if more else name
    number = 2
    free = fuller
    while free in taken:
        free, number = f"{fuller} {number}", number + 1
    return free

"""What a zone's name means by itself (RFC 5545 §3.2.19), for the many ways in which programs spell one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from calward.ical.windows_zones import WINDOWS_ZONES

MAX_TZID = 200


@lru_cache(maxsize=2048)
def named_zone(tzid: str) -> tzinfo | None:
    """The zone that a name stands for; None where it stands for none.

    Tried in this order: IANA names, also quoted, in other case, with ``-`` or ``_`` for ``/`` or after a
    vendor's prefix (``/freeassociation.sourceforge.net/Europe/Berlin``); Windows names; fixed offsets as
    ``UTC+01:00``.
    """
    if len(tzid) > MAX_TZID:
        return None
    name = bare_tzid(tzid)
    for candidate in _spellings(name):
        if iana := iana_name(candidate):
            return iana_zone(iana)
    windows = _windows_names().get(name.casefold())
    return iana_zone(windows) if windows else _fixed(name)


@lru_cache(maxsize=512)
def described_zone(tzid: str) -> tzinfo | None:
    """The zone that a display name of Windows describes by cities: ``(UTC+07:00) Bangkok, Hanoi, Jakarta``.

    Weaker than a VTIMEZONE, so asked last. All cities the tz database knows must have one offset at present,
    and the offset that the name begins with must be that of their standard time. One city alone is no
    description.
    """
    found = _DESCRIPTION.fullmatch(bare_tzid(tzid)) if len(tzid) <= MAX_TZID else None
    if found is None:
        return None
    places = [
        place.partition("(")[0].strip().casefold().replace(" ", "_") for place in re.split("[,;]", found[2])
    ]
    zones = [zone for place in places if (zone := iana_zone(_cities().get(place, "")))]
    stated = _fixed(found[1]) if found[1] else None
    offsets = {_standard_offset(zone) for zone in zones}
    if stated:
        offsets.add(stated.utcoffset(None))
    elif len(zones) < 2:
        return None
    return zones[0] if zones and len(offsets) == 1 else None


def zone_name(zone: tzinfo) -> str:
    """The IANA name of a zone, or "UTC"; empty for a fixed offset and for rules of our own."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    return "UTC" if zone is UTC else ""


def iana_name(text: str) -> str | None:
    """The name of the tz database that ``text`` is, but for its case and for spaces."""
    return _iana_names().get(text.casefold().replace(" ", "_"))


@cache
def iana_zone(iana: str) -> tzinfo | None:
    """The zone of an exact IANA name; None where this machine does not have it."""
    try:
        return ZoneInfo(iana) if iana else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def bare_tzid(tzid: str) -> str:
    """A TZID without quotes and spaces around it."""
    return tzid.strip().strip("\"'").strip()


_PREFIXED = re.compile(r"/|posix/|right/|tzone://|https?://", re.IGNORECASE)
_FIXED = re.compile(r"\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})[:.]?(\d\d)\)?", re.IGNORECASE | re.ASCII)
_DESCRIPTION = re.compile(r"(\((?:UTC|GMT)\s*[+-]\d{1,2}[:.]?\d\d\))?(.+)", re.IGNORECASE | re.ASCII)
_REGIONS = {
    "atlantic_time": "America/Halifax",
    "eastern_time": "America/New_York",
    "central_time": "America/Chicago",
    "mountain_time": "America/Denver",
    "pacific_time": "America/Los_Angeles",
    "alaska": "America/Anchorage",
    "hawaii": "Pacific/Honolulu",
}
_UTC_NAMES = frozenset({"z", "utc", "etc/utc", "zulu", "tzone://microsoft/utc"})


def _spellings(name: str) -> Iterator[str]:
    yield name
    if _PREFIXED.match(name):
        parts = [part for part in name.split("/") if part]
        for count in (3, 2, 1):
            yield "/".join(parts[-count:])
    for sign in "-_":
        if sign in name:
            yield name.replace(sign, "/", 1)
    # "America-Port_of_Spain" and "America-Port-of-Spain"
    yield name.replace("-", "/", 1).replace("-", "_")


@cache
def _iana_names() -> dict[str, str]:
    """Every name of the tz database by its folded spelling."""
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return {name.casefold(): name for name in names}


@cache
def _cities() -> dict[str, str]:
    """The zones that are named after a city, by it, and those of North America by what Windows calls them."""
    names = [name for name in _iana_names().values() if "/" in name and not name.startswith("Etc/")]
    return {name.rpartition("/")[2].casefold(): name for name in names} | _REGIONS


@cache
def _windows_names() -> dict[str, str]:
    return {name.casefold(): iana for name, iana in WINDOWS_ZONES.items()}


def _fixed(name: str) -> tzinfo | None:
    if name.casefold() in _UTC_NAMES:
        return UTC
    found = _FIXED.fullmatch(name)
    if found is None or int(found[2]) > 14 or int(found[3]) > 59:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return timezone(-offset if found[1] == "-" else offset)


def _standard_offset(zone: tzinfo) -> timedelta | None:
    """The offset outside of daylight time: the smaller one of January and July."""
    offsets = [datetime(2026, month, 1, tzinfo=zone).utcoffset() or timedelta(0) for month in (1, 7)]
    return min(offsets)

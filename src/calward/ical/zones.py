"""What a TZID means (RFC 5545 §3.2.19), for the many ways in which programs spell one.

A name is looked for in this order: an IANA name, also quoted, in other case, with ``-`` or ``_`` for ``/`` or
with a vendor's prefix; a Windows name; a fixed offset; then the text's own VTIMEZONE, as the IANA zone with
the same offsets or else as rules of our own. Where a name is known and the VTIMEZONE says otherwise, the name
wins and the event is flagged: governments change rules, and files keep old ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from calward.ical.tree import Component, Document
from calward.ical.vtimezone import RuleZone, read_vtimezone
from calward.ical.windows_zones import WINDOWS_ZONES

MAX_TZID = 200
SAME_YEARS = range(2015, 2035)
"""A VTIMEZONE is taken for an IANA zone if their offsets agree in all of these."""


class Zones:
    """The zones of one text. Resolving is remembered, within the text and (by content) across texts."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: dict[str, tzinfo | None] = {}
        self._rules: dict[str, RuleZone | None] | None = None

    def get(self, tzid: str) -> tzinfo | None:
        """The zone of a TZID as written; None where nothing tells what it means."""
        if tzid in self._found:
            return self._found[tzid]
        zone = named_zone(tzid)
        if zone is None and (rules := self._embedded(tzid)) is not None:
            zone = _iana_like(rules) or rules
        self._found[tzid] = zone
        return zone

    def differs(self, tzid: str, wall: datetime, *, recurs: bool = False) -> bool:
        """Whether the text's own VTIMEZONE gives another offset than the zone its name stands for.

        Asked for one wall-clock time; for a series also for the rest of its year and the year after.
        """
        zone = self.get(tzid)
        rules = self._embedded(tzid)
        if zone is None or rules is None or zone is rules:
            return False
        if recurs:
            return not (_agree(zone, rules, wall.year) and _agree(zone, rules, wall.year + 1))
        return not _agree(zone, rules, wall.year) and (
            wall.replace(tzinfo=zone).utcoffset() != wall.replace(tzinfo=rules).utcoffset()
        )

    def _embedded(self, tzid: str) -> RuleZone | None:
        if self._rules is None:
            self._rules = {}
            for component in _vtimezones(self._document):
                name = _bare(next(component.texts("TZID"), ""))
                if name not in self._rules:
                    self._rules[name] = read_vtimezone(component)
        return self._rules.get(_bare(tzid))


@lru_cache(maxsize=2048)
def named_zone(tzid: str) -> tzinfo | None:
    """The zone that a name alone stands for, however it is spelled; None where it stands for none."""
    if len(tzid) > MAX_TZID:
        return None
    name = _bare(tzid)
    for candidate in _spellings(name):
        iana = _iana_names().get(candidate.casefold().replace(" ", "_"))
        if iana:
            return _zone(iana)
    windows = _windows_names().get(name.casefold())
    return _zone(windows) if windows else _fixed(name)


def suggested_zone(document: Document) -> tzinfo | None:
    """X-WR-TIMEZONE: the zone a calendar suggests to whoever shows it. It never changes a floating time."""
    for root in document.roots:
        for text in root.texts("X-WR-TIMEZONE"):
            return named_zone(text)
    return None


def zone_name(zone: tzinfo) -> str:
    """The IANA name of a zone, or "UTC"; empty for one of our own rules."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    return "UTC" if zone is UTC else ""


_PREFIXED = re.compile(r"/|posix/|right/|tzone://|https?://", re.IGNORECASE)
_FIXED = re.compile(r"\(?(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d\d)\)?", re.IGNORECASE | re.ASCII)
_LIKELY = re.compile(r"[A-Za-z]+(?:/[A-Za-z_]+){1,2}")
_UTC_NAMES = frozenset({"z", "utc", "etc/utc", "zulu", "tzone://microsoft/utc"})


def _bare(tzid: str) -> str:
    return tzid.strip().strip("\"'").strip()


def _spellings(name: str) -> Iterator[str]:
    yield name
    if _PREFIXED.match(name):
        parts = [part for part in name.split("/") if part]
        for count in (3, 2, 1):
            yield "/".join(parts[-count:])
    for sign in "-_":
        if sign in name:
            yield name.replace(sign, "/", 1)
    # "America-New York" and "America/Port-au-Prince" both are: the first sign may be either.
    head, sign, tail = name.partition("-")
    if sign:
        yield f"{head}/{tail.replace('-', '_')}"


@cache
def _iana_names() -> dict[str, str]:
    """Every name of the tz database by its folded spelling."""
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return {name.casefold(): name for name in names}


@cache
def _windows_names() -> dict[str, str]:
    return {name.casefold(): iana for name, iana in WINDOWS_ZONES.items()}


@cache
def _zone(iana: str) -> tzinfo | None:
    try:
        return ZoneInfo(iana)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _fixed(name: str) -> tzinfo | None:
    if name.casefold() in _UTC_NAMES:
        return UTC
    found = _FIXED.fullmatch(name)
    if found is None or int(found[2]) > 14 or int(found[3]) > 59:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return timezone(-offset if found[1] == "-" else offset)


def _vtimezones(document: Document) -> Iterator[Component]:
    return (component for component, _ in document.top() if component.name == "VTIMEZONE")


@lru_cache(maxsize=128)
def _iana_like(rules: RuleZone) -> tzinfo | None:
    """The IANA zone with the same offsets; one that the TZID hints at is tried first."""
    hints = [hint for found in _LIKELY.findall(rules.tzid) if (hint := _iana_names().get(found.casefold()))]
    for name in [*hints, *dict.fromkeys(WINDOWS_ZONES.values())]:
        zone = _zone(name)
        if zone and all(_agree(zone, rules, year) for year in SAME_YEARS):
            return zone
    return None


@lru_cache(maxsize=4096)
def _agree(zone: tzinfo, rules: RuleZone, year: int) -> bool:
    """Whether two zones have the same offsets in a year: on two days of each month, and around each change."""
    moments = [datetime(year, month, day) for month in range(1, 13) for day in (1, 15)]
    changes = rules.changes(datetime(year, 1, 1), datetime(year + 1, 1, 1))
    moments += [change + timedelta(seconds=side) for change in changes for side in (-1, 0)]
    return all(_offset(zone, moment) == _offset(rules, moment) for moment in moments)


def _offset(zone: tzinfo, utc: datetime) -> timedelta | None:
    return utc.replace(tzinfo=UTC).astimezone(zone).utcoffset()

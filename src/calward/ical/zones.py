"""What a TZID means in one text (RFC 5545 §3.2.19).

Its name counts first (``calward.ical.zone_names``), then the text's own VTIMEZONE: as the IANA zone with the
same offsets, or else as rules of our own. Where a name is known and the VTIMEZONE says otherwise, the name
wins and the event is flagged: governments change rules, and files keep old ones.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from calward.ical.tree import Component, Document
from calward.ical.vtimezone import RuleZone, read_vtimezone
from calward.ical.windows_zones import WINDOWS_ZONES
from calward.ical.zone_names import MAX_TZID, bare_tzid, described_zone, iana_name, iana_zone, named_zone

MAX_EMBEDDED = 200
"""VTIMEZONEs that are read in one text."""
SAME_YEARS = range(2015, 2035)
"""A VTIMEZONE is taken for an IANA zone if their offsets agree in all of these."""


class Zones:
    """The zones of one text. Resolving is remembered, within the text and (by content) across texts."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: dict[str, tzinfo | None] = {}
        self._components: dict[str, Component] | None = None
        self._rules: dict[str, RuleZone | None] = {}

    def get(self, tzid: str) -> tzinfo | None:
        """The zone of a TZID as written; None where nothing tells what it means."""
        if tzid in self._found:
            return self._found[tzid]
        zone = named_zone(tzid)
        if zone is None and (rules := self._embedded(tzid)) is not None:
            zone = _iana_like(rules) or rules
        self._found[tzid] = zone or described_zone(tzid)
        return self._found[tzid]

    def differs(self, tzid: str, wall: datetime, *, recurs: bool = False) -> bool:
        """Whether the text's own VTIMEZONE gives another offset than the zone its name stands for.

        Asked for one wall-clock time; for a series for its whole year and the year after.
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
        """The rules of the VTIMEZONE with this TZID; the first, where there are several."""
        if self._components is None:
            self._components = {}
            for component, _ in self._document.top():
                if component.name == "VTIMEZONE":
                    self._components.setdefault(bare_tzid(next(component.texts("TZID"), "")), component)
        name = bare_tzid(tzid)
        if name not in self._rules:
            found = self._components.get(name) if len(self._rules) < MAX_EMBEDDED else None
            self._rules[name] = read_vtimezone(found) if found else None
        return self._rules[name]


_LIKELY = re.compile(r"[A-Za-z]+(?:/[A-Za-z_]+){1,2}")


@lru_cache(maxsize=128)
def _iana_like(rules: RuleZone) -> tzinfo | None:
    """The IANA zone with the same offsets; one that the TZID hints at is tried first."""
    hints = [hint for found in _LIKELY.findall(rules.tzid[:MAX_TZID]) if (hint := iana_name(found))]
    for name in [*hints, *dict.fromkeys(WINDOWS_ZONES.values())]:
        zone = iana_zone(name)
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

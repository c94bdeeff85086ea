"""Public holidays as a feed that is made here, from the package ``holidays`` (extra ``calward[holidays]``)."""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha256
from itertools import groupby

from calward.errors import InvalidInput, Unsupported
from calward.ical.text import escape_text
from calward.remotes.feed import Copy, Source, Validators

SCHEME = "holidays:"
BEFORE, AFTER = 1, 3
"""Years around this one that are made."""


def made_here(region: str, today: date) -> Source:
    """The holidays of a country (``DE``) or a part of it (``DE-BY``; ISO 3166), some years around ``today``.

    The source raises ``InvalidInput`` for a region that is not known and ``Unsupported`` where the package is
    not installed.
    """

    def get(known: Validators | None) -> Copy | None:
        days = _days(region, range(today.year - BEFORE, today.year + AFTER + 1))
        data = _calendar(region, days)
        validators = Validators(etag=f'"{sha256(data).hexdigest()}"')
        return None if known == validators else Copy(data, validators)

    return get


def _days(region: str, years: range) -> list[tuple[date, str]]:
    try:
        import holidays  # an extra, and slow to import
    except ImportError:
        raise Unsupported(
            "Holidays need an extra package. Install it with: pip install 'calward[holidays]'"
        ) from None
    country, _, part = region.strip().upper().partition("-")
    try:
        found = holidays.country_holidays(country, subdiv=part or None, years=years)
    except NotImplementedError:
        raise InvalidInput(
            "There are no holidays known for that region. Name a country as DE, or a part of one as DE-BY."
        ) from None
    return sorted((day, name) for day, names in found.items() for name in names.split("; "))


def _calendar(region: str, days: list[tuple[date, str]]) -> bytes:
    """One event a day and name. UIDs are made of both, so that a year is the same whenever it is made."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Calward//Holidays//EN"]
    lines.append(f"X-WR-CALNAME:Holidays {region.upper()}")
    for (day, name), _ in groupby(days):
        uid = sha256(f"{region.upper()} {day.isoformat()} {name}".encode()).hexdigest()[:32]
        lines += [
            "BEGIN:VEVENT",
            f"UID:{uid}@holidays.calward",
            "DTSTAMP:20000101T000000Z",
            f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{escape_text(name)}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()

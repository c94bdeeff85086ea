"""The event a sentence wishes for, as ``calendar_create`` takes it: no store, no clock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from calward.errors import InvalidInput
from calward.language.conventions import Conventions
from calward.language.intents import Intent
from calward.language.proposals import propose_event
from calward.language.understand import Reading

SURE = 0.85
"""From this confidence on a reading is acted on without a question, as in date fields."""

_UNTIL = re.compile(r"UNTIL=(\d{8})(?:T(\d{6}))?(?=;|$)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody a sentence names: as they were said or are known, and where they are invited, if anywhere."""

    name: str
    address: str | None = None
    is_outside: bool = False
    """No member of the household, and would hear of the event."""


@dataclass(frozen=True, slots=True)
class Wish:
    """An event as understood. ``start`` and ``end`` are wall clock in ``zone``; of whole days, dates count."""

    title: str
    start: datetime
    end: datetime
    all_day: bool
    zone: str
    rule: str | None
    place: str
    guests: tuple[Guest, ...]
    lacks_hour: bool
    """No hour was said, though it may have one: a day gets noon, a series whole days."""
    is_sure: bool

    @property
    def dates(self) -> tuple[date, date]:
        """Of an event of whole days, the first and the last."""
        return self.start.date(), self.end.date() - timedelta(days=1)

    def arguments(self) -> dict[str, Any]:
        """What ``calendar_create`` is called with. Guests without an address stay in the title alone."""
        ends = (self.start, self.end)
        start, end = (one.date().isoformat() if self.all_day else one.isoformat() for one in ends)
        return {
            "title": self.title,
            "start": start,
            "end": end,
            "all_day": self.all_day,
            "zone": self.zone,
            "location": self.place or None,
            "recurrence": self.rule,
            "attendees": [guest.address for guest in self.guests if guest.address] or None,
        }


def is_wished(reading: Reading) -> bool:
    """Whether a new event is meant, or the next best guess where the sentence has a time and a subject."""
    likely = reading.intent is Intent.NONE and reading.runner_up is Intent.CREATE
    return reading.intent is Intent.CREATE or (likely and reading.when is not None and bool(reading.summary))


def wished_event(reading: Reading, conventions: Conventions, addresses: Mapping[str, Guest]) -> Wish:
    """The event of a reading; ``addresses`` are the people who can be told of it, by the id of the facts.

    A time said in a zone without a name, as "3pm EST", is moved to the conventions' zone. Raises
    ``InvalidInput`` where there is no event without more being said.
    """
    if not reading.summary:
        raise InvalidInput("The event has no title; say what it is, as in: Dinner with Sam Friday 7pm.")
    proposed = propose_event(reading.when, conventions) if reading.when else None
    if reading.when is None or proposed is None:
        raise InvalidInput("The event has no start; say a day and a time, as in: Dinner with Sam Friday 7pm.")
    if reading.when.exdates:
        raise InvalidInput(
            "Days left out of a series cannot be said here; add it without, then delete those days with: "
            "calward delete ID --scope one."
        )
    guests = tuple(addresses.get(one.person or "", Guest(one.name)) for one in reading.people)
    lacks_hour = "hour" in proposed.assumed or (proposed.all_day and reading.when.rrule is not None)
    zone = proposed.start.tzinfo if isinstance(proposed.start.tzinfo, ZoneInfo) else conventions.zone
    start, end = (moment.astimezone(zone).replace(tzinfo=None) for moment in (proposed.start, proposed.end))
    return Wish(
        title=reading.summary,
        start=start,
        end=end,
        all_day=proposed.all_day,
        zone=zone.key,
        rule=_rule(reading.when.rrule, zone, all_day=proposed.all_day),
        place=reading.place,
        guests=guests,
        lacks_hour=lacks_hour,
        is_sure=reading.intent is Intent.CREATE
        and reading.confidence >= SURE
        and not lacks_hour
        and not any(guest.is_outside for guest in guests),
    )


def _rule(rule: str | None, zone: ZoneInfo, *, all_day: bool) -> str | None:
    """The rule with UNTIL as RFC 5545 §3.3.10 wants it: a date beside a date, else a time in UTC."""

    def until(found: re.Match[str]) -> str:
        day, clock = found[1], found[2] or "235959"
        if all_day:
            return f"UNTIL={day}"
        local = datetime.strptime(day + clock, "%Y%m%d%H%M%S").replace(tzinfo=zone)
        return f"UNTIL={local.astimezone(UTC):%Y%m%dT%H%M%SZ}"

    return _UNTIL.sub(until, rule) if rule else None

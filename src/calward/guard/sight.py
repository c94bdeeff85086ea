"""What a principal sees: one level a calendar for its own events, one for the others'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from calward.guard.presets import NOTHING
from calward.model.calendar import Calendar
from calward.model.grant import Level, Rights
from calward.model.ids import CalendarId
from calward.model.principal import Assistant, Person, Principal, Role

_BETWEEN_MEMBERS: Mapping[Role, Level] = {
    Role.OWNER: Level.DETAILS,
    Role.ADULT: Level.DETAILS,
    Role.CHILD: Level.BUSY,
    Role.GUEST: Level.BUSY,
}
"""What a member sees of the other members' calendars unless they say otherwise."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One row of the cut: the levels on one calendar."""

    calendar: CalendarId
    own: Level
    others: Level

    @property
    def best(self) -> Level:
        return max(self.own, self.others)

    def level(self, *, made: bool, reach: Level) -> Level:
        """What is seen of one event: ``made`` by the asking assistant, alone up to ``reach``."""
        return max(self.others, min(self.own, reach)) if made else self.others


def member_level(person: Person, calendar: Calendar) -> Level:
    """Everything of one's own calendars, by role of the others'."""
    return Level.DETAILS if calendar.member == person.member else _BETWEEN_MEMBERS[person.role]


def sights(
    principal: Principal,
    member: Person,
    calendars: Iterable[Calendar],
    rights: Mapping[CalendarId, Rights],
) -> tuple[Sight, ...]:
    """The cut of a principal. ``member`` is the person it is or acts for, whom an assistant never exceeds."""
    rows = []
    for calendar in calendars:
        ceiling = member_level(member, calendar)
        if isinstance(principal, Assistant):
            granted = rights.get(calendar.id, NOTHING)
            row = Sight(calendar.id, min(ceiling, granted.own_level), min(ceiling, granted.others_level))
        else:
            row = Sight(calendar.id, ceiling, ceiling)
        if row.best > Level.NONE:
            rows.append(row)
    return tuple(rows)

"""What a principal sees: one level a calendar for its own events, one for the others'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from calward.guard.presets import NOTHING
from calward.model.calendar import Calendar
from calward.model.grant import Level, Rights
from calward.model.ids import CalendarId
from calward.model.principal import Assistant, Person, Principal, Role
from calward.model.share import Share

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


def member_level(person: Person, calendar: Calendar, share: Share | None = None) -> Level:
    """Everything of one's own calendars; of the others' what their owner shares, else what the role says."""
    if calendar.member == person.member:
        return Level.DETAILS
    return share.level if share is not None else _BETWEEN_MEMBERS[person.role]


def sights(
    principal: Principal,
    member: Person,
    calendars: Iterable[Calendar],
    rights: Mapping[CalendarId, Rights],
    shares: Mapping[CalendarId, Share] = MappingProxyType({}),
) -> tuple[Sight, ...]:
    """The cut of a principal. ``member`` is the person it is or acts for, whom an assistant never exceeds;
    ``shares`` is what others share with that person."""
    rows = []
    for calendar in calendars:
        ceiling = member_level(member, calendar, shares.get(calendar.id))
        if isinstance(principal, Assistant):
            granted = rights.get(calendar.id, NOTHING)
            row = Sight(calendar.id, min(ceiling, granted.own_level), min(ceiling, granted.others_level))
        else:
            row = Sight(calendar.id, ceiling, ceiling)
        if row.best > Level.NONE:
            rows.append(row)
    return tuple(rows)

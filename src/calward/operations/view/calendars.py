"""The calendars that one principal sees: which there are, by name, and what they take. Part of the view."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from calward.errors import InvalidInput, NotFound
from calward.guard.sight import Sight
from calward.model.calendar import Calendar
from calward.model.grant import Level, Rights, Say
from calward.model.ids import (
    CalendarId,
    MemberId,
)
from calward.operations.identity import Access
from calward.store import calendars as calendar_rows

NEVER = 3


@dataclass(frozen=True, slots=True)
class CalendarSeen:
    """A calendar with what is seen of it; ``rights`` is None for a person."""

    calendar: Calendar
    sight: Sight
    rights: Rights | None


@dataclass(frozen=True, slots=True)
class CalendarState:
    """How a calendar stands; counts only where everything on it is seen."""

    calendar: Calendar
    account: str | None
    events: int | None
    unpushed: int | None
    synced_at: datetime | None


class Calendars:
    """Looks calendars up for one principal; one of which nothing is seen is not there."""

    def __init__(self, conn: Connection, access: Access) -> None:
        self._conn = conn
        self._access = access
        self._household = access.household.id
        self._sights = {sight.calendar: sight for sight in access.sights}

    def seen(self) -> tuple[CalendarSeen, ...]:
        """The calendars of which anything is seen."""
        return tuple(
            CalendarSeen(self._access.calendars[sight.calendar], sight, self._access.rights.get(sight.calendar))
            for sight in self._access.sights
        )

    @property
    def names(self) -> dict[CalendarId, str]:
        """The names of these, by id."""
        return {one.calendar.id: one.calendar.name for one in self.seen()}

    def named(self, named: str) -> Calendar:
        """A visible calendar by name or id. Raises ``NotFound``, which names those there are."""
        seen = [one.calendar for one in self.seen()]
        for calendar in seen:
            if named in (calendar.id, calendar.name):
                return calendar
        folded = [calendar for calendar in seen if calendar.name.casefold() == named.strip().casefold()]
        if len(folded) == 1:
            return folded[0]
        names = ", ".join(calendar.name for calendar in seen) or "none"
        raise NotFound(f"There is no calendar {named!r} here; there are: {names}.")

    def may_ask_for(self, calendar: CalendarId) -> bool:
        """Whether more of others' events in a visible calendar is shown if a person agrees."""
        rights = self._access.rights.get(calendar)
        return rights is not None and rights.read_private is not Say.NEVER

    def look(self, calendar: CalendarId) -> Level:
        """What is shown of others' events in a calendar once a person agrees to a look: titles and times, or
        everything where these are seen already or the grant says free."""
        rights = self._access.rights[calendar]
        free = rights.read_private is Say.FREE
        return Level.DETAILS if free or self._sights[calendar].others >= Level.TITLES else Level.TITLES

    def for_new(self, named: str | None) -> Calendar:
        """Where a new event goes: the calendar named, else the first that takes one most readily."""
        if named is not None:
            return self.named(named)
        able = sorted(
            (_readiness(one, self._access.person.member), place, one.calendar)
            for place, one in enumerate(self.seen())
            if one.calendar.writable
        )
        if not able or able[0][0] == NEVER:
            raise InvalidInput(
                "There is no calendar here that takes new events; a person can add or grant one."
            )
        return able[0][2]

    def whole(self, named: str | None) -> Calendar:
        """A calendar of which all is seen: the one named, or where new events go."""
        calendar = self.for_new(named)
        if self._sights[calendar.id].others < Level.DETAILS:
            raise NotFound(f"There is no calendar {calendar.name!r} of which you see everything.")
        return calendar

    def states(self) -> tuple[CalendarState, ...]:
        """How the visible calendars stand."""
        counts = calendar_rows.count_objects(self._conn, self._household)
        synced = {row.id: row.synced_at for row in calendar_rows.list_calendars(self._conn, self._household)}
        states = []
        for one in self.seen():
            whole = one.sight.others >= Level.TITLES
            count = counts.get(one.calendar.id)
            states.append(
                CalendarState(
                    calendar=one.calendar,
                    account=one.calendar.account,
                    events=(count.objects if count else 0) if whole else None,
                    unpushed=(count.unpushed if count else 0) if whole else None,
                    synced_at=synced.get(one.calendar.id),
                )
            )
        return tuple(states)


def _readiness(one: CalendarSeen, member: MemberId) -> int:
    """How readily a calendar takes a new event: 0 freely, 1 after asking, 2 another member's, 3 never."""
    if one.rights is None:
        return 0 if one.calendar.member == member else 2
    return {Say.FREE: 0, Say.ASK: 1, Say.NEVER: NEVER}[one.rights.create]

"""One occurrence as a principal may see it: the row, and the level it may be shown at."""

from __future__ import annotations

from datetime import date, datetime, tzinfo
from typing import Any, NamedTuple

from calward.model.calendar import Calendar
from calward.model.grant import Level
from calward.model.ids import AssistantId, EventId, OccurrenceId, RecurrenceKey, occurrence_id
from calward.model.time import CalTime, TimeKind


class SeenPerson(NamedTuple):
    name: str
    email: str
    partstat: str
    member: str | None
    organizer: bool


class Times(NamedTuple):
    """Where an occurrence begins and ends."""

    start: CalTime
    end: CalTime

    @property
    def day(self) -> date:
        return self.start.wall.date()


class LaidTimes(NamedTuple):
    """The same from a row, converted only when asked for: most lists need no more than the row's moments."""

    kind: TimeKind
    wall_start: str
    wall_end: str
    zone: tzinfo | None
    tzid: str | None

    @property
    def start(self) -> CalTime:
        return CalTime(self.kind, datetime.fromisoformat(self.wall_start), self.zone, self.tzid)

    @property
    def end(self) -> CalTime:
        return CalTime(self.kind, datetime.fromisoformat(self.wall_end), self.zone, self.tzid)

    @property
    def day(self) -> date:
        return date.fromisoformat(self.wall_start[:10])


class Seen(NamedTuple):
    """``key`` names the occurrence within a series and is empty for an event that does not recur. Text fields
    hold what the store holds; ``calward.operations.show`` shows no more of them than ``level`` allows.

    A tuple, since lists are long: a frozen dataclass of this width takes more than twice the time to make.
    """

    event: EventId
    key: RecurrenceKey
    calendar: Calendar
    level: Level
    own: bool
    maker: AssistantId | None
    times: Times | LaidTimes
    summary: str
    location: str
    description: str
    status: str
    transparent: bool
    recurs: bool
    rrule: str
    organizer: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    url: str = ""
    utc: tuple[int, int] | None = None
    """Start and end in epoch seconds, where the row has them and the times have a zone."""
    people: tuple[SeenPerson, ...] = ()
    flags: tuple[dict[str, Any], ...] = ()
    alone: bool = False
    """All it says is the asking assistant's own."""
    withheld: bool = False
    """What it says is a stranger's, and kept from assistants for now; the fields are empty."""

    @property
    def start(self) -> CalTime:
        return self.times.start

    @property
    def end(self) -> CalTime:
        return self.times.end

    @property
    def all_day(self) -> bool:
        return self.utc is None and self.start.is_date

    @property
    def id(self) -> OccurrenceId:
        return occurrence_id(self.event, self.key)

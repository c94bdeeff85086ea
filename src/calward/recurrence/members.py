"""The recurrence set of a master (RFC 5545 §3.8.5.3): which starts its rules and dates name, less the excluded.

Overrides are not looked at here; ``series`` lays them over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache

from calward.model.event import Event, Flag, Period
from calward.model.rule import Rule
from calward.model.time import CalTime, TimeKind
from calward.recurrence.calm import calm_around
from calward.recurrence.expand import STEPS, expand_rule
from calward.recurrence.lengths import add
from calward.recurrence.rule import RuleError, parse_rule
from calward.recurrence.slots import slot_of, wall_in_series


@dataclass(slots=True)
class Found:
    """Members of a set by slot, and what finding them took."""

    walls: dict[datetime, datetime]
    """Starts in the form of DTSTART, on its wall clock."""
    rdates: dict[datetime, CalTime]
    """Starts that RDATE names; they may be of another zone."""
    partial: bool = False
    spent: int = 0

    def __contains__(self, slot: datetime) -> bool:
        return slot in self.walls or slot in self.rdates

    def drop(self, slot: datetime) -> None:
        self.walls.pop(slot, None)
        self.rdates.pop(slot, None)

    def drop_days(self, days: set[date]) -> None:
        self.walls = {slot: wall for slot, wall in self.walls.items() if wall.date() not in days}
        self.rdates = {slot: time for slot, time in self.rdates.items() if time.wall.date() not in days}


class Members:
    """The recurrence set of ``master``, whose DTSTART is ``start``."""

    __slots__ = (
        "_excluded",
        "_excluded_days",
        "_exrules",
        "_rdates",
        "flags",
        "periods",
        "rules",
        "start",
        "viewer",
    )

    def __init__(self, master: Event, start: CalTime, viewer: tzinfo) -> None:
        self.start = start
        self.viewer = viewer
        self.flags: list[Flag] = []
        self.rules = tuple(self._read(master.rrules))
        """The rules that can be expanded; what is wrong with the others is in ``flags``."""
        self.periods: dict[datetime, Period] = {}
        """RDATE periods by slot; they name their own end."""
        self._exrules = tuple(self._read(master.exrules))
        self._rdates: dict[datetime, CalTime] = {}
        for rdate in master.rdates:
            time = self._in_form(rdate.start if isinstance(rdate, Period) else rdate)
            slot = slot_of(time, start, viewer)
            self._rdates[slot] = time
            if isinstance(rdate, Period):
                self.periods[slot] = rdate
        self._excluded: set[datetime] = set()
        self._excluded_days: set[date] = set()
        for time in master.exdates:
            if time.is_date and not start.is_date:
                self._excluded_days.add(time.wall.date())
            else:
                self._excluded.add(slot_of(time, start, viewer))

    def between(self, first: datetime, before: datetime, steps: int) -> Found:
        """Members whose wall-clock start lies in ``first <= start < before``."""
        found = Found({}, {})
        if first <= self.start.wall < before:
            found.walls.update(self._slots((self.start.wall,)))
        for rule in self.rules:
            # A time in a DST gap comes before the real time it is read as, which then takes its slot.
            found.walls.update(self._slots(self._expand(rule, first, before, found, steps, with_start=True)))
        for slot, time in self._rdates.items():
            if first <= time.wall < before and (slot in self.periods or slot not in found.walls):
                found.walls.pop(slot, None)
                found.rdates[slot] = time
        for rule in self._exrules:
            for slot, _ in self._slots(self._expand(rule, first, before, found, steps, with_start=False)):
                found.drop(slot)
        for slot in self._excluded:
            found.drop(slot)
        if self._excluded_days:
            found.drop_days(self._excluded_days)
        return found

    def excludes(self, time: CalTime) -> bool:
        """Whether an EXDATE names this start."""
        day = wall_in_series(time, self.start, self.viewer).date()
        return slot_of(time, self.start, self.viewer) in self._excluded or day in self._excluded_days

    def holds(self, time: CalTime) -> bool:
        """Whether this start is in the set; yes where the steps run out before that is known."""
        wall = wall_in_series(time, self.start, self.viewer)
        around = self.between(wall - timedelta(days=1), wall + timedelta(days=1), STEPS)
        return around.partial or slot_of(time, self.start, self.viewer) in around

    def before(self, time: CalTime) -> Iterator[datetime]:
        """The slots of members before this start, as far as steps allow."""
        slot = slot_of(time, self.start, self.viewer)
        wall = wall_in_series(time, self.start, self.viewer)
        starts = [self.start.wall, *(rdate.wall for rdate in self._rdates.values())]
        found = self.between(add(min(starts), -timedelta(days=1)), add(wall, timedelta(days=1)), STEPS)
        return (it for it in (*found.walls, *found.rdates) if it < slot)

    def _expand(
        self, rule: Rule, first: datetime, before: datetime, found: Found, steps: int, *, with_start: bool
    ) -> tuple[datetime, ...]:
        walls = expand_rule(
            rule,
            self.start.wall,
            first,
            before,
            until=until_wall(rule, self.start, self.viewer),
            all_day=self.start.is_date,
            with_start=with_start,
            steps=max(steps - found.spent, 0),
        )
        found.spent += walls.spent
        found.partial = found.partial or walls.partial
        return walls.moments

    def _slots(self, walls: tuple[datetime, ...]) -> Iterator[tuple[datetime, datetime]]:
        """Each with its slot."""
        zone = self.start.zone
        if zone is None or self.start.kind is TimeKind.UTC:
            yield from zip(walls, walls, strict=True)
            return
        calm = None
        for wall in walls:
            if calm is None or not calm.first <= wall < calm.before:
                calm = calm_around(zone, wall)
            if calm is not None:
                yield wall - calm.offset, wall
            else:
                yield slot_of(self.start.at(wall), self.start, self.viewer), wall

    def _in_form(self, time: CalTime) -> CalTime:
        """A date among times takes DTSTART's time of day, a time among dates its day."""
        if time.is_date == self.start.is_date:
            return time
        return self.start.at(wall_in_series(time, self.start, self.viewer))

    def _read(self, texts: tuple[str, ...]) -> Iterator[Rule]:
        for text in texts:
            rule = read_rule(text)
            if isinstance(rule, Flag):
                self.flags.append(rule)
            else:
                yield rule


@lru_cache(maxsize=4096)
def read_rule(text: str) -> Rule | Flag:
    """A rule that can be expanded, or the flag that says why not: ``bad_value`` or ``unsupported``."""
    try:
        rule = parse_rule(text)
    except RuleError as error:
        return Flag("bad_value", str(error))
    if not rule.supported:
        return Flag("unsupported", "The rule is of a calendar other than the Gregorian; it is not expanded.")
    return rule


def until_wall(rule: Rule, start: CalTime, viewer: tzinfo) -> datetime | None:
    """UNTIL on the wall clock of ``start``, inclusive.

    RFC 5545 §3.3.10 wants DTSTART's value type. A date for a timed series means that whole day; for a series of
    dates the day of a time counts as written, and for a floating one the time as written.
    """
    until = rule.until
    if until is None:
        return None
    if until.is_date and not start.is_date:
        return until.wall.replace(hour=23, minute=59, second=59)
    if until.zone is None or start.is_date or start.kind is TimeKind.FLOATING:
        return until.wall
    return wall_in_series(until, start, viewer)

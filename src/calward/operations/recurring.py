"""When something that repeats comes next: a cron line or an RRULE, on the wall clock of a zone.

A time that a clock change skips is moved on and still comes once; one that happens twice comes the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby, islice, pairwise
from zoneinfo import ZoneInfo

from calward.errors import InvalidInput
from calward.model.rule import Rule
from calward.model.time import CalTime
from calward.recurrence.expand import expand_rule
from calward.recurrence.members import until_wall
from calward.recurrence.rule import RuleError, parse_rule

AHEAD = timedelta(days=5 * 366)
LOOKED_AT = 50
SOONEST = timedelta(minutes=5)
"""Nothing repeats faster: a prompt is for a person to read, or for a program that asks back."""
CRON_FIELDS = 5
NONE, SECOND, MINUTE = timedelta(), timedelta(seconds=1), timedelta(minutes=1)
NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
"""What cron itself reads for a whole line (crontab(5))."""


def next_after(repeat: str, starts_at: datetime, zone: ZoneInfo, after: datetime) -> datetime | None:
    """The first moment after ``after``, and not before ``starts_at``, in UTC; None where there is none in the
    next years."""
    return next((moment for moment in _moments(repeat, starts_at, zone, after) if moment > after), None)


def checked(repeat: str, starts_at: datetime, zone: ZoneInfo) -> str:
    """A repetition that can be followed. Raises ``InvalidInput`` with what would be right."""
    text = " ".join(repeat.split())
    first = list(islice(_moments(text, starts_at, zone, starts_at - SECOND), LOOKED_AT))
    if not first:
        raise InvalidInput("repeat: that never happens; check its days and months.")
    if any(later - sooner < SOONEST for sooner, later in pairwise(first)):
        minutes = SOONEST // MINUTE
        raise InvalidInput(f"repeat: at most every {minutes} minutes.")
    return text


def _moments(repeat: str, starts_at: datetime, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    if "FREQ" in repeat.upper():
        return _by_rule(repeat, starts_at, zone, after)
    return _by_cron(repeat, max(after, starts_at - SECOND), zone)


def _by_cron(line: str, after: datetime, zone: ZoneInfo) -> Iterator[datetime]:
    from cronsim import CronSim, CronSimError  # few calls need it

    line = NICKNAMES.get(line.strip().lower(), line)
    if len(line.split()) != CRON_FIELDS:
        raise InvalidInput(
            "repeat: a cron line has five fields, as 0 9 * * 1 for Mondays at nine; or give an RRULE, as "
            "FREQ=WEEKLY;BYDAY=MO."
        )
    try:
        times = CronSim(line, after.astimezone(zone))
    except CronSimError as error:
        raise InvalidInput(f"repeat: no cron line: {error}.") from None
    # What is moved on may fall on what comes anyway.
    return (moment for moment, _ in groupby(_placed(line, one, zone) for one in times))


def _placed(line: str, found: datetime, zone: ZoneInfo) -> datetime:
    """The moment of a time of a cron line, in UTC. What a clock change skips cron has at the end of the gap; it
    is read with the offset before the gap here, as everywhere."""
    from cronsim import CronSim  # few calls need it

    moment = found.astimezone(UTC)
    gap = (found.utcoffset() or NONE) - ((moment - SECOND).astimezone(zone).utcoffset() or NONE)
    wall = found.replace(tzinfo=None)
    if gap <= NONE or next(CronSim(line, wall - MINUTE)) == wall:
        return moment
    skipped = next(CronSim(line, wall - gap - MINUTE))
    return CalTime.of_zone(skipped, zone, zone.key).instant(zone)


def _by_rule(text: str, starts_at: datetime, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    rule = _rule(text)
    start = starts_at.astimezone(zone).replace(tzinfo=None)
    first = max(after, starts_at).astimezone(zone).replace(tzinfo=None) - timedelta(days=1)
    until = until_wall(rule, CalTime.of_zone(start, zone, zone.key), zone)
    walls = expand_rule(rule, start, first, first + AHEAD, until=until, with_start=False)
    return (CalTime.of_zone(wall, zone, zone.key).instant(zone) for wall in walls.moments)


def _rule(text: str) -> Rule:
    try:
        rule = parse_rule(text.upper().removeprefix("RRULE:"))
    except RuleError as error:
        raise InvalidInput(f"repeat: {error}") from None
    if not rule.supported:
        raise InvalidInput("repeat: only rules of the Gregorian calendar can be followed.")
    return rule

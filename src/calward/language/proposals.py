"""What was said, completed by the conventions: the event or reminder that would be made of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from calward.language.conventions import Conventions
from calward.language.moment import MomentReading
from calward.language.moments import aware


@dataclass(frozen=True, slots=True)
class Proposal:
    """A span with both ends aware; ``assumed`` names what the conventions added: ``hour``, ``length``."""

    start: datetime
    end: datetime
    all_day: bool
    assumed: tuple[str, ...] = ()


def propose_event(when: MomentReading, conventions: Conventions) -> Proposal | None:
    """An event at the time that was said; None where no start was.

    A date alone gets ``default_hour``, a start alone ``default_minutes``; several whole days stay whole days.
    """
    if when.start is None:
        return None
    if when.is_one_day:
        start = _at_hour(when.start, conventions.default_hour)
        return Proposal(start, start + _length(conventions), False, ("hour", "length"))
    if when.all_day:
        end = when.end or when.start + timedelta(days=1)
        return Proposal(when.start, end, True)
    if when.end is None:
        return Proposal(when.start, when.start + _length(conventions), False, ("length",))
    return Proposal(when.start, when.end, False)


def propose_reminder(when: MomentReading, conventions: Conventions) -> datetime | None:
    """When to remind: the moment itself, or ``remind_hour`` on the first day ("next week" is its Monday)."""
    if when.start is None:
        return when.end
    return _at_hour(when.start, conventions.remind_hour) if when.all_day else when.start


def _at_hour(day: datetime, hour: int) -> datetime:
    zone = day.tzinfo
    assert zone is not None
    found = aware(datetime.combine(day.date(), time(hour)), zone)
    assert found is not None
    return found


def _length(conventions: Conventions) -> timedelta:
    return timedelta(minutes=conventions.default_minutes)

"""What else a sentence could mean: the same words under the conventions that others have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from calward.language.conventions import Conventions, DateOrder, NextWeekday
from calward.language.facts import Facts
from calward.language.understand import NOTHING_KNOWN, Reading, understand


def otherwise(
    reading: Reading, conventions: Conventions, now: datetime, facts: Facts = NOTHING_KNOWN
) -> tuple[Reading, ...]:
    """Other readings of the same clause, each at another time; only what ``reading.notes`` rested on is turned.

    ``now`` is as ``understand`` takes it.
    """
    seen = [_times(reading)]
    found: list[Reading] = []
    for turned in _turned(reading.notes, conventions):
        other = understand(reading.text, turned, now, facts).readings[0]
        if other.when is not None and _times(other) not in seen:
            seen.append(_times(other))
            found.append(other)
    return tuple(found)


def _turned(notes: tuple[str, ...], conventions: Conventions) -> Iterator[Conventions]:
    """Each convention that was used, the other way round."""
    if "next_weekday" in notes:
        coming = conventions.next_weekday is NextWeekday.COMING
        yield replace(conventions, next_weekday=NextWeekday.NEXT_WEEK if coming else NextWeekday.COMING)
    if "day_or_month" in notes:
        month_first = conventions.date_order is DateOrder.MDY
        yield replace(conventions, date_order=DateOrder.DMY if month_first else DateOrder.MDY)
    if "bare_hour" in notes:
        # No hour from 1 to 12 is below the one, and all but 12 are below the other.
        yield from (replace(conventions, first_morning_hour=hour) for hour in (1, 12))


def _times(reading: Reading) -> tuple[datetime | None, ...]:
    return tuple(
        moment
        for time in (reading.when, reading.new_when)
        for moment in ((time.start, time.end) if time else (None, None))
    )

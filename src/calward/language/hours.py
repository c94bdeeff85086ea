"""The time of day an hour stands for: which half of the day it is in, and how doubtful that is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from calward.language.conventions import Conventions
from calward.language.scene import Scene
from calward.language.values import NO_MARKS, Clock, Part

HALVES = {"morning": range(4, 12), "evening": range(4, 11)}
"""Hours that are settled by what is done then: dinner at 8 is in the evening."""

PLAIN_FIGURES = range(9, 13)
"""Hours that are what they say where minutes are written with them: "12:30", "9:05"."""

NIGHT_ENDS = 6
"""Hours below this one belong to the night before when a part of day says "night"."""

NIGHT_OWLS = 5
"""Hours below this one, said without am or pm, are those of the night that follow midnight."""

LATE_PARTS = frozenset(
    {
        "last_thing",
        "after_dinner",
        "lunch",
        "after_lunch",
        "after_school",
        "after_work",
        "night",
        "evening",
        "afternoon",
    }
)


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def at_clock(day: date, clock: Clock) -> datetime:
    """A time of day on a day; hour 24 is the midnight that ends it."""
    return midnight(day) + timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)


def settle(clock: Clock, day: date | None, scene: Scene, part: str | None = None) -> Clock:
    """Decide between morning and afternoon where it was left open."""
    if part is not None:
        return by_part(clock, part)
    if not clock.open:
        return clock
    if scene.half is not None and clock.hour in HALVES[scene.half]:
        return by_part(clock, scene.half)
    if clock.hour == 12 or (clock.written and scene.conventions.written_by_24):
        return clock.closed()
    early = clock.hour < scene.conventions.first_morning_hour
    said = clock.flipped() if early else clock.closed()
    if (day is None or day == scene.today) and not early and not scene.backward:
        other = clock.flipped()
        if at_clock(scene.today, said) < scene.now < at_clock(scene.today, other):
            return other
    return said


def hour_mark(clock: Clock, said: Clock, part: Part | None, customs: Conventions) -> frozenset[str]:
    """The doubt of an hour without am or pm: none where figures or the person chose, and the hour it is now did
    not."""
    if said.open and clock.hour >= 24:
        # "Tonight at 3" is the morning after, if it is no slip of the tongue.
        return frozenset({"bare_hour"})
    if part is not None or not said.open or (is_plain(said, customs) and clock.hour == said.hour):
        return NO_MARKS
    chosen = clock.hour >= 12 if said.hour < customs.first_morning_hour else clock.hour == said.hour
    return NO_MARKS if customs.bare_hours_are_settled and chosen else frozenset({"bare_hour"})


def by_part(clock: Clock, part: str) -> Clock:
    """As in "8 in the evening", "12 at night", "4 in the morning"."""
    late = any(part.endswith(name) for name in LATE_PARTS)
    if not clock.open and part.endswith("night") and clock.hour < NIGHT_ENDS:
        return replace(clock, hour=clock.hour + 24)
    if clock.hour > 12 or not clock.open:
        return clock.closed()
    if part.endswith("night") and clock.hour < NIGHT_OWLS:
        # "3 at night" is long after midnight, "8 at night" before it.
        return replace(clock, hour=clock.hour + 24, open=False)
    if not late:
        return replace(
            clock, hour=0 if clock.hour == 12 and part.endswith("morning") else clock.hour, open=False
        )
    if clock.hour == 12:
        return replace(clock, hour=24 if part.endswith(("night", "evening")) else 12, open=False)
    return replace(clock, hour=clock.hour + 12, open=False)


def is_plain(said: Clock, customs: Conventions) -> bool:
    """Whether nobody would take the figures for the other half of the day."""
    return said.written and (customs.written_by_24 or said.hour in PLAIN_FIGURES)

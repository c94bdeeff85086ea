"""The conventions under which words become moments: one explicit value, so that nothing is guessed in silence.

"Next Friday", "3/4", "at 5" and "in the morning" mean different things to different people. Every such choice
is a field here; ``docs/language.md`` shows what each does, and a reading that rested on one says so in its
notes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from zoneinfo import ZoneInfo


class Direction(StrEnum):
    """Where to look for a date that was not said in full ("the 4th", "March", "Friday")."""

    FUTURE = "future"
    PAST = "past"


class DateOrder(StrEnum):
    """How a date in digits is read where it could be read in two ways."""

    MDY = "mdy"
    DMY = "dmy"


class NextWeekday(StrEnum):
    """What "next Friday" means."""

    NEXT_WEEK = "next_week"
    """The Friday of the next week."""
    COMING = "coming"
    """The first Friday after today."""


PARTS_OF_DAY: tuple[tuple[str, int, int], ...] = (
    ("dawn", 5, 7),
    ("first_thing", 8, 10),
    ("early_morning", 6, 9),
    ("morning", 8, 12),
    ("mid_morning", 9, 11),
    ("late_morning", 10, 12),
    ("forenoon", 9, 12),
    ("lunch", 12, 14),
    ("early_afternoon", 12, 15),
    ("afternoon", 12, 19),
    ("mid_afternoon", 14, 16),
    ("late_afternoon", 16, 19),
    ("last_thing", 16, 19),
    ("after_breakfast", 9, 12),
    ("after_lunch", 13, 17),
    ("after_school", 15, 21),
    ("after_work", 17, 21),
    ("early_evening", 17, 20),
    ("evening", 18, 24),
    ("after_dinner", 20, 24),
    ("late_evening", 21, 24),
    ("night", 20, 24),
    ("late_night", 21, 24),
)
"""Parts of the day as (name, first hour, hour of the exclusive end)."""

MONTH_FIRST = ("en-US", "en-PH", "en-CA", "en-ZA")
SUNDAY_FIRST = ("en-US", "en-CA", "en-AU", "en-PH", "en-ZA", "en-JM", "en-TT", "en-BZ", "en-IN")


@dataclass(frozen=True, slots=True)
class Conventions:
    """How to read what was said: the person's zone, language, region and habits.

    ``zone`` is the zone in which bare times are meant. ``week_start`` is where "this week" begins (Monday = 0).
    ``talk_week_start`` is where talk of "next <weekday>" turns over, which need not be the same: said on a
    Sunday in the United States, "next Monday" is eight days away. Hours below ``first_morning_hour`` without am
    or pm are afternoon hours ("at 5" is 17:00).
    """

    zone: ZoneInfo
    language: str = "en"
    region: str = ""
    direction: Direction = Direction.FUTURE
    date_order: DateOrder = DateOrder.MDY
    date_order_is_settled: bool = False
    """Set when the person chose ``date_order``, or nobody who speaks the language writes the other: then "3/4"
    needs no question."""
    next_weekday: NextWeekday = NextWeekday.NEXT_WEEK
    next_weekday_is_settled: bool = False
    """Set when the person chose ``next_weekday``: then "next Friday" needs no question."""
    bare_hours_are_settled: bool = False
    """Set when the person chose ``first_morning_hour``: then "at 5" needs no question."""
    week_start: int = 0
    talk_week_start: int = 0
    first_morning_hour: int = 7
    written_by_24: bool = False
    """A clock written with minutes ("3:15") counts 24 hours."""
    default_hour: int = 12
    """The hour of an event that was given a date and no hour."""
    default_minutes: int = 60
    """The length of an event that was given none."""
    remind_hour: int = 9
    """The hour "tomorrow" means to a reminder."""
    parts: tuple[tuple[str, int, int], ...] = PARTS_OF_DAY

    @classmethod
    def for_locale(cls, locale: str, zone: ZoneInfo) -> Conventions:
        """The customs of a BCP 47 locale such as ``en-GB`` or ``de``; an unknown one gets English words."""
        language, _, region = locale.replace("_", "-").partition("-")
        language, region = language.lower(), region.upper()
        full = f"{language}-{region}" if region else ("en-US" if language == "en" else language)
        return cls(
            zone=zone,
            language=language,
            region=region,
            date_order=DateOrder.MDY if full in MONTH_FIRST else DateOrder.DMY,
            date_order_is_settled=language != "en",
            written_by_24=language != "en",
            talk_week_start=6 if full in SUNDAY_FIRST else 0,
        )

    def in_zone(self, zone: ZoneInfo) -> Conventions:
        return replace(self, zone=zone)

    def part(self, name: str) -> tuple[int, int] | None:
        """The hours of a part of day as (first, exclusive end), if it has a meaning."""
        for known, first, end in self.parts:
            if known == name:
                return first, end
        return None

"""The words recurrences are told in, and the order they stand in: a table for each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words of one language."""

    weekdays: Sequence[str]
    """From Monday."""
    months: Sequence[str]
    """From January."""
    ordinals: Sequence[str]
    """In words, from the first; what goes on from there is a number with one of ``endings``."""
    endings: Mapping[int, str]
    """By the last two digits of a number, or else by its last one; 0 is for all others."""
    units: Mapping[str, tuple[str, str]]
    """What FREQ counts, one and many."""
    text: Mapping[str, str]
    """Templates for ``str.format``, which takes their fields by name."""


ENGLISH = Phrases(
    weekdays=["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    months=[
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    ordinals=["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
    endings={1: "st", 2: "nd", 3: "rd", 11: "th", 12: "th", 13: "th", 0: "th"},
    units={
        "SECONDLY": ("second", "seconds"),
        "MINUTELY": ("minute", "minutes"),
        "HOURLY": ("hour", "hours"),
        "DAILY": ("day", "days"),
        "WEEKLY": ("week", "weeks"),
        "MONTHLY": ("month", "months"),
        "YEARLY": ("year", "years"),
    },
    text={
        "comma": ", ",
        "and": " and ",
        "each": "every {what}",
        "every nth": "every {nth} {what}",
        "every few": "every {count} {what}",
        "period": "each {what}",
        "on": "{when} on {days}",
        "of": "{days} of {when}",
        "in": "{days} in {where}",
        "yearly": "{days} {when}",
        "the": "the {what}",
        "nth": "{nth} {what}",
        "last": "last {what}",
        "nth last": "{nth} to last {what}",
        "day": "day",
        "workday": "weekday",
        "weekend day": "weekend day",
        "week": "week {number}",
        "date": "{month} {day}",
        "date in year": "{month} {day}, {year}",
        "falling on": "{days} falling on {which}",
        "one of": "the {which} of {days}",
        "only in": "{what}, only in {where}",
        "only on": "{what}, only on {days}",
        "at": "{what} at {times}",
        "in hours": "{what} in the hours {numbers}",
        "at minutes": "{what} at the minutes {numbers}",
        "at seconds": "{what} at the seconds {numbers}",
        "until": "{what} until {date}",
        "once": "{what}, once",
        "times": "{what}, {count} times",
        "backward": "{what}, or the last day before where there is none",
        "forward": "{what}, or the first day after where there is none",
        "other calendar": "by a rule of the {name} calendar",
    },
)

"""What a sentence was understood to say, in words for a person and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from calward.faces.cli.paper import Cell, Line, line
from calward.faces.cli.rendering.days import ALL_DAY, day_words, days_words, moment_words
from calward.faces.cli.wished_event import Wish
from calward.language.describe import describe
from calward.language.intents import Intent
from calward.language.moment import MomentReading
from calward.language.understand import Reading
from calward.model.time import CalTime
from calward.recurrence.rule import parse_rule

Readings = Sequence[tuple[Reading, Sequence[Reading]]]
"""Each wish of a sentence with what else it could mean."""

INTENT_WORDS = {
    Intent.CREATE: "a new event",
    Intent.FIND: "a question about events",
    Intent.CHANGE: "a change to an event",
    Intent.DELETE: "an event to delete",
    Intent.AVAILABILITY: "a question about free time",
    Intent.ACCEPT: "an invitation to accept",
    Intent.TASK_ADD: "a new task",
    Intent.TASK_LIST: "a question about tasks",
    Intent.TASK_DONE: "a task that is done",
    Intent.REMINDER_SET: "a reminder",
    Intent.REMINDER_LIST: "a question about reminders",
    Intent.NONE: "nothing for a calendar",
}

NOTE_WORDS = {
    "abbreviated_zone": "the short name of the time zone",
    "bare_hour": "an hour without am or pm",
    "day_or_month": "a date that reads with day or month first",
    "far_ahead": "a date far ahead",
    "half_hour": "a half hour that languages count differently",
    "midnight": "which midnight",
    "next_weekday": 'what "next" means before a weekday',
    "no_day": "a time without a day",
    "part_of_day": "a part of the day",
    "past": "a time in the past",
    "today_by_name": "a weekday that is today",
    "weekday_differs": "a weekday that is not that date's",
    "whole_units": 'what "next" means before weeks or months',
}
"""Those a person can settle by saying it otherwise; the others go by their own names."""


def readings(found: Readings) -> Iterator[Line]:
    """Each wish: what it is, how sure, its parts, what it rests on and what else it could mean."""
    for reading, others in found:
        yield line(Cell(INTENT_WORDS[reading.intent], "bold"), f"{reading.confidence:.0%} sure")
        yield from (line(f"{name}:", Cell(said, "cyan"), indent=1) for name, said in _parts(reading))
        if reading.notes:
            yield line(f"rests on: {doubts(reading)}", indent=1)
        for other in others:
            yield line(f"or: {times_words(other)}", indent=1)
        if reading.runner_up is not Intent.NONE:
            yield line(f"or: {INTENT_WORDS[reading.runner_up]}", indent=1)


def readings_as_data(found: Readings) -> dict[str, Any]:
    """The same for a program. Moments are ISO 8601 with offset, ends exclusive; the unsaid is left out."""
    return {"readings": [_data(reading) | _others(reading, others) for reading, others in found]}


def wish_lines(wish: Wish, reading: Reading, others: Sequence[Reading] = ()) -> Iterator[Line]:
    """The event that would be made, and, where one may doubt it, why and what else was meant."""
    yield line(Cell(wish_words(wish), "bold"))
    if not wish.is_sure:
        reasons = [doubts(reading)] if reading.notes else []
        reasons += ["no hour was said"] if wish.lacks_hour else []
        reasons += ["somebody from outside is invited"] if any(one.is_outside for one in wish.guests) else []
        yield line(Cell(f"not sure: {'; '.join(reasons) or 'the wording of the sentence'}", "yellow"), indent=1)
        yield from (line(f"or: {times_words(other)}", indent=1) for other in others)


def wish_words(wish: Wish) -> str:
    """``Dinner with Sam — Fri 6 Mar 2026 19:00–20:00, at Luigi's; guests: Sam``."""
    place = f", at {wish.place}" if wish.place else ""
    rule = f", {_rule_words(wish)}" if wish.rule else ""
    names = [one.name if one.address else f"{one.name} (not invited)" for one in wish.guests]
    guests = f"; guests: {', '.join(names)}" if names else ""
    return f"{wish.title} — {_span(wish)}{rule}{place}{guests}"


def doubts(reading: Reading) -> str:
    """The notes of a reading in words."""
    return "; ".join(NOTE_WORDS.get(note, note.replace("_", " ")) for note in reading.notes)


def times_words(reading: Reading) -> str:
    """The time that was said; for a change the new one."""
    when = reading.new_when or reading.when
    return _moment_words(when) if when else "no time"


def _span(wish: Wish) -> str:
    if wish.all_day:
        return f"{days_words(*wish.dates)}, {ALL_DAY}"
    one_day = wish.start.date() == wish.end.date()
    return f"{_at(wish.start)}–{wish.end:%H:%M}" if one_day else f"{_at(wish.start)} – {_at(wish.end)}"


def _rule_words(wish: Wish) -> str:
    zone = ZoneInfo(wish.zone)
    start = CalTime.of_date(wish.start.date()) if wish.all_day else CalTime.of_zone(wish.start, zone, wish.zone)
    return describe(parse_rule(wish.rule or ""), start)


def _parts(reading: Reading) -> Iterator[tuple[str, str]]:
    if reading.summary:
        yield "title", reading.summary
    if reading.when:
        yield "when", _moment_words(reading.when)
    if reading.new_when:
        yield "new time", _moment_words(reading.new_when)
    if reading.place:
        yield "at", reading.place
    if reading.people:
        yield "with", ", ".join(one.name if one.person else f"{one.name} (not known)" for one in reading.people)


def _moment_words(when: MomentReading) -> str:
    rule = f", {when.rrule}" if when.rrule else ""
    skipped = f", not on {', '.join(day_words(day) for day in when.exdates)}" if when.exdates else ""
    if when.start is None:
        return f"until {_at(when.end)}{rule}" if when.end else "no time"
    if when.all_day and when.end is not None:
        return f"{days_words(when.start.date(), when.end.date() - timedelta(days=1))}{rule}{skipped}"
    ends = f" – {_at(when.end)}" if when.end else ""
    return f"{_at(when.start)}{ends}{rule}{skipped}"


def _at(moment: datetime) -> str:
    return moment_words(moment.isoformat())


def _data(reading: Reading) -> dict[str, Any]:
    times = {"when": reading.when, "new_when": reading.new_when}
    return {
        "text": reading.text,
        "intent": reading.intent.value,
        "confidence": reading.confidence,
        **{name: said for name in ("title", "summary", "place") if (said := getattr(reading, name))},
        **{name: _moment_data(time) for name, time in times.items() if time},
        "people": [{"name": one.name} | ({"id": one.person} if one.person else {}) for one in reading.people],
        "notes": list(reading.notes),
    }


def _others(reading: Reading, others: Sequence[Reading]) -> dict[str, Any]:
    return {"runner_up": reading.runner_up.value, "alternatives": [_data(other) for other in others]}


def _moment_data(when: MomentReading) -> dict[str, Any]:
    return {
        **({"start": when.start.isoformat()} if when.start else {}),
        **({"end": when.end.isoformat()} if when.end else {}),
        "all_day": when.all_day,
        "grain": when.grain,
        **({"rrule": when.rrule, "exdates": [day.isoformat() for day in when.exdates]} if when.rrule else {}),
    }

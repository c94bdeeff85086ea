"""Moving times: a series, its exceptions and its overrides by one difference on the wall clock.

A series recurs at one wall-clock time, so moving it means adding the same difference to every wall-clock start
in it, whatever the new form or zone. What its rule becomes is in ``ruling``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo

from calward.ical.edit import Edit, RemoveLines, SetLine
from calward.ical.lines import Line
from calward.ical.text import content_line, format_time, format_value
from calward.model.event import Event, Period
from calward.model.time import CalTime, TimeKind
from calward.recurrence.lengths import Length, add, naive_utc
from calward.recurrence.slots import wall_in_series
from calward.recurrence.stored import Stored


@dataclass(frozen=True, slots=True)
class Move:
    """From a series at ``old`` (its DTSTART) to the form and zone of ``like``, ``delta`` later on the wall."""

    old: CalTime
    like: CalTime
    delta: timedelta
    viewer: tzinfo

    @property
    def days(self) -> int:
        """By how many days the date of the first start changes."""
        return (add(self.old.wall, self.delta).date() - self.old.wall.date()).days

    @property
    def reforms(self) -> bool:
        """Whether the zone or the kind of time changes."""
        return (self.old.kind, self.old.zone, self.old.tzid) != (self.like.kind, self.like.zone, self.like.tzid)

    def __bool__(self) -> bool:
        return bool(self.delta) or self.reforms

    def of(self, time: CalTime) -> CalTime:
        """Where a start of the series goes."""
        return self.like.at(add(wall_in_series(time, self.old, self.viewer), self.delta))

    def of_value(self, time: CalTime | Period) -> CalTime | Period:
        """The same for what an EXDATE, RDATE or RECURRENCE-ID says; a bare date among times stays one."""
        if isinstance(time, Period):
            length = naive_utc(time.end, self.viewer) - naive_utc(time.start, self.viewer)
            start = self.of(time.start)
            end, _ = Length(exact=length).after(start, naive_utc(start, self.viewer), self.viewer)
            return Period(start, end)
        if time.is_date and not self.old.is_date:
            return CalTime.of_date(add(time.wall, timedelta(days=self.days)))
        return self.of(time)

    def of_override(self, start: CalTime, recurrence_id: CalTime) -> CalTime:
        """Where an override goes that has ``recurrence_id``: as far as its place in the series."""
        if start.kind is self.old.kind and start.zone is self.old.zone:
            return self.like.at(add(start.wall, self.delta))
        if self.like.is_date or start.is_date:
            return CalTime.of_date(add(start.wall, timedelta(days=self.days)))
        before, after = (naive_utc(time, self.viewer) for time in (recurrence_id, self.of(recurrence_id)))
        return start.at(add(start.wall, after - before))


def start_edits(
    stored: Stored, event: Event, start: CalTime, length: Length, *, new_length: bool
) -> list[Edit]:
    """DTSTART, and DTEND or DURATION with it, of one component. A length that is not new keeps its form."""
    key = event.key
    edits: list[Edit] = []
    if start != event.start:
        edits.append(SetLine(key, "DTSTART", format_time("DTSTART", start)))
    if new_length or (event.end is not None and start != event.start):
        end, _ = length.after(start, naive_utc(start, stored.viewer), stored.viewer)
        if event.duration is not None:
            edits.append(RemoveLines(key, "DURATION"))
        if end != event.end:
            edits.append(SetLine(key, "DTEND", format_time("DTEND", end)))
    return edits


def moved_line(stored: Stored, line: Line, move: Move) -> str:
    """An EXDATE, RDATE or RECURRENCE-ID line with its times moved; one that cannot be read stays."""
    moved = [move.of_value(time) for time in stored.times(line) or ()]
    keep = [("RANGE", [line.param("RANGE")])] if line.param("RANGE") else []
    return times_line(line.name, moved, keep) if moved else line.text


def times_line(
    name: str, times: Sequence[CalTime | Period], params: Sequence[tuple[str, Sequence[str]]] = ()
) -> str:
    """One line of times that share a form, with the VALUE and TZID it needs (RFC 5545 §3.8.5)."""
    first = times[0]
    if isinstance(first, CalTime) and len(times) == 1 and not params:
        return format_time(name, first)
    form = [*params]
    one = first.start if isinstance(first, Period) else first
    if isinstance(first, Period):
        form.append(("VALUE", ["PERIOD"]))
    elif one.is_date:
        form.append(("VALUE", ["DATE"]))
    if one.kind is TimeKind.ZONED and one.tzid:
        form.append(("TZID", [one.tzid]))
    return content_line(name, form, ",".join(map(_value, times)))


def _value(time: CalTime | Period) -> str:
    if isinstance(time, Period):
        return f"{format_value(time.start)}/{format_value(time.end)}"
    return format_value(time)

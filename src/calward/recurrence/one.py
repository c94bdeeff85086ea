"""Edits of one occurrence: its own component (an override) changes or is made, or EXDATE takes it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from calward.errors import InvalidInput, NotFound
from calward.ical.edit import AddComponent, AddLine, Edit, RemoveComponent, RemoveLines
from calward.ical.lines import Line
from calward.ical.text import format_time
from calward.model.event import Event
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, recurrence_key
from calward.model.unset import UNSET
from calward.recurrence.lengths import length_between, length_of
from calward.recurrence.members import Members
from calward.recurrence.moving import start_edits, times_line
from calward.recurrence.patch import SeriesPatch
from calward.recurrence.patching import property_edits, replaced, stamped, zone_edits
from calward.recurrence.slots import wall_in_series
from calward.recurrence.stored import MASTER, Stored, Target


def edit_one(stored: Stored, target: Target, patch: SeriesPatch, now: datetime) -> list[Edit]:
    """Change one occurrence. Its override is made first where it has none, as a copy of what describes it."""
    if patch.rrule is not UNSET:
        raise InvalidInput("One occurrence has no recurrence of its own; say which scope the new rule is for.")
    edits: list[Edit] = []
    key = target.component.key
    if not target.overridden:
        edits.append(AddComponent(_override_text(stored, target)))
        key = recurrence_key(target.original)
    there = stored.after(edits)
    event = next(it for it in there.events if it.key == key)
    edits += zone_edits(there, patch.start, patch.end)
    edits += property_edits(there, key, patch)
    edits += _time_edits(there, event, target, patch)
    edits += stamped(there, (key,), now, bump=patch.reschedules)
    return edits


def delete_one(stored: Stored, target: Target, now: datetime) -> list[Edit]:
    """Take one occurrence out: its override goes, and EXDATE in DTSTART's form stands against the rule."""
    edits: list[Edit] = []
    if target.overridden:
        edits.append(RemoveComponent(target.component.key))
    if stored.members is not None and stored.members.holds(target.original):
        start = stored.members.start
        original = start.at(wall_in_series(target.original, start, stored.viewer))
        edits.append(AddLine(MASTER, format_time("EXDATE", original)))
        edits += stamped(stored, (MASTER,), now, bump=True)
    return edits


def restore_one(stored: Stored, key: RecurrenceKey, original: CalTime, now: datetime) -> list[Edit]:
    """Bring back an occurrence that EXDATE took out or that an override cancels."""
    edits: list[Edit] = []
    slot = stored.slot(original)
    for event in stored.overrides:
        named = event.recurrence_id is not None and stored.slot(event.recurrence_id) == slot
        if named and event.status == "CANCELLED":
            edits.append(RemoveLines(event.key, "STATUS"))
            edits += stamped(stored, (event.key,), now, bump=True)
    taken = list(_without_exdate(stored, stored.members, original)) if stored.members else []
    if taken:
        edits += [*taken, *stamped(stored, (MASTER,), now, bump=True)]
    if not edits:
        raise NotFound(f"The occurrence {key} is not deleted.")
    return edits


def _time_edits(stored: Stored, event: Event, target: Target, patch: SeriesPatch) -> list[Edit]:
    start = target.start if patch.start is UNSET else patch.start
    if patch.end is not UNSET:
        length = length_between(start, checked_end(start, patch.end, stored), stored.viewer)
        return start_edits(stored, event, start, length, new_length=True)
    if patch.start is UNSET:
        return []
    if start.is_date != target.start.is_date:
        raise InvalidInput("From a time to whole days or back, an event needs its new end too.")
    return start_edits(stored, event, start, length_of(event, stored.viewer), new_length=False)


def checked_end(start: CalTime, end: CalTime, stored: Stored) -> CalTime:
    """The end a person gave, if it goes with this start."""
    if start.is_date != end.is_date:
        raise InvalidInput("Start and end must both be dates or both be times.")
    if end.instant(stored.viewer) < start.instant(stored.viewer):
        raise InvalidInput("The end must not be before the start.")
    return end


_NOT_COPIED = frozenset({"RRULE", "RDATE", "EXDATE", "EXRULE", "DTSTART", "DTEND", "RECURRENCE-ID"})
_CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


def _override_text(stored: Stored, target: Target) -> str:
    """A component for one occurrence: all its describing component says, at its own time."""
    component = stored.component(target.component.key)
    times = [times_line("RECURRENCE-ID", [target.original]), times_line("DTSTART", [target.start])]
    if target.component.end is not None or target.period is not None:
        times.append(times_line("DTEND", [target.end]))
    dropped = _NOT_COPIED | ({"DURATION"} if target.period is not None else set())
    own = [line.text for line in component.properties() if line.name not in dropped]
    nested = [
        text
        for child in component.children
        if child.closed
        for text in component.lines.texts[child.first : child.end]
        if ":" in text
    ]
    lines = ["BEGIN:VEVENT", *times, *own, *nested, "END:VEVENT"]
    return "\n".join(_CONTROLS.sub("", line) for line in lines)


def _without_exdate(stored: Stored, members: Members, original: CalTime) -> Iterator[Edit]:
    """EXDATE lines without the values that mean this start."""
    slot = stored.slot(original)
    day = wall_in_series(original, members.start, stored.viewer).date()
    timed = not members.start.is_date

    def without(line: Line) -> str | None:
        times = [time for time in stored.times(line) or () if isinstance(time, CalTime)]
        kept = [
            time
            for time in times
            if stored.slot(time) != slot and not (timed and time.is_date and time.wall.date() == day)
        ]
        if len(kept) == len(times):
            return line.text
        return times_line("EXDATE", kept) if kept else None

    return replaced(stored, MASTER, "EXDATE", without)

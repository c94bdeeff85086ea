"""Edits of a whole series: master and overrides change together, exceptions move along."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from calward.errors import InvalidInput, Unsupported
from calward.ical.edit import AddLine, Edit, RemoveComponent, RemoveLines, SetLine
from calward.ical.lines import Line
from calward.ical.text import content_line
from calward.model.event import Event
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, recurrence_key
from calward.model.unset import UNSET
from calward.recurrence.lengths import Length, length_between, length_of
from calward.recurrence.moving import Move, moved_line, start_edits
from calward.recurrence.one import checked_end
from calward.recurrence.patch import SeriesPatch
from calward.recurrence.patching import changed_rule, property_edits, replaced, stamped, zone_edits
from calward.recurrence.ruling import moved_rule, new_rule
from calward.recurrence.stored import MASTER, Stored, Target


@dataclass(frozen=True, slots=True)
class Whole:
    """The edits, how the series moved, and the overrides that are removed for want of an occurrence."""

    edits: list[Edit]
    move: Move
    dropped: tuple[Event, ...] = ()


def edit_all(stored: Stored, target: Target, patch: SeriesPatch, now: datetime) -> Whole:
    """Change every component; see ``SeriesPatch`` for what the times of ``target`` mean for the others.

    Raises ``Unsupported`` where the rule cannot move along, or where the object holds overrides only and not
    the series.
    """
    move = _move(stored, target, patch)
    edits: list[Edit] = [*zone_edits(stored, patch.start, patch.end)]
    for event in stored.events:
        edits += property_edits(stored, event.key, patch)
    if stored.master is not None:
        edits += _times(stored, stored.master, target, patch, move)
        if patch.rrule is not UNSET:
            edits += _new_rule(stored, stored.master, patch.rrule, move)
    elif patch.start is not UNSET or patch.end is not UNSET or patch.rrule is not UNSET:
        raise Unsupported("The series itself is not in this calendar; change the one occurrence that is.")
    changed = dict.fromkeys(edit.key for edit in edits if hasattr(edit, "key"))
    edits += stamped(stored, changed, now, bump=patch.reschedules)
    if move:
        edits += _recurrence_ids(stored, move)
    dropped = _dropped(stored, edits, patch, move)
    edits += [RemoveComponent(_moved_key(event, move)) for event in dropped]
    return Whole(edits, move, tuple(dropped))


def _move(stored: Stored, target: Target, patch: SeriesPatch) -> Move:
    """From where the series has the target to where it is asked to be."""
    old = stored.start
    if patch.start is UNSET:
        return Move(old, old, timedelta(), stored.viewer)
    from_place = target.original if target.overridden else target.start
    if patch.start.is_date != old.is_date and patch.end is UNSET:
        raise InvalidInput("From a time to whole days or back, an event needs its new end too.")
    wall = Move(old, old, timedelta(), stored.viewer).of(from_place).wall
    return Move(old, patch.start, patch.start.wall - wall, stored.viewer)


def _times(stored: Stored, master: Event, target: Target, patch: SeriesPatch, move: Move) -> Iterator[Edit]:
    """Start, end, exceptions and rule of the master; start and end of the overrides."""
    length = length_of(master, stored.viewer)
    wanted = length
    if patch.end is not UNSET:
        start = target.start if patch.start is UNSET else patch.start
        wanted = length_between(start, checked_end(start, patch.end, stored), stored.viewer)
    if patch.start is not UNSET or patch.end is not UNSET:
        yield from start_edits(stored, master, move.of(stored.start), wanted, new_length=wanted != length)
        for event in stored.overrides:
            yield from _override_times(stored, event, target, patch, move, length, wanted)
    if not move:
        return
    for name in ("EXDATE", "RDATE"):
        yield from replaced(stored, MASTER, name, lambda line: moved_line(stored, line, move))

    def moved(line: Line) -> str | None:
        return changed_rule(line, lambda rule: moved_rule(rule, move))

    for name in ("RRULE", "EXRULE") if patch.rrule is UNSET else ():
        yield from replaced(stored, MASTER, name, moved)


def _override_times(
    stored: Stored,
    event: Event,
    target: Target,
    patch: SeriesPatch,
    move: Move,
    length: Length,
    wanted: Length,
) -> list[Edit]:
    """An override as long as the series stays as long; the target's own is put where it was asked."""
    own = length_of(event, stored.viewer)
    if event.start is None or event.recurrence_id is None:
        return []
    start = move.of_override(event.start, event.recurrence_id) if move else event.start
    if event is target.component and patch.start is not UNSET:
        start = patch.start
    follows = own == length or event is target.component or start.is_date != event.start.is_date
    return start_edits(stored, event, start, wanted if follows else own, new_length=follows and own != wanted)


def _new_rule(stored: Stored, master: Event, text: str | None, move: Move) -> Iterator[Edit]:
    """Put a rule in the place of all old ones; DTSTART goes to its first start. None leaves DTSTART alone."""
    for name in ("RRULE", "EXRULE") if text is not None else ("RRULE", "EXRULE", "RDATE", "EXDATE"):
        if any(stored.lines(MASTER, name)) and (text is None or name == "EXRULE"):
            yield RemoveLines(MASTER, name)
    if text is None:
        return
    start = move.of(stored.start)
    rule, first = new_rule(text, start, stored.viewer)
    for line in list(stored.lines(MASTER, "RRULE"))[1:]:
        yield RemoveLines(MASTER, "RRULE", line.text)
    if list(stored.lines(MASTER, "RRULE")):
        yield SetLine(MASTER, "RRULE", content_line("RRULE", (), str(rule)))
    else:
        yield AddLine(MASTER, content_line("RRULE", (), str(rule)))
    if first != start:
        yield from start_edits(stored, master, first, length_of(master, stored.viewer), new_length=False)


def _recurrence_ids(stored: Stored, move: Move) -> Iterator[Edit]:
    """Overrides to their new places, in an order in which none takes the name of one that still has to go."""
    later = sorted(
        (event for event in stored.overrides if event.recurrence_id is not None),
        key=lambda event: stored.slot(event.recurrence_id or stored.start),
        reverse=_goes_later(stored, move),
    )
    for event in later:
        for line in stored.lines(event.key, "RECURRENCE-ID"):
            yield SetLine(event.key, "RECURRENCE-ID", moved_line(stored, line, move))


def _goes_later(stored: Stored, move: Move) -> bool:
    return move.of(stored.start).instant(stored.viewer) > stored.start.instant(stored.viewer)


def _moved_key(event: Event, move: Move) -> RecurrenceKey:
    if event.recurrence_id is None or not move:
        return event.key
    moved = move.of_value(event.recurrence_id)
    return recurrence_key(moved) if isinstance(moved, CalTime) else event.key


def _dropped(stored: Stored, edits: list[Edit], patch: SeriesPatch, move: Move) -> list[Event]:
    """The overrides that a new rule leaves without an occurrence."""
    if patch.rrule is UNSET or not stored.overrides:
        return []
    members = stored.after(edits).members
    return [
        event
        for event in stored.overrides
        if event.recurrence_id is not None
        and members is not None
        and not members.holds(move.of(event.recurrence_id))
    ]

"""The occurrences of one calendar object in a window: rules, dates, exceptions and overrides together.

A series is expanded on the wall clock of its DTSTART and then converted (RFC 5545 §3.3.10, §3.3.5): a time in a
DST gap is read with the offset before the gap, one in an overlap is the first. Where the RFC leaves a question
open, the answer and its reason are in ``docs/recurrence-judgements.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from operator import itemgetter

from calward.model.event import Event, Flag, Occurrence
from calward.model.ids import RecurrenceKey
from calward.model.time import CalTime, Span
from calward.recurrence.expand import STEPS
from calward.recurrence.lengths import length_of, naive_utc
from calward.recurrence.members import Found, Members
from calward.recurrence.sight import Placed, Sight
from calward.recurrence.slots import slot_of, wall_in_series
from calward.recurrence.stretches import Stretch, stretches


@dataclass(frozen=True, slots=True)
class Expansion:
    """What lies in a window, in order of time; ``partial`` where a rule ran out of steps (also flagged)."""

    occurrences: tuple[Occurrence, ...]
    partial: bool = False
    flags: tuple[Flag, ...] = ()


def expand(events: Sequence[Event], window: Span, viewer: tzinfo, *, steps: int = STEPS) -> Expansion:
    """The occurrences that overlap ``window`` of the components of one object (one UID).

    All-day and floating events, and those of an unknown zone, are placed in ``viewer``'s zone. ``steps`` bounds
    the work of all rules together. Never raises for what an object says: it flags ``unsupported`` (another
    calendar scale), ``bad_value`` (a rule that makes no sense), ``orphan``, ``partial`` and ``no_start``.
    CANCELLED overrides are left out; whether the event as a whole is cancelled is for the caller.
    """
    sight = Sight.of(window, viewer)
    master = next((event for event in events if event.recurrence_id is None), None)
    if master is None:
        return _sorted(it for event in events if (it := sight.place_override(event, event.recurrence_id)))
    if master.start is None:
        return Expansion((), flags=(Flag("no_start", "The event has no start, so it is nowhere in time."),))
    if len(events) == 1 and not master.recurs:
        alone = sight.place(master.start, master.start, length_of(master, viewer), RecurrenceKey(""))
        return _sorted([alone] if alone else ())
    return _expand_series(events, Members(master, master.start, viewer), master, sight, steps)


def _expand_series(
    events: Sequence[Event], members: Members, master: Event, sight: Sight, steps: int
) -> Expansion:
    singles = {
        slot_of(event.recurrence_id, members.start, sight.viewer)
        for event in events
        if event.recurrence_id is not None and not event.this_and_future
    }
    longest_period = max(
        (_span(period.start, period.end, sight.viewer) for period in members.periods.values()),
        default=timedelta(),
    )
    placed: list[Placed] = []
    met: set[datetime] = set()
    partial = False
    for stretch in stretches(master, members.start, events, sight.viewer):
        longest = max(length_of(stretch.event, sight.viewer).longest(stretch.start), longest_period)
        found = members.between(*sight.walls(longest, stretch.shift), steps)
        steps -= found.spent
        partial = partial or found.partial
        met.update(found.walls, found.rdates)
        placed.extend(_placed(stretch, found, members, sight, singles))
    overrides, orphans = _overrides(events, members, sight, met)
    flags = [*members.flags, *orphans]
    if partial:
        flags.append(Flag("partial", "The rule names more occurrences here than are worked out at once."))
    return _sorted([*placed, *overrides], partial, flags)


def _placed(
    stretch: Stretch, found: Found, members: Members, sight: Sight, singles: set[datetime]
) -> Iterable[Placed]:
    """What a stretch describes of the members found, but for those that have an override of their own."""
    event = stretch.event
    length = length_of(event, sight.viewer)
    rdates = [
        it for it in found.rdates.items() if it[0] not in singles and stretch.since <= it[0] < stretch.until
    ]
    starts: Iterable[tuple[datetime, datetime]] = found.walls.items()
    if singles or not stretch.whole:
        starts = [it for it in starts if it[0] not in singles and stretch.since <= it[0] < stretch.until]
    if not event.this_and_future:
        yield from sight.place_walls(starts, stretch.start, length, event.key)
        for slot, time in rdates:
            period = members.periods.get(slot)
            it = (
                sight.place_period(time, period, event.key)
                if period
                else sight.place(time, time, length, event.key)
            )
            if it:
                yield it
    elif event.status != "CANCELLED":
        for original in [*(members.start.at(wall) for _, wall in starts), *(time for _, time in rdates)]:
            if it := sight.place(original, stretch.moved(original, sight.viewer), length, event.key):
                yield it


def _overrides(
    events: Sequence[Event], members: Members, sight: Sight, met: set[datetime]
) -> tuple[list[Placed], list[Flag]]:
    """The occurrences that overrides of one describe, and those of this and future where no member is there.

    EXDATE is the stronger word: an override of an excluded start is flagged and not shown.
    """
    placed: list[Placed] = []
    flags: list[Flag] = []
    for event in events:
        recurrence_id = event.recurrence_id
        it = sight.place_override(event, recurrence_id)
        if recurrence_id is None or it is None:
            continue
        instant, occurrence = it
        if members.excludes(recurrence_id):
            flags.append(
                Flag("orphan", "An override is of an occurrence that EXDATE removes; it is not shown.")
            )
        elif slot_of(recurrence_id, members.start, sight.viewer) not in met and not members.holds(
            recurrence_id
        ):
            flags.append(Flag("orphan", "An override is of an occurrence that the series does not have."))
            placed.append(it)
        elif not event.this_and_future:
            original = members.start.at(wall_in_series(recurrence_id, members.start, sight.viewer))
            placed.append((instant, replace(occurrence, original=original)))
    return placed, flags


def _sorted(placed: Iterable[Placed], partial: bool = False, flags: Iterable[Flag] = ()) -> Expansion:
    in_order = sorted(placed, key=itemgetter(0))
    return Expansion(tuple(occurrence for _, occurrence in in_order), partial, tuple(flags))


def _span(start: CalTime, end: CalTime, viewer: tzinfo) -> timedelta:
    return naive_utc(end, viewer) - naive_utc(start, viewer)

"""When the alarms of an event go off: VALARMs of a series, its exceptions and single events as moments
(RFC 5545 §3.6.6, §3.8.6; RFC 9074 for acknowledged and snoozed ones).

Only DISPLAY alarms ring. None of the others is ever carried out: no mail is sent for EMAIL, no sound made for
AUDIO, no program started for PROCEDURE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from operator import attrgetter

from calward.model.event import Alarm, Event, Occurrence
from calward.model.ids import RecurrenceKey
from calward.model.time import Duration, Span
from calward.recurrence.series import expand

DISPLAY = "DISPLAY"
MOST_ALARMS = 20
"""Of one component, the first ones, each repeated so often at most."""
MOST_A_DAY = 20
"""Of one event, whatever it says: the first ones of each UTC day, of its first occurrences of each."""
FARTHEST = timedelta(days=366)
"""An alarm that is farther than this from its occurrence is passed over."""
SLACK = 2
"""Days that occurrences are looked for beyond what reaches into a window: days are longer in some zones."""
FILLERS = frozenset(
    {"reminder", "event reminder", "this is an event reminder", "alarm", "default mozilla description"}
)
"""What programs write where nobody said anything, since a DISPLAY alarm must have a text (RFC 5545 §3.6.6)."""


@dataclass(frozen=True, slots=True)
class Ring:
    """One time that an alarm goes off, at ``at``.

    ``alarm`` and ``number``, its repetition, name it among all of its occurrence, and stay when that moves.
    ``key`` and ``original`` are the occurrence's; the key is empty for an event that does not recur. An alarm
    at a moment of its own has no ``original``, and the key of its component. ``start`` is where the occurrence
    is now. Moments are in UTC.
    """

    at: datetime
    alarm: str
    number: int
    key: RecurrenceKey
    original: datetime | None
    start: datetime
    text: str
    """What the alarm says beyond the title of its event, where somebody wrote that."""


def rings(events: Sequence[Event], window: Span, viewer: tzinfo) -> tuple[Ring, ...]:
    """When the alarms of one object (one UID) go off within a window, in order of time.

    An exception has its own alarms alone. What is cancelled does not ring, nor what was acknowledged at its
    moment or later. All-day and floating events are in ``viewer``'s zone, a date at its midnight. Nothing is
    raised for what an object says.
    """
    if any(event.recurrence_id is None and event.status == "CANCELLED" for event in events):
        return ()
    heard = {event.key: _Heard.of(event) for event in events if event.status != "CANCELLED"}
    if not any(one.alarms for one in heard.values()):
        return ()
    # Whole days, so that the first of a day are the same ones wherever the window begins.
    days = Span(datetime.combine(window.start.astimezone(UTC).date(), time(), UTC), window.end)
    found: dict[tuple[RecurrenceKey, datetime], Ring] = {}
    for ring in _of_occurrences(events, heard, days, viewer):
        found.setdefault((ring.key, ring.at), ring)
    taken = {at for _, at in found}
    for ring in _of_moments(heard, days, viewer):
        if ring.at not in taken:
            found.setdefault((ring.key, ring.at), ring)
    ordered = sorted(found.values(), key=attrgetter("at"))
    kept = _first_of_each_day(_without_snoozed(ordered, heard.values(), days))
    return tuple(ring for ring in kept if ring.at >= window.start)


@dataclass(frozen=True, slots=True)
class _Heard:
    """The alarms of one component that can ring, by their names."""

    event: Event
    alarms: Mapping[str, Alarm]
    reach: timedelta
    """How far from an occurrence the farthest of them is."""

    @classmethod
    def of(cls, event: Event) -> _Heard:
        counted: Counter[str] = Counter()
        alarms: dict[str, Alarm] = {}
        for alarm in event.alarms:
            if alarm.action != DISPLAY or alarm.place or len(alarms) == MOST_ALARMS:
                continue
            trigger = alarm.uid or f"{alarm.offset} {alarm.related_to_end} {alarm.at}"
            counted[trigger] += 1
            alarms[f"{trigger} {counted[trigger]}"] = alarm
        reach = max((abs(wait) for alarm in alarms.values() for wait in _waits(alarm)), default=timedelta())
        return cls(event, alarms, reach)


def _of_occurrences(
    events: Sequence[Event], heard: Mapping[RecurrenceKey, _Heard], window: Span, viewer: tzinfo
) -> Iterator[Ring]:
    series = len(events) > 1 or any(event.recurs or event.recurrence_id is not None for event in events)
    reach = timedelta(days=max(one.reach for one in heard.values()).days + SLACK)
    wide = Span(window.start - reach, window.end + reach)
    met: Counter[date] = Counter()
    for one in expand(events, wide, viewer).occurrences:
        start = one.start.instant(viewer)
        met[start.date()] += 1
        if (component := heard.get(one.component)) is None or met[start.date()] > MOST_A_DAY:
            continue
        key = one.key if series else RecurrenceKey("")
        original = one.original.instant(viewer)
        for name, alarm in component.alarms.items():
            text = _text(alarm, component.event)
            for number, at in enumerate(_times(alarm, one, viewer)):
                if window.start <= at < window.end and not _is_acknowledged(alarm, at):
                    yield Ring(at, name, number, key, original, start, text)


def _of_moments(heard: Mapping[RecurrenceKey, _Heard], window: Span, viewer: tzinfo) -> Iterator[Ring]:
    """Alarms at a moment ring once, however often their event occurs."""
    for key, component in heard.items():
        event = component.event
        for name, alarm in component.alarms.items():
            if alarm.at is None or event.start is None:
                continue
            for number, wait in enumerate(_waits(alarm)):
                at = alarm.at.instant(viewer) + wait
                if window.start <= at < window.end and not _is_acknowledged(alarm, at):
                    start = event.start.instant(viewer)
                    yield Ring(at, name, number, key, None, start, _text(alarm, event))


def _times(alarm: Alarm, one: Occurrence, viewer: tzinfo) -> Iterator[datetime]:
    """Days of the trigger are days on the clock of the event; the wait for a repetition is real time."""
    waits = list(_waits(alarm))
    if alarm.offset is not None and waits:
        base = one.end if alarm.related_to_end else one.start
        first = alarm.offset.after(base, viewer).instant(viewer)
        yield from (first + wait - waits[0] for wait in waits)


def _waits(alarm: Alarm) -> Iterator[timedelta]:
    """How far each repetition is from what the alarm hangs on, as far as that is near enough."""
    try:
        first = _length(alarm.offset) if alarm.offset else timedelta()
        gap = _length(alarm.gap) if alarm.gap else timedelta()
    except OverflowError:
        return
    for number in range(1 + min(max(alarm.repeats, 0), MOST_ALARMS)):
        if abs(first) > FARTHEST or gap > FARTHEST or abs(wait := first + number * gap) > FARTHEST:
            return
        yield wait


def _length(duration: Duration) -> timedelta:
    return timedelta(days=duration.days, seconds=duration.seconds)


def _is_acknowledged(alarm: Alarm, at: datetime) -> bool:
    return alarm.acknowledged is not None and at <= alarm.acknowledged


def _without_snoozed(ordered: Sequence[Ring], heard: Iterable[_Heard], window: Span) -> Iterator[Ring]:
    """An alarm that was put off rings when its snooze does, and not once more before that. Where a program
    noted until when the alarm was acknowledged, that says it already."""
    silent: set[Ring] = set()
    for component in heard:
        by_uid = {alarm.uid: name for name, alarm in component.alarms.items() if alarm.uid}
        for snooze in component.alarms.values():
            until = snooze.at.instant(UTC) if snooze.snoozes and snooze.at else None
            name = by_uid.get(snooze.snoozes)
            if until is None or name is None or component.alarms[name].acknowledged is not None:
                continue
            if window.start <= until < window.end:
                put_off = [ring for ring in ordered if ring.at <= until and ring.alarm == name]
                silent.update(put_off[-1:])
    return (ring for ring in ordered if ring not in silent)


def _first_of_each_day(ordered: Iterable[Ring]) -> Iterator[Ring]:
    rung: Counter[date] = Counter()
    for ring in ordered:
        rung[ring.at.date()] += 1
        if rung[ring.at.date()] <= MOST_A_DAY:
            yield ring


def _text(alarm: Alarm, event: Event) -> str:
    text = alarm.description.strip()
    return "" if text.casefold() in (event.summary.strip().casefold(), *FILLERS) else text

"""What a person is shown before they agree: made from the stored change, never from what the assistant says.

Lines of plain text: what would happen to which event, when, and whom it concerns. Text from events is stripped
of control and direction marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from calward.ical.reading import read_object
from calward.language.describe import describe
from calward.model.event import Event
from calward.model.time import CalTime, Duration
from calward.operations.changes import (
    CreateObject,
    DeleteObject,
    EditObject,
    GrantRead,
    MoveObject,
    ReplaceObject,
    RestoreObject,
)
from calward.operations.identity import Access
from calward.operations.show import UNTITLED, moment_words, plain, span_words
from calward.operations.stored import Prepared

MOST_TEXT = 200


def preview(prepared: Sequence[Prepared], access: Access) -> list[str]:
    """The lines of a preview, in the order of the changes."""
    return [line for one in prepared for line in _lines(one, access)]


def _lines(one: Prepared, access: Access) -> list[str]:
    change, zone = one.change, access.zone
    before = _events(one.before.data if one.before else None)
    after = _events(one.after)
    where = access.calendars[one.calendar].name if one.calendar else ""
    match change:
        case CreateObject():
            return [f"Create in {plain(where)}: {_event(after[0], zone)}", *_details(after[0])]
        case EditObject() | ReplaceObject():
            return _differences(before, after, zone)
        case DeleteObject():
            return [f"Delete: {_event(before[0], zone)}", *_series(before), *_people("Concerns", before[0])]
        case RestoreObject():
            return [f"Bring back: {_event(before[0], zone)}"]
        case MoveObject():
            return [f"Move to the calendar {plain(where)}: {_event(before[0], zone)}"]
        case GrantRead():
            count = len(change.events)
            until = f"{change.until.astimezone(zone):%H:%M}"
            return [f"Show {count} event{'s' if count != 1 else ''} of {plain(where)} to it until {until}"]
        case _:
            return [type(change).__name__]


def _differences(before: Sequence[Event], after: Sequence[Event], zone: ZoneInfo) -> list[str]:
    """What changes, component by component; an edit that shows no difference says so."""
    old = {event.key: event for event in before}
    new = {event.key: event for event in after}
    lines = [f"Change: {_event(before[0], zone)}"]
    for key, event in new.items():
        was = old.get(key)
        if was is None:
            lines.append(f"  one occurrence becomes: {_event(event, zone)}")
            continue
        if key:
            lines.append(f"  occurrence {_when(was, zone)}:")
        lines += [f"  {line}" for line in _changes(was, event, zone)]
    for key, event in old.items():
        if key not in new:
            lines.append(f"  no longer an exception: {_event(event, zone)}")
    return lines if len(lines) > 1 else [*lines, "  nothing that shows changes"]


def _changes(was: Event, now: Event, zone: ZoneInfo) -> list[str]:
    lines = []
    if (was.start, was.end, was.duration) != (now.start, now.end, now.duration):
        lines.append(f"when: {_when(was, zone)} → {_when(now, zone)}")
    for name, old, new in (
        ("title", was.summary, now.summary),
        ("location", was.location, now.location),
        ("notes", was.description, now.description),
        ("status", was.status, now.status),
        ("link", was.url, now.url),
    ):
        if old != new:
            lines.append(f"{name}: {_short(old)} → {_short(new)}")
    if was.rrules != now.rrules:
        lines.append(f"repeats: {_rule(was)} → {_rule(now)}")
    removed = [time for time in now.exdates if time not in was.exdates]
    lines += [f"removes the occurrence {moment_words(time, zone)}" for time in removed]
    old_people, new_people = _addresses(was), _addresses(now)
    if added := [address for address in new_people if address not in old_people]:
        lines.append(f"invites: {', '.join(added)}")
    if gone := [address for address in old_people if address not in new_people]:
        lines.append(f"uninvites: {', '.join(gone)}")
    if was.alarms != now.alarms:
        lines.append(f"alarms: {len(was.alarms)} → {len(now.alarms)}")
    if new_people:
        lines.append(f"concerns {len(new_people)} {'person' if len(new_people) == 1 else 'people'}")
    return lines


def _details(event: Event) -> list[str]:
    lines = []
    if event.location:
        lines.append(f"  location: {_short(event.location)}")
    if event.description:
        lines.append(f"  notes: {_short(event.description)}")
    if event.rrules:
        lines.append(f"  repeats: {_rule(event)}")
    return [*lines, *_people("Invites", event)]


def _series(events: Sequence[Event]) -> list[str]:
    return [f"  the whole series, {_rule(events[0])}"] if events[0].rrules else []


def _people(verb: str, event: Event) -> list[str]:
    addresses = _addresses(event)
    return [f"  {verb.lower()}: {', '.join(addresses)}"] if addresses else []


def _addresses(event: Event) -> list[str]:
    return [plain(person.email or person.address) for person in event.attendees]


def _event(event: Event, zone: ZoneInfo) -> str:
    return f"“{_short(event.summary) if event.summary else UNTITLED}”, {_when(event, zone)}"


def _when(event: Event, zone: ZoneInfo) -> str:
    if event.start is None:
        return "no time"
    return span_words(event.start, _end(event, event.start, zone), zone)


def _end(event: Event, start: CalTime, zone: ZoneInfo) -> CalTime:
    if event.end is not None:
        return event.end
    length = event.duration or (Duration(days=1) if start.is_date else Duration())
    return length.after(start, zone)


def _rule(event: Event) -> str:
    if not event.rrules or event.start is None:
        return "never"
    return describe(event.rrules[0], event.start)


def _short(text: str) -> str:
    text = plain(text)
    return (text[:MOST_TEXT] + "…" if len(text) > MOST_TEXT else text) or "(empty)"


def _events(data: bytes | None) -> tuple[Event, ...]:
    return read_object(data).events if data is not None else ()

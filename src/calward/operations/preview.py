"""What a person is shown before they agree: made from the stored change, never from what the assistant says.

Lines of plain text: what would happen to which event, when, and whom it concerns. Text from events is stripped
of control and direction marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from calward.ical.find import events
from calward.ical.lines import split_line
from calward.ical.reading import read_object
from calward.ical.tree import parse
from calward.model.event import Attendee, Event
from calward.model.grant import Level
from calward.model.time import CalTime, Duration
from calward.operations.changes import (
    CreateObject,
    DeleteObject,
    EditObject,
    GrantRead,
    MoveObject,
    ReplaceObject,
    RestoreObject,
    Undoes,
)
from calward.operations.identity import Access
from calward.operations.later_changes import AddPrompt, CancelInNote, EditPrompt, NoteChange, RemindInNote
from calward.operations.mirror_changes import DecideHeld
from calward.operations.show import UNTITLED, moment_words, plain, rule_words, span_words
from calward.operations.stored import Prepared

MOST_TEXT = 200
MOST_SHOWN = 10
"""Events of a permit that are named; the rest are counted."""
TOLD = frozenset(
    {"BEGIN", "END", "DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE", "RECURRENCE-ID"}
    | {"SUMMARY", "LOCATION", "DESCRIPTION", "STATUS", "URL", "ATTENDEE", "ACTION", "TRIGGER"}
    | {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
)
"""Properties that a preview tells in its own words, or that every change writes."""


def preview(prepared: Sequence[Prepared], access: Access) -> list[str]:
    """The lines of a preview, in the order of the changes."""
    return [line for one in prepared for line in _lines(one, access)]


def summary(prepared: Sequence[Prepared], access: Access) -> str:
    """The same in one line: the first change, whom it reaches, and how many more there are."""
    told = [one for one in prepared if not isinstance(one.change, Undoes)]
    if not told:
        return ""
    more = f"; and {len(told) - 1} more" if len(told) > 1 else ""
    undoes = "Take back: " if len(told) < len(prepared) else ""
    return f"{undoes}{_gist(told[0], access)}{_reached(told[0], access)}{more}"


def _gist(one: Prepared, access: Access) -> str:
    change, zone = one.change, access.zone
    if isinstance(change, GrantRead):
        return f"Show {_events_of(len(one.shown), plain(access.calendars[change.calendar].name))}"
    if isinstance(change, AddPrompt | EditPrompt):
        return _prompt(change, zone)[0]
    if isinstance(change, NoteChange):
        return _note(change)[0]
    if isinstance(change, DecideHeld):
        return _decision(change, plain(access.calendars[change.calendar].name))
    before, after = _events(one.before.data if one.before else None), _events(one.after)
    match change:
        case CreateObject():
            return f"Create {_event(after[0], zone)}"
        case DeleteObject():
            return f"Delete {_event(before[0], zone)}"
        case RestoreObject():
            return f"Bring back {_event(before[0], zone)}"
        case MoveObject():
            return f"Move {_event(before[0], zone)}"
        case _:
            was, now = before[0], after[0] if after else before[0]
            if len(before) == len(after) and (was.start, was.end) != (now.start, now.end):
                return f"{_title(was)}: {_when(was, zone)} → {_when(now, zone)}"
            return f"Change {_event(was, zone)}"


def _reached(one: Prepared, access: Access) -> str:
    """Everybody else on it: a server may tell them, a calendar that lives here only does not."""
    if one.calendar is None or isinstance(one.change, GrantRead):
        return ""
    calendar = access.calendars[one.calendar]
    own = {a.lower() for member in access.members if member.id == calendar.member for a in member.addresses}
    events = (*_events(one.before.data if one.before else None), *_events(one.after))
    people = {
        _address(person).lower() for event in events for person in (*event.attendees, event.organizer) if person
    }
    if not (others := len(people - own)):
        return ""
    return f"; {'tells' if calendar.account else 'concerns'} {others} {'person' if others == 1 else 'people'}"


def _lines(one: Prepared, access: Access) -> list[str]:
    change, zone = one.change, access.zone
    before = _events(one.before.data if one.before else None)
    after = _events(one.after)
    where = access.calendars[one.calendar].name if one.calendar else ""
    match change:
        case CreateObject():
            verb = "Go on with the series as" if one.source else "Create"
            return [f"{verb} in {plain(where)}: {_event(after[0], zone)}", *_details(after[0])]
        case EditObject() | ReplaceObject():
            return [*_differences(before, after, zone), *_untold(one)]
        case DeleteObject():
            return [f"Delete: {_event(before[0], zone)}", *_series(before), *_concerned(before)]
        case RestoreObject():
            return [f"Bring back: {_event(before[0], zone)}", *_series(before), *_concerned(before)]
        case MoveObject():
            return [
                f"Move to the calendar {plain(where)}: {_event(before[0], zone)}",
                *_concerned(before),
            ]
        case GrantRead():
            return _permit(one, change, where, zone)
        case AddPrompt() | EditPrompt():
            return _prompt(change, zone)
        case RemindInNote() | CancelInNote():
            return _note(change)
        case DecideHeld():
            return [_decision(change, plain(where))]
        case Undoes():
            return ["Take back an earlier change:"]
        case _:
            raise TypeError(f"{type(change).__name__} is never left to a person")


def _decision(change: DecideHeld, where: str) -> str:
    return f"Carry out what a sync held: removes {_events_of(change.removes, where)}"


def _note(change: NoteChange) -> list[str]:
    note = _quoted(change.note)
    if isinstance(change, CancelInNote):
        return [f"Take the reminder out of the note {note}"]
    lines = [f"Write a reminder into the note {note}"]
    block = change.block
    if block.due is not None:
        lines.append(f"  due: {block.due}")
    if block.calendar_event is not None:
        side = "before" if block.offset < 0 else "after"
        lines.append(f"  {abs(block.offset)} seconds {side} the start of: {_quoted(block.calendar_event)}")
    if block.recurring:
        lines.append("  at every occurrence")
    return [*lines, "  in place of the reminder that it has"] if change.rests_on is not None else lines


def _prompt(change: AddPrompt | EditPrompt, zone: ZoneInfo) -> list[str]:
    verb = "Schedule a prompt" if isinstance(change, AddPrompt) else f"Change task #{change.number}"
    lines = [f"{verb}, sent to: {change.deliver}"]
    if change.at is not None:
        lines.append(f"  when: {moment_words(CalTime.of_utc(change.at), zone)}")
    if isinstance(change, AddPrompt) and change.repeat:
        lines.append(f"  repeats: {plain(change.repeat)}")
    return [*lines, f"  prompt: {_short(change.prompt)}"] if change.prompt else lines


def _permit(one: Prepared, change: GrantRead, where: str, zone: ZoneInfo) -> list[str]:
    count = len(one.shown)
    named = [event for stored in one.shown[:MOST_SHOWN] for event in _events(stored.data)[:1]]
    more = [f"  and {count - MOST_SHOWN} more"] if count > MOST_SHOWN else []
    what = "all of" if change.level >= Level.DETAILS else "title and time of"
    return [
        f"Show {what} {_events_of(count, plain(where))} to it for {change.minutes} minutes:",
        *(f"  {_event(event, zone)}" for event in named),
        *more,
    ]


def _events_of(count: int, where: str) -> str:
    return f"{count} event{'s' if count != 1 else ''} of {where}"


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
    returned = [time for time in was.exdates if time not in now.exdates]
    lines += [f"brings back the occurrence {moment_words(time, zone)}" for time in returned]
    old_people, new_people = _addresses(was), _addresses(now)
    if added := [address for address in new_people if address not in old_people]:
        lines.append(f"invites: {', '.join(added)}")
    if gone := [address for address in old_people if address not in new_people]:
        lines.append(f"uninvites: {', '.join(gone)}")
    answers = {_address(person): person.partstat for person in was.attendees}
    for person in now.attendees:
        if (answer := answers.get(_address(person), person.partstat)) != person.partstat:
            lines.append(f"answer of {plain(_address(person))}: {_short(answer)} → {_short(person.partstat)}")
    if was.alarms != now.alarms:
        lines.append(f"alarms: {len(was.alarms)} → {len(now.alarms)}")
    if staying := [address for address in new_people if address in old_people]:
        lines.append(f"concerns: {', '.join(staying)}")
    return lines


def _untold(one: Prepared) -> list[str]:
    """Names of other properties whose lines change, so that nothing happens unseen."""
    if one.before is None or one.after is None:
        return []
    before, after = _lines_of(one.before.data), _lines_of(one.after)
    names = {name for name, _ in (before - after) + (after - before)} - TOLD
    return [f"  also changes: {', '.join(plain(name) for name in sorted(names))}"] if names else []


def _lines_of(data: bytes) -> Counter[tuple[str, str]]:
    """The content lines of the events in an object."""
    document = parse(data)
    texts = (text for event in events(document) for text in event.lines.texts[event.first : event.end])
    return Counter((split_line(text)[0], text) for text in texts)


def _details(event: Event) -> list[str]:
    lines = []
    if event.location:
        lines.append(f"  location: {_short(event.location)}")
    if event.description:
        lines.append(f"  notes: {_short(event.description)}")
    if event.url:
        lines.append(f"  link: {_short(event.url)}")
    if event.rrules:
        lines.append(f"  repeats: {_rule(event)}")
    if event.alarms:
        lines.append(f"  alarms: {len(event.alarms)}")
    invited = _addresses(event)
    return [*lines, f"  invites: {', '.join(invited)}"] if invited else lines


def _series(events: Sequence[Event]) -> list[str]:
    return [f"  the whole series, {_rule(events[0])}"] if events[0].rrules else []


def _concerned(of: Sequence[Event]) -> list[str]:
    """Everybody on it, whoever organizes it too."""
    people = (person for event in of for person in (*event.attendees, event.organizer) if person)
    addresses = dict.fromkeys(plain(_address(person)) for person in people)
    return [f"  concerns: {', '.join(addresses)}"] if addresses else []


def _addresses(event: Event) -> list[str]:
    return [plain(_address(person)) for person in event.attendees]


def _address(person: Attendee) -> str:
    return person.email or person.address


def _event(event: Event, zone: ZoneInfo) -> str:
    return f"{_title(event)}, {_when(event, zone)}"


def _title(event: Event) -> str:
    return _quoted(event.summary or UNTITLED)


def _quoted(text: str) -> str:
    """A quotation mark in it must not end it early: what follows would pass for ours."""
    inside = _short(text).replace("“", '"').replace("”", '"')
    return f"“{inside}”"


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
    return rule_words(event.rrules[0], event.start)


def _short(text: str) -> str:
    text = plain(text)
    if len(text) > MOST_TEXT:
        return f"{text[:MOST_TEXT]}… ({len(text)} characters)"
    return text or "(empty)"


def _events(data: bytes | None) -> tuple[Event, ...]:
    return read_object(data).events if data is not None else ()

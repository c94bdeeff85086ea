"""The properties of a patch as line edits on one component; its times are for ``moving``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from calward.errors import InvalidInput
from calward.ical.edit import AddComponent, AddLine, Edit, RemoveLines, SetLine, SetSubcomponents, stamp
from calward.ical.lines import Line
from calward.ical.text import content_line, escape_text, format_duration, format_utc
from calward.ical.values import read_attendee
from calward.ical.zone_text import vtimezone_text
from calward.model.event import Alarm, Attendee
from calward.model.ids import RecurrenceKey
from calward.model.rule import Rule
from calward.model.time import CalTime, TimeKind
from calward.model.unset import UNSET, Unset
from calward.recurrence.members import read_rule
from calward.recurrence.patch import Reply, SeriesPatch
from calward.recurrence.stored import Stored


def property_edits(stored: Stored, key: RecurrenceKey, patch: SeriesPatch) -> Iterator[Edit]:
    """Everything but start, end and rule. A value that is there already gives no edit."""
    for name, text in (
        ("SUMMARY", patch.summary),
        ("DESCRIPTION", patch.description),
        ("LOCATION", patch.location),
    ):
        yield from _put(stored, key, name, text if text is UNSET or text is None else escape_text(text))
    for name, word in (("URL", patch.url), ("STATUS", patch.status), ("CLASS", patch.classification)):
        yield from _put(stored, key, name, word)
    if patch.transparent is not UNSET:
        yield from _put(stored, key, "TRANSP", "TRANSPARENT" if patch.transparent else None)
    if patch.categories is not UNSET:
        yield from _put(stored, key, "CATEGORIES", ",".join(map(escape_text, patch.categories)) or None)
    if patch.organizer is None:
        yield from _put(stored, key, "ORGANIZER", None)
    elif patch.organizer is not UNSET:
        yield SetLine(key, "ORGANIZER", _person_line("ORGANIZER", patch.organizer))
    if patch.attendees is not UNSET:
        yield from _attendees(stored, key, patch.attendees)
    if patch.reply is not UNSET:
        yield from _replied(stored, key, patch.reply)
    if patch.alarms is not UNSET:
        yield SetSubcomponents(key, "VALARM", tuple(map(_alarm_text, patch.alarms)))


def stamped(stored: Stored, keys: Iterable[RecurrenceKey], now: datetime, *, bump: bool) -> Iterator[Edit]:
    """The dates of a change on each of these components (RFC 5545 §3.8.7); see ``calward.ical.edit.stamp``."""
    for key in keys:
        yield from stamp(stored.document, key, now, bump=bump)


def zone_edits(stored: Stored, *times: CalTime | Unset) -> Iterator[Edit]:
    """The VTIMEZONEs of zones that come into the object with these times (RFC 5545 §3.6.5)."""
    there = {
        tzid.strip().strip('"')
        for component, _ in stored.document.top()
        if component.name == "VTIMEZONE"
        for tzid in component.texts("TZID")
    }
    there.update(event.start.tzid for event in stored.events if event.start and event.start.tzid)
    for time in times:
        if time is UNSET or time.kind is not TimeKind.ZONED or time.tzid in there:
            continue
        if time.zone is None or time.tzid is None:
            raise InvalidInput("The time zone of the new time is not known.")
        there.add(time.tzid)
        yield AddComponent(vtimezone_text(time.zone, time.tzid, min(time.wall.year, stored.start.wall.year)))


def replaced(
    stored: Stored, key: RecurrenceKey, name: str, change: Callable[[Line], str | None]
) -> Iterator[Edit]:
    """Each line of one name as ``change`` has it, None for none.

    The old lines go before new ones come, since a new one may read like an old one that still has to go.
    """
    changed = [(line.text, change(line)) for line in stored.lines(key, name)]
    gone = dict.fromkeys(old for old, new in changed if new != old)
    come = dict.fromkeys(new for old, new in changed if new is not None and new != old)
    if len(changed) == len(come) == 1:
        yield from (SetLine(key, name, new) for new in come)
    else:
        yield from (RemoveLines(key, name, old) for old in gone)
        yield from (AddLine(key, new) for new in come)


def changed_rule(line: Line, change: Callable[[Rule], Rule | None]) -> str | None:
    """An RRULE or EXRULE line after ``change``; one that cannot be read stays."""
    rule = read_rule(line.value.strip())
    if not isinstance(rule, Rule):
        return line.text
    new = change(rule)
    if new is None or new == rule:
        return None if new is None else line.text
    return content_line(line.name, (), str(new))


def _put(stored: Stored, key: RecurrenceKey, name: str, value: str | Unset | None) -> Iterator[Edit]:
    """Set or remove a property whose raw value is ``value``."""
    if value is UNSET:
        return
    now = [line.value for line in stored.lines(key, name)]
    if value is None:
        if now:
            yield RemoveLines(key, name)
    elif now[:1] != [value]:
        yield SetLine(key, name, content_line(name, (), value))


def _attendees(stored: Stored, key: RecurrenceKey, wanted: tuple[Attendee, ...]) -> Iterator[Edit]:
    there = {_address(read_attendee(line.params, line.value)): line for line in stored.lines(key, "ATTENDEE")}
    names = {_address(attendee) for attendee in wanted}
    for address, line in there.items():
        if address not in names:
            yield RemoveLines(key, "ATTENDEE", line.text)
    for attendee in wanted:
        if _address(attendee) not in there:
            yield AddLine(key, _person_line("ATTENDEE", attendee))


def _replied(stored: Stored, key: RecurrenceKey, reply: Reply) -> Iterator[Edit]:
    """Only the answer of the one who replies changes; a line that says it already stays as it is."""

    def answered(line: Line) -> str:
        if _address(read_attendee(line.params, line.value)) not in reply.addresses:
            return line.text
        if read_attendee(line.params, line.value).partstat == reply.partstat:
            return line.text
        others = [(name, values) for name, values in line.params if name.upper() != "PARTSTAT"]
        return content_line("ATTENDEE", [*others, ("PARTSTAT", [reply.partstat])], line.value)

    yield from replaced(stored, key, "ATTENDEE", answered)


def _address(person: Attendee) -> str:
    return person.email or person.address.lower()


def _person_line(name: str, person: Attendee) -> str:
    params = [("CN", [" ".join(person.name.split())])] if person.name.strip() else []
    if name == "ATTENDEE":
        for param, value, usual in (
            ("CUTYPE", person.cutype, "INDIVIDUAL"),
            ("ROLE", person.role, "REQ-PARTICIPANT"),
            ("PARTSTAT", person.partstat, "NEEDS-ACTION"),
            ("SCHEDULE-AGENT", person.agent, ""),
        ):
            if value != usual:
                params.append((param, [value]))
        if person.rsvp:
            params.append(("RSVP", ["TRUE"]))
    return content_line(name, params, person.address)


def _alarm_text(alarm: Alarm) -> str:
    """A VALARM (RFC 5545 §3.6.6); one that displays needs words."""
    if alarm.offset is not None:
        params = [("RELATED", ["END"])] if alarm.related_to_end else []
        trigger = content_line("TRIGGER", params, format_duration(alarm.offset))
    elif alarm.at is not None and alarm.at.zone is not None:
        trigger = content_line(
            "TRIGGER", [("VALUE", ["DATE-TIME"])], format_utc(alarm.at.instant(alarm.at.zone))
        )
    else:
        raise InvalidInput("An alarm needs an offset or a moment.")
    words = content_line("DESCRIPTION", (), escape_text(alarm.description or "Reminder"))
    action = content_line("ACTION", (), alarm.action or "DISPLAY")
    return "\n".join(("BEGIN:VALARM", action, trigger, words, "END:VALARM"))

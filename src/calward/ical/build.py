"""New calendar objects, written with the ``icalendar`` package (RFC 5545 §3.4).

Text from outside is cleaned before it gets here or refused: no value can end its line and begin another. What
exists already is never rebuilt, only edited (``calward.ical.edit``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from calward.errors import InvalidInput
from calward.ical.edit import AddComponent, apply_edits
from calward.ical.text import check_line, clean_text, format_duration, format_value
from calward.ical.zone_text import vtimezone_text
from calward.model.event import Alarm, Attendee, Event, Period
from calward.model.time import CalTime, TimeKind

if TYPE_CHECKING:
    from icalendar import Component as Writable
    from icalendar import vCalAddress
    from icalendar.prop import vInline

PRODID = "-//Calward//Calward 0.1//EN"


def new_object(events: Sequence[Event], now: datetime) -> bytes:
    """A VCALENDAR with these components of one UID: an event alone, or a master and its overrides.

    The VTIMEZONEs of their zones come with it; ``now`` (aware) is DTSTAMP and, where an event has none,
    CREATED. ``flags`` are not written. Raises ``InvalidInput`` for an event without UID or start, an unknown
    zone, several UIDs, or a control character where there can be none (text for people is cleaned instead).
    """
    # icalendar takes longer to import than all else of a start; only writing needs it.
    from icalendar import Calendar

    if len({event.uid for event in events}) != 1:
        raise InvalidInput("A calendar object holds the components of exactly one UID.")
    calendar = Calendar()
    calendar.add("VERSION", "2.0")
    calendar.add("PRODID", PRODID)
    for event in events:
        calendar.add_component(_vevent(event, now))
    zones = (AddComponent(text) for text in _vtimezones(events))
    return apply_edits(calendar.to_ical(sorted=False), tuple(zones))


def _vevent(event: Event, now: datetime) -> Writable:
    from icalendar import Event as VEvent

    if not event.uid or event.start is None:
        raise InvalidInput("A new event needs a UID and a start.")
    written = VEvent()
    _raw(written, "UID", event.uid)
    _raw(written, "DTSTAMP", format_value(CalTime.of_utc(now)))
    _raw(written, "CREATED", format_value(CalTime.of_utc(event.created or now)))
    if event.last_modified:
        _raw(written, "LAST-MODIFIED", format_value(CalTime.of_utc(event.last_modified)))
    if event.sequence:
        _raw(written, "SEQUENCE", str(event.sequence))
    _times(written, event)
    _texts(written, event)
    if event.organizer:
        written.add("ORGANIZER", _person(event.organizer))
    for attendee in event.attendees:
        written.add("ATTENDEE", _person(attendee))
    for alarm in event.alarms:
        written.add_component(_valarm(alarm, event.summary))
    return written


def _times(written: Writable, event: Event) -> None:
    for name, time in (("DTSTART", event.start), ("DTEND", event.end), ("RECURRENCE-ID", event.recurrence_id)):
        if time is not None:
            _time(written, name, time)
    if event.this_and_future and event.recurrence_id:
        written["RECURRENCE-ID"].params["RANGE"] = "THISANDFUTURE"
    if event.duration:
        _raw(written, "DURATION", format_duration(event.duration))
    for name, rules in (("RRULE", event.rrules), ("EXRULE", event.exrules)):
        for rule in rules:
            _raw(written, name, rule)
    for name, times in (("RDATE", event.rdates), ("EXDATE", event.exdates)):
        for one in times:
            _time(written, name, one)


def _texts(written: Writable, event: Event) -> None:
    for name, text in (
        ("SUMMARY", event.summary),
        ("DESCRIPTION", event.description),
        ("LOCATION", event.location),
    ):
        if text:
            written.add(name, clean_text(text))
    words = (("URL", event.url), ("STATUS", event.status), ("CLASS", event.classification))
    for name, word in words:
        if word:
            _raw(written, name, word)
    if event.transparent:
        _raw(written, "TRANSP", "TRANSPARENT")
    if event.categories:
        written.add("CATEGORIES", [clean_text(category) for category in event.categories])


def _valarm(alarm: Alarm, summary: str) -> Writable:
    from icalendar import Alarm as VAlarm

    written = VAlarm()
    _raw(written, "ACTION", alarm.action or "DISPLAY")
    if alarm.offset is not None:
        trigger = _raw(written, "TRIGGER", format_duration(alarm.offset))
        if alarm.related_to_end:
            trigger.params["RELATED"] = "END"
    elif alarm.at is not None:
        trigger = _raw(written, "TRIGGER", format_value(alarm.at))
        trigger.params["VALUE"] = "DATE-TIME"
    else:
        raise InvalidInput("An alarm needs an offset or a moment.")
    # DISPLAY must have one (RFC 5545 §3.6.6).
    written.add("DESCRIPTION", clean_text(alarm.description or summary or "Reminder"))
    return written


def _person(person: Attendee) -> vCalAddress:
    from icalendar import vCalAddress

    check_line(f"ATTENDEE:{person.address}")
    written = vCalAddress(person.address)
    if person.name:
        # Controls cannot be in a parameter, not even escaped, for programs without RFC 6868.
        written.params["CN"] = " ".join(clean_text(person.name).split())
    for name, value, usual in (
        ("CUTYPE", person.cutype, "INDIVIDUAL"),
        ("ROLE", person.role, "REQ-PARTICIPANT"),
        ("PARTSTAT", person.partstat, "NEEDS-ACTION"),
        ("SCHEDULE-AGENT", person.agent, ""),
    ):
        if value != usual:
            written.params[name] = check_line(f"{name}:{value}").partition(":")[2]
    if person.rsvp:
        written.params["RSVP"] = "TRUE"
    return written


def _time(written: Writable, name: str, time: CalTime | Period) -> None:
    first = time.start if isinstance(time, Period) else time
    if first.kind is TimeKind.ZONED and first.zone is None:
        raise InvalidInput("A new event needs a time zone that is known.")
    if isinstance(time, Period):
        value = _raw(written, name, f"{format_value(time.start)}/{format_value(time.end)}")
        value.params["VALUE"] = "PERIOD"
    else:
        value = _raw(written, name, format_value(time))
        if time.is_date:
            value.params["VALUE"] = "DATE"
    if first.kind is TimeKind.ZONED and first.tzid:
        value.params["TZID"] = first.tzid


def _raw(written: Writable, name: str, value: str) -> vInline:
    """Add a value as it stands, for the types whose form we keep ourselves."""
    from icalendar.prop import vInline

    check_line(f"{name}:{value}")
    raw = vInline(value)
    written.add(name, raw, encode=False)
    return raw


def _vtimezones(events: Sequence[Event]) -> Iterator[str]:
    years: dict[tuple[str, int], int] = {}
    zones = {}
    for event in events:
        for time in _all_times(event):
            if time.kind is TimeKind.ZONED and time.zone and time.tzid:
                name = (time.tzid, id(time.zone))
                zones[name] = time.zone
                years[name] = min(time.wall.year, years.get(name, time.wall.year))
    for name, zone in zones.items():
        yield vtimezone_text(zone, name[0], years[name])


def _all_times(event: Event) -> Iterator[CalTime]:
    for time in (event.start, event.end, event.recurrence_id, *event.rdates, *event.exdates):
        if isinstance(time, Period):
            yield time.start
        elif time is not None:
            yield time

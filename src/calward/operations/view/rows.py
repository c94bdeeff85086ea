"""Rows and events → what is seen of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from calward.ical.reading import read_object
from calward.model.calendar import Calendar
from calward.model.event import Event, Occurrence
from calward.model.grant import Level
from calward.model.ids import AssistantId, EventId, MemberId, RecurrenceKey
from calward.model.time import TimeKind
from calward.operations.seen import LaidTimes, Seen, SeenPerson, Times
from calward.store.columns import Instant
from calward.store.components import PersonRow
from calward.store.events import OccurrenceRow

# Calling an enumeration takes as long as all else that a field needs.
_KINDS = {kind.value: kind for kind in TimeKind}
_LEVELS = tuple(Level)


def seen_row(row: OccurrenceRow, calendar: Calendar, people: Sequence[PersonRow] = ()) -> Seen:
    """One laid-down occurrence."""
    # By place and not by name, which here would take as long as all else.
    (
        event, key, _, level, own, alone, maker, kind, wall_start, wall_end, tzid, utc_start, utc_end, _,
        summary, location, description, status, transparent, rrule, organizer, url, flags,
        created_at, updated_at,
    ) = row  # fmt: skip
    form = _KINDS[kind]
    zone = UTC if form is TimeKind.UTC else _zone(tzid)
    return Seen(
        event,
        key,
        calendar,
        _LEVELS[level],
        own,
        maker,
        LaidTimes(form, wall_start, wall_end, zone, tzid),
        summary,
        location,
        description,
        status,
        transparent,
        bool(rrule or key),
        rrule,
        organizer,
        _moment(created_at),
        _moment(updated_at),
        None,
        url,
        None if zone is None else (utc_start, utc_end),
        tuple(map(_row_person, people)) if people else (),
        tuple(json.loads(flags)) if flags != "[]" else (),
        alone,
    )


def seen_event(
    event: Event,
    occurrence: Occurrence,
    *,
    ident: EventId,
    key: RecurrenceKey,
    calendar: Calendar,
    level: Level,
    own: bool,
    alone: bool,
    maker: AssistantId | None,
    rule: str,
    recurs: bool,
    created_at: datetime,
    updated_at: datetime,
    owners: Mapping[str, MemberId],
) -> Seen:
    """One occurrence of an event read from bytes; text above the level is left behind here."""
    titles, details = level >= Level.TITLES, level >= Level.DETAILS
    return Seen(
        event=ident,
        key=key,
        calendar=calendar,
        level=level,
        own=own,
        alone=alone,
        maker=maker,
        times=Times(occurrence.start, occurrence.end),
        summary=event.summary if titles else "",
        location=event.location if details else "",
        description=event.description if details else "",
        status=event.status,
        transparent=event.transparent,
        recurs=recurs,
        rrule=rule if titles else "",
        organizer=event.organizer.address if titles and event.organizer else "",
        url=event.url if details else "",
        created_at=created_at,
        updated_at=updated_at,
        people=tuple(_people(event, owners)) if details else (),
        flags=tuple({"code": flag.code, "detail": flag.detail} for flag in event.flags) if titles else (),
    )


def master_of(events: Sequence[Event]) -> Event | None:
    """The component that stands for the whole series, if the object has one."""
    return next((event for event in events if event.recurrence_id is None), None)


def is_series(events: Sequence[Event]) -> bool:
    """Whether the object has more than the one occurrence of a single event, so that each needs a name."""
    return len(events) > 1 or any(event.recurs or event.recurrence_id is not None for event in events)


@lru_cache(maxsize=256)
def read_events(data: bytes) -> tuple[Event, ...]:
    """The events of an object; a reader of several windows asks for the same bytes again."""
    return read_object(data).events


def _people(event: Event, owners: Mapping[str, MemberId]) -> list[SeenPerson]:
    people = [(event.organizer, True)] if event.organizer else []
    people += [(attendee, False) for attendee in event.attendees]
    return [
        SeenPerson(
            name=person.name,
            email=person.email or person.address,
            partstat=person.partstat,
            member=owners.get((person.email or person.address).lower()),
            organizer=organizer,
        )
        for person, organizer in people
    ]


def _row_person(row: PersonRow) -> SeenPerson:
    return SeenPerson(row.name, row.address, row.partstat, row.member_id, row.organizer)


_moment = lru_cache(maxsize=1024)(Instant.read)
"""Events that came together were made and changed at one moment."""


@lru_cache(maxsize=1024)
def _zone(key: str | None) -> ZoneInfo | None:
    if key is None:
        return None
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None

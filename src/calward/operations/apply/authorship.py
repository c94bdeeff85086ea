"""Whose words an event holds: digests of what its maker wrote, and how far they still are all there is.

An assistant sees its own events at the level it has for those. What somebody else adds to one is theirs: then
the assistant's own level holds only up to ``reach``, and the level for others' events beyond.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from calward.ical.reading import read_object
from calward.model.event import Event
from calward.model.grant import Level
from calward.operations.changes import canonical

TITLE = "title"
REST = "rest"


def authored(data: bytes) -> dict[str, str]:
    """Digests of an object's words by part: ``title``, and ``rest`` for all that only details show."""
    events = read_object(data).events
    return {TITLE: _digest(_titles(events)), REST: _digest(_rests(events))}


def reach_of(written: Mapping[str, str], now: Mapping[str, str]) -> Level:
    """Up to which level an event still says what its maker wrote and nothing else."""
    if written[TITLE] != now[TITLE]:
        return Level.BUSY
    return Level.DETAILS if written[REST] == now[REST] else Level.TITLES


def after_own_edit(
    written: Mapping[str, str], before: Mapping[str, str], now: Mapping[str, str]
) -> dict[str, str]:
    """What is the maker's after the maker edited: a part becomes theirs only where it was before."""
    return {part: now[part] if written[part] == before[part] else written[part] for part in now}


def after_split(written: Mapping[str, str], source: bytes, data: bytes, *, by_maker: bool) -> dict[str, str]:
    """What is the maker's in an object that was split off from its own: a part that was all the maker's in
    ``source``, and in which nobody else put in other words meanwhile."""
    before, now = authored(source), authored(data)
    said, says = _words(source), _words(data)
    return {
        part: now[part] if written[part] == before[part] and (by_maker or says[part] <= said[part]) else ""
        for part in now
    }


def _words(data: bytes) -> dict[str, set[bytes]]:
    """What the components say by part, whichever of them says it."""
    events = read_object(data).events
    titles, rests = _titles(events), _rests(events)
    return {TITLE: {canonical(words[1:]) for words in titles}, REST: {canonical(words[1:]) for words in rests}}


def _titles(events: Iterable[Event]) -> list[list[str]]:
    return [[event.key, event.summary] for event in events]


def _rests(events: Iterable[Event]) -> list[list[object]]:
    return [
        [
            event.key,
            event.location,
            event.description,
            event.url,
            list(event.categories),
            sorted(f"{person.address} {person.name}" for person in event.attendees),
            event.organizer.address if event.organizer else "",
            sorted(alarm.description for alarm in event.alarms),
        ]
        for event in events
    ]


def _digest(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()

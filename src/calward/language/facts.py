"""What is known about people and events, given from outside, and how words are matched to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from calward.language.moment import MomentReading
from calward.language.tokens import tokenize

NEAR_ENOUGH = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may be named: a member or someone seen in visible events. ``id`` is the caller's own."""

    id: str
    names: tuple[str, ...]
    """Full name, first name, nicknames; compared without case."""


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event that may be meant. ``start`` is aware."""

    id: str
    title: str
    start: datetime
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the engine may know beside the text."""

    people: tuple[Person, ...] = ()
    events: tuple[KnownEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as it was said, and the person it plainly means, if there is exactly one."""

    name: str
    person: str | None = None


def match_people(names: Sequence[str], facts: Facts) -> tuple[Mention, ...]:
    return tuple(Mention(name, _person(name, facts)) for name in names)


def _person(name: str, facts: Facts) -> str | None:
    said = name.casefold()
    found = [person.id for person in facts.people if any(known.casefold() == said for known in person.names)]
    if not found:
        parts = _words(name)
        found = [
            person.id
            for person in facts.people
            if any(parts and parts <= _words(known) for known in person.names)
        ]
    return found[0] if len(set(found)) == 1 else None


def match_event(
    title: str, people: Sequence[str], when: MomentReading | None, facts: Facts
) -> KnownEvent | None:
    """The one event that shares most with what was said; None where none or several do."""
    said = _words(title) | {word for name in people for word in _words(name)}
    ranked = sorted(
        ((_likeness(event, said, when), event) for event in facts.events), key=lambda pair: -pair[0]
    )
    if not ranked or ranked[0][0] <= 0 or (len(ranked) > 1 and ranked[1][0] >= ranked[0][0]):
        return None
    return ranked[0][1]


def _likeness(event: KnownEvent, said: frozenset[str], when: MomentReading | None) -> float:
    known = _words(event.title) | {word for name in event.people for word in _words(name)}
    score = 2.0 * len(said & known) - 0.1 * len(known - said)
    if not said & known and said:
        return 0.0
    if when is not None and when.start is not None:
        if when.all_day or when.end is not None:
            inside = when.start <= event.start < (when.end or when.start + timedelta(days=1))
        else:
            inside = abs(event.start - when.start) <= NEAR_ENOUGH
        score += 1.5 if inside else -1.5
    return score


def _words(text: str) -> frozenset[str]:
    return frozenset(token.norm for token in tokenize(text) if token.is_word and len(token.norm) > 1)

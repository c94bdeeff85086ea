"""A whole sentence: what is wanted, of what, when, with whom, and how sure one may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from calward.language.chart import Edge
from calward.language.clauses import split_clauses
from calward.language.confidence import sentence_certainty
from calward.language.conventions import Conventions
from calward.language.cues import features, find_cues, shorter
from calward.language.facts import Facts, KnownEvent, Mention, match_event, match_people
from calward.language.gather import Gathered, gather
from calward.language.intents import Guess, Intent, guess_intent
from calward.language.moment import MomentReading
from calward.language.moments import read_gathered, wall_clock
from calward.language.reading import Parsed, best_edges, parse_text
from calward.language.slots import Slots, read_slots
from calward.language.targets import on_the_same_day, split_change
from calward.language.tokens import LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class Reading:
    """One wish.

    ``when`` is the time that was said; for a change it is the time of the event meant, and ``new_when`` the one
    it shall have. ``people`` are the attendees named, matched to known people where that is plain. ``event`` is
    the known event a change, deletion or acceptance means, if exactly one fits best. ``confidence`` runs from 0
    to 1; below 0.85 a person is asked. ``notes`` name what was assumed.
    """

    text: str
    intent: Intent
    confidence: float
    when: MomentReading | None = None
    new_when: MomentReading | None = None
    title: str = ""
    summary: str = ""
    place: str = ""
    people: tuple[Mention, ...] = ()
    event: KnownEvent | None = None
    runner_up: Intent = Intent.NONE
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Understanding:
    """The wishes of a sentence in order; at least one, which may be that nothing is wanted of a calendar."""

    readings: tuple[Reading, ...]
    cut: bool = False
    """Set where the text was longer than what is read."""

    @property
    def confidence(self) -> float:
        return min(reading.confidence for reading in self.readings)


NOTHING_KNOWN = Facts()

NAMING = frozenset(Intent) - {Intent.FIND, Intent.AVAILABILITY, Intent.TASK_LIST, Intent.REMINDER_LIST}
"""Intents whose sentence names something; a question is no title."""


def understand(
    text: str, conventions: Conventions, now: datetime, facts: Facts = NOTHING_KNOWN
) -> Understanding:
    """Understand a sentence. ``now`` is aware, or naive and then in the conventions' zone. Never raises on
    text."""
    local = wall_clock(now, conventions)
    parsed = parse_text(text[:LONGEST_TEXT], conventions, local)
    clauses = split_clauses(parsed.text, parsed.tokens, parsed.words)
    if len(clauses) > 1:
        readings = tuple(_read(parse_text(clause, conventions, local), facts) for clause in clauses)
        if all(reading.intent is not Intent.NONE for reading in readings):
            return Understanding(readings, len(text) > LONGEST_TEXT)
    return Understanding((_read(parsed, facts),), len(text) > LONGEST_TEXT)


def _read(parsed: Parsed, facts: Facts) -> Reading:
    edges = best_edges(parsed, sentence=True)
    taken = frozenset(at for edge in edges for at in range(edge.start, edge.end))
    guess = _guess(parsed, edges, taken)
    found = gather(parsed, sentence=True)
    when = read_gathered(parsed, found) if found else None
    new_when: MomentReading | None = None
    if guess.intent is Intent.CHANGE:
        old, new = split_change(parsed)
        new = on_the_same_day(parsed, old, new) if new else None
        new_when = read_gathered(parsed, new) if new else None
        when = read_gathered(parsed, old) if old else None
    slots = (
        read_slots(parsed.text, parsed.tokens, taken, parsed.words.tag) if guess.intent in NAMING else Slots()
    )
    return _reading(parsed, guess, found, when, new_when, slots, facts)


def _guess(parsed: Parsed, edges: Sequence[Edge], taken: frozenset[int]) -> Guess:
    """What is wanted; words that tell nothing of it make it no surer, so that they cannot be meant to."""
    tokens = parsed.tokens
    names = features(tokens, parsed.words, _kinds(edge.category for edge in edges))
    cued = {at for start, end, _ in find_cues(tokens, parsed.words) for at in range(start, end)}
    return guess_intent(names, shorter(names, len(tokens), len(cued | taken)))


def _reading(
    parsed: Parsed,
    guess: Guess,
    found: Gathered | None,
    when: MomentReading | None,
    new_when: MomentReading | None,
    slots: Slots,
    facts: Facts,
) -> Reading:
    times = [time for time in (when, new_when) if time is not None]
    spare = bool(found and found.spare) and new_when is None
    confidence = sentence_certainty(guess, times, slots.title, spare)
    targets = guess.intent in (Intent.CHANGE, Intent.DELETE, Intent.ACCEPT)
    return Reading(
        text=parsed.text,
        intent=guess.intent,
        confidence=confidence,
        when=when,
        new_when=new_when,
        title=slots.title,
        summary=slots.summary,
        place=slots.place,
        people=match_people(slots.people, facts),
        event=match_event(slots.title, slots.people, when, facts) if targets else None,
        runner_up=guess.runner_up,
        notes=tuple(sorted({note for time in times for note in time.notes})),
    )


def _kinds(categories: Iterable[str]) -> frozenset[str]:
    """What sorts of time a sentence names, coarse enough to be the same in every language."""
    return frozenset("date" if name in ("date", "when", "part") else name for name in categories)

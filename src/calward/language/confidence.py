"""How sure a reading is, from what was assumed on the way and what was left unread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calward.language.intents import Guess, Intent

if TYPE_CHECKING:
    from calward.language.moments import MomentReading

DOUBTS = {
    "next_weekday": 0.25,
    "bare_hour": 0.25,
    "day_or_month": 0.3,
    "latent": 0.5,
    "today_by_name": 0.25,
    "weekday_differs": 0.4,
    "week_later": 0.2,
    "half_hour": 0.2,
    "midnight": 0.2,
    "bare_year": 0.4,
    "bare_month": 0.1,
    "part_of_day": 0.1,
    "dotted": 0.3,
    "upcoming_units": 0.3,
    "only_length": 0.3,
}


def certainty(marks: frozenset[str], left_over: int, others: bool) -> float:
    """From 0 to 1; below 0.85 a person is asked. ``left_over`` counts unread tokens, ``others`` tells of other
    times."""
    sure = 0.97 - sum(DOUBTS.get(mark, 0.0) for mark in marks)
    if left_over:
        sure -= 0.05
    if others:
        sure -= 0.15
    return round(max(0.05, sure), 2)


def sentence_certainty(
    guess: Guess, times: Sequence[MomentReading], title: str, spare: bool, _length: int
) -> float:
    """How sure a whole sentence is: no surer than what is wanted, and than the times that were said."""
    sure = guess.probability
    for time in times:
        sure = min(sure, time.confidence + 0.05)
    if guess.intent is Intent.CREATE and (not title or len(title.split()) > 8):
        sure -= 0.15
    if spare:
        sure -= 0.15
    return round(max(0.05, sure), 2)

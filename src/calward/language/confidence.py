"""How sure a reading is, from what was assumed on the way and what was left unread."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from calward.language.intents import Guess, Intent
from calward.language.moment import MomentReading

DOUBTS = {
    "bare_hour": 0.25,
    "before": 0.15,
    "bare_month": 0.15,
    "bare_year": 0.4,
    "abbreviated_zone": 0.15,
    "day_left_open": 0.25,
    "day_or_month": 0.3,
    "dotted": 0.3,
    "each_day": 0.2,
    "either_length": 0.3,
    "far_ahead": 0.15,
    "fiscal_year": 0.3,
    "half_hour": 0.2,
    "hours_of_day": 0.3,
    "latent": 0.5,
    "like_a_time": 0.2,
    "long_unit": 0.1,
    "loose_unit": 0.1,
    "midnight": 0.2,
    "moon": 0.1,
    "next_weekday": 0.25,
    "no_day": 0.1,
    "only_length": 0.3,
    "part_of_day": 0.2,
    "past": 0.15,
    "rolled_over": 0.15,
    "run_together": 0.2,
    "short_year": 0.15,
    "since": 0.1,
    "today_by_name": 0.25,
    "until": 0.3,
    "upcoming_units": 0.3,
    "week_later": 0.2,
    "week_long": 0.05,
    "week_of_year": 0.2,
    "weekday_differs": 0.4,
    "whole_units": 0.15,
}
"""What each assumption takes from certainty, set by how often readings that rest on it were right."""

STRETCHES = frozenset(
    {"long_unit", "loose_unit", "part_of_day", "whole_units", "until", "since", "before", "week_long"}
)
"""Vague for an appointment, but just what a question about a stretch of time means."""

ASKING = frozenset({Intent.FIND, Intent.AVAILABILITY, Intent.TASK_LIST, Intent.REMINDER_LIST})

SURE = 0.97
SHARPNESS, MODESTY = 1.45, -0.45
"""Slope and offset of the log-odds of an intent (Platt's scaling), set on texts kept out of the fit: low
likelihoods claim too much there, high ones too little."""
UNREAD = 0.07
UNREAD_TIME = 0.1
"""A number, a unit, a weekday… that found no place in the reading: it may have said something else."""
OTHER_TIMES = 0.15
NO_TITLE = 0.15
LONGEST_TITLE = 8
"""Words a title has at most before it looks like something misread."""
NO_HOUR = 0.15
"""An event on a day without an hour: it gets one by convention, so a person is asked."""
FOREIGN = 0.4
"""Read with the words of another language."""


def certainty(
    marks: frozenset[str], left_over: int, others: bool, foreign: bool = False, time_left: bool = False
) -> float:
    """From 0 to 1; below 0.85 a person is asked. ``left_over`` counts unread tokens, ``others`` tells of other
    times, ``time_left`` of unread tokens that speak of time."""
    sure = SURE - sum(DOUBTS.get(mark, 0.0) for mark in marks)
    if left_over:
        sure -= UNREAD
    if time_left:
        sure -= UNREAD_TIME
    if others:
        sure -= OTHER_TIMES
    if foreign:
        sure -= FOREIGN
    return round(max(0.05, sure), 2)


def sentence_certainty(guess: Guess, times: Sequence[MomentReading], title: str, spare: bool) -> float:
    """How sure a whole sentence is: no surer than what is wanted, and than the times that were said."""
    sure = _kept_out(guess.probability)
    asks = guess.intent in ASKING
    for time in times:
        sure = min(sure, time.confidence + 0.05 + (_given_back(time) if asks else 0.0))
    if guess.intent is Intent.CREATE:
        if not title or len(title.split()) > LONGEST_TITLE:
            sure -= NO_TITLE
        if any(
            time.all_day and time.grain == "day" and time.rrule is None and time.is_one_day for time in times
        ):
            sure -= NO_HOUR
    if spare:
        sure -= 0.15
    return round(max(0.05, sure), 2)


def _kept_out(probability: float) -> float:
    """How often a guess this likely is right of texts it was not fitted on."""
    if not 0.0 < probability < 1.0:
        return probability
    return 1 / (1 + exp(-MODESTY - SHARPNESS * log(probability / (1 - probability))))


def _given_back(time: MomentReading) -> float:
    """What a question need not doubt: it changes nothing, and its answer shows the time that was understood."""
    return sum(DOUBTS.get(note, 0.0) * (1.0 if note in STRETCHES else 0.5) for note in time.notes)

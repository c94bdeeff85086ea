"""Fits the weights of intents on openly published utterances: ``python -m bench.fit_intents [--hold FOLD]``.

Logistic regression by stochastic steps over the features of ``calward.language.cues``; the same data give
the same weights. ``CALWARD_CORPUS`` names the data. With ``--hold`` a fifth of the texts is kept out of the
fit, what is right of it is shown, and nothing is written.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp, sqrt
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from calward.language.conventions import Conventions
from calward.language.cues import features
from calward.language.intents import Intent
from calward.language.reading import best_edges, parse_text

TABLE = Path(__file__).parents[1] / "src" / "calward" / "language" / "data" / "intents.toml"
CUSTOMS = Conventions.for_locale("en-US", ZoneInfo("UTC"))
NOW = datetime(2026, 2, 4, 9, 10)

FOLDS = 5
ROUNDS = 8
SEED = 5
LEAST_SEEN = 8
"""How many texts must have a feature for it to count."""
SHRINK = 1e-2
STEP = 0.25
BIAS_STEP = 0.02
SMALLEST = 0.25
"""Weights below are left out of the table."""

HEAD = """\
# How much each cue speaks for or against each intent, in order of its name. Features are named in cues.py;
# the words behind them are in the language files. Fitted by logistic regression on openly published
# utterances and sentences of our own, rounded, small weights left out.
"""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A set of utterances: how much one counts, and which intent a row has, if it tells one."""

    name: str
    weight: float
    intent: Callable[[Row], Intent | None]


@dataclass(frozen=True, slots=True)
class Example:
    source: str
    text: str
    intent: Intent
    weight: float
    features: tuple[str, ...]

    @property
    def fold(self) -> int:
        return int(hashlib.md5(self.text.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.fit_intents", description="Fit the weights of intents."
    )
    parser.add_argument(
        "--hold", type=int, choices=range(FOLDS), metavar="FOLD", help="keep a fifth out, 0 to 4"
    )
    hold = parser.parse_args(arguments).hold
    corpus = os.environ.get("CALWARD_CORPUS")
    if not corpus:
        parser.error("CALWARD_CORPUS names no data")
    examples = list(_examples(Path(corpus) / "language"))
    model = Model([one for one in examples if one.fold != hold])
    for source, (right, count) in _scores(model, [one for one in examples if hold in (None, one.fold)]).items():
        print(f"{source:34} {count:6} {100 * right / count:6.1f}")
    if hold is None:
        TABLE.write_text(model.table(), encoding="utf-8")
    return 0


class Model:
    """Weights by intent and feature, with a step for each that shrinks as it is used (Adagrad)."""

    def __init__(self, examples: Sequence[Example]) -> None:
        seen = Counter(name for one in examples for name in one.features)
        self.known = {name for name, count in seen.items() if count >= LEAST_SEEN}
        self.intents = sorted({one.intent for one in examples})
        self.bias = dict.fromkeys(self.intents, 0.0)
        self.weights = {intent: dict.fromkeys(self.known, 0.0) for intent in self.intents}
        self._used = {intent: dict.fromkeys(self.known, 1e-3) for intent in self.intents}
        order = list(examples)
        chance = random.Random(SEED)
        for _ in range(ROUNDS):
            chance.shuffle(order)
            for one in order:
                self._learn(one)

    def probabilities(self, names: Sequence[str]) -> dict[Intent, float]:
        known = [name for name in names if name in self.known]
        totals = {
            intent: self.bias[intent] + sum(weights[name] for name in known)
            for intent, weights in self.weights.items()
        }
        top = max(totals.values())
        scale = sum(exp(total - top) for total in totals.values())
        return {intent: exp(total - top) / scale for intent, total in totals.items()}

    def table(self) -> str:
        """The file ``calward.language.intents`` reads."""
        lines = [HEAD, "[bias]", *(f"{intent} = {self.bias[intent]:.2f}" for intent in self.intents)]
        lines += ["", "[weights]"]
        for name in sorted(self.known):
            pairs = [
                f"{intent} {weights[name]:.1f}"
                for intent, weights in self.weights.items()
                if abs(weights[name]) >= SMALLEST
            ]
            if pairs:
                lines.append(f'"{name}" = "{", ".join(pairs)}"')
        return "\n".join(lines) + "\n"

    def _learn(self, one: Example) -> None:
        known = [name for name in one.features if name in self.known]
        for intent, probability in self.probabilities(known).items():
            error = ((intent is one.intent) - probability) * one.weight
            if abs(error) < 1e-3:
                continue
            weights, used = self.weights[intent], self._used[intent]
            self.bias[intent] += BIAS_STEP * error
            for name in known:
                slope = error - SHRINK * weights[name]
                used[name] += slope * slope
                weights[name] += STEP * slope / sqrt(used[name])


def _scores(model: Model, examples: Sequence[Example]) -> dict[str, tuple[int, int]]:
    """By source: how many are right, and how many there are."""
    found: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for one in examples:
        chances = model.probabilities(one.features)
        right, count = found[one.source]
        found[one.source] = (right + (max(chances, key=chances.__getitem__) is one.intent), count + 1)
    return found


def _examples(folder: Path) -> Iterator[Example]:
    """Each text and intent once, as the first source has it."""
    seen: set[tuple[str, Intent]] = set()
    for source, weight, text, intent in _labelled(folder):
        if (text, intent) not in seen:
            seen.add((text, intent))
            yield Example(source, text, intent, weight, _features(text))


def _labelled(folder: Path) -> Iterator[tuple[str, float, str, Intent]]:
    for source in SOURCES:
        for line in (folder / f"{source.name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            intent = source.intent(row)
            if intent is not None:
                yield source.name, source.weight, row["text"], intent
    for intent, texts in OWN.items():
        for text in texts:
            yield "our own", OWN_WEIGHT, text, intent


def _features(text: str) -> tuple[str, ...]:
    """As ``calward.language.understand`` makes them."""
    parsed = parse_text(text, CUSTOMS, NOW)
    kinds = {edge.category for edge in best_edges(parsed, sentence=True)}
    coarse = frozenset("date" if kind in ("date", "when", "part") else kind for kind in kinds)
    return tuple(sorted(features(parsed.tokens, parsed.words, coarse)))


CREATE, FIND, NONE = Intent.CREATE, Intent.FIND, Intent.NONE

ASSISTANT = {
    "CreateCalendarEntry": CREATE,
    "ChangeCalendarEntry": Intent.CHANGE,
    "AddCalendarEntryAttribute": Intent.CHANGE,
    "DeleteCalendarEntry": Intent.DELETE,
    "CheckAvailability": Intent.AVAILABILITY,
    "AcceptEventEntry": Intent.ACCEPT,
    "FindCalendarEntry": FIND,
    "FindCalendarWhen": FIND,
    "FindCalendarWhere": FIND,
    "FindCalendarWho": FIND,
    "FindCalendarDetail": FIND,
    "FindDuration": FIND,
    "TimeRemaining": FIND,
    "RejectCalendar": NONE,
    "CancelCalendar": NONE,
    "None": NONE,
}
CLINC = {
    "calendar": FIND,
    "meeting_schedule": FIND,
    "reminder_update": Intent.REMINDER_SET,
    "reminder": Intent.REMINDER_LIST,
    "todo_list": Intent.TASK_LIST,
    "alarm": Intent.REMINDER_SET,
    **dict.fromkeys(("time", "date", "timezone", "maybe", "yes", "no", "next_holiday", "pto_request"), NONE),
}
HOUSEHOLD = {
    "calendar_query": FIND,
    "calendar_remove": Intent.DELETE,
    "alarm_set": Intent.REMINDER_SET,
    "alarm_query": Intent.REMINDER_LIST,
}

# A label often covers several of our intents; words of the text then tell which.
_REMINDS = re.compile(r"\bremind|notif|alert|forget|wake|alarm")
_CHANGES = re.compile(r"\b(change|move|update|reschedule|postpone|modify|edit|shift)\b")
_IS_TASK = re.compile(r"to.?do|task|chore")
_ASKS_FREE = re.compile(r"availab|free|\bopen\b|see if|are there|is there|any ")
_TAKES_OFF = re.compile(r"cancel|delet|remov|clear|rid|take|eras|\boff\b")
_IS_DONE = re.compile(r"finish|done|complet|cross|\boff\b|nix|rid")


def _household(row: Row) -> Intent | None:
    """Labels of the two sets of household utterances."""
    text, label = row["text"], row["intent"]
    if label == "calendar_set":
        if _REMINDS.search(text):
            return Intent.REMINDER_SET
        return Intent.CHANGE if _CHANGES.search(text) else CREATE
    if label in ("lists_query", "lists_createoradd"):
        wanted = Intent.TASK_LIST if label == "lists_query" else Intent.TASK_ADD
        return wanted if _IS_TASK.search(text) else NONE
    return NONE if label.startswith("datetime") else HOUSEHOLD.get(label)


def _clinc(row: Row) -> Intent | None:
    text, label = row["text"], row["intent"]
    if label == "schedule_meeting":
        return Intent.AVAILABILITY if _ASKS_FREE.search(text) else CREATE
    if label == "calendar_update":
        return Intent.DELETE if _TAKES_OFF.search(text) else CREATE
    if label == "todo_list_update":
        return Intent.TASK_DONE if _IS_DONE.search(text) else Intent.TASK_ADD
    return CLINC.get(label)


def _quick_add(row: Row) -> Intent | None:
    """Titles with a time, said at the one moment the set is written for."""
    is_event = row["reference"] == "2013-02-24T15:01:00" and row["title"] and row["expected_start"]
    return CREATE if is_event else None


def _other_talk(_: Row) -> Intent:
    return NONE


SOURCES = (
    Source("intent_ms_calendar_lu", 3.0, lambda row: ASSISTANT.get(row["intent"])),
    Source("intent_hwu64_calendar", 1.0, _household),
    Source("intent_slurp_calendar", 1.0, _household),
    Source("intent_clinc150_calendar", 1.5, _clinc),
    Source("intent_clinc150_negatives", 0.35, _other_talk),
    Source("intent_hwu64_negatives", 0.35, _other_talk),
    Source("intent_slurp_negatives", 0.35, _other_talk),
    Source("quickadd_sherlock", 1.0, _quick_add),
)

OWN_WEIGHT = 6.0
OWN = {
    Intent.ACCEPT: (
        "accept the invitation from bob",
        "yes to the meeting invite from ann",
    ),
    Intent.AVAILABILITY: (
        "am i free on friday afternoon",
        "is ann free tomorrow at 3",
        "can you find time for me and ann next week",
        "find a time for the three of us on friday",
        "when can we all meet next week",
        "find us a free hour tomorrow",
    ),
    Intent.CHANGE: (
        "move lunch to friday",
        "move hamish training to thursday 6pm",
    ),
    Intent.CREATE: (
        "dinner with sam friday 7pm",
        "lunch with ann tomorrow at noon",
        "dentist tuesday 3pm",
        "standup every weekday at 9",
        "meeting with the team next monday at 10",
        "gym at 6pm",
        "call with peter at 4",
        "team offsite 3/4",
        "piano lesson wednesday 4pm",
        "dentist tomorrow",
        "dentist tomorrow at 9",
        "pick up kids at 3pm",
        "oil change saturday 10am",
        "recital june 3rd 6pm",
        "rent due on the 1st",
        "vacation from july 13 to july 27",
        "flight to berlin monday 7:40am",
        "parent teacher conference thursday 5pm",
        "piano lesson for mia every wednesday at 4pm",
        "school play friday 7pm",
        "garden work on saturday",
        "budget review monday 10am to noon",
        "haircut thursday 2:30",
        "swim class every tuesday at 5pm",
        "breakfast with mom sunday",
        "team lunch on the 14th",
        "quarterly planning next week",
        "book club first thursday of each month",
        "trash day every monday",
        "grandma visits july 3 to july 9",
    ),
    Intent.REMINDER_LIST: (
        "what reminders do i have",
        "show my reminders",
        "list reminders for today",
    ),
    Intent.REMINDER_SET: (
        "remind me to call sam at 5",
        "remind me about the report tomorrow morning",
    ),
    Intent.TASK_ADD: (
        "add a task to call the bank",
        "new task write the report by friday",
        "put buy milk on my to do list",
        "i need to remember to do buy milk task",
    ),
    Intent.TASK_DONE: (
        "i finished the laundry",
        "mark buy milk as done",
        "i have done the taxes",
        "complete the task call mom",
        "check off groceries",
        "tick off write report",
        "mark laundry as done",
        "i finished the report",
        "the dishes are done",
        "mark the invoice task done",
        "task buy milk is complete",
    ),
    Intent.TASK_LIST: (
        "what are my tasks",
        "show my open tasks",
        "list my to dos",
    ),
}
"""Everyday ways to say what the sources lack, written for this project."""


if __name__ == "__main__":
    sys.exit(main())

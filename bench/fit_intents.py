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
from collections.abc import Iterator, Mapping, Sequence
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
OTHER_TALK_WEIGHT = 0.4
SET_OF_WEIGHT_ONE = 1800
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
    """(kind of row, weight, text, intent) of all utterances with a label, and of titles with a time."""
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not rows or "acts" in rows[0]:  # turns of a dialogue say little on their own
            continue
        if "intent" in rows[0]:
            wishes = [(row["text"], wish_of(row["intent"], row["text"])) for row in rows]
            about = sum(intent not in (None, NONE) for _, intent in wishes)
            weight = OTHER_TALK_WEIGHT if about * 20 < len(wishes) else _weight(about)
            for text, intent in wishes:
                if intent is not None:
                    yield ("other talk" if intent is NONE else "utterances"), weight, text, intent
        elif "title" in rows[0]:
            for row in rows:
                if row["title"] and row["expected_start"] and row["text"]:
                    yield "titles", 1.0, row["text"], CREATE
    for intent, texts in OWN.items():
        for text in texts:
            yield "our own", OWN_WEIGHT, text, intent


def _weight(count: int) -> float:
    """Small sets count more, that they be heard beside the large ones."""
    return min(3.0, max(1.0, SET_OF_WEIGHT_ONE / max(count, 1)))


def _features(text: str) -> tuple[str, ...]:
    """As ``calward.language.understand`` makes them."""
    parsed = parse_text(text, CUSTOMS, NOW)
    kinds = {edge.category for edge in best_edges(parsed, sentence=True)}
    coarse = frozenset("date" if kind in ("date", "when", "part") else kind for kind in kinds)
    return tuple(sorted(features(parsed.tokens, parsed.words, coarse)))


CREATE, FIND, NONE = Intent.CREATE, Intent.FIND, Intent.NONE

# A label often covers several of our intents; words of the text then tell which.
_REMINDS = re.compile(r"\bremind|notif|alert|forget|wake|alarm")
_CHANGES = re.compile(r"\b(change|move|update|reschedule|postpone|modify|edit|shift)\b")
_IS_TASK = re.compile(r"to.?do|task|chore")
_ASKS_FREE = re.compile(r"availab|free|\bopen\b|see if|are there|is there|any ")
_TAKES_OFF = re.compile(r"cancel|delet|remov|clear|rid|take|eras|\boff\b")
_IS_DONE = re.compile(r"finish|done|complet|cross|\boff\b|nix|rid")

CALENDAR_WORDS = frozenset({"calendar", "entry", "meeting", "availability", "remaining"})
UNCLEAR = frozenset({"room", "connect", "contact", "previous", "timer", "maintenance", "reservation"})
"""Words of labels near a calendar that stand for none of our intents: such rows are left out."""

DEEDS: tuple[tuple[frozenset[str], Intent], ...] = (
    (frozenset({"accept"}), Intent.ACCEPT),
    (frozenset({"availability"}), Intent.AVAILABILITY),
    (frozenset({"attribute", "change"}), Intent.CHANGE),
    (frozenset({"delete", "remove"}), Intent.DELETE),
    (frozenset({"create"}), CREATE),
    (frozenset({"find", "query", "remaining"}), FIND),
)
"""What a word of a label about a calendar says, the first that fits."""


def wish_of(label: str, text: str) -> Intent | None:
    """The intent a source's label stands for, told by its words; None where the row is of no use."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+", label)]
    has = frozenset(words)
    if has & UNCLEAR or words in (["cancel"], ["query"], ["set"], ["remove"]):
        return None
    if has & {"alarm", "reminder"}:
        return _alarm(words)
    if has & {"lists", "todo"}:
        return _task(has, text)
    about = has & CALENDAR_WORDS or words == ["find", "duration"]
    return _calendar(words, text) if about and not has & {"cancel", "reject"} else NONE


def _calendar(words: Sequence[str], text: str) -> Intent:
    if words[0] == "schedule":
        return Intent.AVAILABILITY if _ASKS_FREE.search(text) else CREATE
    if "set" in words:
        if _REMINDS.search(text):
            return Intent.REMINDER_SET
        return Intent.CHANGE if _CHANGES.search(text) else CREATE
    if "update" in words:
        return Intent.DELETE if _TAKES_OFF.search(text) else CREATE
    return next((intent for said, intent in DEEDS if said.intersection(words)), FIND)


def _alarm(words: Sequence[str]) -> Intent | None:
    if "remove" in words:
        return None
    return Intent.REMINDER_LIST if "query" in words or words == ["reminder"] else Intent.REMINDER_SET


def _task(has: frozenset[str], text: str) -> Intent | None:
    if "remove" in has:
        return None
    if "todo" not in has and not _IS_TASK.search(text):
        return NONE
    if has & {"update", "createoradd"}:
        done = "update" in has and _IS_DONE.search(text)
        return Intent.TASK_DONE if done else Intent.TASK_ADD
    return Intent.TASK_LIST


OWN_WEIGHT = 4.0
OWN = {
    Intent.ACCEPT: (
        "accept the invitation from bob",
        "yes to the meeting invite from ann",
        "i'll be at the rehearsal on monday",
        "i will come to the party",
        "count me in for dinner",
        "confirm that i attend the workshop",
        "i will be at the concert on friday",
        "i will attend the offsite",
    ),
    Intent.AVAILABILITY: (
        "am i free on friday afternoon",
        "is ann free tomorrow at 3",
        "can you find time for me and ann next week",
        "find a time for the three of us on friday",
        "when can we all meet next week",
        "find us a free hour tomorrow",
        "do i have time on tuesday at 5",
        "does friday at 3 work for me",
        "is monday at 9 okay",
        "could i do thursday at noon",
        "would tuesday at 4 work",
        "is wednesday morning possible",
        "when can i see the accountant this month",
        "when could we meet",
        "find a slot for coffee with lena this week",
        "look for an hour with ann on monday",
        "any gaps tomorrow afternoon",
        "when do lena and i both have time",
    ),
    Intent.CHANGE: (
        "move lunch to friday",
        "move hamish training to thursday 6pm",
        "rename the sync to planning",
        "make the lesson half an hour longer",
        "make dinner an hour later",
        "let the meeting start at 9 instead",
        "push the review back an hour",
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
        "call the bank tomorrow at 10",
        "phone grandma on sunday afternoon",
        "coffee with lena on tuesday at 4",
        "let's have lunch with omar on friday at 1",
        "we're having dinner at the millers on saturday at 7",
        "block thursday morning for the report",
        "i'm seeing the accountant on the 12th at 2pm",
        "company retreat may 4 to may 6",
        "drop off the car wednesday 8am",
        "movers come on the 3rd at 9",
        "sleepover at emma's friday",
        "garage sale saturday 9am to 1pm",
        "board meeting on the calendar for may 5 at 6pm",
        "new event: choir rehearsal monday 7pm",
        "zoom with the tax adviser next thursday at 11",
        "paint the fence saturday 2pm",
        "return library books thursday",
        "mia to emma friday 3pm",
        "water the garden sunday evening",
        "tom picks up the twins wednesday 4:15pm",
        "plumber monday between 8 and 10am",
        "oma's 80th on june 12",
        "fix the bike saturday morning",
        "bins out every tuesday at 8pm",
        "hand in the essay by the 9th",
        "walk with nora tomorrow 6pm",
        "ikea delivery on the 21st from 9 to 12",
        "read to the class friday at 10:15",
        "choir every monday 7:30pm to 9pm",
        "zoe at the museum saturday 11am",
        "ballet for lea tuesdays at 4",
    ),
    FIND: (
        "what's on today",
        "what is on this weekend",
        "whats on on sunday",
        "what do i have on monday",
        "what do we have this week",
        "what have i got tomorrow morning",
        "do i have anything tomorrow afternoon",
        "have i got anything on thursday",
        "do we have anything on at the weekend",
        "is there anything on wednesday",
        "anything on tonight",
        "anything today",
        "anything scheduled for monday",
        "any plans for sunday",
        "how does my thursday look",
        "how does friday look",
        "what does next week look like",
        "what's next",
        "what comes next",
        "what's up today",
        "what's left for today",
        "show me monday",
        "show me this weekend",
        "show next month",
        "show me what's on in may",
        "tuesday's agenda",
        "my schedule for wednesday",
        "my calendar",
        "our plans for the weekend",
        "today's events",
        "when is the haircut",
        "when's the next piano lesson",
        "when did we last meet the architect",
        "when was my last checkup",
        "where's the dinner tonight",
        "who's at the planning on monday",
        "what time is the concert",
        "what am i doing on saturday",
        "am i doing anything on sunday",
        "are we doing anything this weekend",
        "where do i have to be at noon",
        "search for the budget review",
        "look up swim class",
        "find everything with omar in june",
        "which meetings are on thursday",
        "is the rehearsal still on tomorrow",
        "show me the week after next",
        "show thursday afternoon",
        "is there anything in the morning",
        "is there something on at 4",
        "sunday's plans",
        "when did we last go to the museum",
        "when was i last at the gym",
        "look for the call with peter",
        "look up the school play",
    ),
    NONE: (
        "what's on tv tonight",
        "what is on netflix",
        "what's up",
        "what's left of the pizza",
        "do i have any new messages",
        "is there anything to eat",
        "show me pictures of paris",
        "search for a good recipe",
        "look up the word serendipity",
        "who won the match yesterday",
        "when did the war end",
        "when is the next full moon",
        "what do i have to pay for parking",
        "how does the engine work",
        "what does this word mean",
        "anything good on the radio",
        "the weather was fine yesterday",
        "set the oven to 180 degrees",
        "i like coffee in the morning",
    ),
    Intent.DELETE: (
        "i'm not going to the concert any more",
        "i can't make the review on friday",
        "the picnic is off",
        "take the rehearsal off my calendar",
        "clear my afternoon",
    ),
    Intent.REMINDER_LIST: (
        "what reminders do i have",
        "show my reminders",
        "list reminders for today",
        "which reminders are set",
        "are there any reminders for tomorrow",
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
        "new task: call the plumber",
        "todo: wash the car",
        "to do: renew the passport",
        "add wash the windows to my tasks",
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
        "which tasks are open",
        "which tasks are due today",
        "what is left on my to do list",
    ),
}
"""Everyday ways to say what the sources lack, written for this project."""


if __name__ == "__main__":
    sys.exit(main())

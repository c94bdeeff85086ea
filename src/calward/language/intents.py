"""What a person wants of a calendar, or that they want nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import exp

from calward.language.datafile import data_file


class Intent(StrEnum):
    """What a sentence asks for; ``NONE`` is talk that is not for a calendar."""

    CREATE = "create"
    FIND = "find"
    CHANGE = "change"
    DELETE = "delete"
    AVAILABILITY = "availability"
    ACCEPT = "accept"
    TASK_ADD = "task_add"
    TASK_LIST = "task_list"
    TASK_DONE = "task_done"
    REMINDER_SET = "reminder_set"
    REMINDER_LIST = "reminder_list"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest intent, how likely it is, and by how much it leads the next."""

    intent: Intent
    probability: float
    margin: float
    runner_up: Intent


def guess_intent(features: Iterable[str], others: Iterable[Iterable[str]] = ()) -> Guess:
    """The likeliest intent; as likely as it is under the features, and under the ``others``, at least."""
    chances = _chances(features)
    ranked = sorted(chances, key=lambda intent: -chances[intent])
    first, second = chances[ranked[0]], chances[ranked[1]]
    least = min((_chances(other)[ranked[0]] for other in others), default=first)
    return Guess(ranked[0], min(first, least), first - second, ranked[1])


def _chances(features: Iterable[str]) -> dict[Intent, float]:
    """Weigh the cues: a softmax over sums of weights."""
    bias, weights = _table()
    totals = dict(bias)
    for feature in features:
        for intent, weight in weights.get(feature, ()):
            totals[intent] += weight
    top = max(totals.values())
    scale = sum(exp(total - top) for total in totals.values())
    return {intent: exp(total - top) / scale for intent, total in totals.items()}


@lru_cache(maxsize=1)
def _table() -> tuple[Mapping[Intent, float], Mapping[str, tuple[tuple[Intent, float], ...]]]:
    """Biases, and for each feature what it says for and against each intent."""
    table = data_file("intents")
    weights = {
        feature: tuple(
            (Intent(name), float(weight)) for name, weight in (pair.split() for pair in spelled.split(","))
        )
        for feature, spelled in table["weights"].items()
    }
    bias = {Intent(name): float(value) for name, value in table["bias"].items()}
    return bias, weights

"""What is left of a stretch that is under way, and what has passed of it: "later this week", "year to date"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from calward.language.chart import Rule
from calward.language.days import Fixed
from calward.language.grains import Grain, cycle, floor
from calward.language.grammar.relative import from_now
from calward.language.hours import midnight
from calward.language.resolve import choose, resolve
from calward.language.scene import Scene
from calward.language.values import Bound, Length, Stretch, When


def _rest(scene: Scene, _word: object, when: When) -> Stretch | None:
    """As in "The rest of the week", "later this month": from now to its end."""
    chosen = choose(when.days, scene) if when.days is not None and when.category == "date" else None
    if chosen is None or not chosen[0][0] <= scene.today < chosen[0][1]:
        return None
    now = When(at=scene.now.replace(microsecond=0), grain=Grain.SECOND)
    return Stretch(
        Bound.BETWEEN, now, When(at=midnight(chosen[0][1]), grain=Grain.DAY), marks=when.marks - {"latent"}
    )


def _rest_of_part(scene: Scene, _word: object, when: When) -> When | Stretch | None:
    """As in "later tonight", "the rest of the afternoon": what is left of it."""
    found = resolve(when, scene) if when.part is not None and when.clock is None else None
    if found is None or found.start is None or found.end is None:
        return None
    if scene.now <= found.start:
        return when
    now = When(at=scene.now.replace(microsecond=0), grain=Grain.SECOND)
    return (
        Stretch(Bound.BETWEEN, now, When(at=found.end, grain=Grain.SECOND)) if scene.now < found.end else None
    )


def _to_date(scene: Scene, _from: object, first: When, _word: object) -> Stretch | None:
    """As in "from March to date"."""
    found = resolve(first, replace(scene, past=True)) if first.category == "date" else None
    if found is None or found.start is None or found.start > scene.now:
        return None
    return _until_now(scene, found.start)


def _unit_to_date(scene: Scene, unit: Grain, _word: object) -> Stretch | None:
    """As in "year to date"."""
    if unit < Grain.DAY:
        return None
    return _until_now(scene, midnight(floor(scene.today, unit, scene.conventions.week_start)))


def _until_now(scene: Scene, start: datetime) -> Stretch:
    now = When(at=scene.now.replace(microsecond=0), grain=Grain.SECOND)
    return Stretch(Bound.BETWEEN, When(at=start, grain=Grain.DAY), now)


def _within_unit(scene: Scene, _within: object, _the: object, unit: Grain) -> When | Stretch | None:
    """As in "within the hour", "within the week": before it is over."""
    if unit < Grain.DAY:
        return from_now(scene, Length(((1, unit),)))
    return _rest(
        scene, None, When(days=Fixed(*cycle(scene.today, 0, unit, scene.conventions.week_start), unit))
    )


RULES = (
    Rule(("rest date",), _rest, weight=0.3),
    Rule(("rest the? part|when",), lambda s, word, _t, when: _rest_of_part(s, word, when), weight=0.1),
    Rule(("within the unit",), _within_unit, weight=0.2),
    Rule(("from? date today_to",), _to_date, weight=0.4),
    Rule(("unit today_to",), _unit_to_date, weight=0.3),
)

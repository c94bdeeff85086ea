"""Durations: "two and a half hours", "1 day, 3 hrs", "half an hour", "a couple of weeks"."""

from __future__ import annotations

from calward.language.chart import Rule
from calward.language.grains import Grain
from calward.language.scene import Scene
from calward.language.values import Length, Number, When

MOST_UNITS = 1_000_000
EITHER = frozenset({"either_length"})
SIZED = frozenset({"sized"})


def _units(_scene: Scene, number: Number, _more: object, unit: Grain) -> Length | None:
    return Length(((number.value, unit),)) if number.value <= MOST_UNITS else None


def _one(_scene: Scene, _a: object, unit: Grain) -> Length:
    return Length(((1, unit),))


def _some(_scene: Scene, _a: object, amount: int, _of: object, unit: Grain) -> Length:
    return Length(((amount, unit),), frozenset({"some"}))


def _half(_scene: Scene, _half: object, _of: object, _a: object, unit: Grain) -> Length | None:
    return _portion(0.5, unit)


def _quarter(
    _scene: Scene, _a: object, _quarter: object, _of: object, _the: object, unit: Grain
) -> Length | None:
    return _portion(0.25, unit)


def _quarters(
    _scene: Scene, number: Number, _quarter: Grain, _of: object, _a: object, unit: Grain
) -> Length | None:
    return _portion(number.value / 4, unit) if _quarter is Grain.QUARTER and number.value < 4 else None


def _fraction(_scene: Scene, number: Number, _of: object, _a: object, unit: Grain) -> Length | None:
    return _portion(number.value, unit)


def _and_half(
    _scene: Scene, number: Number, joint: object, article: object, _half: object, unit: Grain
) -> Length | None:
    if joint is None and article is None and number.value == 1 and not number.digits:
        # "One half hour", "einer halben Stunde": the one is the article of the half.
        return _portion(0.5, unit)
    return _portion(number.value + 0.5, unit)


def _and_half_word(_scene: Scene, count: int, unit: Grain) -> Length | None:
    """As in "anderthalb Stunden"."""
    return _portion(count + 0.5, unit)


def _three_quarters(_scene: Scene, _word: object, unit: Grain) -> Length | None:
    return _portion(0.75, unit)


def _unit_and_half(
    _scene: Scene, number: Number | str, unit: Grain, _and: object, _a: object, _half: object
) -> Length | None:
    count = number.value if isinstance(number, Number) else 1
    return _portion(count + 0.5, unit)


def _and_fraction(_scene: Scene, number: Number, part: Number, unit: Grain) -> Length | None:
    """As in "2 1/2 hours"."""
    return _portion(number.value + part.value, unit)


def _either(_scene: Scene, first: Number, _or: object, last: Number, unit: Grain) -> Length | None:
    """As in "2-3 days", "two or three weeks": the shorter, and it is asked."""
    if not 0 < first.value < last.value:
        return None
    return Length(((first.value, unit),), EITHER)


def _or_more(_scene: Scene, length: Length, _or: object, number: Number) -> Length | None:
    """As in "a week or two"."""
    count, unit = length.amounts[0]
    if len(length.amounts) != 1 or count >= number.value:
        return None
    return Length(((count, unit),), EITHER)


def _another(_scene: Scene, _more: object, unit: Grain) -> Length:
    return Length(((1, unit),))


def _sized(_scene: Scene, number: Number, _dash: object, unit: Grain) -> Length | None:
    """As in "a 2-hour workshop": how long something takes, wherever it is said."""
    return Length(((number.value, unit),), SIZED) if 0 < number.value <= MOST_UNITS else None


def _fortnight(_scene: Scene, number: Number | str | None, _word: object) -> Length:
    count = number.value if isinstance(number, Number) else 1
    return Length(((2 * count, Grain.WEEK),))


def _workdays(_scene: Scene, number: Number, _word: object) -> Length:
    return Length(((number.value, Grain.DAY),), frozenset({"working_days"}))


def _together(_scene: Scene, first: Length, _link: object, second: Length) -> Length | None:
    if first.finest <= second.largest or "working_days" in first.marks | second.marks:
        return None
    return Length(first.amounts + second.amounts, first.marks | second.marks)


def _hours_minutes(_scene: Scene, number: Number, unit: Grain, minutes: Number) -> Length | None:
    """As in "1h30"."""
    if unit is not Grain.HOUR or minutes.digits != 2 or minutes.value >= 60 or number.value != number.whole:
        return None
    return Length(((number.value, Grain.HOUR), (minutes.value, Grain.MINUTE)))


def clocked_length(_scene: Scene, _for: object, said: When, unit: Grain) -> Length | None:
    """As in "for 1:30 hours"."""
    clock = said.clock
    if clock is None or not clock.written or unit is not Grain.HOUR:
        return None
    return Length(((clock.hour, Grain.HOUR), (clock.minute, Grain.MINUTE)))


def _roughly(_scene: Scene, _about: object, length: Length) -> Length:
    return length


def _portion(count: float, unit: Grain) -> Length | None:
    """A broken count of units in finer ones where that is exact."""
    finer = {
        Grain.HOUR: (Grain.MINUTE, 60),
        Grain.MINUTE: (Grain.SECOND, 60),
        Grain.DAY: (Grain.HOUR, 24),
        Grain.YEAR: (Grain.MONTH, 12),
        Grain.DECADE: (Grain.YEAR, 10),
        Grain.CENTURY: (Grain.YEAR, 100),
    }.get(unit)
    return Length(((count * finer[1], finer[0]),)) if finer else Length(((count, unit),))


RULES = (
    Rule(("num more? unit",), _units, category="length"),
    Rule(
        ("num tick",), lambda scene, number, _tick: _units(scene, number, None, Grain.MINUTE), category="length"
    ),
    Rule(("a unit",), _one, category="length", weight=-0.2),
    Rule(("a? amount of? unit",), _some, category="length"),
    Rule(("half of? a? unit",), _half, category="length"),
    Rule(
        ("a half a? unit",), lambda s, _a, half, _b, unit: _half(s, half, None, None, unit), category="length"
    ),
    Rule(("num fraction unit",), _and_fraction, category="length", weight=0.1),
    Rule(("num dash|to|or num unit",), _either, category="length", weight=-0.1),
    Rule(("length or num",), _or_more, category="length"),
    Rule(("more unit",), _another, category="length"),
    Rule(
        ("a? num dash unit",), lambda s, _a, number, dash, unit: _sized(s, number, dash, unit), category="sized"
    ),
    Rule(("a? quarter_of of? a? unit",), _quarter, category="length", weight=-0.1),
    Rule(("num unit of a? unit",), _quarters, category="length"),
    Rule(("fraction of? a? unit",), _fraction, category="length"),
    Rule(("num and? a? half unit",), _and_half, category="length"),
    Rule(("and_half unit",), _and_half_word, category="length"),
    Rule(
        ("a? three_quarters of? a? unit",),
        lambda s, _a, w, _o, _b, u: _three_quarters(s, w, u),
        category="length",
    ),
    Rule(("num|a unit and a? half",), _unit_and_half, category="length"),
    Rule(("num|a fortnight", "a? fortnight"), _fortnight, category="length"),
    Rule(("num workday|workdays",), _workdays, category="length"),
    Rule(("length and|comma|plus? length",), _together, category="length", weight=0.2),
    Rule(("length comma and length",), lambda s, a, _c, _a, b: _together(s, a, None, b), category="length"),
    Rule(("num unit num",), _hours_minutes, category="length", weight=-0.2),
    Rule(("about length",), _roughly, category="length"),
    Rule(("length ish",), lambda _s, length, _ish: length, category="length"),
)

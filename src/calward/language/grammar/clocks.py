"""Times of day: "half past three pm", "at 7", "1030", "8 tonight", "9:30 CST"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from calward.language.chart import Action, Rule
from calward.language.days import Fixed
from calward.language.grains import Grain, cycle
from calward.language.grammar.merge import merge
from calward.language.scene import Scene
from calward.language.values import Clock, Number, Part, Stretch, When
from calward.language.zones import Said, zone_of

MEALS = frozenset({"lunch"})
"""Parts of day that are also what one does then: in a sentence "lunch tomorrow" is no time of day."""


def hour(number: Number, minute: int = 0, grain: Grain = Grain.HOUR) -> Clock | None:
    """An hour that was said as a bare number; below 13 its half of the day is open."""
    if (
        number.value != int(number.value)
        or not 0 <= number.value <= 24
        or number.digits > 2
        or not 0 <= minute < 60
    ):
        return None
    return Clock(
        number.whole,
        minute,
        0,
        grain,
        0 < number.whole <= 12 and not (number.digits == 2 and number.whole < 10),
    )


def _at_number(_scene: Scene, _at: object, number: Number) -> When | None:
    clock = hour(number)
    return When(clock=clock) if clock else None


def _hour_minute(_scene: Scene, _at: object, first: Number, _dash: object, second: Number) -> When | None:
    """As in "three twenty", "6 30", "twelve oh three"."""
    if not (second.digits == 2 or (second.digits == 0 and (second.value >= 10))):
        return None
    clock = hour(first, second.whole, Grain.MINUTE)
    return When(clock=clock) if clock and first.value > 0 else None


def _bare_hour_minute(scene: Scene, first: Number, dash: object, second: Number) -> When | None:
    found = _hour_minute(scene, None, first, dash, second)
    return found.marked("latent") if found else None


def _oh_minute(_scene: Scene, first: Number, _d: object, zero: Number, _e: object, unit: Number) -> When | None:
    if zero.value != 0 or zero.digits or not 0 < unit.value < 10 or first.digits or unit.digits:
        return None
    clock = hour(first, unit.whole, Grain.MINUTE)
    return When(clock=clock).marked("latent") if clock else None


def _half_day(_scene: Scene, when: When | None, which: str) -> When | None:
    """am or pm said after a clock."""
    if when is None or when.clock is None or (when.clock.hour > 12 and which == "am") or when.clock.hour == 24:
        return None
    clock = when.clock
    base = clock.hour % 12
    if clock.hour > 12:
        return replace(when, clock=clock.closed())
    return replace(
        when,
        clock=replace(clock, hour=base + (12 if which == "pm" else 0), open=False),
        marks=when.marks - {"latent"},
    )


def _number_half_day(scene: Scene, number: Number, _ish: object, which: str) -> When | None:
    clock = hour(number)
    return _half_day(scene, When(clock=clock), which) if clock and number.value > 0 else None


def _clock_half_day(scene: Scene, when: When | Clock, which: str) -> When | None:
    return _half_day(scene, when if isinstance(when, When) else When(clock=when), which)


def _pair_half_day(scene: Scene, first: Number, dash: object, second: Number, which: str) -> When | None:
    return _half_day(scene, _hour_minute(scene, None, first, dash, second), which)


def _oclock(_scene: Scene, number: Number, _word: object) -> When | None:
    clock = hour(number)
    return When(clock=clock) if clock else None


def _oclock_minutes(_scene: Scene, number: Number, _word: object, minutes: Number) -> When | None:
    """As in "15 Uhr 20"."""
    clock = hour(number, minutes.whole, Grain.MINUTE) if minutes.digits in (0, 2) else None
    return When(clock=replace(clock, written=minutes.digits == 2)) if clock else None


def _hundreds(_scene: Scene, number: Number, _word: object) -> When | None:
    """As in "fifteen hundred hours"."""
    if number.digits or number.value % 100 or not 0 <= number.value <= 2300:
        return None
    return When(clock=Clock(number.whole // 100))


def _zero_hundreds(scene: Scene, zero: Number, number: Number, _word: object) -> When | None:
    """As in "oh seven hundred", "zero nine hundred hours"."""
    return (
        _hundreds(scene, number, None) if not zero.value and not zero.digits and number.value < 1000 else None
    )


def _written(_scene: Scene, _at: object, clock: Clock) -> When:
    return When(clock=clock)


def _written_oclock(_scene: Scene, clock: Clock | When, _word: object) -> When:
    return clock if isinstance(clock, When) else When(clock=clock)


def _bare_run(_scene: Scene, clock: Clock) -> When:
    return When(clock=clock, marks=frozenset({"latent", "run_together"}))


def _shifted(clock: Clock, minutes: int) -> Clock:
    total = (clock.minutes + minutes) % 1440
    return replace(clock, hour=total // 60 or (12 if clock.open else 0), minute=total % 60, grain=Grain.MINUTE)


def _base(value: Number | When) -> Clock | None:
    return value.clock if isinstance(value, When) else hour(value)


def _half_past(_scene: Scene, _a: object, _half: object, _past: object, value: Number | When) -> When | None:
    base = _base(value)
    return When(clock=_shifted(base, 30)) if base and not base.minute else None


def _half_bare(scene: Scene, _half: object, value: Number) -> When | None:
    found = _half_past(scene, None, None, None, value)
    return found.marked("half_hour") if found else None


def _half_to(_scene: Scene, _word: object, value: Number | When) -> When | None:
    base = _base(value)
    return When(clock=_shifted(base, -30)) if base and not base.minute else None


def _to_next(_scene: Scene, minutes: int, value: Number | When) -> When | None:
    """As in "dreiviertel acht", a quarter of an hour before eight."""
    base = _base(value)
    return When(clock=_shifted(base, minutes - 60)) if base and not base.minute else None


def _quarter_past(_scene: Scene, _a: object, _q: object, _past: object, value: Number | When) -> When | None:
    base = _base(value)
    return When(clock=_shifted(base, 15)) if base and not base.minute else None


def _quarter_to(_scene: Scene, _a: object, _q: object, _to: object, value: Number | When) -> When | None:
    base = _base(value)
    return When(clock=_shifted(base, -15)) if base and not base.minute else None


def _minutes_past(
    _scene: Scene, number: Number, unit: Grain | None, _past: object, value: Number | When
) -> When | None:
    return _minutes(number, unit, value, 1)


def _minutes_to(
    _scene: Scene, number: Number, unit: Grain | None, _to: object, value: Number | When
) -> When | None:
    return _minutes(number, unit, value, -1)


def _minutes(number: Number, unit: Grain | None, value: Number | When, sign: int) -> When | None:
    base = _base(value)
    half_hour = base is not None and base.minute == 30 and not number.digits
    if base is None or (base.minute and not half_hour) or unit not in (None, Grain.MINUTE):
        return None
    if not 1 <= number.value < 60:
        return None
    if unit is None and (number.value % 5 or (isinstance(value, Number) and not value.value)):
        return None
    if unit is None and sign < 0 and number.digits and number.value < base.hour:
        # "5 to 7" in figures is rather a stretch; "10 to 7" can only be a time.
        return None
    return When(clock=_shifted(base, sign * number.whole))


def _noon(_scene: Scene, _word: object) -> When:
    return When(clock=Clock(12))


def _end_of_day(_scene: Scene, _word: object) -> When:
    return When(clock=Clock(23, 59, 59, Grain.SECOND))


def _end_of_work(_scene: Scene, _word: object) -> When:
    return When(clock=Clock(17))


def _midnight(_scene: Scene, _word: object) -> When:
    return When(clock=Clock(0), marks=frozenset({"midnight"}))


def _pass(_scene: Scene, _word: object, when: When) -> When:
    """A word that adds nothing ("at", "about")."""
    return replace(when, marks=when.marks - {"latent"})


def _pass_before(_scene: Scene, when: When, _word: object) -> When:
    return when


def _zone(_scene: Scene, when: When | Stretch, _comma: object, said: Said) -> When | Stretch | None:
    """A zone beside a time. Three letters may stand for several; a place and an offset stand for one."""
    zone = zone_of(said)
    if zone is None or when.zone is not None:
        return None
    marks = {"abbreviated_zone"} if isinstance(said, int) else set()
    return replace(when, zone=zone, marks=when.marks | marks)


def _number_zone(scene: Scene, _at: object, number: Number, said: Said) -> When | None:
    clock = hour(number)
    found = _zone(scene, When(clock=clock), None, said) if clock else None
    return found if isinstance(found, When) else None


def _part(_scene: Scene, name: str) -> When:
    return When(part=Part(name), marks=frozenset({"meal"}) if name in MEALS else frozenset())


def _in_part(_scene: Scene, _in: object, _the: object, when: When) -> When:
    return replace(when, marks=when.marks - {"meal"} | {"in_part"})


def today(scene: Scene, offset: int = 0) -> Fixed:
    start, end = cycle(scene.today, offset, Grain.DAY)
    return Fixed(start, end, Grain.DAY)


def _part_of_date(scene: Scene, _on: object, _the: object, part: When, _of: object, when: When) -> When | None:
    """As in "the evening of the 25th"."""
    return merge(scene, part, when) if when.category == "date" else None


def _half_of_date(name: str) -> Action:
    """As in "Friday am", "tomorrow pm"."""
    return lambda _scene, when, _word: (
        replace(when, part=Part(name)) if _is_one_day(when) and "latent" not in when.marks else None
    )


def _is_one_day(when: When) -> bool:
    return when.category == "date" and when.days is not None and when.days.grain is Grain.DAY


def _tonight(scene: Scene, _word: object) -> When:
    return When(days=today(scene), part=Part("night"))


def _number_in_part(scene: Scene, number: Number, when: When) -> When | None:
    """As in "8 tonight", "3 in the morning", "eight tomorrow evening"."""
    clock = hour(number)
    if clock is None or not number.value or when.part is None or when.clock is not None:
        return None
    if (number.value == 1 and not number.digits) or (when.part.name.endswith("evening") and number.value < 4):
        # "One morning next week" is any morning.
        return None
    return merge(scene, When(clock=clock), when) if when.days is not None or "in_part" in when.marks else None


def _late(scene: Scene, word: str, when: When) -> When | None:
    """As in "late tonight", "early tomorrow morning"."""
    part = when.part
    if part is None or when.clock is not None or word not in ("early", "late"):
        return None
    name = f"{word}_{part.name}"
    if scene.conventions.part(name) is None:
        return None
    return replace(when, part=Part(name))


def _late_day(_scene: Scene, word: str, _in: object, when: When) -> When | None:
    """As in "early Friday", "late tomorrow": the morning, and the hours before work ends."""
    part = _ENDS_OF_DAY.get(word)
    return replace(when, part=Part(part)) if part and _is_one_day(when) else None


_ENDS_OF_DAY = {"early": "morning", "late": "last_thing"}


def _day_part_word(scene: Scene, when: When, _comma: object, word: str) -> When | None:
    """As in "tomorrow night late"."""
    return _late(scene, word, when)


def dated(day: date) -> Fixed:
    start, end = cycle(day, 0, Grain.DAY)
    return Fixed(start, end, Grain.DAY)


RULES = (
    Rule(("at|about num",), _at_number, weight=-0.3),
    Rule(("by num",), _at_number, weight=-0.5),
    Rule(("at|about num dash? num",), _hour_minute, weight=-0.2),
    Rule(("num dash? num",), _bare_hour_minute, weight=-1.2),
    Rule(("num dash? num dash? num",), _oh_minute, weight=-1.0),
    Rule(("num ish? meridiem",), _number_half_day),
    Rule(("num ish",), lambda s, n, _w: _at_number(s, None, n), weight=-0.1),
    Rule(("clock|run|yearrun|dotted meridiem",), _clock_half_day, weight=0.1),
    Rule(("num dash? num meridiem",), _pair_half_day, weight=0.1),
    Rule(("num oclock",), _oclock),
    Rule(("num oclock num",), _oclock_minutes),
    Rule(("run|yearrun|dotted|clock oclock",), _written_oclock, weight=0.2),
    Rule(("at|about run|dotted", "at yearrun"), _written, weight=0.2),
    Rule(("run|yearrun|clock military",), _written_oclock, weight=0.2),
    Rule(("run|dotted",), _bare_run, weight=-1.0),
    Rule(("num military",), _hundreds),
    Rule(("num num military?",), _zero_hundreds),
    Rule(("a? half past num|clock",), _half_past, weight=0.2),
    Rule(("half num",), _half_bare, weight=-0.2),
    Rule(("half_to num|clock",), _half_to, weight=0.2),
    Rule(("to_next num|clock",), _to_next, weight=0.1),
    Rule(("a? quarter_of past num|clock",), _quarter_past, weight=0.3),
    Rule(("a? quarter_of to_hour num|clock",), _quarter_to, weight=0.3),
    Rule(("num unit? past num|clock", "num unit from clock"), _minutes_past, weight=0.4),
    Rule(("num unit to_hour num|clock",), _minutes_to, weight=0.2),
    Rule(("num to_hour num|clock",), lambda s, n, t, v: _minutes_to(s, n, None, t, v), weight=0.15),
    Rule(("noon",), _noon),
    Rule(("midnight",), _midnight),
    Rule(("eod",), _end_of_day),
    Rule(("cob",), _end_of_work),
    Rule(("the noon|midnight",), lambda s, _t, word: _noon(s, word) if word == "noon" else _midnight(s, word)),
    Rule(("at|about|for|on|by clock",), _pass, weight=0.1),
    Rule(("clock sharp|ish",), _pass_before),
    Rule(("at|about when",), _pass, weight=0.1),
    Rule(("clock|when|span comma? tz",), _zone, weight=0.3),
    Rule(("run|yearrun|dotted tz",), lambda s, clock, tz: _zone(s, When(clock=clock), None, tz), weight=0.2),
    Rule(("at? num tz",), _number_zone, weight=-0.1),
    Rule(("clock|when|span own_zone",), _pass_before, weight=0.2),
    Rule(("daypart",), _part, weight=0.2),
    Rule(("in|at the? part",), _in_part, weight=0.1),
    Rule(("on? the part of date",), _part_of_date, weight=0.3),
    Rule(("date am_half",), _half_of_date("morning"), weight=0.1),
    Rule(("date pm_half",), _half_of_date("afternoon"), weight=0.1),
    Rule(("tonight",), _tonight),
    Rule(("num part|when",), _number_in_part, weight=-0.1),
    Rule(("edge part|when",), _late),
    Rule(("edge on? date",), _late_day, weight=-0.6),
    Rule(("part|when comma? edge",), _day_part_word, weight=-0.1),
)

"""Units counted from now or inside each other: "next week", "last Friday of October", "end of March", "Q3
2027"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import islice

from calward.language.chart import Rule
from calward.language.conventions import NextWeekday
from calward.language.days import (
    Both,
    Days,
    DaySpan,
    Fixed,
    Season,
    Units,
    Weekday,
    Weekend,
    WorkingDay,
    bygone,
    upcoming,
)
from calward.language.feasts import Feast
from calward.language.grains import Grain, cycle, shift_day
from calward.language.grammar.clocks import dated
from calward.language.grammar.merge import join_days, with_year
from calward.language.resolve import choose
from calward.language.scene import Scene
from calward.language.values import Clock, Number, Part, When

OFFSETS = {"this": 0, "next": 1, "coming": 1, "upcoming": 1, "last": -1, "afternext": 2}
NO_MARKS: frozenset[str] = frozenset()


def directed_unit(scene: Scene, _the: object, which: str, unit: Grain) -> When | None:
    if unit < Grain.DAY:
        return None
    start, end = cycle(scene.today, OFFSETS[which], unit, scene.conventions.week_start)
    return When(days=Fixed(start, end, unit), marks=frozenset({"loose_unit"}) if unit > Grain.DAY else NO_MARKS)


def _this_unit(scene: Scene, _word: object, _the: object, unit: Grain) -> When | None:
    return directed_unit(scene, None, "this", unit) if unit >= Grain.WEEK else None


def _latent_unit(scene: Scene, unit: Grain) -> When | None:
    """Only a help: "the month" by itself says little, but "first Monday in the month" needs it.

    It is each month, so that the 1st of the month, said on the 18th, is still to come.
    """
    if unit < Grain.WEEK:
        return None
    if scene.backward or unit is Grain.WEEK:
        found = _this_unit(scene, None, None, unit)
        return found.marked("latent") if found else None
    return When(days=Units(unit), marks=frozenset({"latent"}))


def _directed_weekday(scene: Scene, which: str, weekday: int, _dot: object) -> When:
    """What "this", "next", "coming" and "last" Friday mean; "next" is for the conventions to say."""
    day, customs = scene.today, scene.conventions
    ahead = (weekday - day.weekday()) % 7
    coming = day + timedelta(days=ahead or 7)
    match which:
        case "last":
            return When(days=dated(day - timedelta(days=(day.weekday() - weekday) % 7 or 7)))
        case "this":
            return When(
                days=dated(day + timedelta(days=ahead)),
                marks=NO_MARKS if ahead else frozenset({"today_by_name"}),
            )
        case "coming" | "upcoming":
            return When(days=dated(coming))
        case _:
            marks = NO_MARKS if customs.next_weekday_is_settled else frozenset({"next_weekday"})
            _, week_end = cycle(day, 0, Grain.WEEK, customs.talk_week_start)
            later = customs.next_weekday is NextWeekday.NEXT_WEEK and coming < week_end
            later = later or which == "afternext"
            return When(days=dated(coming + timedelta(days=7 if later else 0)), marks=marks)


def _after_next(scene: Scene, when: When, _word: object) -> When | None:
    """As in "The Friday after next", "the weekend after next"."""
    if when.days is None or isinstance(when.days, Fixed):
        return None
    if isinstance(when.days, Weekend):
        return _directed_weekend(scene, "afternext", None)
    found = list(islice(upcoming(when.days, scene.today + timedelta(days=1)), 2))
    return When(days=fixed(found[1], when.days)) if len(found) == 2 else None


def _before_last(scene: Scene, when: When, _word: object) -> When | None:
    """As in "The weekend before last"."""
    if when.days is None or isinstance(when.days, Fixed):
        return None
    ended = (span for span in bygone(when.days, scene.today) if span[1] <= scene.today)
    found = list(islice(ended, 2))
    return When(days=fixed(found[1], when.days)) if len(found) == 2 else None


def _unit_away(scene: Scene, unit: Grain, count: int) -> When | None:
    """As in "The week after next", "the year before last"."""
    if unit < Grain.DAY:
        return None
    return When(days=Fixed(*cycle(scene.today, count, unit, scene.conventions.week_start), unit))


def _directed(scene: Scene, which: str, when: When) -> When | None:
    """As in "Next March", "last Easter", "this summer", "next 6th of April"."""
    days = when.days
    if days is None or isinstance(days, Fixed | Weekday | Weekend):
        return None
    if isinstance(days, Both) and isinstance(days.outer, Weekday):
        return when
    if which == "last":
        found = next((span for span in bygone(days, scene.today) if span[1] <= scene.today), None)
    else:
        spans = list(islice(upcoming(days, scene.today), 3))
        current = bool(spans) and spans[0][0] <= scene.today
        index = {"this": 0, "afternext": 1 + current}.get(which, int(current))
        found = spans[index] if index < len(spans) else None
    return replace(when, days=fixed(found, days), marks=when.marks - {"bare_month"}) if found else None


def _directed_weekend(scene: Scene, which: str, _word: object) -> When:
    if which in ("coming", "upcoming"):
        return When(days=fixed(next(upcoming(Weekend(), scene.today + timedelta(days=2))), Weekend()))
    monday, _ = cycle(scene.today, OFFSETS[which], Grain.WEEK)
    return When(days=Fixed(monday + timedelta(days=5), monday + timedelta(days=7), Grain.WEEK))


def _directed_workday(scene: Scene, which: str, _word: object) -> When | None:
    if which == "last":
        found = next((span for span in bygone(WorkingDay(), scene.today)), None)
    else:
        found = next(upcoming(WorkingDay(), scene.today + timedelta(days=which != "this")), None)
    return When(days=fixed(found, WorkingDay())) if found else None


def _directed_part(scene: Scene, which: str, name: str) -> When:
    """As in "This morning", "last night", "next evening"."""
    return When(days=dated(scene.today + timedelta(days=OFFSETS[which])), part=Part(name))


def _weekend(_scene: Scene, _the: object, _word: object) -> When:
    return When(days=Weekend())


def _season(_scene: Scene, number: int) -> When:
    return When(days=Season(number))


def _directed_season_word(scene: Scene, which: str, _word: object) -> When | None:
    years = range(scene.today.year - 1, scene.today.year + 2)
    seasons = sorted(span for number in range(4) for year in years for span in Season(number).spans(year))
    current = next(at for at, span in enumerate(seasons) if span[0] <= scene.today < span[1])
    start, end = seasons[current + OFFSETS[which]]
    return When(days=Fixed(start, end, Grain.QUARTER))


def _part_before_last(scene: Scene, _the: object, name: str, _word: object) -> When:
    """As in "the night before last"."""
    return When(days=dated(scene.today - timedelta(days=2)), part=Part(name))


def _week_ending(scene: Scene, _the: object, _word: object, when: When) -> When | None:
    """As in "week ending 11 December": the seven days up to it."""
    chosen = choose(when.days, scene) if when.days and when.days.grain is Grain.DAY else None
    if chosen is None:
        return None
    return When(days=Fixed(chosen[0][1] - timedelta(days=7), chosen[0][1], Grain.WEEK))


def _week_of(scene: Scene, _the: object, _word: object, when: When) -> When | None:
    chosen = choose(when.days, scene) if when.days else None
    if chosen is None:
        return None
    start, end = cycle(chosen[0][0], 0, Grain.WEEK, scene.conventions.week_start)
    return When(days=Fixed(start, end, Grain.WEEK))


def _weekend_of(scene: Scene, _word: object, _of: object, when: When) -> When | None:
    return _date_weekend(scene, when, None)


def _date_weekend(scene: Scene, when: When, _word: object) -> When | None:
    """The weekend that touches a day, stretched to it where it lies next to it."""
    chosen = choose(when.days, scene) if when.days and when.days.grain is Grain.DAY else None
    if chosen is None or isinstance(when.days, Weekday):
        return None
    day = chosen[0][0]
    monday, _ = cycle(
        day + timedelta(days=1 if day.weekday() == 0 else 0), -1 if day.weekday() == 0 else 0, Grain.WEEK
    )
    saturday = monday + timedelta(days=5)
    if day.weekday() in (1, 2):
        saturday, end = saturday, saturday + timedelta(days=2)
    else:
        saturday, end = min(saturday, day), max(saturday + timedelta(days=2), day + timedelta(days=1))
    return When(days=Fixed(saturday, end, Grain.WEEK))


def _date_weekend_of(scene: Scene, when: When, _word: object, _link: object, year: When) -> When | None:
    """As in "Easter weekend next year"."""
    if year.days is None or year.days.grain is not Grain.YEAR:
        return None
    dated_in = _inside(scene, when, None, year)
    return _date_weekend(scene, dated_in, None) if dated_in else None


def _date_weekend_in(scene: Scene, when: When, _word: object, _link: object, year: Number) -> When | None:
    dated_in = with_year(scene, when, year.whole)
    return _date_weekend(scene, dated_in, None) if dated_in else None


def _edge(scene: Scene, edge: str, _the: object, when: When) -> When | None:
    """The beginning, middle and end of a longer unit, as stretches people would agree on."""
    if when.days is None or when.days.grain < Grain.DAY or when.part or when.clock:
        return None
    chosen = choose(when.days, scene)
    if chosen and isinstance(when.days, Feast):
        return _end_of_feast(chosen[0], edge)
    found = edge_of(chosen[0], when.days.grain, edge, scene) if chosen else None
    if found is None:
        return None
    grain = Grain.DAY if when.days.grain <= Grain.MONTH else Grain.MONTH
    return When(days=Fixed(*found, grain), marks=_EDGE_MARKS.get(edge, NO_MARKS))


def _end_of_feast(span: DaySpan, edge: str) -> When | None:
    """As in "the start of Ramadan", "end of Lent"."""
    start, end = span
    if edge not in ("start", "end") or end - start <= timedelta(days=1):
        return None
    return When(days=dated(start if edge == "start" else end - timedelta(days=1)))


_EDGE_MARKS = {"end": frozenset({"closing"}), "start": frozenset({"opening"})}


def _end_of_one_day(_scene: Scene, edge: str, _the: object, when: When) -> When | None:
    """As in "by the end of Friday"."""
    if edge != "end" or when.category != "date" or when.days is None or when.days.grain is not Grain.DAY:
        return None
    one_day = not isinstance(when.days, Fixed) or (when.days.end - when.days.start).days == 1
    return replace(when, clock=Clock(23, 59, 59, Grain.SECOND)) if one_day else None


def edge_of(span: DaySpan, grain: Grain, edge: str, _scene: Scene) -> DaySpan | None:
    start, end = span
    if grain is Grain.WEEK and end - start == timedelta(days=7):
        cuts = (start + timedelta(days=3), end - timedelta(days=3))
    elif grain is Grain.MONTH:
        cuts = (start + timedelta(days=10), start + timedelta(days=20))
    elif grain is Grain.YEAR:
        first = 4 if edge == "middle" else 3
        cuts = (shift_day(start, first, Grain.MONTH), shift_day(start, 8, Grain.MONTH))
    elif grain in (Grain.QUARTER, Grain.HALF, Grain.DECADE, Grain.CENTURY):
        third = (end - start) / 3
        cuts = (start + third, end - third)
    else:
        return None
    match edge:
        case "start" | "early":
            return start, cuts[0]
        case "middle":
            return cuts
        case _:
            return cuts[1], end


def _edge_word(scene: Scene, word: str) -> When | None:
    unit, _, edge = word.partition("_")
    grain = Grain[unit.upper()]
    return _edge(scene, edge, None, When(days=fixed(cycle(scene.today, 0, grain), Units(grain))))


def edge_unit(scene: Scene, edge: str, _the: object, unit: Grain) -> When | None:
    if unit < Grain.WEEK:
        return None
    return _edge(scene, edge, None, When(days=fixed(cycle(scene.today, 0, unit), Units(unit))))


def _inside(scene: Scene, inner: When, _link: object, outer: When) -> When | None:
    """As in "Friday of next week", "Thanksgiving of next year"."""
    if inner.days is None or outer.days is None:
        return None
    days = join_days(scene, inner.days, outer.days)
    return When(days=days, marks=(inner.marks | outer.marks) - {"bare_month"}) if days else None


def _week_later(scene: Scene, when: When, unit: Grain) -> When | None:
    """As in "Thursday week": a week after the coming Thursday. "Christmas week" is the one Christmas is in."""
    if unit is Grain.WEEK and isinstance(when.days, Feast):
        return _week_of(scene, None, None, when)
    if unit is not Grain.WEEK or when.days is None or not isinstance(when.days, Weekday | Fixed):
        return None
    chosen = choose(when.days, scene)
    if chosen is None or chosen[0][1] - chosen[0][0] != timedelta(days=1):
        return None
    return When(days=dated(chosen[0][0] + timedelta(days=7)), marks=when.marks | {"week_later"})


def _closest(
    scene: Scene, _the: object, number: Number | None, _word: object, when: When, _to: object, other: When
) -> When | None:
    """As in "The closest Monday to 5 October"."""
    base = choose(other.days, scene) if other.days else None
    if base is None or when.days is None or isinstance(when.days, Fixed):
        return None
    day = base[0][0]
    around = [*islice(bygone(when.days, day), 4), *islice(upcoming(when.days, day), 4)]
    ranked = sorted(set(around), key=lambda span: abs(span[0] - day))
    index = number.whole - 1 if number else 0
    return When(days=fixed(ranked[index], when.days)) if 0 <= index < len(ranked) else None


def fixed(span: DaySpan, like: Days) -> Fixed:
    return Fixed(span[0], span[1], like.grain)


RULES = (
    Rule(("the? dir unit",), directed_unit, weight=0.1),
    Rule(("whole the? unit", "in|of|for the unit"), _this_unit),
    Rule(("the unit",), lambda s, _t, u: _latent_unit(s, u)),
    Rule(("dir weekday dot?",), _directed_weekday, weight=0.2),
    Rule(("date after_next",), _after_next, weight=0.3),
    Rule(("date before_last",), _before_last, weight=0.3),
    Rule(("the? unit after_next",), lambda s, _t, unit, _w: _unit_away(s, unit, 2), weight=0.3),
    Rule(("the? unit before_last",), lambda s, _t, unit, _w: _unit_away(s, unit, -2), weight=0.3),
    Rule(("dir date",), _directed, weight=0.1),
    Rule(("dir weekend",), _directed_weekend, weight=0.2),
    Rule(("dir workday",), _directed_workday, weight=0.2),
    Rule(("dir daypart",), _directed_part, weight=0.2),
    Rule(("dir seasonword",), _directed_season_word),
    Rule(("the? weekend",), _weekend),
    Rule(("season",), _season),
    Rule(("the? week_ending date",), _week_ending, weight=0.3),
    Rule(("the? daypart before_last",), _part_before_last, weight=0.3),
    Rule(("the? week_of date",), _week_of, weight=0.2),
    Rule(("the? weekend of date",), lambda s, _t, word, of, when: _weekend_of(s, word, of, when), weight=0.5),
    Rule(("date weekend",), _date_weekend, weight=0.2),
    Rule(("date weekend of|in|comma? date",), _date_weekend_of, weight=0.6),
    Rule(("date weekend of|in|comma? yearnum",), _date_weekend_in, weight=0.6),
    Rule(("edge the? date",), _edge, weight=0.2),
    Rule(("edge the? date",), _end_of_one_day, weight=0.2),
    Rule(("end_of date",), lambda s, _end, when: _edge(s, "end", None, when)),
    Rule(("edgeword",), _edge_word),
    Rule(("edge the? unit",), edge_unit, weight=0.1),
    Rule(("date of|in|on date",), _inside, weight=0.2),
    Rule(("date unit",), _week_later, weight=-0.1),
    Rule(("the? ord? closest date to date",), _closest, weight=0.4),
)

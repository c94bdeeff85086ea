"""Stretches of time: "from 3 to 5pm", "July 13-15", "4pm for 30 minutes", "after lunch", "until Friday"."""

from __future__ import annotations

from dataclasses import replace

from calward.language.chart import Rule
from calward.language.days import Both, DayOfMonth, Fixed, MonthDay, Months
from calward.language.grains import Grain
from calward.language.grammar.clocks import hour
from calward.language.grammar.lengths import clocked_length
from calward.language.grammar.merge import join_days, with_year
from calward.language.scene import Scene
from calward.language.values import Bound, Clock, Length, Number, Stretch, When

End = When | Number | Clock


def _end(value: End) -> When | None:
    """An end of a span; a bare number is an hour."""
    if isinstance(value, When):
        return value
    clock = value if isinstance(value, Clock) else hour(value)
    return When(clock=clock) if clock else None


def _from_to(_scene: Scene, _from: object, first: End, _to: object, _the: object, last: End) -> Stretch | None:
    """Said with "from" or "between", so bare numbers are hours."""
    a, b = _end(first), _end(last)
    if a is None or b is None or not _alike(a, b):
        return None
    return Stretch(Bound.BETWEEN, a, b, marks=(a.marks | b.marks) - {"latent", "bare_month", "bare_year"})


def _to(scene: Scene, first: End, link: object, last: End) -> Stretch | None:
    if isinstance(last, When) and last.days is not None and last.days.grain > Grain.DAY:
        # "1-Jan-2027 at 3pm" is a date; from one o'clock to a month there is no stretch.
        return None
    found = _from_to(scene, None, first, link, None, last)
    if found is None or (not isinstance(first, When) and found.first is not None and found.last is not None):
        a, b = (found.first.clock, found.last.clock) if found and found.first and found.last else (None, None)
        if a is None or b is None or (a.hour > 12 and a.minutes >= b.minutes):
            return None
    assert found is not None
    if not isinstance(first, When) and not isinstance(last, When):
        return found.marked("latent")
    return found


def _alike(first: When, last: When) -> bool:
    """Both ends name the same kind of thing, or the second one leaves out what the first said."""
    if first.at is not None or last.at is not None:
        return True
    if first.days is not None and last.days is not None:
        return (first.clock is None) == (last.clock is None)
    if first.days is None and last.days is None:
        return True
    if first.days is not None:
        return first.clock is not None or first.part is not None
    return last.clock is not None


def _month_days(_scene: Scene, when: When, _to: object, _the: object, number: Number) -> Stretch | None:
    """As in "July 13 to 15", "November 18-19"."""
    if not isinstance(when.days, MonthDay) or not 1 <= number.value <= 31 or number.digits > 2:
        return None
    last = number.whole
    if _to == "-" and last <= when.days.day:
        return None
    month = when.days.month if last > when.days.day else when.days.month % 12 + 1
    return Stretch(Bound.BETWEEN, when, When(days=MonthDay(month, last)), marks=when.marks)


def _next_day(scene: Scene, when: When, word: object, _the: object, number: Number) -> Stretch | None:
    """As in "December 7 and 8": two days that follow each other."""
    follows = isinstance(when.days, MonthDay) and number.value == when.days.day + 1
    return _month_days(scene, when, word, None, number) if follows else None


def _days_of_month(
    _scene: Scene, _from: object, _the: object, number: Number, _to: object, last: When
) -> Stretch | None:
    """As in "13 to 15 July", "the 23rd to the 26th of October 2027", "7 and 8 December"."""
    days = last.days
    if _from is None and _to == "and" and isinstance(days, MonthDay) and number.value + 1 != days.day:
        return None
    if not 1 <= number.value <= 31 or number.digits > 2:
        return None
    if isinstance(days, MonthDay) and number.value < days.day:
        return Stretch(Bound.BETWEEN, When(days=MonthDay(days.month, number.whole)), last, marks=last.marks)
    if isinstance(days, Fixed) and days.grain is Grain.DAY and number.value < days.start.day:
        start = days.start.replace(day=number.whole)
        return Stretch(
            Bound.BETWEEN, When(days=Fixed(start, start.replace(day=number.whole + 1), Grain.DAY)), last
        )
    return None


def _ordinals(
    _scene: Scene, _on: object, _the: object, first: Number, _to: object, _the2: object, last: Number
) -> Stretch | None:
    """As in "The 5th to the 9th"."""
    if not 1 <= first.value < last.value <= 31:
        return None
    return Stretch(Bound.BETWEEN, When(days=DayOfMonth(first.whole)), When(days=DayOfMonth(last.whole)))


def _iso_interval(_scene: Scene, first: When, _slash: object, last: When) -> Stretch | None:
    """As in "2027-05-03/2027-05-05" (ISO 8601 §5.5): both ends dated in full, so that no fraction is meant."""
    if not isinstance(first.days, Fixed) or not isinstance(last.days, Fixed):
        return None
    return Stretch(Bound.BETWEEN, first, last) if _alike(first, last) else None


def _weekday_numbers(scene: Scene, when: When, _to: object, number: Number) -> Stretch | None:
    """As in "Thu Oct 26 - 28"."""
    days = when.days
    if "short_year" in when.marks:
        # "May 3 10-12" are hours of that day.
        return None
    if isinstance(days, Both) and isinstance(days.inner, MonthDay):
        return _month_days(scene, replace(when, days=days.inner), None, None, number)
    if isinstance(days, Fixed) and days.grain is Grain.DAY and days.start.day < number.value <= 28:
        last = days.start.replace(day=number.whole)
        return Stretch(
            Bound.BETWEEN,
            when,
            When(days=Fixed(last, last.replace(day=last.day + 1) if last.day < 28 else last, Grain.DAY)),
        )
    return None


def lasting(_scene: Scene, first: When, _for: object, length: Length) -> Stretch | None:
    if first.at is not None and first.grain is Grain.SECOND and "now" not in first.marks:
        return None
    return Stretch(Bound.LASTING, first, length=length, marks=first.marks)


def lasting_said(scene: Scene, first: When, _comma: object, length: Length) -> Stretch | None:
    """As in "3pm, 1 hour": a length beside a time of day that was said."""
    return (
        lasting(scene, first, None, length) if first.clock is not None and length.finest < Grain.DAY else None
    )


def _lasting_clocked(scene: Scene, first: When, word: object, said: When, unit: Grain) -> Stretch | None:
    length = clocked_length(scene, word, said, unit)
    return lasting(scene, first, None, length) if length else None


def _length_from(
    scene: Scene, _for: object, length: Length, _comma: object, _from: object, first: When
) -> Stretch | None:
    return lasting(scene, first, None, length)


def _after(scene: Scene, _word: object, first: When | Number) -> Stretch | None:
    end = _end(first)
    if (
        end is not None
        and end.category == "part"
        and end.part
        and scene.conventions.part(f"after_{end.part.name}")
    ):
        return None
    return (
        Stretch(Bound.AFTER, end, marks=end.marks - {"bare_month", "bare_year", "latent", "meal"})
        if end
        else None
    )


_SIDES = {"from": ("from",), "starting": ("from",), "since": ("looks_back",)}


def _since(scene: Scene, word: object, first: When | Number) -> Stretch | None:
    found = _after(scene, word, first)
    return found.marked("since", *_SIDES.get(str(word), ())) if found else None


def _from_number(scene: Scene, word: object, number: Number) -> Stretch | None:
    """As in "Friday from 6": only where a day is said beside it."""
    found = _since(scene, word, number)
    return found.marked("latent") if found else None


def _or_later(scene: Scene, first: When, _word: object) -> Stretch | None:
    return _since(scene, None, first)


def _before(_scene: Scene, _word: object, last: When | Number) -> Stretch | None:
    end = _end(last)
    return (
        Stretch(Bound.BEFORE, last=end, marks=end.marks - {"bare_month", "bare_year", "latent", "meal"})
        if end
        else None
    )


def _until(scene: Scene, word: object, last: When | Number) -> Stretch | None:
    found = _before(scene, word, last)
    return found.marked("until") if found else None


def _by(scene: Scene, _word: object, last: When) -> When | Stretch | None:
    """A deadline: the moment itself, or from now to the end of a longer stretch."""
    if last.clock is not None or last.at is not None:
        return last
    if (
        last.days is not None
        and last.days.grain is Grain.DAY
        and last.part is None
        and not isinstance(last.days, Fixed)
    ):
        return last
    if isinstance(last.days, Fixed) and (last.days.end - last.days.start).days > 1:
        return Stretch(Bound.BETWEEN, When(at=scene.now.replace(microsecond=0), grain=Grain.SECOND), last)
    return last


def span_on(scene: Scene, span: Stretch, _link: object, when: When) -> Stretch | None:
    """As in "3 to 5pm on Friday": days and parts of day said beside the ends."""
    if when.clock is not None or when.at is not None or span.whole_units is not None:
        return None
    if isinstance(when.days, Months):
        # "Between 3 and 5 May" are days, not hours of a month.
        return None
    bare = [end for end in (span.first, span.last) if end is not None]
    if any(end.at is not None or end.days is not None for end in bare) and when.days is not None:
        return None
    if when.days is not None and not all(end.clock or end.part for end in bare):
        return None
    if when.part is not None and (span.part is not None or not any(end.clock for end in bare)):
        return None
    if span.days is not None and when.days is not None:
        joined = join_days(scene, span.days, when.days)
        return replace(span, days=joined, marks=(span.marks | when.marks) - {"latent"}) if joined else None
    return replace(
        span,
        days=span.days or when.days,
        part=span.part or when.part,
        zone=span.zone or when.zone,
        marks=(span.marks | when.marks) - {"latent"},
    )


def _span_year(scene: Scene, span: Stretch, _link: object, number: Number) -> Stretch | None:
    """As in "August 10 to 22, 2012": one year for both ends."""
    if span.first is None or span.last is None or span.days is not None:
        return None
    last = with_year(scene, span.last, number.whole)
    first = with_year(scene, span.first, number.whole)
    if last is None or first is None:
        return None
    if isinstance(first.days, Fixed) and isinstance(last.days, Fixed) and first.days.start > last.days.start:
        first = with_year(scene, span.first, number.whole - 1)
    return replace(span, first=first, last=last) if first else None


def _first_takes_year(scene: Scene, first: When, _to: object, last: When) -> Stretch | None:
    """As in "26 June to 28 June 2020": the year of the last end is that of both."""
    if not isinstance(last.days, Fixed) or last.days.grain not in (Grain.DAY, Grain.MONTH):
        return None
    if first.days is None or isinstance(first.days, Fixed) or first.clock is not None or last.clock is not None:
        return None
    for year in (last.days.start.year, last.days.start.year - 1):
        dated = with_year(scene, first, year)
        if dated and isinstance(dated.days, Fixed) and dated.days.start <= last.days.start:
            return Stretch(
                Bound.BETWEEN, dated, last, marks=frozenset(first.marks | last.marks) - {"bare_month"}
            )
    return None


def _last_takes_year(scene: Scene, first: When, _to: object, last: When) -> Stretch | None:
    """As in "10 August 2013 - 12 September"."""
    if (
        not isinstance(first.days, Fixed)
        or first.days.grain is not Grain.DAY
        or not isinstance(last.days, MonthDay)
    ):
        return None
    if first.clock is not None or last.clock is not None:
        return None
    for year in (first.days.start.year, first.days.start.year + 1):
        dated = with_year(scene, last, year)
        if dated and isinstance(dated.days, Fixed) and dated.days.start >= first.days.start:
            return Stretch(Bound.BETWEEN, first, dated, marks=first.marks)
    return None


def _day_then_span(scene: Scene, when: When, _link: object, span: Stretch) -> Stretch | None:
    return span_on(scene, span, None, when)


def _pass(_scene: Scene, _word: object, span: Stretch) -> Stretch:
    return span


def _bounded_both(
    _scene: Scene, after: Stretch, _comma: object, _but: object, before: Stretch
) -> Stretch | None:
    """As in "Later than 9:30 but before 11"."""
    if after.bound is not Bound.AFTER or before.bound is not Bound.BEFORE:
        return None
    first, last = after.first, before.last
    if first is None or last is None or not _alike(first, last):
        return None
    days = after.days or before.days
    return Stretch(
        Bound.BETWEEN, first, last, days=days, marks=(after.marks | before.marks) - {"since", "until"}
    )


ENDS = "date|clock|when|part"
RULES = (
    Rule((f"from|in? {ENDS} to|dash the? {ENDS}",), _from_to, weight=0.3),
    Rule((f"between {ENDS}|num and|to|dash the? {ENDS}|num",), _from_to, weight=0.4),
    Rule(("from num to|dash the? num|clock|when", "from clock|when to|dash the? num"), _from_to, weight=0.3),
    Rule(("num to|dash num",), _to, weight=-0.7),
    Rule(("num to|dash clock|when", "clock|when to|dash num"), _to, weight=0.1),
    Rule(
        ("run|dotted to|dash run|dotted", "run|dotted to|dash clock|when", "clock|when to|dash run|dotted"),
        _to,
        weight=0.1,
    ),
    Rule(("between run|dotted|clock and|dash|to the? run|dotted|clock",), _from_to, weight=0.3),
    Rule(
        ("from? date to|dash the? num|ord",), lambda s, _f, w, t, h, n: _month_days(s, w, t, h, n), weight=0.3
    ),
    Rule(("date and the? num|ord",), _next_day, weight=0.2),
    Rule(("between date and the? num|ord",), lambda s, _f, w, t, h, n: _month_days(s, w, t, h, n), weight=0.5),
    Rule(("date to|dash num|ord",), _weekday_numbers, weight=0.2),
    Rule(("from|between? the? num|ord to|dash|slash|and date",), _days_of_month, weight=0.4),
    Rule(("on|from? the? ord to|dash the? ord",), _ordinals, weight=0.2),
    Rule(("date slash date", "when slash when"), _iso_interval, weight=0.5),
    Rule(("date to|dash date",), _first_takes_year, weight=0.5),
    Rule(("from date to|dash date",), lambda s, _f, a, t, b: _first_takes_year(s, a, t, b), weight=0.5),
    Rule(("date to|dash date",), _last_takes_year, weight=0.5),
    Rule(("date|clock|when for length",), lasting, weight=0.3),
    Rule(("for length",), lambda _s, _f, length: length, weight=0.1, category="lasting"),
    Rule(("for clock unit",), clocked_length, weight=0.2, category="lasting"),
    Rule(("date|clock|when for clock unit",), _lasting_clocked, weight=0.4),
    Rule(("clock|when comma length",), lasting_said, weight=0.2),
    Rule(("clock|when length",), lambda s, when, length: lasting_said(s, when, None, length), weight=-0.3),
    Rule(("length comma? when",), lambda s, length, _c, when: lasting_said(s, when, None, length), weight=-0.3),
    Rule(("length at when|clock",), lambda s, n, _a, w: _length_from(s, None, n, None, None, w), weight=0.2),
    Rule(("for length comma? from|starting date|clock|when",), _length_from, weight=0.4),
    Rule(
        ("length comma from date|clock|when",),
        lambda s, n, c, f, w: _length_from(s, None, n, c, f, w),
        weight=0.4,
    ),
    Rule(
        ("length comma? starting date|clock|when",),
        lambda s, n, c, f, w: _length_from(s, None, n, c, f, w),
        weight=0.4,
    ),
    Rule(("from|starting date|clock|when for length",), lambda s, _f, w, f, n: lasting(s, w, f, n), weight=0.5),
    Rule((f"after {ENDS}|num",), _after, weight=0.1),
    Rule((f"from|since|starting {ENDS}",), _since, weight=0.05),
    Rule(("from|starting num",), _from_number, weight=-0.5),
    Rule((f"from|starting {ENDS} on|or_later",), lambda s, w, first, _on: _since(s, w, first), weight=0.3),
    Rule((f"not_before {ENDS}|num",), lambda s, w, e: _since(s, w, e), weight=0.15),
    Rule((f"{ENDS} or_later",), _or_later, weight=0.2),
    Rule((f"before {ENDS}|num",), _before, weight=0.1),
    Rule((f"until|no_later {ENDS}",), _until, weight=0.05),
    Rule(("until|no_later num",), _until, weight=-0.6),
    Rule((f"{ENDS} or_earlier",), lambda s, w, _o: _until(s, _o, w), weight=0.2),
    Rule((f"by {ENDS}",), _by, weight=0.1),
    Rule(("span comma|on|in|of|at? date|part|when",), span_on, weight=0.2),
    Rule(("date|part|when comma|dash|at|for? span",), _day_then_span, weight=0.2),
    Rule(("span comma|of|in? yearnum",), _span_year, weight=0.3),
    Rule(("at|for|on|about span",), _pass, weight=0.05),
    Rule(("span comma? but|and|comma span",), _bounded_both, weight=0.3),
)

"""Agreement with ``python-dateutil`` and ``recurring-ical-events``, but for what is known to differ."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import islice

import recurring_ical_events  # type: ignore[import-untyped]
from dateutil.rrule import rrulestr
from hypothesis import assume, given, settings
from icalendar import Calendar

from calward.ical.reading import read_object
from calward.model.rule import Freq, Rule
from calward.model.time import Span
from calward.recurrence.expand import expand_rule
from calward.recurrence.rule import parse_rule
from calward.recurrence.series import expand
from tests.unit.recurrence.objects import BERLIN, WINDOW, Series, series
from tests.unit.recurrence.rules import starts, valid_rules

DAYS = {Freq.HOURLY: 100, Freq.MINUTELY: 10, Freq.SECONDLY: 1}
"""How far to look, else ten years; dateutil has no other end for a rule that seldom matches, or never."""


def differs(rule: Rule) -> str:
    """Why the two may differ; empty where they have to agree."""
    yearly = rule.freq is Freq.YEARLY
    if yearly and rule.by_week_no and not (rule.by_day or rule.by_month_day or rule.by_year_day):
        return "BYWEEKNO alone takes DTSTART's weekday, there every day of the week"
    if yearly and rule.by_week_no and (rule.interval > 1 or rule.by_set_pos):
        return "INTERVAL and BYSETPOS go by the years that weeks are counted in, there by calendar years"
    if yearly and rule.by_month_day and not (rule.by_month or rule.by_year_day or rule.by_week_no):
        return "BYMONTHDAY alone takes DTSTART's month, there every month"
    if rule.by_set_pos and rule.freq in (Freq.YEARLY, Freq.MONTHLY, Freq.WEEKLY):
        return "there the set of the first period loses what lies before DTSTART"
    if rule.by_set_pos and rule.freq.within_day:
        return "there BYSETPOS of a rule finer than a day may never end"
    if any(day.nth for day in rule.by_day) and len({bool(day.nth) for day in rule.by_day}) > 1:
        return "BYDAY with and without numbers: there both must hold"
    return ""


@given(valid_rules(), starts)
def test_the_engine_agrees_with_dateutil(text: str, start: datetime) -> None:
    rule = parse_rule(text)
    assert rule.notes == ()
    assume(not differs(rule))
    end = start + timedelta(days=DAYS.get(rule.freq, 10 * 365))
    walls = expand_rule(rule, start, start, end, with_start=False)
    assume(walls.moments)  # where there is nothing it looks on to the year 9999
    first = islice(rrulestr(f"{text};UNTIL={end:%Y%m%dT%H%M%S}", dtstart=start), 20)
    assert list(walls.moments[:20]) == [moment for moment in first if moment < end]


@settings(max_examples=100)
@given(series())
def test_series_agree_with_recurring_ical_events(them: Series) -> None:
    """Ends are left out: there DTEND is nominal, here exact (RFC 5545 §3.8.5.3). And there a DTSTART that its
    rule does not meet comes on top of COUNT."""
    assume(them.met or not them.counted)
    window = Span(*(it.astimezone(BERLIN) for it in (WINDOW.start, WINDOW.end)))
    ours = [
        it.start.wall if it.start.is_date else it.start.instant(BERLIN).replace(tzinfo=None)
        for it in expand(read_object(them.data).events, window, BERLIN).occurrences
    ]
    theirs = recurring_ical_events.of(Calendar.from_ical(them.data)).between(window.start, window.end)
    assert inside(ours) == inside(moment(event["DTSTART"].dt) for event in theirs)


def inside(moments: Iterable[datetime]) -> list[datetime]:
    """Away from the edges of the window, where the two do not ask for the same."""
    return sorted(it for it in moments if datetime(2026, 1, 1) < it < datetime(2027, 2, 1))


def moment(time: date | datetime) -> datetime:
    """A date as its midnight, a floating time as Berlin's, all others in UTC."""
    if not isinstance(time, datetime):
        return datetime(time.year, time.month, time.day)
    aware = time if time.tzinfo else time.replace(tzinfo=BERLIN)
    return aware.astimezone(UTC).replace(tzinfo=None)

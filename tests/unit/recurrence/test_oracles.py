"""Agreement with ``python-dateutil`` on random valid rules, but for what is known to differ."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from dateutil.rrule import rrulestr
from hypothesis import assume, given

from calward.model.rule import Freq, Rule
from calward.recurrence.expand import expand_rule
from calward.recurrence.rule import parse_rule
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
    first: list[datetime] = []
    with suppress(ValueError):  # which it raises where INTERVAL and BYHOUR never meet
        first = list(islice(rrulestr(f"{text};UNTIL={end:%Y%m%dT%H%M%S}", dtstart=start), 20))
    assert list(walls.moments[:20]) == [moment for moment in first if moment < end]

"""Whatever a rule says, it ends: within its steps, which are counted, or with nothing found."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.recurrence.expand import STEPS, Walls, expand_rule
from calward.recurrence.rule import RuleError, parse_rule
from tests.unit.recurrence.rules import hostile_rule

START = datetime(2026, 3, 2, 9)


def everything(text: str, start: datetime = START, end: datetime = datetime(2046, 1, 1)) -> Walls:
    return expand_rule(parse_rule(text), start, start, end, with_start=False)


@pytest.mark.parametrize(("rules", "steps"), [(10_000, 200), (50, STEPS)])
def test_hostile_rules_all_end_within_their_steps(rules: int, steps: int) -> None:
    chance = Random(5545)
    for _ in range(rules):
        text = hostile_rule(chance)
        try:
            walls = expand_rule(parse_rule(text), START, START, datetime(9998, 1, 1), steps=steps)
        except RuleError:
            continue
        assert walls.spent <= steps, text
        assert walls.partial or walls.spent < steps, text
        assert list(walls.moments) == sorted(set(walls.moments)), text


@given(st.text(st.sampled_from("FREQ=DAILYWKMONTHS;,0123456789-+Tz \r\n:éBYUX"), max_size=60))
def test_text_that_is_no_rule_is_refused_and_never_breaks_the_reader(text: str) -> None:
    with suppress(RuleError):
        assert parse_rule(str(parse_rule("FREQ=DAILY;" + text)))


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=MONTHLY;INTERVAL=2;BYMONTH=2",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
        "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=24",
        "FREQ=MONTHLY;BYDAY=6MO",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=10",
        "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30",
        "FREQ=SECONDLY;INTERVAL=3600;BYMINUTE=30",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31",
        "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=10",
        "FREQ=HOURLY;BYSETPOS=2",
        "FREQ=DAILY;BYSETPOS=2;COUNT=5",
        "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
    ],
)
def test_a_rule_that_never_matches_is_plainly_empty(rule: str) -> None:
    walls = everything(rule, end=datetime(9998, 1, 1))
    assert walls.moments == ()
    assert not walls.partial
    assert walls.spent < STEPS


@pytest.mark.parametrize(
    "rule",
    ["FREQ=DAILY;COUNT=3;BYDAY=1TU,-1TH", "FREQ=DAILY;COUNT=3;BYDAY=MO,2TU", "FREQ=WEEKLY;COUNT=3;BYDAY=1TU"],
)
def test_numbers_where_none_may_stand_are_passed_over(rule: str) -> None:
    assert len(everything(rule).moments) == 3
    assert parse_rule(rule).notes


def test_a_rule_of_every_second_is_partial_and_says_so() -> None:
    walls = everything("FREQ=SECONDLY")
    assert walls.partial
    assert len(walls.moments) == STEPS - 1
    assert walls.spent == STEPS


def test_a_year_of_all_seconds_is_not_built_first() -> None:
    clock = ";".join(
        f"{name}={','.join(map(str, range(high)))}"
        for name, high in (("BYHOUR", 24), ("BYMINUTE", 60), ("BYSECOND", 60))
    )
    walls = everything(f"FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;{clock}")
    assert walls.partial
    assert walls.moments[:2] == (START, START.replace(second=1))
    assert everything(f"FREQ=YEARLY;BYDAY=MO;{clock};BYSETPOS=-1;COUNT=1").moments == (
        datetime(2026, 12, 28, 23, 59, 59),
    )


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY",
        "FREQ=WEEKLY;BYDAY=MO,TH",
        "FREQ=MONTHLY;BYDAY=2TU",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=FR",
        "FREQ=HOURLY;INTERVAL=5",
        "FREQ=MINUTELY;INTERVAL=7;BYDAY=SA;BYHOUR=4",
        "FREQ=DAILY;COUNT=1000000",
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=1000000",
        "FREQ=MINUTELY;COUNT=1000000000",
    ],
)
def test_a_window_far_away_costs_no_more_than_one_near_by(rule: str) -> None:
    start = datetime(1997, 9, 2, 9)

    def spent(year: int) -> int:
        return expand_rule(parse_rule(rule), start, datetime(year, 1, 1), datetime(year, 1, 15)).spent

    assert spent(2836) <= 3 * spent(1998) + 3


def test_a_window_sees_what_the_whole_series_sees() -> None:
    start = datetime(1997, 9, 30, 9)
    for text in (
        "FREQ=MONTHLY;BYMONTHDAY=-1,1",
        "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO",
        "FREQ=YEARLY;BYWEEKNO=1,53",
        "FREQ=DAILY;INTERVAL=5;BYMONTH=1,12",
        "FREQ=HOURLY;INTERVAL=7;BYDAY=SU",
        "FREQ=MONTHLY;COUNT=300",
    ):
        rule = parse_rule(text)
        whole = expand_rule(rule, start, start, datetime(2037, 1, 1), steps=200_000).moments
        for year in range(1997, 2037):
            part = expand_rule(rule, start, datetime(year, 1, 1), datetime(year + 1, 1, 1)).moments
            assert list(part) == [moment for moment in whole if moment.year == year]

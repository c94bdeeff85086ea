"""Reading rules, tolerantly, and writing them."""

from __future__ import annotations

import pytest
from hypothesis import given

from calward.model.rule import Freq, Skip, WeekdayNum
from calward.model.time import TimeKind
from calward.recurrence.rule import MAX_TEXT, RuleError, parse_rule
from tests.unit.recurrence.rules import valid_rules


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("FREQ=WEEKLY;BYDAY=MO;", "FREQ=WEEKLY;BYDAY=MO"),
        (";;FREQ=DAILY", "FREQ=DAILY"),
        ("RRULE:FREQ=DAILY", "FREQ=DAILY"),
        ("freq=yearly;count=3", "FREQ=YEARLY;COUNT=3"),
        (" FREQ = MONTHLY ; BYMONTHDAY = 1, -1 ", "FREQ=MONTHLY;BYMONTHDAY=-1,1"),
        ("COUNT=3;FREQ=DAILY;INTERVAL=1", "FREQ=DAILY;COUNT=3"),
        ("FREQ=WEEKLY;BYDAY=TU,MO,TU", "FREQ=WEEKLY;BYDAY=MO,TU"),
        ("FREQ=MONTHLY;BYDAY=+1MO,-1FR", "FREQ=MONTHLY;BYDAY=-1FR,1MO"),
        ("FREQ=DAILY;UNTIL=2026-06-30T21:59:00Z", "FREQ=DAILY;UNTIL=20260630T215900Z"),
        ("FREQ=DAILY;UNTIL=20260630", "FREQ=DAILY;UNTIL=20260630"),
        ("FREQ=WEEKLY;WKST=SU", "FREQ=WEEKLY;WKST=SU"),
        ("FREQ=DAILY;X-MINE=Yes, please", "FREQ=DAILY;X-MINE=Yes, please"),
        ("RSCALE=gregorian;FREQ=MONTHLY;SKIP=forward", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD"),
        ("RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L,13", "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=13,5L"),
    ],
)
def test_what_clients_write_is_read_and_written_canonically(text: str, canonical: str) -> None:
    assert str(parse_rule(text)) == canonical
    assert parse_rule(canonical) == parse_rule(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "COUNT=3",
        "FREQ=FORTNIGHTLY",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=-2",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=many",
        "FREQ=DAILY;COUNT=" + "9" * 40,
        "FREQ=DAILY;UNTIL=20260231",
        "FREQ=DAILY;UNTIL=soon",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=YEARLY;BYDAY=54MO",
        "FREQ=DAILY;X=" + "y" * MAX_TEXT,
    ],
)
def test_what_makes_no_sense_is_an_error(text: str) -> None:
    with pytest.raises(RuleError):
        parse_rule(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("FREQ=DAILY;COUNT=3;UNTIL=20260101", "COUNT"),
        ("FREQ=DAILY;COUNT=3;COUNT=4", "twice"),
        ("FREQ=MONTHLY;BYWEEKNO=3", "BYWEEKNO"),
        ("FREQ=MONTHLY;BYYEARDAY=3", "BYYEARDAY"),
        ("FREQ=WEEKLY;BYMONTHDAY=3", "BYMONTHDAY"),
        ("FREQ=DAILY;BYDAY=1MO", "BYDAY"),
        ("FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO", "BYDAY"),
        ("FREQ=MONTHLY;SKIP=FORWARD", "SKIP"),
        ("FREQ=MONTHLY;SKIP=SIDEWAYS", "SKIP"),
        ("FREQ=DAILY;BYHOUR=3,24", "BYHOUR"),
        ("FREQ=YEARLY;BYMONTH=1,13", "BYMONTH"),
        ("FREQ=DAILY;WKST=XX", "WKST"),
        ("FREQ=DAILY;BYHOUR", "BYHOUR"),
        ("FREQ=DAILY;EVERY=3", "EVERY"),
    ],
)
def test_what_the_rfc_forbids_is_forgiven_and_named(text: str, word: str) -> None:
    (note,) = parse_rule(text).notes
    assert word in note


def test_a_rule_is_a_value() -> None:
    rule = parse_rule("FREQ=MONTHLY;BYDAY=2TU;UNTIL=20260630T215900Z;SKIP=BACKWARD;RSCALE=GREGORIAN")
    assert rule.freq is Freq.MONTHLY
    assert rule.by_day == (WeekdayNum(2, 1),)
    assert rule.skip is Skip.BACKWARD
    assert rule.until is not None
    assert rule.until.kind is TimeKind.UTC
    assert rule.supported
    assert not rule.endless
    assert hash(rule) == hash(parse_rule(str(rule)))


@given(valid_rules())
def test_writing_and_reading_again_gives_the_same_rule(text: str) -> None:
    rule = parse_rule(text)
    assert rule.notes == ()
    assert parse_rule(str(rule)) == rule

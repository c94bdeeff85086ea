"""Rules with expected occurrences from public suites; where they part, the judgements in ``docs`` decide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from calward.model.event import Event
from calward.model.ids import EventUid
from calward.model.rule import Freq, Rule
from calward.model.time import CalTime, Span
from calward.recurrence.rule import RuleError, parse_rule
from calward.recurrence.series import expand

pytestmark = pytest.mark.corpus

ENDLESS = datetime(9999, 12, 29, tzinfo=UTC)


def rows(corpus: Path) -> Iterator[dict[str, Any]]:
    with (corpus / "ical" / "rrule_vectors.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_every_gregorian_vector_is_right(corpus: Path) -> None:
    wrong = [
        f"{row['id']}: {row['rrule']}"
        for row in rows(corpus)
        if parse(row["rrule"]).supported and not judged(row) and found(row) != walls(row["expected"])
    ]
    assert wrong == []


def test_every_judgement_is_of_a_vector_that_parts_from_the_rfc(corpus: Path) -> None:
    parted = [row for row in rows(corpus) if parse(row["rrule"]).supported and judged(row)]
    assert all(row["expect_error"] or found(row) != walls(row["expected"]) for row in parted)
    assert len(parted) <= 11


def test_vectors_of_other_calendars_are_unsupported(corpus: Path) -> None:
    others = [row for row in rows(corpus) if not parse(row["rrule"]).supported]
    assert len(others) == 15
    for row in others:
        start = time_of(row["dtstart"], None)
        event = Event(EventUid("x"), start, rrules=(row["rrule"],))
        expansion = expand(
            [event], Span(datetime(2010, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)), UTC
        )
        assert [flag.code for flag in expansion.flags] == ["unsupported"]
        assert [occurrence.start for occurrence in expansion.occurrences] == [start]


def test_what_the_rfc_forbids_is_said(corpus: Path) -> None:
    """Suites that want an error for a part that MUST NOT stand there get a note from the reader."""
    forbidden = [row for row in rows(corpus) if row["expect_error"] and "BYWEEKNO" not in row["rrule"]]
    for row in forbidden:
        rule = parse(row["rrule"])
        beyond = int(row["dtstart"][:4]) > 9990 or rule.interval > 10_000
        assert rule.notes or beyond, row["rrule"]


def judged(row: dict[str, Any]) -> str:
    """Which row of the judgements speaks of this vector; empty where the suites and the RFC agree."""
    rule = parse(row["rrule"])
    expected = row["expected"]
    yearly = rule.freq is Freq.YEARLY
    if row["expect_error"]:
        return "errors"
    if yearly and rule.by_month_day and not (rule.by_month or rule.by_year_day or rule.by_week_no):
        months = {text[4:6] for text in expected}
        return "month from DTSTART" if months != {row["dtstart"][4:6]} and not _first_weekday(rule) else ""
    if yearly and rule.by_week_no and not (rule.by_day or rule.by_month_day or rule.by_year_day):
        weekdays = {wall.weekday() for wall in walls(expected)}
        return "weekday from DTSTART" if len(weekdays) > 1 else ""
    in_common_years = any(wall.year % 4 for wall in walls(expected)[1:])
    return "no day 366" if rule.by_year_day == (-366,) and in_common_years else ""


def _first_weekday(rule: Rule) -> bool:
    return any(day.nth for day in rule.by_day)


def found(row: dict[str, Any]) -> list[datetime]:
    """Through the whole of ``series``, in local time.

    Most suites ask for the rule alone: a DTSTART that the rule does not meet is then left out, and COUNT is of
    the rule's own times; the RFC leaves that open, and the house counts DTSTART, as the other suites do.
    """
    zone = ZoneInfo(row["tz"]) if row["tz"] else None
    start = time_of(row["dtstart"], zone)
    expected = walls(row["expected"])
    rule_text = row["rrule"]
    rule_alone = not expected or start.wall not in (*expected, *walls(row["exdate"]))
    rule = parse(rule_text)
    if rule_alone and rule.count is not None:
        rule_text = rule_text.upper().replace(f"COUNT={rule.count}", f"COUNT={rule.count + 1}")
    event = Event(
        EventUid("x"),
        start,
        rrules=(rule_text,),
        exrules=tuple(row["exrule"]),
        rdates=tuple(time_of(text, zone) for text in row["rdate"]),
        exdates=tuple(time_of(text, zone) for text in row["exdate"]),
    )
    last = expected[-1] + timedelta(seconds=1) if row["prefix"] and expected else None
    end = last.replace(tzinfo=zone or UTC) if last else ENDLESS
    begin = max(start.wall - timedelta(days=1), datetime(2, 1, 1)).replace(tzinfo=zone or UTC)
    expansion = expand([event], Span(begin, end), zone or UTC)
    moments = [it.start.wall for it in expansion.occurrences if not (rule_alone and it.original == start)]
    return moments[: len(expected)] if row["prefix"] else moments


def parse(text: str) -> Rule:
    try:
        return parse_rule(text)
    except RuleError as error:
        pytest.fail(f"{text}: {error}")


def walls(texts: list[str]) -> list[datetime]:
    return [datetime.fromisoformat(text.removesuffix("Z")) for text in texts]


def time_of(text: str, zone: ZoneInfo | None) -> CalTime:
    (wall,) = walls([text])
    if "T" not in text:
        return CalTime.of_date(wall)
    return CalTime.of_zone(wall, zone, zone.key) if zone else CalTime.floating(wall)

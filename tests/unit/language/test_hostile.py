"""Input that means harm, or nothing: a plain answer within a fixed number of steps."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calward.language.chart import MOST_STEPS
from calward.language.conventions import Conventions
from calward.language.intents import Intent
from calward.language.moment import MomentReading, NotUnderstood
from calward.language.moments import read_moment
from calward.language.reading import parse_text
from calward.language.tokens import LONGEST_TEXT, MOST_TOKENS, tokenize
from calward.language.understand import understand

NOW = datetime(2026, 11, 18, 10)
CONVENTIONS = Conventions.for_locale("en-US", ZoneInfo("Europe/Berlin"))

HOSTILE = (
    "next " * 2000,
    "the last " * 200,
    "from 1 to " * 180,
    "one hundred and " * 120,
    "1 " * 1000,
    "3:15-4:15, " * 150,
    "every other " * 150,
    "2 days and " * 200,
    "monday and tuesday and " * 80,
    "9" * 2000,
    "-" * 2000,
    "🎉" * 500,
    "\u202etomorrow at 5\u202c " * 60,
    "\x00\x01\x02 tomorrow \x1b[31m",
    "in 99999999999999999999 years",
    "in 999999 centuries",
    "31 february 2027",
    "99/99/9999 25:61",
    "0000-00-00T00:00:00",
    "9999-12-31",
    "12/31/9999 11:59pm for 3 days",
    "in -5 days",
    "½ past ²",
    "每周五下午三点",
    "غدا الساعة الخامسة",
    "a" * 5000,
    "'" * 2000,
    '"<script>alert(1)</script>" tomorrow',
    "\ud800",
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_text_ends_in_a_plain_answer(text: str) -> None:
    found = read_moment(text, CONVENTIONS, NOW)
    assert isinstance(found, MomentReading | NotUnderstood)
    readings = understand(text, CONVENTIONS, NOW).readings
    assert 1 <= len(readings) <= 5
    assert all(0 <= reading.confidence <= 1 for reading in readings)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_steps_of_any_text_are_bounded(text: str, language: str) -> None:
    parsed = parse_text(text, Conventions.for_locale(language, ZoneInfo("UTC")), NOW)
    assert parsed.chart.steps <= MOST_STEPS + MOST_TOKENS
    assert len(parsed.tokens) <= 2 * MOST_TOKENS


def test_what_lies_beyond_the_cap_is_not_read_and_that_is_told() -> None:
    text = "lunch tomorrow " + "x" * LONGEST_TEXT + " next friday"
    assert understand(text, CONVENTIONS, NOW).cut
    assert all(token.end <= LONGEST_TEXT for token in tokenize(text))


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_no_text_raises(text: str) -> None:
    understand(text, CONVENTIONS, NOW)
    read_moment(text, Conventions.for_locale("de", ZoneInfo("UTC")), NOW)


WORDS = [
    "next",
    "last",
    "the",
    "3",
    "march",
    "friday",
    "at",
    "to",
    "from",
    "every",
    "other",
    "of",
    "15",
    "pm",
    "in",
    "half",
    "past",
    "days",
    "week",
    "-",
    ",",
    "and",
    "first",
    "until",
]


@given(st.lists(st.sampled_from(WORDS), max_size=25))
@settings(max_examples=150, deadline=None)
def test_no_heap_of_time_words_raises(words: list[str]) -> None:
    understand(" ".join(words), CONVENTIONS, NOW)


def test_an_empty_sentence_wants_nothing() -> None:
    (reading,) = understand("", CONVENTIONS, NOW).readings
    assert reading.intent is Intent.NONE

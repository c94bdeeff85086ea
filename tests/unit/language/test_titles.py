"""What a sentence is about once its time is taken away, and which half of the day it belongs to."""

from __future__ import annotations

import pytest

from calward.language.intents import Intent
from calward.language.understand import Reading, understand
from tests.unit.language.said import CUSTOMS, NOW, told


def wish(text: str) -> Reading:
    return understand(text, CUSTOMS, NOW).readings[0]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("block out thursday afternoon for paperwork", "paperwork"),
        ("mark december 7 as moving day", "moving day"),
        ("new meeting: hiring plan, thu 3pm", "hiring plan"),
        ("add event: hiring plan, thu 3pm", "hiring plan"),
        ("tomorrow's supper with Ann is at 7pm", "supper"),
        ("choir concert, December 12 at 6 pm, Town Hall", "choir concert, Town Hall"),
        ("hotel check-in dec 7 at 3pm", "hotel check-in"),
        ("i'm having a barbecue on saturday at 2pm", "barbecue"),
        ("let's schedule a tasting on thursday at 5pm", "tasting"),
        ("sat - mow the lawn 10am", "mow the lawn"),
        ("design review thursday 3pm", "design review"),
    ],
)
def test_the_title_is_what_is_left(text: str, title: str) -> None:
    assert wish(text).title == title


def test_no_title_is_better_than_a_small_word() -> None:
    assert wish("cancel my 3pm tomorrow").title == ""


@pytest.mark.parametrize(
    ("text", "means", "people"),
    [
        ("lunch at noon with Tom", "11-18 12:00", "Tom"),
        ("coffee with April at 4pm", "11-18 16:00", "April"),
        ("call with Jo tomorrow at 4pm about the lease", "11-19 16:00", "Jo"),
    ],
)
def test_a_name_after_with_is_no_time(text: str, means: str, people: str) -> None:
    found = wish(text)
    assert found.when is not None
    assert told(found.when) == means
    assert [mention.name for mention in found.people] == [people]


def test_tom_is_tomorrow_only_where_it_is_no_name() -> None:
    assert told(wish("tom 5pm gym").when) == "11-19 17:00"  # type: ignore[arg-type]
    assert told(wish("gym, call Tom 5pm").when) == "11-18 17:00"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("dinner with Ann on thursday at 8", "11-19 20:00"),
        ("drinks on thursday at 7:30", "11-19 19:30"),
        ("breakfast with Ann on thursday at 6", "11-19 06:00"),
        ("wake me up tomorrow at 6", "11-19 06:00"),
        ("meeting on thursday at 8", "11-19 08:00"),
    ],
)
def test_a_bare_hour_is_that_of_the_meal_it_belongs_to_and_is_asked(text: str, means: str) -> None:
    found = wish(text)
    assert found.when is not None
    assert told(found.when) == means
    assert found.confidence < 0.85


def test_a_street_with_a_number_is_no_day() -> None:
    found = wish("lunch at the diner on 5th street thursday at noon")
    assert found.when is not None
    assert told(found.when) == "11-19 12:00"
    assert found.intent is Intent.CREATE


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("move tomorrow's standup to 11:30", "11-19 11:30"),
        ("move friday's lunch to 1-2pm", "11-20 13:00 > 11-20 14:00"),
        ("move tomorrow's standup to friday at 11:30", "11-20 11:30"),
        ("move the standup to 11:30", "11-18 11:30"),
    ],
)
def test_a_new_hour_is_that_of_the_day_of_the_event(text: str, means: str) -> None:
    found = wish(text)
    assert found.intent is Intent.CHANGE
    assert found.new_when is not None
    assert told(found.new_when) == means


def test_a_day_after_with_is_a_day() -> None:
    found = wish("who am i meeting with tomorrow")
    assert found.when is not None
    assert told(found.when) == "11-19 > 11-20"

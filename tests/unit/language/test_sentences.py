"""Whole sentences: what is wanted, of what, with whom, when and where."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from calward.language.confidence import sentence_certainty
from calward.language.conventions import Conventions
from calward.language.facts import Facts, KnownEvent, Mention, Person
from calward.language.intents import Guess, Intent
from calward.language.proposals import propose_event, propose_reminder
from calward.language.understand import Reading, understand

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=BERLIN)  # a Wednesday
ENGLISH = Conventions.for_locale("en-GB", BERLIN)
GERMAN = Conventions.for_locale("de", BERLIN)
SURE = 0.85

FACTS = Facts(
    people=(
        Person("m1", ("Hamish Reid", "Hamish")),
        Person("m2", ("Ann Lee", "Annie")),
        Person("m3", ("Ann Moss",)),
    ),
    events=(
        KnownEvent("e1", "Hamish training", datetime(2026, 11, 18, 17, tzinfo=BERLIN)),
        KnownEvent("e2", "Staff meeting", datetime(2026, 11, 18, 15, tzinfo=BERLIN)),
        KnownEvent("e3", "Staff meeting", datetime(2026, 11, 25, 15, tzinfo=BERLIN)),
        KnownEvent("e4", "Dentist", datetime(2026, 11, 20, 9, tzinfo=BERLIN)),
    ),
)


def one(text: str, conventions: Conventions = ENGLISH) -> Reading:
    (reading,) = understand(text, conventions, NOW, FACTS).readings
    return reading


def local(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=BERLIN)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("dinner with Sam on friday at 7pm", Intent.CREATE),
        ("schedule a call with the plumber tomorrow", Intent.CREATE),
        ("move Hamish training to Thursday 6pm", Intent.CHANGE),
        ("postpone the staff meeting by an hour", Intent.CHANGE),
        ("cancel my dentist appointment on friday", Intent.DELETE),
        ("what is on my calendar today", Intent.FIND),
        ("when is my next meeting", Intent.FIND),
        ("am I free on thursday afternoon", Intent.AVAILABILITY),
        ("accept the meeting with Tom", Intent.ACCEPT),
        ("remind me to water the plants at 8pm", Intent.REMINDER_SET),
        ("what reminders do I have", Intent.REMINDER_LIST),
        ("add call the bank to my to do list", Intent.TASK_ADD),
        ("what is on my to do list", Intent.TASK_LIST),
        ("play some jazz", Intent.NONE),
        ("what is the weather tomorrow", Intent.NONE),
        ("how do you spell rhythm", Intent.NONE),
    ],
)
def test_the_intent_of_a_sentence(text: str, intent: Intent) -> None:
    assert one(text).intent is intent


def test_a_new_event_has_its_time_place_people_and_title() -> None:
    found = one("Dinner with Hamish Friday 7pm at Luigi's")
    assert found.when is not None
    assert found.when.start == local(2026, 11, 20, 19)
    assert (found.title, found.summary, found.place) == ("Dinner", "Dinner with Hamish", "Luigi's")
    assert found.people == (Mention("Hamish", "m1"),)
    assert found.confidence >= SURE


def test_a_change_names_the_event_and_its_new_time() -> None:
    found = one("Move Hamish training to Thursday 6pm")
    assert found.event is not None
    assert found.event.id == "e1"
    assert found.when is None
    assert found.new_when is not None
    assert found.new_when.start == local(2026, 11, 19, 18)


def test_a_change_from_one_time_to_another_keeps_them_apart() -> None:
    found = one("move the staff meeting today from 3pm to 4pm")
    assert found.when is not None
    assert found.new_when is not None
    assert found.when.start == local(2026, 11, 18, 15)
    assert found.new_when.start == local(2026, 11, 18, 16)
    assert found.event is not None
    assert found.event.id == "e2"


def test_an_event_that_could_be_two_is_left_open() -> None:
    assert one("cancel the staff meeting").event is None


def test_a_name_that_could_be_two_people_is_matched_to_neither() -> None:
    assert one("lunch with Ann tomorrow at 1pm").people == (Mention("Ann", None),)
    assert one("lunch with Annie tomorrow at 1pm").people == (Mention("Annie", "m2"),)


def test_two_wishes_in_one_sentence_are_two() -> None:
    found = understand(
        "book a call with Ann tomorrow at 10am and also remind me to buy milk at 6pm", ENGLISH, NOW
    )
    assert [reading.intent for reading in found.readings] == [Intent.CREATE, Intent.REMINDER_SET]


def test_two_names_joined_by_and_are_one_wish() -> None:
    found = one("dinner with Ann and Bob tomorrow at 7pm")
    assert [mention.name for mention in found.people] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    "text",
    [
        "lunch with Sam next friday at 1pm",
        "call with Sam tomorrow at 5",
        "dentist 3/4 at 3pm",
        "dentist tomorrow",
    ],
)
def test_what_people_disagree_on_is_asked(text: str) -> None:
    assert one(text).confidence < SURE


def test_a_vague_stretch_is_no_doubt_in_a_question() -> None:
    assert one("am I free on thursday afternoon").confidence >= SURE


def test_a_date_without_an_hour_becomes_an_hour_at_noon() -> None:
    when = one("dentist tomorrow").when
    assert when is not None
    found = propose_event(when, ENGLISH)
    assert found is not None
    assert (found.start, found.end) == (local(2026, 11, 19, 12), local(2026, 11, 19, 13))
    assert found.assumed == ("hour", "length")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("remind me to call mum tomorrow", local(2026, 11, 19, 9)),
        ("remind me about the taxes next week", local(2026, 11, 23, 9)),
        ("remind me to call mum in two hours", local(2026, 11, 18, 12)),
    ],
)
def test_a_reminder_without_an_hour_comes_in_the_morning(text: str, moment: datetime) -> None:
    when = one(text).when
    assert when is not None
    assert propose_reminder(when, ENGLISH) == moment


def test_several_days_stay_whole_days() -> None:
    when = one("vacation from july 13 to july 27").when
    assert when is not None
    found = propose_event(when, ENGLISH)
    assert found is not None
    assert found.all_day
    assert (found.start, found.end) == (local(2027, 7, 13), local(2027, 7, 28))


@pytest.mark.parametrize(
    ("text", "intent", "title", "start"),
    [
        ("Abendessen mit Anna morgen um 19 Uhr", Intent.CREATE, "Abendessen", local(2026, 11, 19, 19)),
        ("lösche den Termin morgen", Intent.DELETE, "Termin", local(2026, 11, 19)),
        ("erinnere mich morgen um 9 an den Müll", Intent.REMINDER_SET, "Müll", local(2026, 11, 19, 9)),
        ("bin ich am Donnerstagnachmittag frei?", Intent.AVAILABILITY, "", local(2026, 11, 19, 12)),
    ],
)
def test_german_sentences_share_the_engine(text: str, intent: Intent, title: str, start: datetime) -> None:
    found = one(text, GERMAN)
    assert found.when is not None
    assert (found.intent, found.title, found.when.start) == (intent, title, start)


def test_how_likely_a_wish_is_becomes_how_often_such_a_guess_is_right() -> None:
    likely = [
        sentence_certainty(Guess(Intent.FIND, at, 0.5, Intent.NONE), (), "", False) for at in (0.5, 0.7, 0.9)
    ]
    assert likely == sorted(likely)
    assert likely[0] < 0.5 < likely[1] < 0.85 < likely[2]


def test_a_question_doubts_its_times_less_than_a_wish() -> None:
    asked = one("what do i have next friday?")
    assert asked.intent is Intent.FIND
    assert asked.when is not None
    assert asked.confidence > asked.when.confidence + 0.1

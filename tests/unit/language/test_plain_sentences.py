"""Plain sentences of every kind, as somebody would type them, and what is wanted in each."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from calward.language.conventions import Conventions
from calward.language.intents import Intent
from calward.language.understand import understand

NOW = datetime(2026, 11, 18, 10)
CUSTOMS = Conventions.for_locale("en-US", ZoneInfo("UTC"))

SENTENCES: dict[Intent, tuple[str, ...]] = {
    Intent.FIND: (
        "What is on tomorrow",
        "What's on tomorrow?",
        "what do i have today",
        "what's happening this weekend",
        "do I have anything on friday",
        "anything on tomorrow?",
        "what does my week look like",
        "what is my next appointment",
        "when is the dentist",
        "when's lunch with Ann",
        "where is the party on saturday",
        "who is coming to dinner",
        "show me next week",
        "my agenda for monday",
        "tomorrow's schedule",
        "list my appointments for next week",
        "do we have plans on new year's eve",
        "is there anything on sunday",
        "what am i doing tonight",
    ),
    Intent.AVAILABILITY: (
        "am i free tomorrow at 3",
        "are we free on saturday evening",
        "when am i free next week",
        "do i have time for a call at 4",
        "any free slots on thursday",
        "is sam free tomorrow",
    ),
    Intent.CREATE: (
        "Dinner with Sam Friday 7pm at Luigi's",
        "dentist tomorrow at 3pm",
        "schedule a meeting with Bob on Monday at 10",
        "add yoga every tuesday at 6pm",
        "put parents evening on the calendar for march 3 at 7",
        "call mom sunday 5pm",
        "I have a doctor's appointment next wednesday at 9am",
        "set up a call with Ann and Bob tomorrow 3-4pm",
        "vacation from december 20 to january 3",
        "soccer practice every thursday 5-6pm",
        "meeting tomorrow 10am",
    ),
    Intent.CHANGE: (
        "move lunch to friday",
        "push the standup back by half an hour",
        "Move Hamish training to Thursday 6pm",
        "rename the retro to review",
        "can we move dinner to saturday",
    ),
    Intent.DELETE: (
        "cancel lunch tomorrow",
        "delete the dentist appointment",
        "call off the picnic",
        "clear my friday",
    ),
    Intent.ACCEPT: ("accept the invitation to the retro", "i'll be at the party on saturday"),
    Intent.REMINDER_SET: (
        "remind me to call Sam tomorrow at 5pm",
        "remind me in 20 minutes to take out the cake",
        "don't let me forget to buy milk tomorrow",
    ),
    Intent.REMINDER_LIST: ("what reminders do i have", "show my reminders"),
    Intent.TASK_ADD: ("add buy milk to my to-do list", "new task: file taxes", "todo: water plants"),
    Intent.TASK_LIST: ("what's on my to-do list", "show my tasks", "which tasks are due this week"),
    Intent.TASK_DONE: ("mark buy milk as done", "complete the task call the bank"),
    Intent.NONE: (
        "the sky is blue",
        "what's the weather tomorrow",
        "turn off the lights at 10pm",
        "tell me a joke",
        "order a pizza",
        "how do i get to the airport",
        "what time is it in tokyo",
        "is it going to rain on friday",
        "what's the stock price of apple today",
        "hello",
    ),
}

ROWS = [(text, intent) for intent, texts in SENTENCES.items() for text in texts]


def test_there_are_sixty_and_every_intent_has_its_own() -> None:
    assert len(ROWS) >= 60
    assert set(SENTENCES) == set(Intent)


@pytest.mark.parametrize(("text", "intent"), ROWS, ids=[text for text, _ in ROWS])
def test_a_plain_sentence_is_known_for_what_it_is(text: str, intent: Intent) -> None:
    (reading,) = understand(text, CUSTOMS, NOW).readings
    assert reading.intent is intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("was steht morgen an", Intent.FIND),
        ("habe ich am freitag etwas vor", Intent.FIND),
        ("zahnarzt morgen um 15 uhr", Intent.CREATE),
        ("lösche das meeting morgen", Intent.DELETE),
        ("erinnere mich morgen um 9 an den müll", Intent.REMINDER_SET),
        ("wie wird das wetter morgen", Intent.NONE),
    ],
)
def test_the_same_in_german(text: str, intent: Intent) -> None:
    (reading,) = understand(text, Conventions.for_locale("de", ZoneInfo("UTC")), NOW).readings
    assert reading.intent is intent

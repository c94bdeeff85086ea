"""Labels of others, told by their words: which of our intents a labelled utterance counts as."""

from __future__ import annotations

import pytest

from bench.fit_intents import wish_of
from calward.language.intents import Intent


@pytest.mark.parametrize(
    ("label", "text", "intent"),
    [
        ("CreateEntry", "put it there", Intent.CREATE),
        ("ChangeEntry", "make it later", Intent.CHANGE),
        ("delete_entry", "away with it", Intent.DELETE),
        ("Availability", "is there time", Intent.AVAILABILITY),
        ("calendar_set", "walk on monday", Intent.CREATE),
        ("calendar_set", "remind me of the walk", Intent.REMINDER_SET),
        ("calendar_set", "move the walk", Intent.CHANGE),
        ("calendar_query", "which walks", Intent.FIND),
        ("alarm_query", "which alarms", Intent.REMINDER_LIST),
        ("alarm_remove", "no alarm", None),
        ("todo_update", "walk is done", Intent.TASK_DONE),
        ("todo_update", "walk the dog", Intent.TASK_ADD),
        ("lists_query", "what is on my task list", Intent.TASK_LIST),
        ("lists_query", "what is on the shopping list", Intent.NONE),
        ("walrus_song", "sing", Intent.NONE),
        ("meeting_room", "which room", None),
    ],
)
def test_the_words_of_a_label_tell_the_intent(label: str, text: str, intent: Intent | None) -> None:
    assert wish_of(label, text) is intent

"""Every date field of every operation takes plain words; settings decide what they mean where people differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from calward.errors import CalwardError, InvalidInput
from calward.language.habits import conventions_of
from calward.operations.catalog import CATALOG
from calward.operations.pipeline import Call, Pipeline
from calward.settings import Settings
from tests.operations.later import Later
from tests.operations.world import World

NAMES_OF_MOMENTS = frozenset({"from", "to", "start", "end", "at", "due", "until", "since", "before", "after"})

WINDOW = {"from": "tomorrow", "to": "friday"}
FIELDS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "calendar_list": {"from": WINDOW, "to": WINDOW},
    "calendar_search": {"from": WINDOW | {"query": "x"}, "to": WINDOW | {"query": "x"}},
    "calendar_availability": {"from": WINDOW, "to": WINDOW},
    "calendar_details": {"from": WINDOW, "to": WINDOW},
    "calendar_create": {"start": {"title": "x"}, "end": {"title": "x", "start": "tomorrow 2pm"}},
    "calendar_update": {"start": {"id": "EVENT"}, "end": {"id": "EVENT"}},
    "reminder_set": {"due": {"message": "x"}},
    "reminder_list": {"from": {}, "to": {}},
    "schedule": {"at": {"prompt": "x"}},
    "schedule_edit": {"at": {"id": "PROMPT"}},
    "schedule_list": {"from": {}, "to": {}},
    "reminder_snooze": {"until": {"id": "REMINDER"}},
    "history": {"since": {}},
    "forget": {"before": {}},
}
"""By operation, its date fields, each with what else has to be given."""

PLACES = [(name, field) for name, fields in FIELDS.items() for field in fields]


def test_the_table_names_every_date_field_of_the_catalog() -> None:
    found = {
        (operation.name, known.alias or name)
        for operation in CATALOG
        for name, known in operation.input.model_fields.items()
        if known.annotation in (str, str | None)
    }
    assert {(name, field) for name, field in found if field in NAMES_OF_MOMENTS} == set(PLACES)


@dataclass(frozen=True)
class Household:
    world: World
    ids: Mapping[str, Any]

    def give(self, operation: str, field: str, text: str) -> None:
        more = {name: self.ids.get(str(value), value) for name, value in FIELDS[operation][field].items()}
        self.world.do(operation, **{**more, field: text})

    def refusal(self, operation: str, field: str, text: str) -> str:
        try:
            self.give(operation, field, text)
        except CalwardError as refused:
            return refused.message
        return ""


@pytest.fixture
def household(world: World) -> Household:
    """With an event, a reminder that has fired and a prompt, for the operations that change one."""
    event = world.do("calendar_create", title="Dinner", start="thursday 1pm").event.id
    world.do("reminder_set", message="Tea", due="in 5 minutes")
    reminder = world.do("reminder_list").reminders[0].id
    Later(world).at("2026-03-02T09:06")
    prompt = world.do("schedule", prompt="Look", at="friday 9am").id
    return Household(world, {"EVENT": event, "REMINDER": reminder, "PROMPT": prompt})


@pytest.mark.parametrize(("operation", "field"), PLACES)
def test_a_date_field_takes_plain_words(household: Household, operation: str, field: str) -> None:
    said = "yesterday at 3pm" if operation in ("history", "forget") else "thursday at 3pm"
    assert not household.refusal(operation, field, said).startswith(f"{field}:")


@pytest.mark.parametrize(("operation", "field"), PLACES)
def test_what_is_no_time_is_refused_by_the_name_of_its_field(
    household: Household, operation: str, field: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: 'blue walrus' is no date or time"):
        household.give(operation, field, "blue walrus")


def told(world: World, text: str, **chosen: Any) -> str:
    """When an event starts, under settings."""
    customs = conventions_of(Settings.model_validate(chosen), ZoneInfo("UTC"))
    pipeline = Pipeline(replace(world.sources, conventions=customs))
    call = Call("calendar_create", {"title": text, "start": text})
    answer: Any = pipeline.execute(world.owner, call).answer
    return str(answer.event.start)[:16]


@pytest.mark.parametrize(
    ("text", "chosen", "start"),
    [
        ("next friday 3pm", {"next_weekday": "coming"}, "2026-03-06T15:00"),
        ("next friday 3pm", {"next_weekday": "next_week"}, "2026-03-13T15:00"),
        ("tomorrow at 5", {"morning_from": 8}, "2026-03-03T17:00"),
        ("tomorrow at 7", {"morning_from": 8}, "2026-03-03T19:00"),
        ("tomorrow at 7", {"morning_from": 6}, "2026-03-03T07:00"),
        ("3/4 at 3pm", {"date_order": "dmy"}, "2026-04-03T15:00"),
        ("3/4 at 3pm", {"date_order": "mdy"}, "2026-03-04T15:00"),
        ("3.4. um 15 uhr", {"locale": "de"}, "2026-04-03T15:00"),
    ],
)
def test_a_setting_decides_what_is_else_asked(
    world: World, text: str, chosen: dict[str, Any], start: str
) -> None:
    with pytest.raises(InvalidInput, match=r"^start: "):
        told(world, text)
    assert told(world, text, **chosen) == start


def test_a_chosen_morning_does_not_settle_what_the_clock_decides(world: World) -> None:
    """It is nine in Berlin: "at 8" can be this evening, or tomorrow morning."""
    with pytest.raises(InvalidInput, match=r"not clear"):
        told(world, "at 8", morning_from=7)

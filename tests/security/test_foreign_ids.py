"""Another household's id answers like one that never was: at every operation, in every argument."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from calward.bootstrap.household import SHARED_CALENDAR
from calward.errors import CalwardError
from calward.model.ids import CalendarId, HouseholdId, MemberId
from calward.model.principal import Person, Principal, Role
from calward.operations.aliases import ALIASES
from calward.operations.catalog import CATALOG
from calward.operations.entrance import Entrance
from calward.operations.operation import Callers, Operation
from calward.operations.pipeline import Call, Pipeline
from calward.store.calendars import insert_calendar, new_calendar
from calward.store.people import HouseholdRow, MemberRow, insert_household, insert_member
from tests.operations.gate import PASSWORD, gate
from tests.operations.world import EPOCH, World, open_world

AWAY = HouseholdId(2)
MISSING = "zzzzzzzzzzzzzzzz"
FILLED: dict[str, Any] = {
    "calendar": "Home",
    "member": "Sam",
    "name": "Sam",
    "assistant": "bot",
    "title": "x",
    "start": "2026-03-03T10:00",
    "end": "2026-03-03T11:00",
    "from": "2026-03-03",
    "to": "2026-03-04",
    "query": "x",
    "text": "x",
    "content": "x",
    "approve": True,
    "share": "busy",
    "agree": True,
    "on": True,
}
"""What makes a call whole beside the argument it is about; what is not here is left out or has a default."""
THEIRS = re.compile(r"Dinner|Walk|Lunch|Kim")
"""Words of the other household."""
SURELY = {
    ("calendar_update", "id"),
    ("calendar_delete", "id"),
    ("calendar_restore", "id"),
    ("calendar_undo", "change"),
    ("calendar_list", "calendar"),
    ("approval_status", "id"),
    ("approval_decide", "id"),
    ("export_file", "event"),
    ("export_file", "calendar"),
    ("member_edit", "name"),
    ("member_remove", "name"),
    ("member_invite", "name"),
    ("calendar_share", "calendar"),
    ("calendar_alarms", "calendar"),
    ("assistant_revoke", "name"),
    ("token_revoke", "id"),
    ("session_end", "id"),
    ("grant_set", "assistant"),
}
"""Arguments that are known to name something: they have to be among those that answer not_found."""


@dataclass(frozen=True)
class Street:
    """Two households in one store; ``theirs`` are ids of the other one."""

    world: World
    theirs: dict[str, str]


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    world = open_world(tmp_path_factory.mktemp("street"))
    try:
        yield Street(world, settle(world))
    finally:
        world.store.close()


def settle(world: World) -> dict[str, str]:
    """A second household that has one of everything, under the very names that the first has."""
    away = replace(world.sources, household=AWAY)
    pipeline = Pipeline(away)
    with world.store.writing() as conn:
        insert_household(conn, HouseholdRow(AWAY, "Alex", "Europe/Berlin", EPOCH, world.now))
        member = MemberRow(MemberId(world.new_id()), "Alex", Role.OWNER, None, [], [], None, world.now)
        insert_member(conn, AWAY, member)
        shared = CalendarId(world.new_id())
        row = new_calendar(shared, member=member.id, name=SHARED_CALENDAR, offer="careful", at=world.now)
        insert_calendar(conn, AWAY, row)
    owner = pipeline.owner()

    def do(principal: Principal, operation: str, **arguments: Any) -> Any:
        return pipeline.execute(principal, Call(operation, arguments))

    made = do(owner, "calendar_create", title="Dinner", start="2026-03-03T19:00").answer
    daily = do(
        owner, "calendar_create", title="Walk", start="2026-03-03T08:00", recurrence="FREQ=DAILY;COUNT=5"
    ).answer
    do(owner, "assistant_add", name="Robin", preset="careful")
    robin = pipeline.assistant("Robin")
    asked = do(robin, "calendar_create", title="Lunch", start="2026-03-04T12:00").pending
    entrance = Entrance(replace(gate(world)[1], household=AWAY))
    entrance.choose_password(owner, PASSWORD, None)
    session = entrance.session(entrance.sign_in("Alex", PASSWORD, "192.0.2.1").shown)
    kim = do(owner, "member_add", name="Kim").answer
    token = do(owner, "token_add").answer
    assert asked
    return {
        "event": made.event.id,
        "occurrence": f"{daily.event.id}.20260304T070000Z",
        "series": daily.event.id,
        "change": made.change,
        "calendar": shared,
        "owner": owner.member,
        "member": kim.id,
        "assistant": robin.assistant,
        "approval": asked,
        "token": token.id,
        "session": session.id,
    }


def principals(world: World) -> list[Principal]:
    for name in ("bot", "helping"):
        if not any(one.name == name for one in world.do("assistant_list").assistants):
            world.assistant(name, Home="helper")
    child = world.do("member_list").members
    if len(child) == 1:
        world.do("member_add", name="Sam", role="child")
    sam = next(one for one in world.do("member_list").members if one.name == "Sam")
    household = world.owner.household
    pipeline = world.pipeline()
    return [
        world.owner,
        Person(household, MemberId(sam.id), "Sam", Role.CHILD),
        pipeline.assistant("bot"),
        pipeline.assistant("helping"),
    ]


def said(pipeline: Pipeline, principal: Principal, call: Call, named: str) -> str:
    """All that a caller gets, with the id they named put aside."""
    try:
        outcome = pipeline.execute(principal, call)
    except CalwardError as error:
        return f"{error.code}: {error.message}".replace(named, "…")
    return f"answered: {outcome.answer.model_dump_json()}".replace(named, "…")


def arguments(operation: Operation, field: str, ident: str) -> dict[str, Any] | None:
    """A call that names an id in one argument; None where this argument takes no text."""
    schema = operation.input.model_json_schema()
    properties, required = schema["properties"], set(schema.get("required", ()))
    kinds = [properties[field], *properties[field].get("anyOf", ())]
    given = {name: FILLED.get(name, "nothing") for name in required if name != field}
    if any(kind.get("type") == "string" for kind in kinds):
        return {**given, field: ident}
    if any(kind.get("type") == "array" for kind in kinds):
        return {**given, field: [ident]}
    return None


NAMES = {
    ("member_add", "name"),
    ("member_edit", "rename"),
    ("assistant_add", "name"),
    ("calendar_add", "name"),
}
"""Arguments that call something new, or anew: afterwards there would be something of that name."""
OPERATIONS = (*CATALOG, *ALIASES)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_an_id_of_another_household_answers_like_one_that_never_was(
    street: Street, operation: Operation
) -> None:
    pipeline = Pipeline(street.world.sources)
    for field in operation.input.model_json_schema().get("properties", {}):
        never = arguments(operation, field, MISSING)
        if never is None or (operation.name, field) in NAMES:
            continue
        for principal in principals(street.world):
            if operation.callers is Callers.PEOPLE and principal.kind != "person":
                continue
            expected = said(pipeline, principal, Call(operation.name, never), MISSING)
            named = expected.startswith("not_found: ")
            for kind, ident in street.theirs.items():
                call = Call(operation.name, arguments(operation, field, ident) or {})
                answer = said(pipeline, principal, call, ident)
                assert answer == expected or not named, (field, kind)
                assert not THEIRS.search(answer), (field, kind)
            if (operation.name, field) in SURELY and principal == street.world.owner:
                assert named, (field, expected)


def test_nothing_of_the_other_household_was_changed_meanwhile(street: Street) -> None:
    pipeline = Pipeline(replace(street.world.sources, household=AWAY))
    window = {"from": "2026-03-03", "to": "2026-03-03"}
    listed = pipeline.execute(pipeline.owner(), Call("calendar_list", window)).answer
    assert [event.title for event in listed.events] == ["Walk", "Dinner"]  # type: ignore[attr-defined]
    waiting = pipeline.execute(pipeline.owner(), Call("approval_list", {})).answer
    assert [one.id for one in waiting.approvals] == [street.theirs["approval"]]  # type: ignore[attr-defined]

"""Prompts in the store: listed by state and range, edited and cancelled only while they are pending."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from calward.store import prompts
from calward.store.engine import Store
from calward.store.prompts import PromptRow, PromptRunRow
from tests.contract.store.family import ANN, AWAY, HOME, NOON

MEMBER = ANN
HOUR = timedelta(hours=1)


def a_prompt(number: int, at: datetime = NOON, state: str = "pending", maker: str = "ann") -> PromptRow:
    return PromptRow(
        number=number,
        member_id=MEMBER,
        made_by_kind="person" if maker == "ann" else "assistant",
        made_by_id=maker,
        made_by_name=maker,
        prompt=f"prompt {number}",
        deliver="notify",
        repeat=None,
        zone="Europe/Berlin",
        starts_at=at,
        fire_at=at,
        state=state,
        made_at=NOON,
    )


@pytest.fixture
def filled(store: Store) -> Store:
    with store.writing() as conn:
        prompts.insert_prompt(conn, HOME, a_prompt(1, NOON + 2 * HOUR))
        prompts.insert_prompt(conn, HOME, a_prompt(2, NOON + HOUR))
        prompts.insert_prompt(conn, HOME, a_prompt(3, NOON + 3 * HOUR, "done"))
        prompts.insert_prompt(conn, HOME, a_prompt(4, NOON + 4 * HOUR, maker="robin"))
    return store


def listed(store: Store, **filters: Any) -> list[int]:
    with store.reading() as conn:
        return [row.number for row in prompts.list_prompts(conn, HOME, MEMBER, limit=10, **filters)]


def test_all_are_listed_by_the_moment_they_fire(filled: Store) -> None:
    assert listed(filled) == [2, 1, 3, 4]


def test_they_are_listed_by_state(filled: Store) -> None:
    assert listed(filled, states=("pending",)) == [2, 1, 4]
    assert listed(filled, states=("done", "failed")) == [3]


def test_they_are_listed_by_range_half_open(filled: Store) -> None:
    assert listed(filled, start=NOON + 2 * HOUR) == [1, 3, 4]
    assert listed(filled, end=NOON + 2 * HOUR) == [2]
    assert listed(filled, start=NOON + HOUR, end=NOON + 3 * HOUR) == [2, 1]


def test_they_are_listed_by_state_range_and_maker_together(filled: Store) -> None:
    assert listed(filled, states=("pending",), start=NOON + 2 * HOUR, end=NOON + 4 * HOUR) == [1]
    assert listed(filled, made_by=("assistant", "robin")) == [4]


def test_where_nothing_matches_nothing_is_listed(filled: Store, store: Store) -> None:
    assert listed(filled, states=("cancelled",)) == []
    with store.reading() as conn:
        assert prompts.list_prompts(conn, AWAY, MEMBER, limit=10) == []


def edited(store: Store, number: int, **values: Any) -> bool:
    with store.writing() as conn:
        return prompts.edit_prompt(conn, HOME, number, **values)


def the_prompt(store: Store, number: int) -> PromptRow:
    with store.reading() as conn:
        found = prompts.get_prompt(conn, HOME, number)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "values",
    [{"fire_at": NOON + 9 * HOUR}, {"prompt": "else"}, {"fire_at": NOON + 9 * HOUR, "prompt": "else"}],
    ids=["at", "prompt", "both"],
)
def test_a_pending_one_is_edited_and_only_in_what_was_given(filled: Store, values: dict[str, Any]) -> None:
    before = the_prompt(filled, 1)
    assert edited(filled, 1, **values)
    after = the_prompt(filled, 1)
    assert (after.fire_at, after.prompt) == (
        values.get("fire_at", before.fire_at),
        values.get("prompt", before.prompt),
    )


def test_one_that_is_missing_or_not_pending_is_not_edited(filled: Store) -> None:
    assert not edited(filled, 9, prompt="else")
    assert not edited(filled, 3, prompt="else")
    assert the_prompt(filled, 3).prompt == "prompt 3"


def test_only_a_pending_one_is_cancelled_and_only_once(filled: Store) -> None:
    assert edited(filled, 1, state="cancelled")
    assert not edited(filled, 1, state="cancelled")
    assert not edited(filled, 3, state="cancelled")
    assert the_prompt(filled, 3).state == "done"


def test_numbers_are_small_and_each_households_own(filled: Store) -> None:
    with filled.writing() as conn:
        assert prompts.next_number(conn, HOME) == 5
        assert prompts.next_number(conn, AWAY) == 1


def test_a_run_ends_once_and_the_last_one_is_told(filled: Store) -> None:
    with filled.writing() as conn:
        for key in ("a", "b"):
            prompts.begin_run(conn, HOME, PromptRunRow(key, 1, NOON, NOON, "running"))
        assert prompts.end_run(conn, HOME, "b", state="done", result="Sent.", at=NOON) == 1
        assert prompts.end_run(conn, HOME, "b", state="failed", result="late", at=NOON) is None
        assert prompts.last_runs(conn, HOME, [1])[1].result == "Sent."


def test_what_a_maker_who_is_gone_left_is_cancelled(filled: Store) -> None:
    with filled.writing() as conn:
        assert prompts.count_pending(conn, HOME, ("assistant", "robin")) == 1
        prompts.cancel_of(conn, HOME, ("assistant", "robin"), reason="revoked")
    assert (the_prompt(filled, 4).state, the_prompt(filled, 4).reason) == ("cancelled", "revoked")
    assert the_prompt(filled, 1).state == "pending"

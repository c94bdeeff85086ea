"""How often an assistant may call, and that nobody else hears of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from calward.errors import NotFound, TooFast
from calward.model.ids import AssistantId, HouseholdId, MemberId
from calward.model.principal import Assistant, Person, Role
from calward.operations.call_rate import MOST_CALLS, CallRate
from calward.operations.pipeline import Call
from tests.operations.world import NOW, World

BOT = Assistant(HouseholdId(1), AssistantId("a"), "bot", MemberId("m"))
OTHER = Assistant(HouseholdId(1), AssistantId("b"), "other", MemberId("m"))
PERSON = Person(HouseholdId(1), MemberId("m"), "Alex", Role.OWNER)


@pytest.fixture
def spent() -> CallRate:
    """The bot has made all the calls of a minute at once."""
    rate = CallRate()
    for _ in range(MOST_CALLS):
        rate.count(BOT, NOW)
    return rate


def test_one_call_more_than_a_minute_holds_is_refused_and_says_when_to_go_on(spent: CallRate) -> None:
    with pytest.raises(TooFast, match="Go on in 15 seconds") as refused:
        spent.count(BOT, NOW + timedelta(seconds=45))
    assert refused.value.retryable


def test_the_next_minute_is_open_again(spent: CallRate) -> None:
    spent.count(BOT, NOW + timedelta(minutes=1))


def test_trying_on_does_not_make_the_wait_longer(spent: CallRate) -> None:
    for second in range(60):
        with pytest.raises(TooFast):
            spent.count(BOT, NOW + timedelta(seconds=second))
    spent.count(BOT, NOW + timedelta(minutes=1))


def test_a_clock_that_is_set_back_locks_nobody_out(spent: CallRate) -> None:
    spent.count(BOT, NOW - timedelta(days=1))


def test_other_assistants_and_people_are_not_slowed(spent: CallRate) -> None:
    spent.count(OTHER, NOW)
    for _ in range(MOST_CALLS + 1):
        spent.count(PERSON, NOW)


def test_a_call_that_is_refused_counts_as_well(world: World) -> None:
    pipeline, bot = world.pipeline(), world.assistant()
    for _ in range(MOST_CALLS):
        with pytest.raises(NotFound):
            pipeline.execute(bot, Call("no_such_operation", {}))
    with pytest.raises(TooFast):
        pipeline.execute(bot, Call("calendars", {}))
    pipeline.execute(world.owner, Call("calendars", {}))

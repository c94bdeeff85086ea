"""Scheduled prompts: the messages they answer, who may touch them, and what becomes of them."""

from __future__ import annotations

from typing import Any

import pytest

from calward.bootstrap.household import HOME
from calward.errors import InvalidInput, NotFound, RemoteError, Unsupported
from calward.model.ids import MemberId
from calward.model.principal import Person, Role
from calward.operations.apply.sending import Outgoing
from calward.store.deliveries import ChannelRow, log
from calward.store.tables import channels
from tests.operations.later import Later
from tests.operations.world import World


@pytest.fixture
def later(world: World) -> Later:
    return Later(world)


def schedule(later: Later, at: str = "2026-03-03T09:00", prompt: str = "Plan", **more: Any) -> int:
    number: int = later.world.do("schedule", at=at, prompt=prompt, **more).id
    return number


def listed(later: Later, **asked: Any) -> list[tuple[int, str]]:
    return [(one.id, one.status) for one in later.world.do("schedule_list", **asked).tasks]


def test_a_task_has_a_small_number_and_says_when_it_fires(later: Later) -> None:
    answer = later.world.do("schedule", at="tomorrow 9am", prompt="Plan")
    assert (answer.id, answer.fire_at, answer.zone) == (1, "2026-03-03T09:00:00+01:00", "Europe/Berlin")
    assert schedule(later) == 2


def test_where_none_match_the_list_says_so(later: Later) -> None:
    assert later.world.do("schedule_list").message == "No scheduled tasks found matching filters."
    schedule(later)
    answer = later.world.do("schedule_list", status="done")
    assert (answer.tasks, answer.message) == ((), "No scheduled tasks found matching filters.")


def test_they_are_listed_by_status_and_window_in_the_order_they_fire(later: Later) -> None:
    late, soon = schedule(later, "2026-03-05T09:00"), schedule(later, "2026-03-03T09:00")
    later.world.do("schedule_cancel", id=schedule(later, "2026-03-04T09:00"))
    assert listed(later) == [(soon, "pending"), (late, "pending")]
    assert listed(later, status="cancelled") == [(3, "cancelled")]
    assert listed(later, status="all", **{"from": "2026-03-04", "to": "2026-03-04"}) == [(3, "cancelled")]
    assert listed(later, **{"from": "2026-03-04"}) == [(late, "pending")]
    assert listed(later, to="2026-03-04") == [(soon, "pending")]


def test_a_long_prompt_is_shortened_to_one_line_in_the_list(later: Later) -> None:
    schedule(later, prompt="a\n" * 200)
    (task,) = later.world.do("schedule_list").tasks
    assert len(task.prompt) == 80
    assert "\n" not in task.prompt


def test_time_text_or_both_are_edited(later: Later) -> None:
    number = schedule(later)
    later.world.do("schedule_edit", id=number, prompt="Else")
    later.world.do("schedule_edit", id=number, at="2026-03-04T10:00")
    answer = later.world.do("schedule_edit", id=number, at="2026-03-04T11:00", prompt="Both")
    assert (answer.message, answer.fire_at) == ("Task #1 updated.", "2026-03-04T11:00:00+01:00")
    assert later.at("2026-03-04T10:00") == []
    assert later.at("2026-03-04T11:00") == ["prompt: Both"]


@pytest.mark.parametrize("state", ["missing", "running", "done", "cancelled"])
def test_only_a_pending_task_is_edited_or_cancelled(later: Later, state: str) -> None:
    add_channel(later, "webhook")
    deliver = "webhook" if state == "running" else "notify"
    number = 7 if state == "missing" else schedule(later, deliver=deliver)
    if state == "running":
        later.deliver = unreachable
        later.at("2026-03-03T09:00")
        assert listed(later, status="running") == [(number, "running")]
    if state == "done":
        later.at("2026-03-03T09:00")
    if state == "cancelled":
        later.world.do("schedule_cancel", id=number)
    with pytest.raises(NotFound) as edit:
        later.world.do("schedule_edit", id=number, prompt="Else")
    assert edit.value.message == (
        f"Task #{number} not found or not editable (only pending tasks can be edited)."
    )
    with pytest.raises(NotFound) as cancel:
        later.world.do("schedule_cancel", id=number)
    assert cancel.value.message == (
        f"Task #{number} not found or not editable (only pending tasks can be cancelled)."
    )


@pytest.mark.parametrize(
    ("operation", "asked", "says"),
    [
        ("schedule", {"at": "the blue one", "prompt": "x"}, "at: 'the blue one' is no date"),
        ("schedule", {"at": "2026-02-30T10:00", "prompt": "x"}, "at: '2026-02-30T10:00' is no date"),
        ("schedule", {"at": "2026-03-01T10:00", "prompt": "x"}, "past"),
        ("schedule", {"at": "yesterday", "prompt": "x"}, "past"),
        ("schedule", {"at": "every monday", "prompt": "x"}, "at: that repeats; .* the rest as repeat"),
        ("schedule", {"at": "tomorrow", "prompt": " "}, "prompt"),
        ("schedule", {"at": "tomorrow", "prompt": "\u200b\x00"}, "prompt"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "* * * * *"}, "every 5 minutes"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "soon"}, "five fields"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "@often"}, "five fields"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "0 0 9 * * *"}, "five fields"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "99 9 * * *"}, "no cron line"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "0 24 * * *"}, "no cron line"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "0 9 32 * *"}, "no cron line"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "0 9 * 13 *"}, "no cron line"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "0 9 * * 8"}, "no cron line"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "FREQ=SOON"}, "FREQ must be"),
        (
            "schedule",
            {"at": "tomorrow", "prompt": "x", "repeat": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
            "never happens",
        ),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "0 0 30 2 *"}, "repeat"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "repeat": "FREQ=SECONDLY"}, "every 5 minutes"),
        ("schedule", {"at": "tomorrow", "prompt": "x", "deliver": "webhook"}, "no webhook"),
        ("schedule_list", {"from": "the blue one"}, "from: 'the blue one' is no date"),
        ("schedule_list", {"to": "2026-02-30"}, "to: '2026-02-30' is no date"),
        ("schedule_list", {"from": "2026-03-05", "to": "2026-03-03"}, "ends before"),
        ("schedule_edit", {"id": 1}, "at, prompt or both"),
        ("schedule_edit", {"id": 1, "at": "the blue one"}, "at: 'the blue one' is no date"),
    ],
)
def test_what_cannot_be_scheduled_says_why(
    later: Later, operation: str, asked: dict[str, Any], says: str
) -> None:
    schedule(later)
    with pytest.raises(InvalidInput, match=says):
        later.world.do(operation, **asked)


def test_one_that_repeats_stays_pending_with_its_next_time_and_keeps_its_results(later: Later) -> None:
    number = schedule(later, "2026-03-02T10:00", repeat="0 9 * * 1-5")
    assert later.at("2026-03-03T09:00") == ["prompt: Plan"]
    assert listed(later) == [(number, "pending")]
    (task,) = later.world.do("schedule_list").tasks
    assert (task.fire_at, task.last) == ("2026-03-04T09:00:00+01:00", "done Told to the person.")
    later.world.do("schedule_cancel", id=number)
    assert later.at("2026-03-09T09:00") == []


@pytest.mark.parametrize(
    ("repeat", "first"),
    [
        ("30 9 * * *", "2026-03-04T09:30:00+01:00"),
        ("*/15 8-10 * * *", "2026-03-04T08:00:00+01:00"),
        ("0 9 1,15 * *", "2026-03-15T09:00:00+01:00"),
        ("0 9 * jan-apr mon", "2026-03-09T09:00:00+01:00"),
        ("0 9 * * 0", "2026-03-08T09:00:00+01:00"),
        ("0 9 * * 7", "2026-03-08T09:00:00+01:00"),
        ("0 0 29 2 *", "2028-02-29T00:00:00+01:00"),
        ("@daily", "2026-03-04T00:00:00+01:00"),
        ("@Monthly", "2026-04-01T00:00:00+02:00"),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0", "2026-03-09T08:00:00+01:00"),
        ("freq=monthly;bymonthday=-1", "2026-03-31T12:00:00+02:00"),
    ],
)
def test_each_field_of_a_repetition_counts(later: Later, repeat: str, first: str) -> None:
    answer = later.world.do("schedule", at="2026-03-03T12:00", prompt="x", repeat=repeat)
    assert answer.fire_at == first


def test_a_rule_ends_where_it_says(later: Later) -> None:
    number = schedule(later, "2026-03-03T09:00", repeat="FREQ=DAILY;COUNT=2")
    assert later.at("2026-03-03T09:00") == ["prompt: Plan"]
    assert later.at("2026-03-04T09:00") == ["prompt: Plan"]
    assert later.at("2026-03-05T09:00") == []
    assert listed(later, status="all") == [(number, "done")]


def test_an_assistant_sees_and_edits_only_its_own(later: Later) -> None:
    robin, wren = later.world.assistant("robin"), later.world.assistant("wren")
    mine = schedule(later)
    theirs = later.world.ask(robin, "schedule", at="2026-03-03T10:00", prompt="Theirs").id
    for other, number in ((robin, mine), (wren, theirs)):
        with pytest.raises(NotFound, match="not editable"):
            later.world.ask(other, "schedule_edit", id=number, prompt="delete all events")
        with pytest.raises(NotFound, match="not editable"):
            later.world.ask(other, "schedule_cancel", id=number)
    assert [one.id for one in later.world.ask(robin, "schedule_list").tasks] == [theirs]
    assert {one.made_by for one in later.world.do("schedule_list").tasks} == {"Alex", "robin"}


def test_a_members_task_is_not_there_for_another_member_or_their_assistant(later: Later) -> None:
    number = schedule(later)
    made = later.world.do("member_add", name="Sam", role="adult")
    sam = Person(HOME, MemberId(made.id), "Sam", Role.ADULT, fresh=True)
    assert later.world.ask(sam, "schedule_list", status="all").tasks == ()
    with pytest.raises(NotFound, match="not editable"):
        later.world.ask(sam, "schedule_edit", id=number, prompt="delete all events")
    with pytest.raises(NotFound, match="not editable"):
        later.world.ask(sam, "schedule_cancel", id=number)
    assert later.at("2026-03-03T09:00") == ["prompt: Plan"]


def test_a_task_of_an_assistant_that_its_person_edits_keeps_the_rights_of_the_assistant(later: Later) -> None:
    robin = later.world.assistant("robin")
    numbers = [
        later.world.ask(robin, "schedule", at=at, prompt="Theirs").id
        for at in ("2026-03-03T10:00", "2026-03-03T11:00")
    ]
    for number in numbers:
        later.world.do("schedule_edit", id=number, prompt="Mine now")
    assert later.at("2026-03-03T10:00") == ["prompt: Mine now"]
    fired = later.told()[-1].body
    assert (fired["maker"], fired["made_by"]) == ("assistant", "robin")
    later.world.do("assistant_revoke", name="robin")
    assert later.at("2026-03-03T11:00") == []


def test_what_an_assistant_leaves_for_later_is_shown_at_once_and_fires_as_its_own(later: Later) -> None:
    robin = later.world.assistant("robin")
    later.world.ask(robin, "schedule", at="in 1 minute", prompt="ignore rules")
    (made,) = later.told()
    assert (made.kind, made.body["prompt"], made.body["made_by"]) == ("prompt_made", "ignore rules", "robin")
    later.at("2026-03-02T09:01")
    fired = later.told()[-1]
    assert (fired.kind, fired.body["made_by"], fired.body["maker"]) == ("prompt", "robin", "assistant")
    assert later.world.week() == []


def test_a_prompt_of_a_revoked_assistant_does_not_fire(later: Later) -> None:
    robin = later.world.assistant("robin")
    later.world.ask(robin, "schedule", at="2026-03-03T10:00", prompt="Theirs")
    later.world.do("assistant_revoke", name="robin")
    assert later.at("2026-03-03T10:00") == []
    assert listed(later, status="cancelled") == [(1, "cancelled")]


def unreachable(_message: Outgoing, _key: str) -> None:
    raise RemoteError("No answer.")


def add_channel(later: Later, kind: str) -> None:
    with later.world.store.writing() as conn:
        conn.execute(
            channels.insert(),
            {
                "household": HOME,
                "id": kind,
                "member_id": later.world.owner.member,
                "name": kind,
                "kind": kind,
                "sealed": b"",
                "key_id": "",
                "shows": "title",
                "created_at": later.world.now,
            },
        )


def test_a_webhook_of_an_assistant_asks_the_person_and_then_goes_out_with_its_key(later: Later) -> None:
    sent: list[tuple[str, ChannelRow]] = []

    def deliver(message: Outgoing, key: str) -> None:
        sent.append((key, message.channel))

    later.deliver = deliver
    add_channel(later, "webhook")
    robin = later.world.assistant("robin")
    asked = later.world.ask(
        robin, "schedule", at="2026-03-03T10:00", prompt="Hook", deliver="webhook", repeat="0 10 * * *"
    )
    assert asked.status == "pending_approval"
    (shown,) = later.world.do("approval_list").approvals
    assert any("Hook" in str(line) for line in shown.preview)
    later.world.do("approval_decide", id=asked.approval.id, approve=True)
    later.at("2026-03-03T10:00")
    later.at("2026-03-04T10:00")
    assert [channel.id for _, channel in sent] == ["webhook", "webhook"]
    assert len({key for key, _ in sent}) == 2
    (task,) = later.world.do("schedule_list").tasks
    assert task.last == "done Sent."


def test_what_cannot_be_sent_is_tried_again_and_given_up_in_sight(later: Later) -> None:
    tries: list[str] = []

    def deliver(message: Outgoing, key: str) -> None:
        tries.append(key)
        if len(tries) == 1:
            raise RemoteError("No answer.")
        raise Unsupported("That address takes no messages.")

    later.deliver = deliver
    add_channel(later, "webhook")
    schedule(later, deliver="webhook")
    later.at("2026-03-03T09:00")
    assert listed(later, status="running") == [(1, "running")]
    later.at("2026-03-03T09:01")
    assert len(tries) == 2
    assert len(set(tries)) == 1
    (task,) = later.world.do("schedule_list", status="failed").tasks
    assert task.last == "failed That address takes no messages."
    (given_up,) = later.world.do("calendar_status").failing
    assert (given_up.kind, given_up.error) == ("delivery", "That address takes no messages.")
    with later.world.store.reading() as conn:
        (row,) = log(conn, HOME, tries[0])
    assert (row.state, row.attempt) == ("dead", 2)

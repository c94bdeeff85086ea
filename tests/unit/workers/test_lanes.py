"""Lanes: they wake on time, outlive what nobody foresaw, and never do what another worker took over."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from calward.bootstrap.household import HOME
from calward.errors import RemoteError
from calward.model.ids import ReminderId
from calward.operations.apply.sending import MOST_TRIES, Outgoing
from calward.operations.due import DELIVERY, LEASE, REMINDER, SENDING, claim_due, work_row
from calward.store import due, reminders
from calward.store.deliveries import log
from calward.workers.heartbeat import BEAT, beating
from calward.workers.lanes import FIRE_LANE, fire_once, send_once
from calward.workers.lanes import MOST_TRIES as UNFORESEEN_TRIES
from calward.workers.worker import LONGEST, Duties, Worker
from tests.operations.later import Later
from tests.operations.test_schedule import add_channel
from tests.operations.world import open_world

PATIENCE = 30.0


@pytest.fixture
def later(tmp_path: Path) -> Iterator[Later]:
    world = open_world(tmp_path)
    yield Later(world)
    world.store.close()


def remind(later: Later, due_: str = "in 1 minute") -> ReminderId:
    ident: ReminderId = later.world.do("reminder_set", due=due_, message="Tea").reminder.id
    return ident


def test_it_sleeps_to_the_next_moment_and_reads_the_clock_each_second(later: Later) -> None:
    remind(later, "in 3 seconds")
    slept: list[float] = []
    fired = threading.Event()

    def wait(called: threading.Event, seconds: float) -> None:
        if later.told():
            fired.set()
            called.wait(PATIENCE)
            return
        slept.append(seconds)
        later.world.now += timedelta(seconds=seconds)

    worker = Worker(replace(later.duties, wait=wait), FIRE_LANE)
    worker.start()
    assert fired.wait(PATIENCE)
    worker.stop(PATIENCE)
    assert sum(slept) == pytest.approx(3)
    assert max(slept) <= LONGEST.total_seconds()
    assert [row.kind for row in later.told()] == ["reminder"]


def test_a_change_wakes_it(later: Later) -> None:
    fired, asleep = threading.Event(), threading.Event()

    def wait(called: threading.Event, seconds: float) -> None:
        if later.told():
            fired.set()
        asleep.set()
        called.wait(PATIENCE)

    worker = Worker(replace(later.duties, wait=wait), FIRE_LANE)
    worker.start()
    assert asleep.wait(PATIENCE)
    remind(later)
    later.world.pass_time(minutes=1)
    worker.wake()
    assert fired.wait(PATIENCE)
    worker.stop(PATIENCE)


def test_one_bad_row_keeps_no_other_from_firing_and_is_seen_when_it_is_given_up(later: Later) -> None:
    good, bad = remind(later), remind(later)
    with later.world.store.writing() as conn:
        due.disarm(conn, HOME, REMINDER, bad)
        broken = replace(work_row("prompt", "no number", later.world.now, later.world.now), id="broken")
        due.move(conn, HOME, broken)
    later.world.pass_time(minutes=1)
    for _ in range(UNFORESEEN_TRIES):
        fire_once(later.duties)
        later.world.pass_time(hours=1)
    assert [row.subject for row in later.told()] == [good]
    assert {type(error) for error in later.complaints} == {ValueError}
    with later.world.store.reading() as conn:
        (given_up,) = due.dead_rows(conn, HOME, ("prompt",))
    assert given_up.attempt == UNFORESEEN_TRIES
    (failing,) = later.world.do("calendar_status").failing
    assert failing.error == "Something went wrong inside Calward; the log has the place."


def test_what_two_workers_want_fires_once(later: Later) -> None:
    for _ in range(100):
        remind(later)
    later.world.pass_time(minutes=1)
    others = [replace(later.duties, name=f"w{number}") for number in range(4)]

    def drain(duties: Duties) -> None:
        while fire_once(duties):
            pass

    threads = [threading.Thread(target=drain, args=(duties,)) for duties in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(later.told()) == 100
    assert later.complaints == []


def test_a_heartbeat_holds_a_claim_until_the_work_ends(later: Later) -> None:
    add_channel(later, "apprise")
    remind(later)
    later.world.pass_time(minutes=1)
    fire_once(later.duties)
    beaten = threading.Event()

    def wait(over: threading.Event, seconds: float) -> None:
        assert seconds == BEAT.total_seconds()
        if beaten.is_set():
            over.wait(PATIENCE)
        later.world.now += BEAT
        beaten.set()

    duties = replace(later.duties, wait=wait)
    claims = claim_due(duties.tools.writing, duties.tools.now(), duties.name, 64, SENDING)
    until = claims[0].row.lease_until
    assert until is not None

    def lease() -> bool:
        with later.world.store.reading() as conn:
            (row,) = due.list_due(conn, HOME, DELIVERY).values()
        return row.lease_until is not None and row.lease_until > until

    with beating(duties, claims):
        assert beaten.wait(PATIENCE)
        renewed = threading.Event()
        for _ in range(1000):
            if lease() or renewed.wait(0.01):
                break
        assert lease()


def test_a_delivery_whose_worker_died_is_sent_again_with_the_same_key_and_the_first_changes_nothing(
    later: Later,
) -> None:
    sent: list[str] = []

    def deliver(message: Outgoing, key: str) -> None:
        sent.append(key)
        if len(sent) == 1:
            later.world.now += LEASE + timedelta(seconds=1)
            send_once(replace(later.duties, name="another"))

    later.deliver = deliver
    add_channel(later, "apprise")
    remind(later)
    later.world.pass_time(minutes=1)
    fire_once(later.duties)
    send_once(later.duties)
    assert len(sent) == 2
    assert len(set(sent)) == 1
    assert later.complaints == []
    with later.world.store.reading() as conn:
        states = {row.channel: (row.state, row.attempt) for row in log(conn, HOME, sent[0])}
    assert states == {"inbox": ("sent", 0), "apprise": ("sent", 2)}


def test_a_channel_that_never_answers_is_given_up_after_some_tries(later: Later) -> None:
    tries: list[str] = []

    def deliver(message: Outgoing, key: str) -> None:
        tries.append(key)
        raise RemoteError("No answer.")

    later.deliver = deliver
    add_channel(later, "apprise")
    remind(later)
    later.world.pass_time(minutes=1)
    fire_once(later.duties)
    for _ in range(2 * MOST_TRIES):
        send_once(later.duties)
        later.world.pass_time(hours=1)
    assert len(tries) == MOST_TRIES
    (failing,) = later.world.do("calendar_status").failing
    assert (failing.kind, failing.error) == ("delivery", "No answer.")


def test_a_reminder_that_was_cancelled_between_claim_and_work_does_not_fire(later: Later) -> None:
    ident = remind(later)
    later.world.pass_time(minutes=1)
    with later.world.store.writing() as conn:
        reminders.set_all(conn, HOME, [ident], expected=("armed",), state="cancelled")
    assert fire_once(later.duties) == 1
    assert later.told() == []

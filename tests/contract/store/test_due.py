"""Due rows: claimed once, fenced, finished, given back, armed again meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

from calward.store import due
from calward.store.due import Claim, DueRow
from calward.store.engine import Store
from tests.contract.store.family import AWAY, HOME, NOON

LEASE = timedelta(minutes=3)
MINUTE = timedelta(minutes=1)


def a_row(target: str = "family", at: datetime = NOON, **payload: Any) -> DueRow:
    return DueRow(f"due-{target}", "sync", target, due.ARMED, at, payload, 0, None, None, None, NOON)


def arm(store: Store, row: DueRow) -> None:
    with store.writing() as conn:
        due.arm(conn, HOME, row)


def claim(store: Store, worker: str = "w", now: datetime = NOON, limit: int = 10) -> list[Claim]:
    with store.writing() as conn:
        return due.claim(
            conn, now=now, claimed_by=worker, lease_until=now + LEASE, kinds=("sync",), limit=limit
        )


def the_row(store: Store, target: str = "family") -> DueRow:
    with store.reading() as conn:
        return due.list_due(conn, HOME, "sync")[target]


def test_what_is_due_is_claimed_once_the_longest_overdue_first(store: Store) -> None:
    arm(store, a_row("b", NOON - MINUTE))
    arm(store, a_row("a", NOON - 2 * MINUTE))
    arm(store, a_row("later", NOON + MINUTE))
    assert [one.row.target for one in claim(store, limit=1)] == ["a"]
    assert [one.row.target for one in claim(store)] == ["b"]
    assert claim(store) == []
    with store.reading() as conn:
        assert due.next_moment(conn, ("sync",)) == NOON + MINUTE
        assert due.next_moment(conn, ("other",)) is None


def test_of_many_workers_one_gets_each_row(store: Store) -> None:
    for number in range(20):
        arm(store, a_row(f"t{number}"))
    with ThreadPoolExecutor(8) as pool:
        claimed = list(pool.map(lambda number: claim(store, f"w{number}", limit=3), range(16)))
    targets = [one.row.target for each in claimed for one in each]
    assert sorted(targets) == sorted(f"t{number}" for number in range(20))


def test_a_claim_whose_lease_ran_out_is_anothers_and_the_first_changes_nothing_more(
    store: Store,
) -> None:
    arm(store, a_row())
    (first,) = claim(store, "first")
    assert claim(store, "second", NOON + LEASE - MINUTE) == []
    (second,) = claim(store, "second", NOON + LEASE)
    assert (second.row.attempt, second.row.claimed_by) == (2, "second")
    with store.writing() as conn:
        assert not due.renew(conn, first, NOON + 2 * LEASE)
        assert not due.finish(conn, first, next_at=NOON + MINUTE)
        assert not due.give_back(conn, first, error="late", next_at=NOON)
        assert due.renew(conn, second, NOON + 2 * LEASE)
    assert claim(store, "third", NOON + LEASE + MINUTE) == []
    with store.writing() as conn:
        assert due.finish(conn, second, next_at=NOON + 9 * MINUTE)
    row = the_row(store)
    assert (row.state, row.attempt, row.fire_at) == (due.ARMED, 0, NOON + 9 * MINUTE)


def test_what_is_armed_twice_is_due_at_the_earlier_moment_with_both_payloads(store: Store) -> None:
    arm(store, a_row(at=NOON + MINUTE))
    arm(store, a_row(at=NOON + 2 * MINUTE, full=True))
    arm(store, a_row(at=NOON))
    row = the_row(store)
    assert (row.fire_at, row.payload) == (NOON, {"full": True})


def test_what_is_armed_while_it_is_done_is_done_again(store: Store) -> None:
    arm(store, a_row())
    (claimed,) = claim(store)
    arm(store, a_row(full=True))
    assert claim(store) == []
    with store.writing() as conn:
        assert due.finish(conn, claimed, next_at=NOON + MINUTE)
    row = the_row(store)
    assert (row.state, row.fire_at, row.payload) == (due.ARMED, NOON, {"full": True})
    (again,) = claim(store)
    with store.writing() as conn:
        assert due.finish(conn, again, next_at=NOON + MINUTE)
    assert (the_row(store).fire_at, the_row(store).payload) == (NOON + MINUTE, {})


def test_what_failed_is_tried_again_and_what_is_dead_is_seen_and_lives_when_it_is_armed(store: Store) -> None:
    arm(store, a_row(full=True))
    (claimed,) = claim(store)
    with store.writing() as conn:
        assert due.give_back(conn, claimed, error="no answer", next_at=NOON + MINUTE)
    assert claim(store) == []
    (claimed,) = claim(store, now=NOON + MINUTE)
    assert (claimed.row.attempt, claimed.row.payload) == (2, {"full": True})
    with store.writing() as conn:
        assert due.give_back(conn, claimed, error="wrong password", next_at=None)
    row = the_row(store)
    assert (row.state, row.last_error) == (due.DEAD, "wrong password")
    assert claim(store, now=NOON + timedelta(days=9)) == []
    arm(store, a_row(at=NOON))
    assert (the_row(store).state, the_row(store).attempt) == (due.ARMED, 0)


def test_a_row_is_claimed_by_name_whether_it_is_due_or_not_and_ends_with_its_target(store: Store) -> None:
    arm(store, a_row(at=NOON + timedelta(days=1)))

    def by_name() -> Claim | None:
        with store.writing() as conn:
            return due.claim_target(
                conn, HOME, "sync", "family", now=NOON, claimed_by="w", lease_until=NOON + LEASE
            )

    assert by_name() is not None
    assert by_name() is None
    with store.writing() as conn:
        due.disarm(conn, HOME, "sync", "family")
    assert by_name() is None
    with store.reading() as conn:
        assert due.list_due(conn, AWAY, "sync") == {}


def test_what_is_moved_is_due_then_and_a_claim_on_it_is_taken_back(store: Store) -> None:
    arm(store, a_row())
    (claimed,) = claim(store)
    with store.writing() as conn:
        due.move(conn, HOME, a_row(at=NOON + MINUTE))
        assert not due.complete(conn, claimed)
        due.move(conn, HOME, a_row("new", at=NOON + 2 * MINUTE))
    assert claim(store) == []
    found = claim(store, now=NOON + 2 * MINUTE)
    assert [one.row.target for one in found] == ["family", "new"]
    assert found[0].key != claimed.key
    with store.writing() as conn:
        assert due.complete(conn, found[0])
        assert due.complete(conn, found[1])
        assert due.list_due(conn, HOME, "sync") == {}


def test_what_is_taken_is_gone_the_longest_overdue_first_and_a_lapsed_claim_too(store: Store) -> None:
    arm(store, a_row("lapsed"))
    (lapsed,) = claim(store)
    arm(store, a_row("second", NOON + 2 * MINUTE))
    arm(store, a_row("first", NOON + MINUTE))
    arm(store, a_row("later", NOON + timedelta(days=1)))
    late = NOON + timedelta(hours=1)
    with store.writing() as conn:
        assert due.take(conn, now=late, kinds=["other"], limit=9) == []
        (first,) = due.take(conn, now=late, kinds=["sync"], limit=1)
        assert (first.household, first.target, first.fire_at) == (HOME, "first", NOON + MINUTE)
        rest = due.take(conn, now=late, kinds=["sync"], limit=9)
        assert [one.target for one in rest] == ["lapsed", "second"]
        assert rest[0].key == lapsed.key
        assert not due.renew(conn, lapsed, late)
        assert list(due.list_due(conn, HOME, "sync")) == ["later"]


def test_a_claim_from_before_the_clock_was_set_back_is_free_again(store: Store) -> None:
    arm(store, a_row(at=NOON - timedelta(days=2)))
    claim(store, "from tomorrow", NOON + timedelta(days=1))
    assert [one.row.claimed_by for one in claim(store, "today")] == ["today"]
    assert claim(store, "another") == []


def test_what_died_is_listed_with_its_reason(store: Store) -> None:
    arm(store, a_row())
    (claimed,) = claim(store)
    with store.writing() as conn:
        due.give_back(conn, claimed, error="no such place", next_at=None)
        assert [row.last_error for row in due.dead_rows(conn, HOME, ("sync",))] == ["no such place"]
        assert due.dead_rows(conn, AWAY, ("sync",)) == []


def test_what_is_armed_beyond_what_can_be_is_brought_forward_and_what_rests_after_failures_is_not(
    store: Store,
) -> None:
    arm(store, a_row("soon", NOON + MINUTE))
    arm(store, a_row("stray", NOON + timedelta(hours=3)))
    arm(store, a_row("resting"))
    (claimed,) = claim(store)
    bounds = {"beyond": NOON + timedelta(hours=2), "failing_beyond": NOON + timedelta(days=1)}
    with store.writing() as conn:
        due.give_back(conn, claimed, error="refused", next_at=NOON + timedelta(hours=20))
        assert due.any_beyond(conn, "sync", **bounds)
        assert not due.any_beyond(conn, "other", **bounds)
        assert due.bring_forward(conn, "sync", to=NOON, **bounds) == 1
        assert not due.any_beyond(conn, "sync", **bounds)
    assert the_row(store, "stray").fire_at == NOON
    assert the_row(store, "soon").fire_at == NOON + MINUTE
    assert the_row(store, "resting").fire_at == NOON + timedelta(hours=20)

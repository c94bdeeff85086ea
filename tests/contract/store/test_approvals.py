"""Approvals: decided once, by one person, while they count."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy.engine import Connection

from calward.model.ids import ApprovalId, HouseholdId
from calward.store.approvals import (
    ApprovalRow,
    claim_approval,
    expire_approvals,
    get_approval,
    insert_approval,
    list_approvals,
    settle_approval,
    void_approvals,
)
from calward.store.engine import Store
from tests.contract.store.family import ANN, AWAY, EPOCH, HELPER, HOME, NOON, OTHER, an_approval

A = ApprovalId("a")
LATER = NOON + timedelta(hours=1)
TOO_LATE = NOON + timedelta(days=30)


def claim(
    connection: Connection, *, at: datetime = LATER, epoch: str = EPOCH, home: HouseholdId = HOME
) -> ApprovalRow | None:
    return claim_approval(connection, home, A, state="approved", decided_by=ANN, at=at, epoch=epoch)


def test_a_request_is_claimed_once(store: Store) -> None:
    asked = an_approval("a")
    with store.writing() as connection:
        assert insert_approval(connection, HOME, asked) == "a"
        assert get_approval(connection, HOME, A) == asked
        assert list_approvals(connection, HOME, member=ANN) == [asked]
        claimed = claim(connection)
        assert claimed == replace(asked, state="approved", decided_at=LATER, decided_by=ANN)
        assert claim(connection) is None
        assert list_approvals(connection, HOME) == []
        settle_approval(connection, HOME, A, state="applied", result={"batch": "b"})
        settled = get_approval(connection, HOME, A)
        assert settled is not None
        assert (settled.state, settled.result) == ("applied", {"batch": "b"})


def test_a_request_past_its_time_or_of_another_epoch_or_household_is_not_claimed(store: Store) -> None:
    with store.writing() as connection:
        insert_approval(connection, HOME, an_approval("a"))
        assert claim(connection, at=TOO_LATE) is None
        assert claim(connection, epoch="e2") is None
        assert claim(connection, home=AWAY) is None
        assert claim(connection) is not None


def test_asking_the_same_twice_answers_the_first_while_it_can_be_decided(store: Store) -> None:
    with store.writing() as connection:
        first = an_approval("a", sameness="d")
        assert insert_approval(connection, HOME, first) == "a"
        assert insert_approval(connection, HOME, an_approval("b", sameness="d")) == "a"
        assert insert_approval(connection, HOME, an_approval("c", sameness="d", asked_by_id=OTHER)) == "c"
        assert insert_approval(connection, AWAY, an_approval("d", sameness="d")) == "d"

        after = an_approval("e", sameness="d", made_at=TOO_LATE, expires_at=TOO_LATE + timedelta(days=1))
        assert insert_approval(connection, HOME, after) == "e"
        restored = replace(after, id=ApprovalId("f"), epoch="e2")
        assert insert_approval(connection, HOME, restored) == "f"
        kept = list_approvals(connection, HOME, states=("pending", "expired"))
        states = {row.id: row.state for row in kept if row.id != "c"}
        assert states == {"a": "expired", "e": "expired", "f": "pending"}


def test_expiry_names_what_it_ended(store: Store) -> None:
    with store.writing() as connection:
        insert_approval(connection, HOME, an_approval("a"))
        assert expire_approvals(connection, HOME, LATER, EPOCH) == []
        assert expire_approvals(connection, AWAY, TOO_LATE, EPOCH) == []
        assert expire_approvals(connection, HOME, TOO_LATE, EPOCH) == ["a"]
        assert expire_approvals(connection, HOME, TOO_LATE, EPOCH) == []


def test_all_that_one_asker_waits_for_can_be_voided(store: Store) -> None:
    with store.writing() as connection:
        for approval in (an_approval("a"), an_approval("b"), an_approval("c", asked_by_id=OTHER)):
            insert_approval(connection, HOME, approval)
        assert void_approvals(connection, HOME, HELPER, state="void", at=LATER) == ["a", "b"]
        assert [row.id for row in list_approvals(connection, HOME)] == ["c"]
        assert [row.id for row in list_approvals(connection, HOME, states=("void", "pending"))] == [*"abc"]

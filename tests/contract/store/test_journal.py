"""The journal: a chain that shows tampering, bytes by content, and what can be undone."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calward.model.ids import ChangeId, EventId
from calward.store.digests import digest_of
from calward.store.engine import Store
from calward.store.journal import (
    Break,
    append,
    batch_of,
    history,
    keep_bytes,
    kept_bytes,
    last_batch,
    prune_bytes,
    undone_among,
    verify,
)
from calward.store.tables import changes
from tests.contract.store.family import AWAY, HELPER, HOME, NOON, OTHER, a_change


def test_what_is_written_comes_back_in_order(store: Store) -> None:
    rows = [a_change("a"), a_change("b", batch="a", facts={"text": "é \ud83d", "n": [1, None, 2.5]})]
    with store.writing() as connection:
        append(connection, HOME, rows)
        append(connection, HOME, [])
    with store.reading() as connection:
        assert batch_of(connection, HOME, ChangeId("a")) == rows
        assert history(connection, HOME, limit=1) == rows[1:]
        assert history(connection, HOME, event=EventId("dinner"), limit=9) == rows[::-1]
        assert history(connection, HOME, event=EventId("lunch"), limit=9) == []
        assert verify(connection, HOME) is None


def test_each_household_has_a_chain_of_its_own(store: Store) -> None:
    with store.writing() as connection:
        for name in "abc":
            append(connection, HOME, [a_change(name)])
            append(connection, AWAY, [a_change(name)])
        assert verify(connection, HOME) is None
        assert verify(connection, AWAY) is None
        connection.execute(changes.delete().where(changes.c.household == AWAY, changes.c.id == "b"))
        assert verify(connection, HOME) is None
        assert verify(connection, AWAY) == Break(ChangeId("c"))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("principal_name", "Somebody else"),
        ("facts", {"lines": 3}),
        ("at", NOON + timedelta(microseconds=1)),
        ("after_digest", "0"),
        ("undoes", "a"),
        ("event_id", None),
    ],
)
def test_an_altered_row_breaks_the_chain(store: Store, column: str, value: object) -> None:
    with store.writing() as connection:
        append(connection, HOME, [a_change(name) for name in "abc"])
        connection.execute(changes.update().where(changes.c.id == "b"), {column: value})
        assert verify(connection, HOME) == Break(ChangeId("b"))


def test_rows_put_in_another_order_break_the_chain(store: Store) -> None:
    with store.writing() as connection:
        append(connection, HOME, [a_change(name) for name in "abc"])
        for before, after in ((2, 9), (1, 2), (9, 1)):
            connection.execute(changes.update().where(changes.c.rowid == before), {"rowid": after})
        assert verify(connection, HOME) is not None


@given(
    facts=st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=5,
        ),
        max_size=4,
    )
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_facts_survive_the_way_through_the_database(store: Store, facts: dict[str, object]) -> None:
    with store.writing() as connection, connection.begin_nested() as savepoint:
        append(connection, HOME, [a_change("a", facts=facts)])
        assert verify(connection, HOME) is None
        savepoint.rollback()


def test_undo_takes_the_newest_batch_that_still_stands(store: Store) -> None:
    with store.writing() as connection:

        def newest() -> ChangeId | None:
            return last_batch(connection, HOME, "assistant", HELPER)

        assert newest() is None
        append(connection, HOME, [a_change("a"), a_change("a2", batch="a")])
        append(connection, HOME, [a_change("b")])
        append(connection, HOME, [a_change("c", principal_id=OTHER)])
        append(connection, AWAY, [a_change("d")])
        assert newest() == "b"
        append(connection, HOME, [a_change("e", undoes=ChangeId("b"))])
        assert newest() == "a"
        assert undone_among(connection, HOME, [ChangeId("a"), ChangeId("b")]) == {ChangeId("b")}
        append(connection, HOME, [a_change("f", undoes=ChangeId("a"))])
        assert newest() is None


def test_bytes_are_kept_once_and_pruned_after_their_last_use(store: Store) -> None:
    old, fresh = b"old", b"fresh"
    with store.writing() as connection:
        keep_bytes(connection, HOME, [], NOON)
        keep_bytes(connection, HOME, [old, fresh], NOON)
        keep_bytes(connection, HOME, [fresh], NOON + timedelta(days=2))
        assert kept_bytes(connection, AWAY, digest_of(old)) is None
        assert prune_bytes(connection, HOME, NOON + timedelta(days=1)) == 1
        assert kept_bytes(connection, HOME, digest_of(old)) is None
        assert kept_bytes(connection, HOME, digest_of(fresh)) == fresh


def test_a_change_is_written_once(store: Store) -> None:
    with store.writing() as connection:
        append(connection, HOME, [a_change("a")])
    with pytest.raises(sa.exc.IntegrityError), store.writing() as connection:
        append(connection, HOME, [a_change("a")])

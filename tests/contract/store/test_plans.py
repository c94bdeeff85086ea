"""How SQLite goes about the queries that must stay fast: by their indexes, with no statistics to guide it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from calward.model.grant import Level
from calward.model.ids import EventId
from calward.store.components import components_matching, components_of, count_matching, people_on
from calward.store.engine import Store
from calward.store.events import occurrences_between
from calward.store.journal import last_batch
from calward.store.search import Wanted
from calward.store.series import live_series
from tests.contract.store.family import ANN, FAMILY, HELPER, HOME, a_cut

CUT = a_cut((FAMILY, Level.DETAILS, Level.BUSY))
DINNER = Wanted(("dinner",), ANN)
WEEK = (7 * 86_400, 14 * 86_400)

Query = Callable[[Connection], Any]


@pytest.mark.parametrize(
    ("query", "uses"),
    [
        (
            lambda connection: occurrences_between(connection, HOME, CUT, *WEEK, limit=500),
            ["ix_occurrences_short (household=? AND utc_start>? AND utc_start<?)", "ix_occurrences_long"],
        ),
        (
            lambda connection: occurrences_between(connection, HOME, CUT, *WEEK, wanted=DINNER, limit=9),
            ["ix_occurrences_short (household=? AND utc_start>? AND utc_start<?)", "ix_occurrences_long"],
        ),
        (
            lambda connection: live_series(connection, HOME, CUT, *WEEK, limit=9),
            ["ix_components_series (household=? AND first_start<?)"],
        ),
        (
            lambda connection: components_of(connection, HOME, CUT, [EventId("dinner")]),
            ["components USING INDEX sqlite_autoindex_components_1 (household=? AND event_id=?)"],
        ),
        (
            lambda connection: components_matching(connection, HOME, CUT, DINNER, limit=9),
            ["search_fts VIRTUAL TABLE", "components USING INTEGER PRIMARY KEY"],
        ),
        (
            lambda connection: count_matching(connection, HOME, CUT, DINNER),
            ["search_fts VIRTUAL TABLE", "components USING INTEGER PRIMARY KEY"],
        ),
        (
            lambda connection: people_on(connection, HOME, [1, 2]),
            ["ix_component_people_component (component=?)"],
        ),
        (
            lambda connection: last_batch(connection, HOME, "assistant", HELPER),
            ["ix_changes_principal (household=? AND principal_kind=? AND principal_id=?)", "ix_changes_undoes"],
        ),
    ],
    ids=["week", "week search", "series", "by id", "search", "count", "people", "undo"],
)
def test_a_hot_query_walks_its_indexes(store: Store, query: Query, uses: list[str]) -> None:
    steps = plan(store, query)
    for index in uses:
        assert any(index in step for step in steps), steps
    tables = ("occurrences", "components", "component_people", "objects", "origins", "changes", "search_text")
    walked = [step for step in steps if step.split()[:2] in [["SCAN", table] for table in tables]]
    assert walked == []


def plan(store: Store, query: Query) -> list[str]:
    """The steps of the one statement that a query runs."""
    asked: list[tuple[str, Any]] = []

    def listen(_: object, __: object, statement: str, values: Any, *___: object) -> None:
        asked.append((statement, values))

    with store.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
        sa.event.listen(connection, "before_cursor_execute", listen)
        query(connection)
        sa.event.remove(connection, "before_cursor_execute", listen)
        (statement, values) = asked[0]
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return [row.detail for row in rows]

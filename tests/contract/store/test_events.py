"""The window query: what overlaps, in order, however long it lasts."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calward.model.grant import Level
from calward.model.ids import EventId
from calward.store.engine import Store
from calward.store.events import occurrences_between
from calward.store.indexed import SHORT, clear_index
from calward.store.objects import bury, get_object
from calward.store.series import live_series
from tests.contract.store.family import FAMILY, HOME, NOON, WORK, Happening, a_cut, put

EVERYTHING = a_cut((FAMILY, Level.DETAILS, Level.DETAILS), (WORK, Level.DETAILS, Level.DETAILS))
DAY = 86_400


@given(
    spans=st.lists(
        st.tuples(
            st.integers(-100, 100).map(lambda days: days * DAY // 2),
            st.sampled_from([0, 1, DAY, SHORT - 1, SHORT, SHORT + 1, 3 * SHORT]),
        ),
        max_size=12,
    ),
    start=st.integers(-60, 60).map(lambda days: days * DAY // 2),
    length=st.sampled_from([1, DAY, 7 * DAY, 90 * DAY]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_window_holds_exactly_what_overlaps_it(
    store: Store, spans: list[tuple[int, int]], start: int, length: int
) -> None:
    end = start + length
    happenings = [
        Happening(f"e{number}", start=begin, lasting=lasting) for number, (begin, lasting) in enumerate(spans)
    ]
    expected = sorted(
        (begin, f"e{number}")
        for number, (begin, lasting) in enumerate(spans)
        if begin < end and (begin + lasting > start or begin >= start)
    )
    with store.writing() as connection, connection.begin_nested() as savepoint:
        put(connection, HOME, *happenings)
        rows = occurrences_between(connection, HOME, EVERYTHING, start, end, limit=100)
        savepoint.rollback()
    assert [(row.utc_start, row.event_id) for row in rows] == expected


def test_rows_come_by_start_then_event_then_key_across_both_lengths(store: Store) -> None:
    with store.writing() as connection:
        put(
            connection,
            HOME,
            Happening("c", start=5, lasting=2 * SHORT),
            Happening("b", WORK, start=5),
            Happening("d", start=4),
            Happening("a", start=5, key="2"),
        )
        rows = occurrences_between(connection, HOME, EVERYTHING, 0, 100, limit=100)
        assert [row.event_id for row in rows] == ["d", "a", "b", "c"]
        first = occurrences_between(connection, HOME, EVERYTHING, 0, 100, limit=3)
        assert first == rows[:3]


def test_a_tombstone_and_what_was_cleared_are_gone(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a", recurs=True), Happening("b"), Happening("c"))
        buried = get_object(connection, HOME, EventId("a"))
        assert buried is not None
        bury(connection, HOME, buried.id, expected=buried.local_digest, push_state="gone", at=NOON)
        clear_index(connection, HOME, [EventId("b")])
        rows = occurrences_between(connection, HOME, EVERYTHING, 0, 10_000, limit=100)
        assert [row.event_id for row in rows] == ["c"]
        assert live_series(connection, HOME, EVERYTHING, 0, 10_000, limit=100) == []


def test_a_series_is_alive_from_its_first_start_to_its_last_end(store: Store) -> None:
    with store.writing() as connection:
        put(
            connection,
            HOME,
            Happening("over", recurs=True, first_start=0, last_end=100, lasting=None),
            Happening("endless", recurs=True, first_start=0, lasting=None),
            Happening("later", recurs=True, first_start=200, lasting=None),
            Happening("once", first_start=0, last_end=1000),
        )

        def alive(start: int, end: int) -> list[str]:
            return [row.event_id for row in live_series(connection, HOME, EVERYTHING, start, end, limit=9)]

        assert alive(0, 1) == ["endless", "over"]
        assert alive(99, 100) == ["endless", "over"]
        assert alive(100, 200) == ["endless"]
        assert alive(100, 201) == ["endless", "later"]
        series = live_series(connection, HOME, EVERYTHING, 100, 200, limit=9)[0]
        assert series.local == b"BEGIN:VCALENDAR\r\n"

"""The cut: what a principal may not see is not there, whichever way it asks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy.engine import Connection

from calward.model.grant import Level
from calward.model.ids import CalendarId, EventId, HouseholdId
from calward.store.components import components_matching, components_of, count_matching, people_on
from calward.store.cut import Cut
from calward.store.engine import Store
from calward.store.events import OccurrenceRow, occurrences_between
from calward.store.permits import PermitRow, permits_of, prune_permits, set_permit
from calward.store.search import Wanted
from calward.store.series import live_series
from tests.contract.store.family import (
    ANN,
    AWAY,
    EPOCH,
    FAMILY,
    HELPER,
    HOME,
    NOON,
    OTHER,
    SHARED,
    WORK,
    Happening,
    a_cut,
    put,
)

NONE, BUSY, TITLES, DETAILS = Level


def levels(connection: Connection, cut: Cut) -> dict[str, int]:
    return {row.event_id: row.level for row in window(connection, cut)}


def window(connection: Connection, cut: Cut) -> list[OccurrenceRow]:
    return occurrences_between(connection, HOME, cut, 0, 10_000, limit=100)


@pytest.mark.parametrize(
    ("own", "others", "reach", "expected"),
    [
        (DETAILS, BUSY, DETAILS, {"theirs": BUSY, "mine": DETAILS}),
        (DETAILS, NONE, DETAILS, {"mine": DETAILS}),
        (TITLES, NONE, DETAILS, {"mine": TITLES}),
        (DETAILS, NONE, TITLES, {"mine": TITLES}),
        (DETAILS, BUSY, NONE, {"theirs": BUSY, "mine": BUSY}),
        (NONE, BUSY, DETAILS, {"theirs": BUSY, "mine": BUSY}),
        (NONE, NONE, DETAILS, {}),
    ],
)
def test_own_events_take_their_own_level_as_far_as_they_are_still_ones_own(
    store: Store, own: Level, others: Level, reach: Level, expected: dict[str, Level]
) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("theirs"), Happening("mine", maker=HELPER, reach=reach))
        assert levels(connection, a_cut((FAMILY, own, others))) == expected


def test_what_another_assistant_made_is_not_ones_own(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("mine", maker=HELPER), Happening("its", maker=OTHER))
        cut = a_cut((FAMILY, DETAILS, BUSY))
        assert {row.event_id: (row.level, row.own) for row in window(connection, cut)} == {
            "mine": (DETAILS, True),
            "its": (BUSY, False),
        }
        person = a_cut((FAMILY, NONE, TITLES), assistant=None)
        assert {(row.level, row.own) for row in window(connection, person)} == {(TITLES, False)}


def test_a_calendar_that_is_not_in_the_cut_shows_nothing_even_with_a_permit(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a", FAMILY), Happening("b", WORK), Happening("c", SHARED))
        permit(connection, "b")
        assert levels(connection, a_cut((FAMILY, BUSY, BUSY))) == {"a": BUSY}
        assert levels(connection, a_cut()) == {}
        assert levels(connection, a_cut((CalendarId("' OR 1 --"), DETAILS, DETAILS))) == {}


def test_a_permit_raises_one_event_while_it_lasts_and_lowers_none(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a"), Happening("b"))
        permit(connection, "a")
        cut = a_cut((FAMILY, NONE, BUSY))
        assert levels(connection, cut) == {"a": DETAILS, "b": BUSY}

        late = a_cut((FAMILY, NONE, BUSY), at=NOON + timedelta(hours=1))
        restored = a_cut((FAMILY, NONE, BUSY), epoch="e2")
        another = a_cut((FAMILY, NONE, BUSY), assistant=OTHER)
        person = a_cut((FAMILY, NONE, BUSY), assistant=None)
        for without in (late, restored, another, person):
            assert levels(connection, without) == {"a": BUSY, "b": BUSY}

        permit(connection, "a", TITLES)
        assert levels(connection, a_cut((FAMILY, NONE, DETAILS))) == {"a": DETAILS, "b": DETAILS}
        assert levels(connection, a_cut((FAMILY, NONE, NONE))) == {"a": TITLES}
        assert [row.level for row in permits_of(connection, HOME, HELPER, at=NOON, epoch=EPOCH)] == [TITLES]
        assert prune_permits(connection, HOME, NOON + timedelta(hours=1)) == 1
        assert levels(connection, a_cut((FAMILY, NONE, NONE))) == {}


@pytest.mark.parametrize("level", [BUSY, TITLES, DETAILS])
def test_texts_below_the_level_never_leave_the_store(store: Store, level: Level) -> None:
    happening = Happening("a", title="Surgery", notes="Ward 3", location="Clinic", member=ANN, recurs=True)
    with store.writing() as connection:
        put(connection, HOME, happening)
        cut = a_cut((FAMILY, NONE, level))
        occurrence = window(connection, cut)[0]
        component = components_of(connection, HOME, cut, [EventId("a")])[0]
    titles, details = level >= TITLES, level >= DETAILS
    for row in (occurrence, component):
        assert row.summary == ("Surgery" if titles else "")
        assert row.rrule == ("FREQ=WEEKLY" if titles else "")
        assert row.description == ("Ward 3" if details else "")
        assert row.location == ("Clinic" if details else "")
        assert row.url == ("https://example.com/menu" if details else "")
        assert row.flags == "[]"
    assert component.uid == ("a@example.com" if titles else "")


def test_every_way_to_read_asks_the_cut(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("hidden", WORK, recurs=True), Happening("shown", recurs=True))
        cut = a_cut((FAMILY, NONE, TITLES), (WORK, NONE, NONE))
        dinner = Wanted(("dinner",))
        assert levels(connection, cut) == {"shown": TITLES}
        assert [row.event_id for row in live_series(connection, HOME, cut, 0, 9, limit=9)] == ["shown"]
        found = components_of(connection, HOME, cut, [EventId("hidden"), EventId("shown")])
        assert [row.event_id for row in found] == ["shown"]
        matched = components_matching(connection, HOME, cut, dinner, limit=9)
        assert [row.event_id for row in matched] == ["shown"]
        assert count_matching(connection, HOME, cut, dinner) == 1


def test_households_do_not_mix(store: Store) -> None:
    with store.writing() as connection:
        put(connection, AWAY, Happening("a", recurs=True, maker=HELPER), Happening("b", maker=HELPER))
        put(connection, HOME, Happening("b"))
        permit(connection, "b", home=AWAY)
        cut = a_cut((FAMILY, DETAILS, BUSY))
        assert levels(connection, cut) == {"b": BUSY}
        assert components_of(connection, HOME, cut, [EventId("a")]) == []
        assert live_series(connection, HOME, cut, 0, 9, limit=9) == []
        assert count_matching(connection, HOME, a_cut((FAMILY, DETAILS, DETAILS)), Wanted(("dinner",))) == 1


def test_people_come_with_the_component_they_are_on(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("a", member=ANN), Happening("b"))
        row = window(connection, a_cut((FAMILY, NONE, DETAILS)))[0]
        people = people_on(connection, HOME, [row.component, 999])
        assert {rowid: [person.member_id for person in on] for rowid, on in people.items()} == {
            row.component: [ANN]
        }
        assert people_on(connection, AWAY, [row.component]) == {}


def permit(connection: Connection, event: str, level: Level = DETAILS, *, home: HouseholdId = HOME) -> None:
    row = PermitRow(HELPER, EventId(event), level, NOON + timedelta(hours=1), EPOCH)
    set_permit(connection, home, row)

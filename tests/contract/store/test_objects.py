"""Calendar objects: bytes kept, and changed only by who knows what was there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from calward.model.ids import EventId, EventUid, Href
from calward.store.digests import digest_of
from calward.store.engine import Store
from calward.store.objects import (
    bury,
    get_object,
    get_objects,
    insert_objects,
    object_at,
    objects_by_uid,
    objects_in,
    objects_with_uid,
    remove_object,
    replace_local,
    unbury,
)
from calward.store.sides import settle_at
from calward.store.tables import component_people, components, objects, occurrences, origins, search_text
from tests.contract.store.family import ANN, AWAY, FAMILY, HELPER, HOME, NOON, WORK, Happening, an_object, put

DINNER = EventId("dinner")
LATER = NOON + timedelta(hours=1)


def test_bytes_come_back_as_they_went_in(store: Store) -> None:
    dinner = an_object("dinner", data=bytes(range(256)))
    with store.writing() as connection:
        insert_objects(connection, HOME, [dinner])
    with store.reading() as connection:
        assert get_object(connection, HOME, DINNER) == dinner
        assert object_at(connection, HOME, FAMILY, Href("dinner.ics")) == dinner
        assert objects_with_uid(connection, HOME, [FAMILY, WORK], dinner.uid) == [dinner]


def test_nothing_of_one_household_shows_in_another(store: Store) -> None:
    with store.writing() as connection:
        insert_objects(connection, AWAY, [an_object("dinner")])
        assert get_object(connection, HOME, DINNER) is None
        assert object_at(connection, HOME, FAMILY, Href("dinner.ics")) is None
        remove_object(connection, HOME, DINNER)
        assert get_object(connection, AWAY, DINNER) is not None


def test_of_two_writers_with_one_idea_of_before_the_second_is_told(store: Store) -> None:
    dinner = an_object("dinner")
    with store.writing() as connection:
        insert_objects(connection, HOME, [dinner])
        outcomes = [
            replace_local(
                connection,
                HOME,
                DINNER,
                expected=dinner.local_digest,
                local=data,
                local_digest=digest_of(data),
                meaning="m2",
                push_state="edited",
                at=LATER,
            )
            for data in (b"first", b"second")
        ]
        kept = get_object(connection, HOME, DINNER)
    assert outcomes == [True, False]
    assert kept == replace(
        dinner,
        local=b"first",
        local_digest=digest_of(b"first"),
        meaning="m2",
        push_state="edited",
        updated_at=LATER,
    )


def test_a_tombstone_keeps_its_bytes_and_cannot_be_edited_until_it_is_back(store: Store) -> None:
    dinner = an_object("dinner")
    with store.writing() as connection:
        insert_objects(connection, HOME, [dinner])
        expected = dinner.local_digest
        assert not bury(connection, HOME, DINNER, expected="another", push_state="gone", at=LATER)
        assert bury(connection, HOME, DINNER, expected=expected, push_state="gone", at=LATER)
        assert not bury(connection, HOME, DINNER, expected=expected, push_state="gone", at=LATER)
        assert not replace_local(
            connection,
            HOME,
            DINNER,
            expected=expected,
            local=b"x",
            local_digest="x",
            meaning="x",
            push_state="edited",
            at=LATER,
        )
        buried = get_object(connection, HOME, DINNER)
        assert buried is not None
        assert (buried.local, buried.deleted_at) == (dinner.local, LATER)
        assert objects_with_uid(connection, HOME, [FAMILY], dinner.uid) == []

        assert unbury(connection, HOME, DINNER, href=Href("again.ics"), push_state="new", at=LATER)
        assert not unbury(connection, HOME, DINNER, href=Href("again.ics"), push_state="new", at=LATER)
        back = get_object(connection, HOME, DINNER)
    assert back == replace(dinner, href=Href("again.ics"), updated_at=LATER)


def test_one_uid_may_stand_twice_but_one_href_may_not(store: Store) -> None:
    uid = EventUid("same@example.com")
    with store.writing() as connection:
        insert_objects(connection, HOME, [replace(an_object(name), uid=uid) for name in "ab"])
        assert len(objects_with_uid(connection, HOME, [FAMILY], uid)) == 2
    with pytest.raises(sa.exc.IntegrityError), store.writing() as connection:
        insert_objects(connection, HOME, [replace(an_object("c"), href=Href("a.ics"))])


def test_ids_that_name_nothing_are_passed_over(store: Store) -> None:
    with store.writing() as connection:
        insert_objects(connection, HOME, [an_object("a"), an_object("b")])
        found = get_objects(connection, HOME, [EventId("b"), EventId("no"), EventId("a")], lock=True)
        assert [row.id for row in found] == ["a", "b"]
        insert_objects(connection, HOME, [])
        assert get_objects(connection, HOME, []) == []


def test_a_calendar_holds_what_was_moved_into_it(store: Store) -> None:
    a, b = an_object("a"), an_object("b", WORK)
    with store.writing() as connection:
        insert_objects(connection, HOME, [a, b])
        settle_at(connection, HOME, b.id, calendar=FAMILY, href=b.href, push_state="clean", at=LATER)
        assert [row.id for row in objects_in(connection, HOME, FAMILY)] == ["a", "b"]
        assert objects_in(connection, HOME, WORK) == []
        bury(connection, HOME, a.id, expected=a.local_digest, push_state="gone", at=LATER)
        assert [row.id for row in objects_in(connection, HOME, FAMILY)] == ["b"]


def test_of_objects_that_share_a_uid_the_oldest_is_named(store: Store) -> None:
    uid = EventUid("same@example.com")
    rows = [replace(an_object(name), uid=uid) for name in "ab"]
    with store.writing() as connection:
        insert_objects(connection, HOME, [*rows, an_object("c")])
        asked = [uid, EventUid("c@example.com"), EventUid("no@example.com")]
        found = objects_by_uid(connection, HOME, FAMILY, asked)
        assert {uid: row.id for uid, row in found.items()} == {uid: "a", "c@example.com": "c"}
        assert objects_by_uid(connection, HOME, WORK, asked) == {}


def test_an_object_is_forgotten_with_all_that_was_read_from_it(store: Store) -> None:
    with store.writing() as connection:
        put(connection, HOME, Happening("dinner", maker=HELPER, member=ANN))
        remove_object(connection, HOME, DINNER)
        for table in (objects, components, occurrences, component_people, search_text, origins):
            assert connection.execute(sa.select(table)).first() is None, table.name

"""Requests, runs, uploads, settings and origins."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from calward.model.ids import AssistantId, EventId, RunId, UploadId
from calward.store.engine import Store
from calward.store.objects import insert_objects, remove_object
from calward.store.origins import OriginRow, origins_of, set_origin
from calward.store.requests import RequestRow, get_request, prune_requests, record_request
from calward.store.runs import RunRow, get_run, insert_run, move_run
from calward.store.settings import get_setting, set_setting
from calward.store.uploads import (
    UploadRow,
    advance_upload,
    get_upload,
    insert_upload,
    list_uploads,
    upload_of,
)
from tests.contract.store.family import AWAY, FAMILY, HELPER, HOME, NOON, WORK, an_object

DAY = timedelta(days=1)


def test_a_request_id_answers_the_first_outcome_until_it_is_old(store: Store) -> None:
    first = RequestRow("assistant:helper", "r1", "digest", NOON, {"answer": 1})
    with store.writing() as connection:
        assert record_request(connection, HOME, first, since=NOON - DAY)
        again = replace(first, outcome={"answer": 2}, at=NOON + DAY)
        assert not record_request(connection, HOME, again, since=NOON)
        assert get_request(connection, HOME, first.principal, "r1", since=NOON) == first
        assert get_request(connection, HOME, "assistant:other", "r1", since=NOON) is None
        assert get_request(connection, AWAY, first.principal, "r1", since=NOON) is None

        assert get_request(connection, HOME, first.principal, "r1", since=NOON + DAY) is None
        assert record_request(connection, HOME, again, since=NOON + DAY)
        assert get_request(connection, HOME, first.principal, "r1", since=NOON) == again
        assert prune_requests(connection, HOME, NOON + 2 * DAY) == 1


def test_a_run_moves_only_from_where_it_is(store: Store) -> None:
    run = RunRow(RunId("r"), "sync", "family", "asked", {}, None, NOON)
    with store.writing() as connection:
        insert_run(connection, HOME, run)
        moved = move_run(
            connection, HOME, run.id, expected="asked", state="running", progress={"n": 1}, started_at=NOON
        )
        assert moved
        assert not move_run(connection, HOME, run.id, expected="asked", state="running", progress={})
        assert move_run(
            connection,
            HOME,
            run.id,
            expected="running",
            state="failed",
            progress={},
            error="gone",
            ended_at=NOON,
        )
        ended = replace(run, state="failed", error="gone", started_at=NOON, ended_at=NOON)
        assert get_run(connection, HOME, run.id) == ended
        assert get_run(connection, AWAY, run.id) is None


def test_an_upload_advances_from_where_it_was_left(store: Store) -> None:
    upload = UploadRow(UploadId("u"), FAMILY, "a.ics", "d", b"bytes", [], 0, "open", NOON)
    with store.writing() as connection:
        insert_upload(connection, HOME, upload)
        assert advance_upload(
            connection, HOME, upload.id, expected=0, done=500, state="open", problems=["line 3"]
        )
        assert not advance_upload(connection, HOME, upload.id, expected=0, done=500, state="open", problems=[])
        advanced = replace(upload, done=500, problems=["line 3"])
        assert get_upload(connection, HOME, upload.id) == advanced
        assert upload_of(connection, HOME, FAMILY, "d") == advanced
        assert upload_of(connection, HOME, WORK, "d") is None
        assert list_uploads(connection, HOME, FAMILY) == [advanced]
        assert get_upload(connection, AWAY, upload.id) is None


def test_a_setting_is_what_was_set_last(store: Store) -> None:
    with store.writing() as connection:
        assert get_setting(connection, HOME, "week") is None
        set_setting(connection, HOME, "week", {"starts": "sunday"})
        set_setting(connection, HOME, "week", ["monday"])
        assert get_setting(connection, HOME, "week") == ["monday"]
        assert get_setting(connection, AWAY, "week") is None


def test_who_made_an_event_never_changes_and_goes_with_it(store: Store) -> None:
    dinner = EventId("dinner")
    origin = OriginRow(dinner, HELPER, {"title": "x"}, 3, NOON)
    with store.writing() as connection:
        insert_objects(connection, HOME, [an_object("dinner"), an_object("lunch")])
        set_origin(connection, HOME, origin)
        set_origin(connection, HOME, replace(origin, assistant_id=AssistantId("other"), reach=1))
        asked = [dinner, EventId("lunch")]
        assert origins_of(connection, HOME, asked) == {dinner: replace(origin, reach=1)}
        remove_object(connection, HOME, dinner)
        assert origins_of(connection, HOME, asked) == {}

"""Once a day: what is past its time is let go of, and what is laid down moves on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from calward.bootstrap.household import HOME
from calward.errors import NotFound
from calward.operations.due import ALL, TIDY, TIDY_EACH, arm_tidying
from calward.operations.materialise import TZDATA, WINDOW_AHEAD, WINDOW_STEP, window_kept
from calward.store.due import DueRow, list_due
from calward.store.tables import change_bytes, objects, occurrences, read_permits, requests
from calward.workers.lanes import tidy_once
from tests.operations.later import Later
from tests.operations.world import World

HOUR = 3600


@pytest.fixture
def later(world: World) -> Later:
    return Later(world)


def tidy(later: Later) -> None:
    """As a process that starts does."""
    arm_tidying(later.world.store.reading, later.world.store.writing, HOME, later.world.now)
    while tidy_once(later.duties):
        pass
    assert later.complaints == []


def planned(later: Later) -> DueRow:
    with later.world.store.reading() as conn:
        return list_due(conn, HOME, TIDY)[ALL]


def count(later: Later, table: sa.Table) -> int:
    with later.world.store.reading() as conn:
        return conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def dinner(later: Later, **more: Any) -> str:
    ident: str = later.world.do("calendar_create", title="Dinner", start="2026-03-04T19:00", **more).event.id
    return ident


def starts(later: Later, first: str, last: str) -> list[str]:
    answer = later.world.do("calendar_list", **{"from": first, "to": last})
    return [event.start for event in answer.events]


def test_a_deleted_event_comes_back_for_thirty_days_and_then_is_gone_for_good(later: Later) -> None:
    ident = dinner(later)
    later.world.do("calendar_delete", id=ident)
    later.world.pass_time(days=29)
    tidy(later)
    later.world.do("calendar_restore", id=ident)
    later.world.do("calendar_delete", id=ident)
    later.world.pass_time(days=31)
    tidy(later)
    with pytest.raises(NotFound):
        later.world.do("calendar_restore", id=ident)
    assert count(later, objects) == 0


def test_what_an_event_was_before_is_kept_thirty_days_after_its_last_use(later: Later) -> None:
    ident = dinner(later)
    later.world.do("calendar_update", id=ident, title="Supper")
    later.world.pass_time(days=31)
    tidy(later)
    assert count(later, change_bytes) == 0
    with pytest.raises(NotFound, match="no longer kept"):
        later.world.do("calendar_undo")
    assert later.world.do("journal_verify").whole


def test_what_is_as_old_but_was_used_since_stays(later: Later) -> None:
    ident = dinner(later)
    later.world.do("calendar_update", id=ident, title="Supper")
    later.world.pass_time(days=20)
    later.world.do("calendar_update", id=ident, title="Brunch")
    later.world.pass_time(days=20)
    tidy(later)
    later.world.do("calendar_undo")
    assert later.world.week() == ["Supper"]
    with pytest.raises(NotFound, match="no longer kept"):
        later.world.do("calendar_undo")


def test_answers_and_permits_go_with_their_time(later: Later) -> None:
    dinner(later, request_id="once")
    assert count(later, requests) > 0
    later.world.pass_time(days=2)
    tidy(later)
    assert (count(later, requests), count(later, read_permits)) == (0, 0)


def test_the_window_moves_on_and_shows_what_it_showed(later: Later) -> None:
    dinner(later, recurrence="FREQ=WEEKLY")
    later.world.do("calendar_create", title="Tea", start="2027-01-05T16:00", recurrence="FREQ=DAILY;COUNT=900")
    ahead, back = ("2028-02-20", "2028-04-20"), ("2026-03-01", "2026-06-30")
    shown = starts(later, *ahead), starts(later, *back)
    later.world.pass_time(days=500)
    assert (starts(later, *ahead), starts(later, *back)) == shown
    tidy(later)
    assert (starts(later, *ahead), starts(later, *back)) == shown
    with later.world.store.reading() as conn:
        window = window_kept(conn, HOME)
        last = conn.scalar(sa.select(sa.func.max(occurrences.c.utc_start)))
    assert window is not None
    assert window.end == later.world.now + WINDOW_AHEAD
    assert last > (window.end - timedelta(days=8)).timestamp()


def test_it_stays_for_a_while_so_that_not_each_day_lays_all_anew(later: Later) -> None:
    dinner(later, recurrence="FREQ=WEEKLY")
    with later.world.store.reading() as conn:
        before = window_kept(conn, HOME)
    later.world.now += WINDOW_STEP - timedelta(days=1)
    tidy(later)
    with later.world.store.reading() as conn:
        assert window_kept(conn, HOME) == before


def test_new_rules_of_time_zones_move_what_was_laid_down_by_old_ones(later: Later) -> None:
    dinner(later)
    dinner(later, recurrence="FREQ=WEEKLY", request_id="weekly")
    right = starts(later, "2026-03-01", "2026-03-20")
    with later.world.store.writing() as conn:
        off = {"tzdata": "2025a", "utc_start": occurrences.c.utc_start - HOUR}
        conn.execute(occurrences.update().values(off))
    tidy(later)
    assert starts(later, "2026-03-01", "2026-03-20") == right
    with later.world.store.reading() as conn:
        assert set(conn.scalars(sa.select(occurrences.c.tzdata))) == {TZDATA}


def test_it_is_planned_once_and_then_a_day_later(later: Later) -> None:
    tidy(later)
    assert planned(later).fire_at == later.world.now + TIDY_EACH
    later.world.pass_time(hours=3)
    tidy(later)
    assert planned(later).fire_at == later.world.now + TIDY_EACH - timedelta(hours=3)


def test_a_clock_that_was_set_back_does_not_put_it_off_for_years(later: Later) -> None:
    tidy(later)
    later.world.pass_time(days=-700)
    tidy(later)
    assert planned(later).fire_at == later.world.now + TIDY_EACH


def test_what_fails_is_tried_again_and_never_given_up(later: Later, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    arm_tidying(later.world.store.reading, later.world.store.writing, HOME, later.world.now)
    with monkeypatch.context() as patch:
        patch.setattr("calward.operations.tidying.prune", broken)
        for _ in range(7):
            assert tidy_once(later.duties) == 1
            later.world.now = planned(later).fire_at
    assert len(later.complaints) == 7
    later.complaints.clear()
    tidy(later)
    assert planned(later).fire_at == later.world.now + TIDY_EACH

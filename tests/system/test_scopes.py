"""Series changed here in each scope, as another client shows them on a real server; and taken back.

The other client expands them by itself: both sides and a plain table of what is on have to agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.system.conftest import Other
from tests.system.desk import Desk
from tests.system.phone import Phone
from tests.system.rich_series import SERIES, Row, Series

pytestmark = pytest.mark.interop

TITLE = "Called otherwise"
SCOPES: dict[str, Callable[[Row, Series], bool]] = {
    "one": lambda row, series: row.slot == series.target,
    "this_and_future": lambda row, series: row.slot >= series.target,
    "all": lambda row, series: True,
}
"""Which occurrences are meant, seen from the target."""


@pytest.fixture(params=SERIES)
def series(request: pytest.FixtureRequest, phone: Phone, other: Other, desk: Desk) -> Series:
    """A series that came from the other client."""
    there = SERIES[request.param]
    phone.adds(other.url, there.named(f"series-in-{other.name}"))
    desk.sync()
    assert desk.shows() == phone.shows(other.url) == there.shown(there.rows)
    return there


@pytest.mark.parametrize("scope", SCOPES)
def test_renamed_occurrences_are_renamed_for_the_other_client(
    scope: str, series: Series, phone: Phone, other: Other, desk: Desk
) -> None:
    change(desk, series, "calendar_update", scope, title=TITLE)
    renamed = each(series, scope, lambda row: replace(row, title=TITLE))
    agree(desk, phone, other, series, renamed)


@pytest.mark.parametrize("scope", SCOPES)
def test_moved_occurrences_are_moved_for_the_other_client(
    scope: str, series: Series, phone: Phone, other: Other, desk: Desk
) -> None:
    to = series.elsewhere
    change(desk, series, "calendar_update", scope, start=f"{to:%Y-%m-%d}" if series.all_day else f"{to:%FT%T}")
    moved = each(series, scope, lambda row: row.moved(to - series.target))
    agree(desk, phone, other, series, moved)


@pytest.mark.parametrize("scope", SCOPES)
def test_deleted_occurrences_are_gone_for_the_other_client(
    scope: str, series: Series, phone: Phone, other: Other, desk: Desk
) -> None:
    change(desk, series, "calendar_delete", scope)
    left = each(series, scope, lambda row: None)
    agree(desk, phone, other, series, left)


def change(desk: Desk, series: Series, operation: str, scope: str, **asked: Any) -> None:
    desk.do(operation, id=desk.event_at(series.said(series.target)), scope=scope, **asked)
    desk.sync()


def each(series: Series, scope: str, become: Callable[[Row], Row | None]) -> tuple[Row, ...]:
    """The occurrences, those in the scope as they have become; None for gone."""
    rows = (become(row) if SCOPES[scope](row, series) else row for row in series.rows)
    return tuple(row for row in rows if row is not None)


def agree(desk: Desk, phone: Phone, other: Other, series: Series, rows: tuple[Row, ...]) -> None:
    """Both show these occurrences; once the change is taken back, both show what was there before."""
    before = series.shown(series.rows)
    wanted = series.shown(rows)
    assert wanted != before
    assert phone.shows(other.url) == wanted
    assert desk.shows() == wanted
    desk.do("calendar_undo")
    desk.sync()
    assert phone.shows(other.url) == before
    assert desk.shows() == before
    assert len(other.remote.listing(other.url)) == 1

"""Random edits of random series: inside the scope as asked, outside of it nothing, no other line touched."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calward.ical.reading import read_object
from calward.model.event import Occurrence
from calward.model.time import CalTime
from calward.recurrence.patch import Scope, SeriesPatch
from calward.recurrence.series import expand
from tests.unit.recurrence.objects import (
    BERLIN,
    WINDOW,
    Seen,
    Series,
    both,
    delete,
    edit,
    seen,
    series,
)

TIMES = {"DTSTART", "DTEND", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID"}
DATED = {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
scopes = st.sampled_from(Scope)


def occurrences(data: bytes) -> list[Occurrence]:
    return list(expand(read_object(data).events, WINDOW, BERLIN).occurrences)


def in_scope(it: Occurrence, target: Occurrence, scope: Scope) -> bool:
    if scope is Scope.ALL:
        return True
    if scope is Scope.ONE:
        return it.key == target.key
    return it.original.instant(BERLIN) >= target.original.instant(BERLIN)


def pick(draw: st.DataObject, them: Series) -> Occurrence:
    found = occurrences(them.data)[:15]
    assume(found)
    return draw.draw(st.sampled_from(found))


def as_seen(it: Occurrence, data: bytes, shift: timedelta = timedelta(), summary: str | None = None) -> Seen:
    """An occurrence, moved on its wall clock and as long as it was."""
    titles = {event.key: event.summary for event in read_object(data).events}
    title = summary or titles[it.component]
    place = it.start if it.component else it.original  # which a gap in the clock does not move
    start = place.at(place.wall + shift)
    if start.is_date:
        return Seen(start.wall, it.end.wall + shift, title)
    begin = utc(start)
    if start.zone is None:
        return Seen(begin, max(utc(it.end.at(it.end.wall + shift)), begin), title)
    return Seen(begin, begin + (utc(it.end) - utc(it.start)), title)


def utc(time: CalTime) -> datetime:
    return time.instant(BERLIN).replace(tzinfo=None)


def other_lines(data: bytes, but: set[str]) -> list[str]:
    text = data.decode().replace("\r\n ", "")
    return [line for line in text.split("\r\n") if re.split("[;:]", line)[0] not in but]


def near(found: list[Seen]) -> list[Seen]:
    """Away from the edges of the window, over which a move could carry an occurrence."""
    return [it for it in found if it.start < datetime(2027, 2, 1)]


@settings(max_examples=60)
@given(series(), scopes, st.data())
def test_a_new_title_is_given_to_the_scope_and_to_nothing_else(
    them: Series, scope: Scope, draw: st.DataObject
) -> None:
    target = pick(draw, them)
    before = occurrences(them.data)
    done = edit(them.data, target.key, scope, SeriesPatch(summary="another"))
    old, new = both(them.data, done)
    wanted = [
        as_seen(it, them.data, summary="another" if in_scope(it, target, scope) else None) for it in before
    ]
    assert seen(old, new) == sorted(wanted)
    assert done.removed.count == 0
    assert not done.removed.endless
    assert old is not None
    if scope is Scope.ALL:
        assert other_lines(old, {"SUMMARY", *DATED}) == other_lines(them.data, {"SUMMARY", *DATED})
    elif scope is Scope.ONE:
        untouched = [event for event in read_object(them.data).events if event.key != target.key]
        assert [event for event in read_object(old).events if event.key != target.key] == untouched


@settings(max_examples=100)
@given(series(), scopes, st.integers(-20, 20), st.booleans(), st.data())
def test_a_move_takes_the_scope_along_and_nothing_else(
    them: Series, scope: Scope, hours: int, by_days: bool, draw: st.DataObject
) -> None:
    target = pick(draw, them)
    before = occurrences(them.data)
    shift = timedelta(days=hours % 5 - 2) if by_days or them.start.is_date else timedelta(hours=hours)
    place = target.original
    moved = place.at(place.wall + shift)
    same_day = moved.wall.date() == place.wall.date()
    assume(scope is Scope.ONE or same_day or them.weekly)
    done = edit(them.data, target.key, scope, SeriesPatch(start=moved))
    old, new = both(them.data, done)

    def now(it: Occurrence) -> Seen:
        if not in_scope(it, target, scope):
            return as_seen(it, them.data)
        own = it.key == target.key
        return as_seen(it, them.data, moved.wall - it.start.wall if own and it.component else shift)

    assert near(seen(old, new)) == near(sorted(map(now, before)))
    assert done.removed.count == 0
    if scope is Scope.ALL:
        assert old is not None
        assert other_lines(old, TIMES | DATED) == other_lines(them.data, TIMES | DATED)


@settings(max_examples=60)
@given(series(), scopes, st.data())
def test_a_deletion_takes_the_scope_out_and_says_how_much(
    them: Series, scope: Scope, draw: st.DataObject
) -> None:
    target = pick(draw, them)
    before = occurrences(them.data)
    done = delete(them.data, target.key, scope)
    old, new = both(them.data, done)
    left = [it for it in before if not in_scope(it, target, scope)]
    assert new is None
    assert seen(old) == sorted(as_seen(it, them.data) for it in left)
    assert done.delete_object is (not left)
    if not done.removed.more:
        assert done.removed.count == len(before) - len(left)
    assert (
        done.removed.first[0]
        == min(
            (it for it in before if in_scope(it, target, scope)), key=lambda it: it.start.instant(BERLIN)
        ).start
    )

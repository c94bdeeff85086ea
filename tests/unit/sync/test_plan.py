"""The plan, row by row: every situation an object can be in has one action."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from calward.model.ids import ETag, Href
from calward.sync.plan import Action, Kind, plan, situation
from calward.sync.plan import decide as decide_one
from calward.sync.sides import (
    Base,
    Content,
    Deleted,
    Here,
    Local,
    LocalState,
    Marks,
    RemoteState,
    RemoteView,
    There,
    local_state,
    remote_state,
)
from calward.sync.table import ROWS, TABLE, Situation

HREF = Href("/cal/one.ics")
OLD, NEW_TAG = ETag('"1"'), ETag('"2"')

AGREED_ON = Content("bytes-0", "lunch")
TOUCHED = Content("bytes-1", "lunch")
OTHERWISE_TOUCHED = Content("bytes-2", "lunch")
OURS = Content("bytes-3", "lunch at one")
THEIRS = Content("bytes-4", "lunch at two")
BASE = Base(OLD, AGREED_ON)

LOCALS: dict[str, Local] = {
    "absent": None,
    "same": Here(AGREED_ON),
    "touched": Here(TOUCHED),
    "changed": Here(OURS),
    "deleted": Deleted(OURS),
}
SENT = Content("bytes-5", "lunch at three")
REMOTES: dict[str, There | None] = {
    "absent": None,
    "same": There(OLD, AGREED_ON),
    "touched": There(NEW_TAG, OTHERWISE_TOUCHED),
    "changed": There(NEW_TAG, THEIRS),
    "unknown": There(NEW_TAG),
    "agreed": There(NEW_TAG, OURS),
    "landed": There(NEW_TAG, SENT),
}

# There as the columns; a line for each base and local side. Held: what else happens while a removal is held.
TABLE_AS_TOLD = """
base local    absent       same         touched      changed   unknown  agreed       landed
yes  absent   forget       pull         pull         pull      fetch    pull         advance
yes  same     drop_local   nothing      pull         pull      fetch    pull         advance
yes  touched  drop_local   update       pull         pull      fetch    pull         advance
yes  changed  create       update       merge        merge     fetch    pull         advance
yes  deleted  forget       drop_remote  drop_remote  pull      fetch    drop_remote  advance
no   absent   nothing      pull         pull         pull      fetch    pull         advance
no   changed  create       conflict     conflict     conflict  fetch    pull         advance
no   deleted  forget       pull         pull         pull      fetch    drop_remote  advance
"""
_HEAD, *_LINES = (line.split() for line in TABLE_AS_TOLD.strip().splitlines())
CASES = [
    (line[0], line[1], there, kind) for line in _LINES for there, kind in zip(_HEAD[2:], line[2:], strict=True)
]


def decide(
    base: Base | None, local: Local, there: There | None, marks: Marks | None = None, *, merges: bool = True
) -> Action:
    """The action for one object whose remote side is fully known."""
    view = RemoteView({HREF: there} if there else {}, complete=True)
    bases = {HREF: base} if base else {}
    done = plan(bases, {HREF: local}, view, {HREF: marks} if marks else {}, merges=merges)
    return done[0] if done else Action(Kind.NOTHING, HREF)


@pytest.mark.parametrize(("base", "local", "remote", "kind"), CASES)
def test_every_combination_has_its_action(base: str, local: str, remote: str, kind: str) -> None:
    based = BASE if base == "yes" else None
    marks = Marks(sent=SENT.meaning) if remote == "landed" else Marks()
    assert decide(based, LOCALS[local], REMOTES[remote], marks).kind == kind


@pytest.mark.parametrize(("base", "local", "remote", "kind"), CASES)
def test_what_is_held_changes_removals_and_nothing_else(base: str, local: str, remote: str, kind: str) -> None:
    based = BASE if base == "yes" else None
    marks = Marks(sent=SENT.meaning if remote == "landed" else None, held=True)
    expected = "hold" if kind in ("drop_local", "drop_remote") else kind
    assert decide(based, LOCALS[local], REMOTES[remote], marks).kind == expected


@pytest.mark.parametrize(("base", "local", "remote", "kind"), CASES)
def test_what_is_in_flight_is_looked_for_and_changes_nothing_once_it_was(
    base: str, local: str, remote: str, kind: str
) -> None:
    based = BASE if base == "yes" else None
    marks = Marks(sent=SENT.meaning)
    assert decide(based, LOCALS[local], REMOTES[remote], marks).kind == kind
    # No list told of it since, so nothing is known of it.
    assert decide_one(HREF, based, LOCALS[local], RemoteView({}), marks).kind is Kind.FETCH
    # An ETag alone proves nothing about what was on its way.
    if based:
        assert decide(based, LOCALS[local], There(OLD), marks).kind is Kind.FETCH


@pytest.mark.parametrize("local", LOCALS)
@pytest.mark.parametrize("base", [BASE, None])
def test_what_cannot_be_read_is_left_alone_on_both_sides(base: Base | None, local: str) -> None:
    unreadable = Marks(unreadable=True)
    assert decide(base, LOCALS[local], There(NEW_TAG), unreadable).kind is Kind.HOLD
    # Once it is gone there is nothing to be read any more.
    assert decide(base, LOCALS[local], None, unreadable) == decide(base, LOCALS[local], None)


def test_the_table_has_a_row_for_every_situation_and_no_row_that_never_counts() -> None:
    met: set[Situation] = set()
    views = [
        RemoteView({HREF: there} if there else {}, gone, complete)
        for there in [*REMOTES.values(), There(OLD)]
        for complete in (True, False)
        for gone in (frozenset[Href](), frozenset({HREF}))
    ]
    all_marks = [
        Marks(*one) for one in product((None, SENT.meaning, OURS.meaning), (False, True), (False, True))
    ]
    for base, local, view, marks in product((BASE, None), LOCALS.values(), views, all_marks):
        met.add(situation(HREF, base, local, view, marks))
    assert met <= TABLE.keys()
    fitting = [set(row.situations()) for row in ROWS]
    counted = {next(index for index, row in enumerate(fitting) if one in row) for one in met}
    assert counted == set(range(len(ROWS)))
    # What was not met cannot be: there is nothing to be the same as, or the states exclude each other.
    for one in set(all_situations()) - met:
        without_base = not one.based and {one.local, one.remote} & {"same", "touched"}
        unedited = one.remote is RemoteState.AGREED and one.local in ("absent", "same", "touched")
        unsent = one.remote is RemoteState.LANDED and not one.in_flight
        assert without_base or unedited or unsent, one


def all_situations() -> list[Situation]:
    flags = (False, True)
    return [Situation(*one) for one in product(flags, LocalState, RemoteState, flags, flags)]


@pytest.mark.parametrize("one", sorted(TABLE))
def test_a_row_never_drops_a_version_that_exists_nowhere_else(one: Situation) -> None:
    kind = TABLE[one]
    if one.local is LocalState.CHANGED:
        assert kind is not Kind.DROP_LOCAL
        assert kind is not Kind.PULL or one.remote is RemoteState.AGREED
    if one.remote in (RemoteState.CHANGED, RemoteState.UNKNOWN, RemoteState.UNREADABLE, RemoteState.LANDED):
        assert kind not in (Kind.UPDATE, Kind.DROP_REMOTE, Kind.CREATE)


def test_a_caller_that_cannot_merge_is_told_of_a_conflict() -> None:
    assert decide(BASE, Here(OURS), There(NEW_TAG, THEIRS), merges=False).kind is Kind.CONFLICT


@pytest.mark.parametrize("base", [BASE, None])
def test_a_write_whose_answer_was_lost_is_recognised_and_not_repeated(base: Base | None) -> None:
    ours_there = There(NEW_TAG, replace(OURS, body="rewritten by the server"))
    assert decide(base, Here(OURS), ours_there).kind is Kind.PULL


@pytest.mark.parametrize("base", [BASE, None])
def test_deleting_what_came_through_late_deletes_it_there_too(base: Base | None) -> None:
    action = decide(base, Deleted(OURS), There(NEW_TAG, OURS))
    assert (action.kind, action.etag) == (Kind.DROP_REMOTE, NEW_TAG)
    assert decide(base, Deleted(OURS), There(NEW_TAG, THEIRS)).kind is Kind.PULL


def test_a_write_names_the_etag_of_the_version_it_replaces() -> None:
    assert decide(BASE, Here(OURS), There(OLD)).etag == OLD
    # The server gave the same bytes a new ETag: nobody edited, and the new one is what If-Match must name.
    assert decide(BASE, Here(OURS), There(NEW_TAG, AGREED_ON)).etag == NEW_TAG
    assert decide(BASE, Deleted(AGREED_ON), There(NEW_TAG, TOUCHED)).etag == NEW_TAG
    assert decide(BASE, Here(OURS), None).etag is None


def test_a_server_without_etags_or_with_weak_ones_is_judged_by_content() -> None:
    weak = ETag('W/"1"')
    assert decide(Base(None, AGREED_ON), Here(AGREED_ON), There(None)).kind is Kind.FETCH
    assert decide(Base(weak, AGREED_ON), Here(AGREED_ON), There(weak)).kind is Kind.FETCH
    assert decide(Base(weak, AGREED_ON), Here(AGREED_ON), There(weak, AGREED_ON)).kind is Kind.NOTHING


def test_a_list_of_changes_leaves_what_it_does_not_name_as_it_was() -> None:
    quiet = RemoteView({}, complete=False)
    assert plan({HREF: BASE}, {HREF: Here(AGREED_ON)}, quiet) == ()
    (push,) = plan({HREF: BASE}, {HREF: Here(OURS)}, quiet)
    assert (push.kind, push.etag) == (Kind.UPDATE, OLD)
    (gone,) = plan({HREF: BASE}, {HREF: Here(AGREED_ON)}, RemoteView({}, frozenset({HREF})))
    assert gone.kind is Kind.DROP_LOCAL


def test_a_whole_list_says_by_silence_that_something_is_gone() -> None:
    (gone,) = plan({HREF: BASE}, {HREF: Here(AGREED_ON)}, RemoteView({}, complete=True))
    assert gone.kind is Kind.DROP_LOCAL


def test_states_of_an_object_without_a_base_are_changed_or_nothing() -> None:
    assert local_state(None, Here(AGREED_ON)) is LocalState.CHANGED
    assert remote_state(None, There(OLD, AGREED_ON)) is RemoteState.CHANGED
    assert remote_state(None, There(OLD)) is RemoteState.UNKNOWN

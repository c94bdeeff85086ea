"""The plan, row by row, and what must hold for every history."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calward.model.ids import ETag, Href
from calward.sync.plan import AGREED, BASED, NEW, Action, Kind, plan
from calward.sync.sides import (
    Base,
    Content,
    Deleted,
    Here,
    Local,
    LocalState,
    RemoteState,
    RemoteView,
    There,
    local_state,
    remote_state,
)

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
    "deleted": Deleted(AGREED_ON),
}
REMOTES: dict[str, There | None] = {
    "absent": None,
    "same": There(OLD, AGREED_ON),
    "touched": There(NEW_TAG, OTHERWISE_TOUCHED),
    "changed": There(NEW_TAG, THEIRS),
    "unknown": There(NEW_TAG),
}

TABLE = """
base  local    remote   action
yes   absent   absent   forget
yes   absent   same     pull
yes   absent   touched  pull
yes   absent   changed  pull
yes   absent   unknown  fetch
yes   same     absent   drop_local
yes   same     same     nothing
yes   same     touched  pull
yes   same     changed  pull
yes   same     unknown  fetch
yes   touched  absent   drop_local
yes   touched  same     update
yes   touched  touched  pull
yes   touched  changed  pull
yes   touched  unknown  fetch
yes   changed  absent   create
yes   changed  same     update
yes   changed  touched  conflict
yes   changed  changed  conflict
yes   changed  unknown  fetch
yes   deleted  absent   forget
yes   deleted  same     drop_remote
yes   deleted  touched  drop_remote
yes   deleted  changed  pull
yes   deleted  unknown  fetch
no    absent   absent   nothing
no    absent   changed  pull
no    absent   unknown  fetch
no    changed  absent   create
no    changed  changed  conflict
no    changed  unknown  fetch
no    deleted  absent   forget
no    deleted  changed  pull
no    deleted  unknown  fetch
"""
ROWS = [tuple(line.split()) for line in TABLE.strip().splitlines()[1:]]


def decide(base: Base | None, local: Local, there: There | None) -> Action:
    """The action for one object whose remote side is fully known."""
    view = RemoteView({HREF: there} if there else {}, complete=True)
    done = plan({HREF: base} if base else {}, {HREF: local}, view)
    return done[0] if done else Action(Kind.NOTHING, HREF)


@pytest.mark.parametrize(("base", "local", "remote", "action"), ROWS)
def test_every_combination_has_its_action(base: str, local: str, remote: str, action: str) -> None:
    assert decide(BASE if base == "yes" else None, LOCALS[local], REMOTES[remote]).kind == action


def test_the_table_here_and_the_one_in_the_code_have_the_same_rows() -> None:
    ours = {(row[0] == "yes", row[1], row[2]) for row in ROWS}
    theirs = {(True, *key) for key in BASED} | {(False, *key) for key in NEW}
    assert ours == theirs
    assert BASED.keys() == set(product(LocalState, RemoteState))
    assert BASED.keys() >= AGREED.keys() <= NEW.keys()


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


@dataclass
class World:
    """Both sides and what a run does to them, in the simplest form: no network, one object a step."""

    base: dict[Href, Base] = field(default_factory=dict)
    local: dict[Href, Local] = field(default_factory=dict)
    server: dict[Href, There] = field(default_factory=dict)
    versions: set[str] = field(default_factory=set)
    """Meanings kept aside: by conflicts, and by removals, which stay restorable."""
    tags: int = 0

    def put(self, href: Href, content: Content) -> There:
        self.tags += 1
        self.server[href] = There(ETag(f'"{self.tags}"'), content)
        return self.server[href]

    def run(self, *, whole: bool, known: dict[Href, There]) -> int:
        """Plan and act once; answers how many actions there were. ``known`` is the server at the last run."""
        if whole:
            view = RemoteView(dict(self.server), complete=True)
        else:
            moved = {href: there for href, there in self.server.items() if known.get(href) != there}
            view = RemoteView(moved, frozenset(known.keys() - self.server.keys()))
        actions = plan(self.base, self.local, view)
        for action in actions:
            self.act(action)
        return len(actions)

    def act(self, action: Action) -> None:
        href, mine = action.href, self.local.get(action.href)
        match action.kind:
            case Kind.PULL | Kind.CONFLICT:
                if isinstance(mine, Here):
                    self.versions.add(mine.content.meaning)
                there = self.server[href]
                assert there.content is not None
                self.local[href], self.base[href] = Here(there.content), Base(there.etag, there.content)
            case Kind.CREATE | Kind.UPDATE:
                assert isinstance(mine, Here)
                if action.kind is Kind.CREATE:
                    assert href not in self.server
                else:
                    assert self.server[href].etag == action.etag
                self.base[href] = Base(self.put(href, mine.content).etag, mine.content)
            case Kind.DROP_LOCAL | Kind.FORGET | Kind.DROP_REMOTE:
                if action.kind is Kind.DROP_REMOTE:
                    gone = self.server.pop(href)
                    assert gone.etag == action.etag
                    assert gone.content is not None
                    self.versions.add(gone.content.meaning)
                if isinstance(mine, Here | Deleted):
                    self.versions.add(mine.content.meaning)
                self.local.pop(href, None)
                self.base.pop(href, None)
            case kind:
                pytest.fail(f"unexpected {kind}")

    def edit_here(self, href: Href, content: Content) -> None:
        self.local[href] = Here(content)

    def delete_here(self, href: Href) -> None:
        mine = self.local.get(href)
        if isinstance(mine, Here):
            self.versions.add(mine.content.meaning)
            self.local[href] = Deleted(mine.content)

    def delete_there(self, href: Href) -> None:
        gone = self.server.pop(href, None)
        if gone is not None and gone.content is not None:
            self.versions.add(gone.content.meaning)


hrefs = st.sampled_from([Href("/c/a.ics"), Href("/c/b.ics"), Href("/c/c.ics")])
contents = st.builds(Content, st.uuids().map(str), st.sampled_from(["w", "x", "y", "z"]))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("edit_here"), hrefs, contents),
        st.tuples(st.just("edit_there"), hrefs, contents),
        st.tuples(st.just("delete_here"), hrefs, contents),
        st.tuples(st.just("delete_there"), hrefs, contents),
        st.tuples(st.sampled_from(["run", "run_whole"]), hrefs, contents),
    ),
    max_size=20,
)


@given(steps)
def test_any_history_converges_and_no_edit_is_lost(history: list[tuple[str, Href, Content]]) -> None:
    world = World()
    written: set[str] = set()
    seen: dict[Href, There] = {}
    for what, href, content in [*history, ("run", HREF, OURS), ("run_whole", HREF, OURS)]:
        match what:
            case "edit_here":
                mine = world.local.get(href)
                if isinstance(mine, Here):
                    world.versions.add(mine.content.meaning)  # the journal keeps what the person writes over
                world.edit_here(href, content)
                written.add(content.meaning)
            case "edit_there":
                before = world.server.get(href)
                if before is not None and before.content is not None:
                    world.versions.add(before.content.meaning)  # they wrote over it themselves
                world.put(href, content)
                written.add(content.meaning)
            case "delete_here":
                world.delete_here(href)
            case "delete_there":
                world.delete_there(href)
            case _:
                world.run(whole=what == "run_whole", known=seen)
                seen = dict(world.server)

    live = {href: there.content for href, there in world.server.items()}
    assert {href: side.content for href, side in world.local.items() if isinstance(side, Here)} == live
    assert {href: base.content for href, base in world.base.items()} == live
    assert world.run(whole=True, known=seen) == 0
    assert written <= {content.meaning for content in live.values() if content} | world.versions

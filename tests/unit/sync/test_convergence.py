"""Two writers, a sync between them that is cut off at any step: both sides end up equal, and no edit is gone.

The model is as small as it can be: objects are real calendar texts, a write names an ETag, an answer may be
lost after the write was done. Every edit writes a word that is used nowhere else; it must in the end be on both
sides, or in a version that was kept, or have been written over by the one who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from hypothesis import given, settings
from hypothesis import strategies as st

from calward.ical.meaning import meaning
from calward.model.ids import ETag, Href
from calward.sync.merge import Collision, Merged, merge
from calward.sync.plan import Action, Kind, decide, plan
from calward.sync.sides import Base, Content, Deleted, Here, Local, Marks, RemoteView, There
from tests.unit.sync.texts import EVENT, calendar, with_

HREFS = (Href("/c/a.ics"), Href("/c/b.ics"))
NAMES = ("SUMMARY", "LOCATION", "DESCRIPTION", "ATTENDEE", "CATEGORIES", "X-TOUCH")
"""What the writers edit; the lines of ATTENDEE and CATEGORIES add up, and X-TOUCH is no edit."""


def content(data: bytes) -> Content:
    return Content(data.decode(), meaning(data))


@dataclass
class Row:
    """One object here."""

    local: bytes
    deleted: bool = False
    base: bytes | None = None
    etag: ETag | None = None
    sent: str | None = None

    def side(self) -> Local:
        return Deleted(content(self.local)) if self.deleted else Here(content(self.local))


@dataclass
class World:
    """Both sides, what is kept aside, and what a run still means to do."""

    rewrites: bool
    """The server puts a line of its own into what it is given."""
    rows: dict[Href, Row] = field(default_factory=dict)
    server: dict[Href, tuple[ETag, bytes]] = field(default_factory=dict)
    versions: list[bytes] = field(default_factory=list)
    queue: list[Action] = field(default_factory=list)
    count: int = 0
    written: set[str] = field(default_factory=set)

    def word(self) -> str:
        self.count += 1
        return f"word{self.count}x"

    # What people do.

    def edit_here(self, href: Href, name: str) -> None:
        row = self.rows.setdefault(href, Row(calendar(EVENT)))
        if row.deleted:
            return
        self.versions.append(row.local)  # the journal keeps what a person writes over
        row.local = self.edited(row.local, name)

    def edit_there(self, href: Href, name: str) -> None:
        was = self.server[href][1] if href in self.server else calendar(EVENT)
        self.versions.append(was)  # they wrote over it themselves
        self.put(href, self.edited(was, name))

    def delete_here(self, href: Href, _: str) -> None:
        if href in self.rows:
            self.rows[href].deleted = True
            self.versions.append(self.rows[href].local)

    def delete_there(self, href: Href, _: str) -> None:
        if href in self.server:
            self.versions.append(self.server.pop(href)[1])

    def edited(self, data: bytes, name: str) -> bytes:
        word = self.word()
        lines = tuple(data.decode().split("\r\n")[:-1])
        line = f"ATTENDEE:mailto:{word}@example.org" if name == "ATTENDEE" else f"{name}:{word}"
        inside = lines[lines.index("BEGIN:VEVENT") + 1 : lines.index("END:VEVENT")]
        if name != "X-TOUCH":
            self.written.add(word)
        changed = (*inside, line) if name == "CATEGORIES" else with_(inside, line)
        return calendar(changed)

    def put(self, href: Href, data: bytes) -> ETag:
        self.count += 1
        etag = ETag(f'"{self.count}"')
        self.server[href] = (etag, data)
        return etag

    # What a run does.

    def look(self) -> None:
        """List the server, fetch what has to be, and plan. Nothing is done yet."""
        bases = {href: self.base(row) for href, row in self.rows.items() if row.base is not None}
        marks = {href: Marks(sent=row.sent) for href, row in self.rows.items()}
        locals_ = {href: row.side() for href, row in self.rows.items()}
        there = {href: There(etag) for href, (etag, _) in self.server.items()}
        first = plan(bases, locals_, RemoteView(there, complete=True), marks, merges=True)
        for action in first:
            if action.kind is Kind.FETCH:
                etag, data = self.server[action.href]
                there[action.href] = There(etag, content(data))
        self.queue = list(plan(bases, locals_, RemoteView(there, complete=True), marks, merges=True))

    def base(self, row: Row) -> Base:
        assert row.base is not None
        return Base(row.etag, content(row.base))

    def act(self, index: int, *, answer: bool) -> None:
        """Do one thing that was planned, if what it was decided on still holds here."""
        action = self.queue.pop(index % len(self.queue))
        row = self.rows.get(action.href)
        view = RemoteView({action.href: action.remote} if action.remote else {}, complete=True)
        base = self.base(row) if row and row.base is not None else None
        marks = Marks(sent=row.sent) if row else Marks()
        if decide(action.href, base, row.side() if row else None, view, marks, merges=True) == action:
            self.do(action, row or Row(b""), answer=answer)

    def do(self, action: Action, row: Row, *, answer: bool) -> None:
        href = action.href
        there = self.server.get(href)
        match action.kind:
            case Kind.PULL | Kind.MERGE | Kind.CONFLICT | Kind.ADVANCE:
                if there is None or action.remote is None or there[0] != action.remote.etag:
                    return  # it moved on; the next look sees it
                self.rows[href] = self.settled(action.kind, row, *there)
            case Kind.DROP_LOCAL | Kind.FORGET:
                self.rows.pop(href, None)  # who deleted it there had what is here
            case Kind.CREATE | Kind.UPDATE:
                row.sent = meaning(row.local)
                if (there[0] if there else None) != action.etag:
                    row.sent = None  # refused: the precondition failed
                    return
                own_line = b"X-SERVER:1\r\n" if self.rewrites else b""
                etag = self.put(href, row.local.replace(b"END:VEVENT", own_line + b"END:VEVENT"))
                if answer:
                    row.base, row.etag, row.sent = row.local, None if self.rewrites else etag, None
            case Kind.DROP_REMOTE:
                if there is None or there[0] != action.etag:
                    return
                del self.server[href]  # no version is kept: it says nothing that ours did not
                if answer:
                    del self.rows[href]
                else:
                    row.sent = "deletion"
            case Kind.FETCH | Kind.NOTHING | Kind.HOLD:
                raise AssertionError(f"nothing was to be {action.kind}")
            case _:
                assert_never(action.kind)

    def settled(self, kind: Kind, row: Row, etag: ETag, data: bytes) -> Row:
        """The object here once the server's version was worked in. Nothing is kept aside but in a conflict."""
        if kind is Kind.ADVANCE:
            return Row(row.local, row.deleted, data, etag)
        if kind is Kind.MERGE:
            assert row.base is not None
            found = merge(row.base, row.local, data)
            if isinstance(found, Merged):
                return Row(found.data, base=data, etag=etag)
            assert isinstance(found, Collision)
        if kind is not Kind.PULL:
            self.versions.append(row.local)
        return Row(data, base=data, etag=etag)

    def settle(self) -> None:
        """Run until there is nothing to do, without faults."""
        for _ in range(6):
            self.look()
            if not self.queue:
                return
            while self.queue:
                self.act(0, answer=True)
        raise AssertionError(f"there is always something left to do: {self.queue}")


Step = tuple[str, int, str, bool]
PEOPLE = {"edit_here", "edit_there", "delete_here", "delete_there"}
steps: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(
        st.sampled_from(["edit_here", "edit_here", "edit_there", "edit_there", "delete_here", "delete_there"])
        | st.sampled_from(["look", "act", "act", "run", "lose"]),
        st.integers(0, 1),
        st.sampled_from(NAMES),
        st.booleans(),
    ),
    max_size=25,
)


def play(world: World, history: Iterable[Step]) -> None:
    for what, number, name, answer in history:
        if what in PEOPLE:
            getattr(world, what)(HREFS[number], name)
        elif what == "run":
            world.settle()
        elif what == "lose":
            world.look()
            while world.queue:
                world.act(number, answer=False)
        elif what == "look" or not world.queue:
            world.look()
        else:
            world.act(number, answer=answer)


@settings(max_examples=4 * settings().max_examples)
@given(st.booleans(), steps)
def test_any_history_converges_and_no_edit_is_lost(rewrites: bool, history: list[Step]) -> None:
    world = World(rewrites)
    play(world, history)
    world.settle()
    here = {href: row.local for href, row in world.rows.items()}
    assert here == {href: data for href, (_, data) in world.server.items()}
    assert here == {href: row.base for href, row in world.rows.items()}
    assert not any(row.deleted or row.sent for row in world.rows.values())
    kept = b"".join([*here.values(), *world.versions]).decode()
    assert {word for word in world.written if word not in kept} == set()


def test_two_writers_of_different_lines_end_with_both_and_nothing_kept_aside() -> None:
    world = World(rewrites=False)
    play(world, [("edit_here", 0, "SUMMARY", True), ("run", 0, "", True)])
    world.versions.clear()
    play(world, [("edit_here", 0, "LOCATION", True), ("edit_there", 0, "DESCRIPTION", True)])
    world.versions.clear()
    world.settle()
    live = world.server[HREFS[0]][1].decode()
    assert all(word in live for word in world.written)
    assert not world.versions


def test_a_touch_at_the_server_undoes_no_edit_here() -> None:
    world = World(rewrites=False)
    play(world, [("edit_here", 0, "SUMMARY", True), ("run", 0, "", True)])
    play(world, [("edit_here", 0, "LOCATION", True), ("edit_there", 0, "X-TOUCH", True)])
    world.settle()
    live = world.server[HREFS[0]][1].decode()
    assert all(word in live for word in world.written)
    assert "X-TOUCH" in live

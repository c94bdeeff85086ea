"""What people, servers and networks can do to one mirrored calendar, and what must hold whatever they did.

Every edit writes a word of its own. In the end each word is in the live text of both sides, or in a version
that a person is shown to choose from, or was written over or deleted by somebody who had it before their eyes.
Bytes in the journal are not enough, since nobody is told of them; only what the server itself forgot, going
back to a backup, may be left there, and what we never saw of that is nobody's to keep. Nor is anybody asked to
choose where only one side wrote.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from calward.bootstrap.household import HOME
from calward.dav.href import member
from calward.dav.quirks import Capabilities
from calward.errors import CalwardError
from calward.model.ids import Href
from calward.operations.due import arm_sync, claim_sync
from calward.operations.sync_run.drive import run_sync
from calward.remotes.faults import Fault
from calward.remotes.memory import MemoryRemote, MemoryServer, Rewrite
from calward.store.objects import ObjectRow
from calward.store.rows import columns_of
from calward.store.tables import change_bytes, conflicts, objects
from tests.operations.sync.mirror import CALENDAR, Mirror, open_mirror, tools_of
from tests.operations.sync.mortal import Killed, Mortal
from tests.operations.world import FIRST_FREE, NOW, ics, vevent
from tests.system.two_writers import with_lines

BEFORE = (
    *(Fault.UNREACHABLE, Fault.RESET, Fault.HANG, Fault.SERVER_ERROR, Fault.THROTTLED),
    *(Fault.SIGNED_OUT, Fault.WEB_PAGE, Fault.TRUNCATED),
)
AFTER = (Fault.ANSWER_LOST, Fault.ANSWER_LATE, Fault.ERROR_AFTER)
FAULTS = {
    "calendar": BEFORE,
    "changes": (*BEFORE, Fault.TOKEN_REFUSED, Fault.TOKEN_HIDDEN, Fault.PARTIAL, Fault.EMPTY),
    "listing": (*BEFORE, Fault.PARTIAL, Fault.EMPTY),
    "fetch": BEFORE,
    "put": (
        *(*BEFORE, *AFTER, Fault.FULL, Fault.LOCKED),
        *(Fault.NO_ETAG, Fault.STALE_ETAG, Fault.WEAK_ETAG, Fault.REWRITTEN, Fault.TWICE),
    ),
    "delete": (*BEFORE, *AFTER, Fault.LOCKED),
}
FIELDS_HERE = ("title", "location", "notes")
ADDED = ("CATEGORIES", "ATTENDEE")
FIELDS_THERE = ("SUMMARY", "LOCATION", "DESCRIPTION", *ADDED, "X-TOUCH")
"""X-TOUCH is no edit of meaning: its words may go."""
WEEKLY = (
    "DTSTART;TZID=Europe/Berlin:20260303T090000",
    "DTEND;TZID=Europe/Berlin:20260303T093000",
    "RRULE:FREQ=WEEKLY;COUNT=4",
)
ONCE = ("DTSTART:20260303T120000Z", "DTEND:20260303T130000Z")
WINDOW = {"from": "2026-02-01", "to": "2026-06-01"}
WORD = re.compile(rb"w\d+x")
SETTLING = 8
"""Syncs, each with a person's decisions, in which both sides have to become equal once nothing fails."""


def rewritten(body: bytes) -> bytes:
    """A server that puts a line of its own into everything it is given."""
    return body if b"X-SERVER:1" in body else body.replace(b"END:VEVENT", b"X-SERVER:1\r\nEND:VEVENT")


@dataclass(frozen=True)
class Kind:
    """A kind of server."""

    capabilities: Capabilities
    rewrite: Rewrite | None = None


KINDS = {
    "exact": Kind(Capabilities(keeps_bytes=True)),
    "rewriting": Kind(Capabilities(), rewritten),
    "silent": Kind(Capabilities(tells_bad_token=False, put_etag=False)),
    "plain": Kind(Capabilities(sync_tokens=False, keeps_bytes=True)),
}


class Ground:
    """One store for all histories: opened once, set back before each."""

    def __init__(self, folder: Path) -> None:
        self.mirror = open_mirror(folder)
        self._path = folder / "calward.db"
        self._new = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self._path)) as made:
            made.backup(self._new)

    def history(self, kind: Kind) -> History:
        with closing(sqlite3.connect(self._path)) as store:
            self._new.backup(store)
        server = MemoryServer(capabilities=kind.capabilities, rewrite=kind.rewrite)
        world = self.mirror.world
        world.now, world.numbers = NOW, count(FIRST_FREE + 10)
        return History(Mirror(world, server, server.add_calendar("work", "Work")))

    def close(self) -> None:
        self._new.close()
        self.mirror.world.store.close()


@dataclass
class History:
    """One history. Numbers choose among what there is; where there is nothing, nothing happens."""

    mirror: Mirror
    words: set[bytes] = field(default_factory=set)
    excused: set[bytes] = field(default_factory=set)
    """Written over, or deleted there, by somebody who saw them."""
    buried: set[bytes] = field(default_factory=set)
    """Deleted here by somebody who saw them, and not restored."""
    aged: set[bytes] = field(default_factory=set)
    """Had here when the server went back to before them."""
    theirs: set[str] = field(default_factory=set)
    """UIDs of what was written there by others, or by the server itself."""
    backup: Any = None
    _count: Any = field(default_factory=lambda: count(1))

    # What is there.

    def rows(self, *, deleted: bool = False) -> list[ObjectRow]:
        query = sa.select(*columns_of(ObjectRow, objects)).order_by(objects.c.rowid)
        with self.mirror.world.store.reading() as conn:
            found = [ObjectRow(*row) for row in conn.execute(query)]
        return [one for one in found if (one.deleted_at is not None) is deleted]

    def bodies(self) -> dict[Href, bytes]:
        shelf = self.mirror.server.shelf(self.mirror.url)
        return {item.href: item.body for item in shelf.objects.values()}

    def versions(self) -> list[bytes]:
        """What people are shown to choose from, or were."""
        with self.mirror.world.store.reading() as conn:
            return list(conn.scalars(sa.select(conflicts.c.ours)))

    def journal(self) -> bytes:
        """All other bytes that are kept here beside the live ones."""
        with self.mirror.world.store.reading() as conn:
            kept = list(conn.scalars(sa.select(change_bytes.c.bytes)))
        return b"".join([*kept, *(row.local for row in self.rows(deleted=True))])

    # What people do here.

    def makes_here(self) -> None:
        word = self._word()
        self.mirror.world.do(
            "calendar_create", title=word, start="2026-03-03T12:00", calendar="Work", request_id=word
        )

    def edits_here(self, which: int, name: str, scope: str) -> None:
        row = _pick(self.rows(), which)
        if row is None:
            return
        ident, scoped = str(row.id), {}
        if b"RRULE" in row.local or b"RECURRENCE-ID" in row.local:
            shown = self.mirror.world.do("calendar_list", calendar="Work", **WINDOW).events
            own = [one.id for one in shown if one.id.partition(".")[0] == row.id]
            if not own:
                return
            ident, scoped = own[which % len(own)], {"scope": scope}
        word = self._word()
        said = {"start": f"2026-03-{4 + which % 20:02}T10:00"} if name == "start" else {name: word}
        try:
            self.mirror.world.do("calendar_update", id=ident, **said, **scoped)
        except CalwardError:
            self.words.discard(word.encode())  # a part of a series that cannot be edited so
            return
        if name == "start":
            self.words.discard(word.encode())
        after = _words(b"".join(one.local for one in self.rows()))
        self.excused |= _words(row.local) - after

    def deletes_here(self, which: int) -> None:
        row = _pick(self.rows(), which)
        if row is not None:
            scoped = {"scope": "all"} if b"RRULE" in row.local or b"RECURRENCE-ID" in row.local else {}
            self.mirror.world.do("calendar_delete", id=row.id, **scoped)
            self.buried |= _words(row.local)

    def restores_here(self, which: int) -> None:
        row = _pick(self.rows(deleted=True), which)
        if row is not None:
            self.mirror.world.do("calendar_restore", id=row.id)
            self.buried -= _words(row.local)

    # What the other client does.

    def makes_there(self, *, series: bool) -> None:
        word = self._word()
        body = ics(*vevent(word, *(WEEKLY if series else ONCE), f"SUMMARY:{word}")).encode()
        self.mirror.other.put(self.mirror.url, member(self.mirror.url, f"{word}.ics"), body, None)

    def edits_there(self, which: int, name: str) -> None:
        href = _pick(list(self.bodies()), which)
        if href is None:
            return
        word = self._word()
        before = self.bodies()[href]
        line = f"ATTENDEE:mailto:{word}@example.org" if name == "ATTENDEE" else f"{name}:{word}"
        if name in ADDED:
            after = before.replace(b"END:VEVENT", f"{line}\r\nEND:VEVENT".encode(), 1)
        else:
            after = with_lines(before, (line,))
        if name == "X-TOUCH":
            self.words.discard(word.encode())
        self.mirror.writes(href, after)
        self.theirs.add(_uid(after))
        self.excused |= _words(before) - _words(after)

    def deletes_there(self, which: int) -> None:
        href = _pick(list(self.bodies()), which)
        if href is not None:
            self.excused |= _words(self.bodies()[href])
            self.theirs.add(_uid(self.bodies()[href]))
            self.mirror.deletes(href)

    def moves_there(self, which: int) -> None:
        href = _pick(list(self.bodies()), which)
        if href is not None:
            self.mirror.moves(href, f"moved{next(self._count)}.ics")

    # What meets in the middle.

    def both_edit(self, which: int) -> None:
        """One title on both sides, between two syncs."""
        bodies = self.bodies()
        row = _pick([one for one in self.rows() if one.href in bodies], which)
        if row is not None:
            self.edits_here(self.rows().index(row), "title", "all")
            self.edits_there(list(bodies).index(row.href), "SUMMARY")

    def goes_on_in_doubt(self, which: int, fault: int, *, deletes: bool, silent: bool) -> None:
        """An answer is lost, and the server may be silent after that; whoever wrote goes on all the same: edits
        once more, or takes the deletion back."""
        row = _pick(self.rows(), which)
        if row is None:
            return
        if deletes:
            self.deletes_here(self.rows().index(row))
        else:
            self.edits_here(self.rows().index(row), "title", "all")
        self.mirror.fails("delete" if deletes else "put", AFTER[fault % len(AFTER)])
        if silent:
            self.mirror.fails("fetch", Fault.HANG)
        self.syncs()
        self.mirror.faults.clear()
        ids = [one.id for one in self.rows(deleted=deletes)]
        if row.id in ids:
            if deletes:
                self.restores_here(ids.index(row.id))
            else:
                self.edits_here(ids.index(row.id), "title", "all")

    # What the server and the network do.

    def forgets_tokens(self) -> None:
        self.mirror.server.forget_tokens()

    def backs_up(self) -> None:
        self.backup = self.mirror.server.backup()

    def goes_back(self) -> None:
        if self.backup is not None:
            before = self.bodies()
            self.mirror.server.restore(self.backup)
            here = _words(b"".join([self.journal(), *self.versions(), *(row.local for row in self.rows())]))
            self.excused |= _words(b"".join(before.values())) - here
            self.aged |= here - _words(b"".join(self.bodies().values()))
            self.theirs |= {_uid(body) for body in (*before.values(), *self.bodies().values())}

    def fails(self, method: str, which: int) -> None:
        self.mirror.fails(method, FAULTS[method][which % len(FAULTS[method])])

    # What Calward does, and a person about it.

    def syncs(self, *, full: bool = False) -> None:
        self.mirror.sync(full=full)

    def is_killed(self, step: int) -> None:
        self._run(lambda tools: Mortal(tools, step).tools)
        self.mirror.oversleep()

    def syncs_while(self, step: int, then: Callable[[], object]) -> None:
        """A run in the middle of which somebody does something."""
        self._run(lambda tools: Mortal(tools, step, then, in_store=False).tools)
        self.mirror.world.pass_time(seconds=60)

    def waits(self) -> None:
        """So long that removals no longer add up."""
        self.mirror.world.now += timedelta(hours=1, minutes=1)

    def decides(self, *, agree: bool) -> None:
        before = _words(b"".join(row.local for row in self.rows()))
        for one in self.mirror.world.do("held_list").held:
            self.mirror.world.do("held_decide", id=one.id, decision="accept" if agree else "restore")
        self.excused |= before - _words(b"".join(row.local for row in self.rows()))

    def resolves(self, which: int, keep: str) -> None:
        found = _pick(self.mirror.world.do("conflict_list").conflicts, which)
        if found is not None:
            before = {row.id: row.local for row in self.rows()}
            self.mirror.world.do("conflict_resolve", id=found.id, keep=keep)
            after = _words(b"".join(row.local for row in self.rows()))
            self.excused |= _words(before.get(found.event, b"")) - after

    # How it has to end.

    def settles(self, *, agree: bool) -> None:
        """Nothing fails any more, and a person decides what is held."""
        self.mirror.faults.clear()
        for _ in range(SETTLING):
            self.mirror.sync(full=True)
            if not self.mirror.held and not self.differences():
                return
            self.decides(agree=agree)

    def differences(self) -> list[str]:
        """What is not equal on both sides, or not yet sent."""
        there = {self.mirror_key(href): body for href, body in self.bodies().items()}
        rows = {self.mirror_key(row.href): row for row in self.rows()}
        told = [f"only there: {key}" for key in there.keys() - rows.keys()]
        told += [f"only here: {key}" for key in rows.keys() - there.keys()]
        told += [
            f"not the same: {key}"
            for key, row in rows.items()
            if key in there and not row.local == row.base == there[key]
        ]
        both = (*self.rows(), *self.rows(deleted=True))
        return told + [f"{row.push_state}: {row.href}" for row in both if row.push_state != "clean"]

    def mirror_key(self, href: str) -> str:
        return href.rpartition("/")[2]

    def lost(self) -> set[bytes]:
        """Words that nobody who had seen them took away, and that are nowhere."""
        found = _words(b"".join([*self.bodies().values(), *self.versions()]))
        return self.words - self.excused - self.buried - found - (self.aged & _words(self.journal()))

    def needless(self) -> set[str]:
        """Events that a person is asked about though nobody but Calward ever wrote them on the server."""
        return {_uid(ours) for ours in self.versions()} - self.theirs

    def _word(self) -> str:
        word = f"w{next(self._count)}x"
        self.words.add(word.encode())
        return word

    def _run(self, changed: Callable[[Any], Any]) -> None:
        world = self.mirror.world
        with world.store.writing() as conn:
            arm_sync(conn, HOME, CALENDAR, world.now, world.new_id)
        claimed = claim_sync(world.store.writing, HOME, CALENDAR, world.now, "tests")
        assert claimed is not None
        try:
            run_sync(changed(tools_of(world, MemoryRemote(self.mirror.server, self.mirror.faults))), claimed)
        except Killed:
            return


def _pick(among: Sequence[Any], which: int) -> Any:
    return among[which % len(among)] if among else None


def _uid(data: bytes) -> str:
    return next(line for line in _unfolded(data).splitlines() if line.startswith(b"UID:")).decode()


def _words(data: bytes) -> set[bytes]:
    return set(WORD.findall(_unfolded(data)))


def _unfolded(data: bytes) -> bytes:
    return data.replace(b"\r\n ", b"").replace(b"\r\n\t", b"")

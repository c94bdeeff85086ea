"""Two writers of one calendar: what each can do, the stage they do it on, and how a scenario is played.

A ``Stage`` is a calendar that Calward mirrors, with another client of the same server beside it. ``play`` acts
a scenario on it, then lets both sides settle without faults, and checks that they are equal and that nothing
which anybody wrote is missing. Titles name the events, so a scenario uses each title for one event at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from calward.dav.href import member
from calward.ical.lines import fold
from calward.ical.reading import read_object
from calward.model.ids import Href
from calward.remotes.remote import Remote
from tests.operations.world import ics, vevent

WINDOW = {"from": "2026-02-01", "to": "2026-08-01"}
"""All events of a scenario are within."""
WHEN = ("DTSTART:20260303T120000Z", "DTEND:20260303T130000Z")
SETTLING = 4
"""Syncs in which two sides have to become equal, once nothing fails any more."""


class Trouble(StrEnum):
    """What goes wrong at the next request that it can strike. A write is a PUT or a DELETE."""

    LOST = "the write is done and its answer is lost"
    RESET = "the connection breaks before the write is done"
    TWICE = "the write comes through twice"
    NO_ETAG = "the answer to the write names no version"
    WEAK_ETAG = "the answer to the write names a weak version"
    CUT = "a list is cut off in the middle"
    BUSY = "503 with Retry-After"
    SILENT = "the write is done and its answer comes too late"


@dataclass(frozen=True, slots=True)
class Here:
    """The owner does something here. ``does`` is create, edit, delete or restore; ``on`` is the day of one
    occurrence; ``says`` are arguments of the operation."""

    does: str
    title: str
    says: Mapping[str, Any] = field(default_factory=dict)
    on: str = ""


@dataclass(frozen=True, slots=True)
class There:
    """The other client does something. ``does`` is create, edit or delete; ``lines`` are put in the place of
    all lines of the event with the same property names. ``title`` is the one it has, or the one it was made
    with there."""

    does: str
    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sync:
    """One run; whatever it fails with is for later."""

    full: bool = False
    trouble: Trouble | None = None
    killed_at: int | None = None
    """A step of the run at which the process dies."""


@dataclass(frozen=True, slots=True)
class Server:
    """The server's own keeper: ``backup``, ``restore``, or ``forget tokens``. Not every stage has one."""

    does: str


@dataclass(frozen=True, slots=True)
class Decide:
    """The owner decides everything that is held."""

    agree: bool


Step = Here | There | Sync | Server | Decide


@dataclass(frozen=True, slots=True)
class Scenario:
    """``titles`` are on both sides in the end, once for each object; ``says`` is in the live text, ``lacks``
    is not; ``kept`` is in versions of open conflicts, of which there are so many; ``held`` counts what waits.
    """

    name: str
    steps: tuple[Step, ...]
    titles: tuple[str, ...]
    says: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    held: int = 0

    @property
    def needs_keeper(self) -> bool:
        return any(isinstance(step, Server) for step in self.steps)

    @property
    def needs_killing(self) -> bool:
        return any(isinstance(step, Sync) and step.killed_at is not None for step in self.steps)


@dataclass
class Stage:
    """``do`` is an operation as the owner; ``other`` is another client and ``url`` the calendar's address for
    it.

    ``run`` makes one sync in full or not, and tells failures in no way but the status; ``kill`` begins one
    that dies at a step. ``trouble`` has something go wrong once. ``keeper`` does what ``Server`` says; ``kept``
    gives our versions of open conflicts.
    """

    do: Callable[..., Any]
    calendar: str
    other: Remote
    url: str
    run: Callable[[bool], None]
    trouble: Callable[[Trouble | None], None]
    kept: Callable[[], list[bytes]]
    kill: Callable[[int], None] | None = None
    keeper: Callable[[str], None] | None = None

    def objects_there(self) -> dict[Href, bytes]:
        listed = list(self.other.listing(self.url))
        return {one.href: one.body for one in self.other.fetch(self.url, listed).objects} if listed else {}

    def text_here(self) -> str:
        exported: str = self.do("export_file", calendar=self.calendar).content
        return exported

    def titles_here(self) -> list[str]:
        return sorted(_titles(self.text_here().encode("utf-8", "surrogateescape")))

    def titles_there(self) -> list[str]:
        return sorted(title for body in self.objects_there().values() for title in _titles(body))

    def id_of(self, title: str, on: str = "") -> str:
        found = self.do("calendar_list", calendar=self.calendar, **WINDOW).events
        return str(next(one.id for one in found if one.title == title and one.start.startswith(on)))


def play(scenario: Scenario, stage: Stage) -> None:
    """Act it and check how it ends."""
    deleted: dict[str, str] = {}
    for step in scenario.steps:
        _act(step, stage, deleted)
    stage.trouble(None)
    for turn in range(SETTLING):
        stage.run(turn % 2 == 0)
    assert stage.titles_here() == stage.titles_there() == sorted(scenario.titles)
    here, there = _unfolded(stage.text_here()), _unfolded("".join(map(_text, stage.objects_there().values())))
    for text in (here, there):
        assert [word for word in scenario.says if word not in text] == []
        assert [word for word in scenario.lacks if word in text] == []
    kept = [_unfolded(_text(one)) for one in stage.kept()]
    assert len(kept) == len(scenario.kept)
    assert [word for word in scenario.kept if not any(word in one for one in kept)] == []
    status = stage.do("calendar_status")
    (state,) = [one for one in status.calendars if one.name == stage.calendar]
    assert state.error is None, status
    assert scenario.held or not state.unpushed, status
    assert sum(one.count for one in stage.do("held_list").held) == scenario.held


def with_lines(body: bytes, lines: tuple[str, ...]) -> bytes:
    """The text with these lines in its first event, in the place of those with the same names."""
    names = {_name(line) for line in lines}
    kept: list[str] = []
    inside, done = False, False
    for line in _unfolded(_text(body)).splitlines():
        inside = (inside or line == "BEGIN:VEVENT") and line != "END:VEVENT"
        if line == "END:VEVENT" and not done:
            kept += lines
            done = True
        if not (inside and not done and _name(line) in names):
            kept.append(line)
    return b"".join(fold(line, b"\r\n") for line in kept)


def _act(step: Step, stage: Stage, deleted: dict[str, str]) -> None:
    match step:
        case Here(does="create"):
            said = {"start": "2026-03-03T12:00Z", **step.says}
            stage.do("calendar_create", title=step.title, calendar=stage.calendar, **said)
        case Here(does="edit"):
            stage.do("calendar_update", id=stage.id_of(step.title, step.on), **step.says)
        case Here(does="delete"):
            deleted[step.title] = stage.id_of(step.title, step.on)
            stage.do("calendar_delete", id=deleted[step.title], **step.says)
        case Here(does="restore"):
            stage.do("calendar_restore", id=deleted[step.title])
        case There():
            _act_there(step, stage)
        case Sync(full, trouble, None):
            stage.trouble(trouble)
            stage.run(full)
        case Sync(killed_at=int(at)):
            assert stage.kill is not None
            stage.kill(at)
        case Server():
            assert stage.keeper is not None
            stage.keeper(step.does)
        case Decide():
            for one in stage.do("held_list").held:
                stage.do("held_decide", id=one.id, decision="accept" if step.agree else "restore")
        case _:
            raise AssertionError(f"nobody knows how to do {step}")


def _act_there(step: There, stage: Stage) -> None:
    if step.does == "create":
        # Some servers take a UID once for all calendars of an account.
        uid = f"{_slug(step.title)}@{stage.url.rstrip('/').rpartition('/')[2]}"
        when = () if any(line.startswith("DTSTART") for line in step.lines) else WHEN
        lines = (f"SUMMARY:{step.title}", "X-COLOUR-OF-THE-CAT:tabby", *when, *step.lines)
        href = member(stage.url, f"{uid}.ics")
        stage.other.put(stage.url, href, ics(*vevent(uid, *lines)).encode(), None)
        return
    there = stage.objects_there().items()
    named = [href for href, body in there if step.title in _titles(body)]
    (href,) = named or [href for href, body in there if f"UID:{_slug(step.title)}@" in _text(body)]
    (now,) = stage.other.fetch(stage.url, [href]).objects
    if step.does == "delete":
        assert now.etag is not None
        stage.other.delete(stage.url, href, now.etag)
    else:
        stage.other.put(stage.url, href, with_lines(now.body, step.lines), now.etag)


def _slug(title: str) -> str:
    return title.replace(" ", "-").lower()


def _name(line: str) -> str:
    return line.partition(":")[0].partition(";")[0].upper()


def _titles(body: bytes) -> list[str]:
    """The titles of the events and series in a text; an occurrence that differs does not count."""
    return [event.summary for event in read_object(body).events if not event.key]


def _text(body: bytes) -> str:
    return body.decode("utf-8", "surrogateescape")


def _unfolded(text: str) -> str:
    return text.replace("\r\n ", "").replace("\r\n\t", "").replace("\n ", "")

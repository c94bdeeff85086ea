"""What two writers of one calendar do to each other, as data: the same on every server, with every fault.

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
    assert (state.error, state.unpushed or 0) == (None, 0 if not scenario.held else state.unpushed or 0), status
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


_PEOPLE = ("ORGANIZER:mailto:kim@example.org", "ATTENDEE:mailto:kim@example.org")
_ROBIN = "ATTENDEE:mailto:robin@example.org"
_WEEKLY = (
    "DTSTART;TZID=Europe/Berlin:20260303T090000",
    "DTEND;TZID=Europe/Berlin:20260303T093000",
    "RRULE:FREQ=WEEKLY;COUNT=8",
)
_TEN = tuple(f"Event {letter}" for letter in "abcdefghij")
_LUNCH: tuple[Step, ...] = (There("create", "Lunch"), Sync())
_LONG = {"title": "Long lunch"}


def _lossy(trouble: Trouble) -> tuple[Scenario, ...]:
    """A creation, an edit and a deletion that one trouble strikes."""
    others = (There("create", "Dinner"),)
    return (
        Scenario(
            f"a creation, and {trouble}",
            (*others, Sync(), Here("create", "Tea"), Sync(trouble=trouble)),
            ("Dinner", "Tea"),
        ),
        Scenario(
            f"an edit, and {trouble}",
            (*others, *_LUNCH, Here("edit", "Lunch", _LONG), Sync(trouble=trouble)),
            ("Dinner", "Long lunch"),
        ),
        Scenario(
            f"a deletion, and {trouble}",
            (*others, *_LUNCH, Here("delete", "Lunch"), Sync(trouble=trouble)),
            ("Dinner",),
        ),
        Scenario(
            f"an edit, {trouble}, and another edit here before it is known what became of it",
            (
                *_LUNCH,
                Here("edit", "Lunch", _LONG),
                Sync(trouble=trouble),
                Here("edit", "Long lunch", {"title": "Longest lunch"}),
            ),
            ("Longest lunch",),
        ),
        Scenario(
            f"an edit, {trouble}, and another edit there before it is known what became of it",
            (
                *_LUNCH,
                Here("edit", "Lunch", _LONG),
                Sync(trouble=trouble),
                There("edit", "Lunch", ("LOCATION:Bistro",)),
            ),
            ("Long lunch",),
            says=("LOCATION:Bistro",),
        ),
    )


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        "both edit different fields",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("edit", "Lunch", ("LOCATION:Bistro",)), Sync()),
        ("Long lunch",),
        says=("LOCATION:Bistro", "X-COLOUR-OF-THE-CAT:tabby"),
    ),
    Scenario(
        "both edit the same field differently",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("edit", "Lunch", ("SUMMARY:Their lunch",)), Sync()),
        ("Their lunch",),
        kept=("SUMMARY:Long lunch",),
    ),
    Scenario(
        "both edit the same field alike",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("edit", "Lunch", ("SUMMARY:Long lunch",)), Sync()),
        ("Long lunch",),
    ),
    Scenario(
        "one moves it and the other renames it",
        (
            *_LUNCH,
            Here("edit", "Lunch", _LONG),
            There("edit", "Lunch", ("DTSTART:20260304T120000Z", "DTEND:20260304T130000Z")),
            Sync(),
        ),
        ("Long lunch",),
        says=("DTSTART:20260304T120000Z",),
    ),
    Scenario(
        "deleted here and edited there: the edit stands",
        (*_LUNCH, Here("delete", "Lunch"), There("edit", "Lunch", ("SUMMARY:Their lunch",)), Sync()),
        ("Their lunch",),
    ),
    Scenario(
        "edited here and deleted there: the edit stands",
        (*_LUNCH, Here("edit", "Lunch", _LONG), There("delete", "Lunch"), Sync()),
        ("Long lunch",),
    ),
    Scenario(
        "deleted on both sides",
        (There("create", "Dinner"), *_LUNCH, Here("delete", "Lunch"), There("delete", "Lunch"), Sync()),
        ("Dinner",),
    ),
    Scenario(
        "deleted there and brought back here",
        (
            There("create", "Dinner"),
            *_LUNCH,
            Here("delete", "Lunch"),
            Sync(),
            Here("restore", "Lunch"),
            Sync(),
        ),
        ("Dinner", "Lunch"),
    ),
    Scenario(
        "a deletion whose answer was lost, brought back here",
        (
            There("create", "Dinner"),
            *_LUNCH,
            Here("delete", "Lunch"),
            Sync(trouble=Trouble.LOST),
            Here("restore", "Lunch"),
            Sync(),
        ),
        ("Dinner", "Lunch"),
    ),
    Scenario(
        "somebody is invited there while we rename it",
        (
            There("create", "Lunch", _PEOPLE),
            Sync(),
            Here("edit", "Lunch", _LONG),
            There("edit", "Lunch", (*_PEOPLE, _ROBIN)),
            Sync(),
        ),
        ("Long lunch",),
        says=("robin@example.org", "kim@example.org"),
    ),
    Scenario(
        "somebody is taken off there while we rename it",
        (
            There("create", "Lunch", (*_PEOPLE, _ROBIN)),
            Sync(),
            Here("edit", "Lunch", _LONG),
            There("edit", "Lunch", _PEOPLE),
            Sync(),
        ),
        ("Long lunch",),
        says=("kim@example.org",),
        lacks=("robin@example.org",),
    ),
    Scenario(
        "one occurrence is moved here, another is taken out there",
        (
            There("create", "Standup", _WEEKLY),
            Sync(),
            Here("edit", "Standup", {"start": "2026-03-10T11:00", "scope": "one"}, on="2026-03-10"),
            There("edit", "Standup", ("EXDATE;TZID=Europe/Berlin:20260317T090000",)),
            Sync(),
        ),
        ("Standup",),
        says=("RECURRENCE-ID;TZID=Europe/Berlin:20260310T090000", "20260317T090000"),
    ),
    Scenario(
        "a series is renamed here, its place is set there",
        (
            There("create", "Standup", _WEEKLY),
            Sync(),
            Here("edit", "Standup", {"title": "Check-in", "scope": "all"}, on="2026-03-03"),
            There("edit", "Standup", ("LOCATION:Room 7",)),
            Sync(),
        ),
        ("Check-in",),
        says=("LOCATION:Room 7", "RRULE:FREQ=WEEKLY;COUNT=8"),
    ),
    *(
        scenario
        for trouble in (
            *(Trouble.LOST, Trouble.RESET, Trouble.SILENT),
            *(Trouble.NO_ETAG, Trouble.WEAK_ETAG, Trouble.BUSY),
        )
        for scenario in _lossy(trouble)
    ),
    *_lossy(Trouble.TWICE)[:3],
    Scenario(
        "a list that is cut off deletes nothing",
        (*(There("create", title) for title in _TEN), Sync(), Sync(full=True, trouble=Trouble.CUT)),
        _TEN,
    ),
    Scenario(
        "all is removed there: held",
        (
            *(There("create", title) for title in _TEN[:3]),
            Sync(),
            *(There("delete", title) for title in _TEN[:3]),
            Sync(),
            Decide(agree=False),
            Sync(),
        ),
        _TEN[:3],
    ),
    Scenario(
        "most is removed there, and a person agrees",
        (
            *(There("create", title) for title in _TEN),
            Sync(),
            *(There("delete", title) for title in _TEN[:6]),
            Sync(),
            Decide(agree=True),
            Sync(),
        ),
        _TEN[6:],
    ),
    Scenario(
        "all is deleted here: held, and taken back",
        (
            *(There("create", title) for title in _TEN[:3]),
            Sync(),
            *(Here("delete", title) for title in _TEN[:3]),
            Sync(),
            Decide(agree=False),
            Sync(),
        ),
        _TEN[:3],
    ),
    Scenario(
        "all is deleted here, and a person agrees",
        (
            *(There("create", title) for title in _TEN[:3]),
            Sync(),
            *(Here("delete", title) for title in _TEN[:3]),
            Sync(),
            Decide(agree=True),
            Sync(),
        ),
        (),
    ),
    Scenario(
        "a token that is refused leads to the whole list",
        (
            There("create", "Dinner"),
            *_LUNCH,
            Server("forget tokens"),
            There("delete", "Lunch"),
            There("create", "Tea"),
            Sync(),
        ),
        ("Dinner", "Tea"),
    ),
    Scenario(
        "a server restored from a backup: what it forgot is sent again",
        (
            *(There("create", title) for title in _TEN[:2]),
            Sync(),
            Server("backup"),
            *(There("create", title) for title in _TEN[2:]),
            Sync(),
            Server("restore"),
            Sync(full=True),
            Decide(agree=False),
            Sync(),
        ),
        _TEN,
    ),
    *(
        Scenario(
            f"killed at step {step} of a run in which both sides have news",
            (
                There("create", "Dinner"),
                *_LUNCH,
                Here("edit", "Lunch", _LONG),
                There("edit", "Lunch", ("LOCATION:Bistro",)),
                There("create", "Tea"),
                Here("delete", "Dinner"),
                Here("create", "Cake"),
                Sync(killed_at=step),
            ),
            ("Cake", "Long lunch", "Tea"),
            says=("LOCATION:Bistro",),
        )
        for step in range(1, 41, 3)
    ),
)
"""Every name is used once."""

"""From a server to here."""

from __future__ import annotations

from datetime import timedelta

import pytest

from calward.bootstrap.household import HOME
from calward.dav.quirks import Capabilities
from calward.remotes.faults import Fault
from calward.remotes.memory import MemoryServer
from calward.store.journal import history, kept_bytes, verify
from tests.operations.sync.mirror import Mirror, event, open_mirror


def test_a_first_sync_brings_everything_byte_for_byte(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.adds("b", "Dinner")
    tally = mirror.sync()
    assert tally is not None
    assert tally.facts() == {"pulled": 2, "of": 2}
    assert mirror.titles_here() == ["Dinner", "Lunch"]
    assert mirror.row(mirror.event("Lunch").id.partition(".")[0]).local == event("a")
    assert mirror.calendar.sync_token == mirror.server.token(mirror.server.shelf(mirror.url))
    assert {side.href for side in mirror.sides()} >= {href}
    assert {side.push_state for side in mirror.sides()} == {"clean"}


def test_what_another_client_adds_edits_and_deletes_arrives(mirror: Mirror) -> None:
    lunch = mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    dinner = mirror.event("Dinner").id
    mirror.deletes(lunch)
    mirror.edits(mirror.row(dinner).href, "Late dinner")
    mirror.adds("c", "Breakfast")
    mirror.sync()
    assert mirror.titles_here() == ["Breakfast", "Late dinner"]
    assert mirror.event("Late dinner").id == dinner


def test_a_sync_with_nothing_new_asks_once_and_writes_no_journal(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    before = len(mirror.world.do("history").changes)
    for method in ("calendar", "listing", "fetch", "put", "delete"):
        mirror.fails(method, Fault.UNREACHABLE)
    tally = mirror.sync()
    assert tally is not None
    assert tally.facts() == {}
    assert len(mirror.world.do("history").changes) == before


def test_an_event_that_comes_back_to_its_place_is_the_same_event(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.deletes(href)
    mirror.sync()
    assert mirror.titles_here() == []
    mirror.adds("a", "Lunch again")
    mirror.sync()
    assert mirror.event("Lunch again").id == ident


def test_a_deletion_there_can_be_taken_back_here(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    ident = mirror.event("Lunch").id
    mirror.deletes(href)
    mirror.sync()
    mirror.world.do("calendar_restore", id=ident)
    mirror.sync()
    assert mirror.titles_here() == mirror.titles_there() == ["Lunch"]


@pytest.mark.parametrize(
    "capabilities",
    [Capabilities(sync_tokens=False), Capabilities(tells_bad_token=False), Capabilities(keeps_bytes=True)],
    ids=["no tokens", "hides bad tokens", "keeps bytes"],
)
def test_every_kind_of_server_is_followed(
    tmp_path_factory: pytest.TempPathFactory, capabilities: Capabilities
) -> None:
    mirror = open_mirror(tmp_path_factory.mktemp("mirror"), MemoryServer(capabilities=capabilities))
    lunch = mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    mirror.edits(lunch, "Long lunch")
    mirror.adds("c", "Tea")
    mirror.sync()
    assert mirror.titles_here() == ["Dinner", "Long lunch", "Tea"]
    mirror.server.forget_tokens()
    mirror.deletes(lunch)
    mirror.sync()
    mirror.sync(full=True)
    assert mirror.titles_here() == ["Dinner", "Tea"]
    mirror.create("Supper")
    mirror.sync()
    assert mirror.titles_there() == ["Dinner", "Supper", "Tea"]
    mirror.world.store.close()


def test_a_token_that_is_refused_leads_to_the_whole_list(mirror: Mirror) -> None:
    lunch = mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    mirror.server.forget_tokens()
    mirror.deletes(lunch)
    mirror.sync()
    assert mirror.titles_here() == ["Dinner"]


def test_everything_is_listed_once_a_day_whatever_the_list_of_changes_says(mirror: Mirror) -> None:
    lunch = mirror.adds("a")
    mirror.adds("b", "Dinner")
    mirror.sync()
    mirror.deletes(lunch)
    mirror.fails("changes", Fault.TOKEN_HIDDEN)
    mirror.sync()
    assert mirror.titles_here() == ["Dinner", "Lunch"]
    mirror.world.now += timedelta(days=1)
    mirror.sync()
    assert mirror.titles_here() == ["Dinner"]


def test_a_list_that_lacks_rows_deletes_nothing(mirror: Mirror) -> None:
    for name in "abcdefgh":
        mirror.adds(name, f"Event {name}")
    mirror.sync()
    mirror.fails("listing", Fault.PARTIAL)
    mirror.sync(full=True)
    assert len(mirror.titles_here()) == 8
    assert mirror.held == []


def test_a_calendar_that_is_gone_empties_nothing_here(mirror: Mirror) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.server.drop_calendar(mirror.url)
    assert mirror.sync(full=True) is None
    assert mirror.titles_here() == ["Lunch"]
    assert mirror.due.last_error is not None


@pytest.mark.parametrize("fault", ["unreachable", "hang", "web_page", "truncated", "server_error", "throttled"])
@pytest.mark.parametrize("method", ["calendar", "listing", "fetch", "changes"])
def test_a_failure_is_told_loses_nothing_and_is_gone_on_from(mirror: Mirror, method: str, fault: str) -> None:
    mirror.adds("a")
    mirror.sync()
    mirror.adds("b", "Dinner")
    mirror.fails(method, Fault(fault))
    failed = mirror.sync(full=method != "changes")
    told = mirror.due.last_error
    assert (failed, mirror.due.state) == (None, "armed")
    assert told is not None
    assert mirror.titles_here() == ["Lunch"]
    mirror.sync()
    assert mirror.due.last_error is None
    assert mirror.titles_here() == ["Dinner", "Lunch"]


def test_a_password_that_stays_refused_is_tried_once_a_day_or_when_a_person_asks(mirror: Mirror) -> None:
    for _ in range(5):
        mirror.fails("calendar", Fault.SIGNED_OUT)
        before = mirror.world.now
        assert mirror.sync() is None
    assert mirror.due.fire_at - before == timedelta(days=1)
    mirror.sync()
    assert mirror.due.last_error is None


def test_waiting_grows_with_each_failure_and_has_an_end(mirror: Mirror) -> None:
    waits = []
    for _ in range(12):
        mirror.fails("calendar", Fault.UNREACHABLE)
        before = mirror.world.now
        mirror.sync()
        waits.append((mirror.due.fire_at - before).total_seconds())
    assert waits == sorted(waits)
    assert waits[1] == 2 * waits[0]
    assert waits[-1] == 0.75 * 3600


def test_what_other_people_write_into_an_assistants_event_is_theirs(mirror: Mirror) -> None:
    mirror.sync()
    bot = mirror.world.assistant(Work="helper")
    mirror.world.do("grant_set", assistant="bot", calendar="Work", others_level="busy")
    made = mirror.world.ask(
        bot, "calendar_create", title="Mine", start="2026-03-03T12:00", calendar="Work"
    ).event
    mirror.sync()
    assert mirror.world.week(bot) == ["Mine"]
    row = mirror.row(made.id)
    href = next(iter(mirror.other.listing(mirror.url)))
    secret = row.local.replace(b"SUMMARY:Mine", b"SUMMARY:Our secret")
    now = mirror.there(href)
    assert now is not None
    mirror.other.put(mirror.url, href, secret, now.etag)
    mirror.sync()
    assert mirror.world.week() == ["Our secret"]
    assert "Our secret" not in mirror.world.week(bot)


def test_a_pull_is_one_journal_row_a_batch_and_keeps_what_it_changed(mirror: Mirror) -> None:
    href = mirror.adds("a")
    mirror.sync()
    old = mirror.row(mirror.event("Lunch").id)
    mirror.edits(href, "Late lunch")
    mirror.adds("b", "Dinner")
    mirror.sync()
    with mirror.world.store.reading() as conn:
        newest = history(conn, HOME, limit=1)[0]
        assert newest.facts == {"added": 1, "changed": {old.id: old.local_digest}}
        assert kept_bytes(conn, HOME, old.local_digest) == old.local
        assert verify(conn, HOME) is None


def test_what_another_client_moves_takes_its_reminder_along_and_what_it_deletes_voids_it(
    mirror: Mirror,
) -> None:
    href = mirror.adds("lunch", "Lunch")
    mirror.sync()
    mirror.world.do("reminder_set", calendar_event="lunch", offset=-3600)

    def reminder() -> tuple[str, str | None]:
        (one,) = mirror.world.do("reminder_list", state="all").reminders
        return one.state, one.due

    assert reminder() == ("armed", "2026-03-03T12:00:00+01:00")
    now = mirror.there(href)
    assert now is not None
    moved = now.body.replace(b"20260303T12", b"20260305T16").replace(b"20260303T13", b"20260305T17")
    mirror.other.put(mirror.url, href, moved, now.etag)
    mirror.sync()
    assert reminder() == ("armed", "2026-03-05T16:00:00+01:00")
    mirror.deletes(href)
    mirror.sync()
    assert reminder()[0] == "void"

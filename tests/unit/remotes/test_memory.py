"""The server in memory: faults on demand, backups, tokens; the contract suite has the rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from calward.dav.errors import (
    AlreadyThere,
    BadAnswer,
    BadSyncToken,
    ConnectionLost,
    DavError,
    Locked,
    Missing,
    NoSpace,
    NotCalDav,
    ObjectRefused,
    ReportUnsupported,
    ServerTrouble,
    SignInRefused,
    Throttled,
    TimedOut,
    UidConflict,
    Unreachable,
)
from calward.dav.objects import is_weak
from calward.dav.quirks import Capabilities
from calward.model.ids import ETag, Href
from calward.remotes.faults import Fault, Faults
from calward.remotes.memory import MemoryRemote, MemoryServer

ONE = Href("/calendars/c/one.ics")


def ics(uid: str, title: str = "Lunch") -> bytes:
    lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{title}", "END:VEVENT", "END:VCALENDAR"]
    return "\r\n".join([*lines, ""]).encode()


@pytest.fixture
def server() -> MemoryServer:
    return MemoryServer()


@pytest.fixture
def calendar(server: MemoryServer) -> str:
    return server.add_calendar("c", "Calendar")


@pytest.fixture
def remote(server: MemoryServer) -> MemoryRemote:
    return MemoryRemote(server)


BEFORE = {
    Fault.UNREACHABLE: Unreachable,
    Fault.RESET: ConnectionLost,
    Fault.HANG: TimedOut,
    Fault.SERVER_ERROR: ServerTrouble,
    Fault.THROTTLED: Throttled,
    Fault.SIGNED_OUT: SignInRefused,
    Fault.WEB_PAGE: NotCalDav,
    Fault.TRUNCATED: BadAnswer,
    Fault.FULL: NoSpace,
    Fault.LOCKED: Locked,
    Fault.TOKEN_REFUSED: BadSyncToken,
}
AFTER = {Fault.ANSWER_LOST: ConnectionLost, Fault.ANSWER_LATE: TimedOut, Fault.ERROR_AFTER: ServerTrouble}
BENT = {
    Fault.NO_ETAG,
    Fault.STALE_ETAG,
    Fault.WEAK_ETAG,
    Fault.REWRITTEN,
    Fault.TWICE,
    Fault.PARTIAL,
    Fault.EMPTY,
    Fault.TOKEN_HIDDEN,
}


def test_every_fault_strikes_before_or_after_or_bends_the_answer() -> None:
    assert BEFORE.keys() | AFTER.keys() | BENT == set(Fault)


@pytest.mark.parametrize("fault", BEFORE)
def test_a_fault_before_leaves_the_server_untouched(remote: MemoryRemote, calendar: str, fault: Fault) -> None:
    remote.faults.add("put", fault)
    with pytest.raises(BEFORE[fault]) as caught:
        remote.put(calendar, ONE, ics("one"), None)
    assert caught.value.in_doubt is (fault in (Fault.RESET, Fault.HANG, Fault.SERVER_ERROR))
    assert remote.listing(calendar) == {}
    remote.put(calendar, ONE, ics("one"), None)  # each fault strikes once


@pytest.mark.parametrize("fault", AFTER)
def test_a_fault_after_leaves_the_work_done_and_in_doubt(
    remote: MemoryRemote, calendar: str, fault: Fault
) -> None:
    for method in ("put", "delete", "make_calendar"):
        remote.faults.add(method, fault)
    with pytest.raises(AFTER[fault]) as caught:
        remote.put(calendar, ONE, ics("one"), None)
    assert caught.value.in_doubt
    (tag,) = remote.listing(calendar).values()
    assert tag
    with pytest.raises(AFTER[fault]):
        remote.delete(calendar, ONE, tag)
    assert remote.listing(calendar) == {}
    with pytest.raises(AFTER[fault]):
        remote.make_calendar("new", "New")
    assert remote.make_calendar("new", "New").name == "New"


@pytest.mark.parametrize("method", ["calendars", "calendar", "changes", "listing", "fetch"])
def test_a_fault_strikes_reads_too_and_is_never_an_empty_answer(
    remote: MemoryRemote, calendar: str, method: str
) -> None:
    calls: dict[str, Callable[[], object]] = {
        "calendars": lambda: remote.calendars(),
        "calendar": lambda: remote.calendar(calendar),
        "changes": lambda: remote.changes(calendar, None),
        "listing": lambda: remote.listing(calendar),
        "fetch": lambda: remote.fetch(calendar, [ONE]),
    }
    remote.faults.add(method, Fault.HANG, Fault.TRUNCATED)
    for _ in range(2):
        with pytest.raises(DavError) as caught:
            calls[method]()
        assert not caught.value.in_doubt
    calls[method]()


def test_answers_can_lie_about_etags_and_bodies(remote: MemoryRemote, calendar: str) -> None:
    remote.faults.add("put", Fault.NO_ETAG, Fault.STALE_ETAG, Fault.REWRITTEN, Fault.TWICE)
    assert remote.put(calendar, ONE, ics("one"), None) is None
    first = remote.listing(calendar)[ONE]
    assert first
    assert remote.put(calendar, ONE, ics("one", "2"), first) == first
    second = remote.listing(calendar)[ONE]
    assert second
    assert second != first
    third = remote.put(calendar, ONE, ics("one", "3"), second)
    assert b"X-SERVER-WAS-HERE" in remote.fetch(calendar, [ONE]).objects[0].body
    fourth = remote.put(calendar, ONE, ics("one", "4"), third)
    assert remote.listing(calendar)[ONE] == fourth
    remote.faults.add("put", Fault.STALE_ETAG)
    assert remote.put(calendar, Href("/calendars/c/two.ics"), ics("two"), None) == '"m0"'


def test_a_partial_list_lacks_rows_and_does_not_say_so(remote: MemoryRemote, calendar: str) -> None:
    for n in range(4):
        remote.put(calendar, Href(f"/calendars/c/{n}.ics"), ics(str(n)), None)
    remote.faults.add("listing", Fault.PARTIAL)
    assert len(remote.listing(calendar)) == 2
    assert len(remote.listing(calendar)) == 4


def test_a_hidden_bad_token_is_answered_with_everything_and_no_deletion(
    remote: MemoryRemote, calendar: str
) -> None:
    tag = remote.put(calendar, ONE, ics("one"), None)
    remote.put(calendar, Href("/calendars/c/two.ics"), ics("two"), None)
    token = remote.changes(calendar, None).token
    assert tag
    remote.delete(calendar, ONE, tag)
    remote.faults.add("changes", Fault.TOKEN_HIDDEN)
    hidden = remote.changes(calendar, token)
    assert hidden.changed.keys() == {"/calendars/c/two.ics"}
    assert hidden.removed == frozenset()
    assert remote.changes(calendar, token).removed == {ONE}


def test_forgotten_tokens_are_refused_or_hidden_as_the_server_does(calendar: str, remote: MemoryRemote) -> None:
    token = remote.changes(calendar, None).token
    remote.server.forget_tokens()
    with pytest.raises(BadSyncToken):
        remote.changes(calendar, token)
    quiet = MemoryServer(capabilities=Capabilities(tells_bad_token=False))
    place = quiet.add_calendar("c", "Calendar")
    other = MemoryRemote(quiet)
    other.put(place, ONE, ics("one"), None)
    old = other.changes(place, None).token
    quiet.forget_tokens()
    assert other.changes(place, old).changed.keys() == {ONE}


def test_a_server_restored_from_backup_goes_backwards(
    server: MemoryServer, remote: MemoryRemote, calendar: str
) -> None:
    tag = remote.put(calendar, ONE, ics("one", "old"), None)
    backup = server.backup()
    remote.put(calendar, ONE, ics("one", "new"), tag)
    token = remote.changes(calendar, None).token
    server.restore(backup)
    assert remote.listing(calendar) == {ONE: tag}
    with pytest.raises(BadSyncToken):
        remote.changes(calendar, token)


def test_a_server_can_rewrite_what_it_stores_and_have_no_sync_or_etag() -> None:
    plain = Capabilities(sync_tokens=False, put_etag=False)
    server = MemoryServer(
        capabilities=plain, rewrite=lambda body: body.replace(b"Lunch", b"LUNCH"), unique_uids=False
    )
    calendar = server.add_calendar("c", "Calendar")
    remote = MemoryRemote(server, Faults())
    assert remote.put(calendar, ONE, ics("one"), None) is None
    remote.put(calendar, Href("/calendars/c/two.ics"), ics("one"), None)
    assert b"SUMMARY:LUNCH" in remote.fetch(calendar, [ONE]).objects[0].body
    with pytest.raises(ReportUnsupported):
        remote.changes(calendar, None)
    assert not remote.calendar(calendar).syncs
    assert remote.calendar(calendar).sync_token is None
    assert remote.capabilities == plain


def test_folded_uids_are_compared_unfolded(remote: MemoryRemote, calendar: str) -> None:
    remote.put(calendar, ONE, ics("a-long-uid"), None)
    folded = ics("X").replace(b"UID:X", b"UID:a-lo\r\n ng-uid")
    with pytest.raises(UidConflict) as caught:
        remote.put(calendar, Href("/calendars/c/two.ics"), folded, None)
    assert caught.value.existing == ONE


def test_objects_without_a_uid_do_not_clash(remote: MemoryRemote, calendar: str) -> None:
    bare = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    remote.put(calendar, ONE, bare, None)
    remote.put(calendar, Href("/calendars/c/two.ics"), bare, None)
    with pytest.raises(ObjectRefused):
        remote.put(calendar, Href("/calendars/c/three.ics"), b"junk", None)


def test_calendars_come_and_go_on_the_server(server: MemoryServer, remote: MemoryRemote, calendar: str) -> None:
    with pytest.raises(AlreadyThere):
        server.add_calendar("c", "Again")
    server.drop_calendar(calendar)
    with pytest.raises(Missing):
        remote.calendar(calendar)
    assert remote.calendars() == ()


def test_faults_can_be_called_off(remote: MemoryRemote, calendar: str) -> None:
    remote.faults.add("delete", Fault.HANG)
    remote.faults.clear()
    with pytest.raises(Missing):
        remote.delete(calendar, ONE, ETag('"1"'))
    remote.close()


def test_a_weak_etag_and_an_empty_list_are_answers_of_one_call_each(
    remote: MemoryRemote, calendar: str
) -> None:
    remote.faults.add("put", Fault.WEAK_ETAG)
    remote.faults.add("listing", Fault.EMPTY)
    weak = remote.put(calendar, ONE, ics("one"), None)
    assert weak is not None
    assert is_weak(weak)
    assert remote.listing(calendar) == {}
    (etag,) = remote.listing(calendar).values()
    assert etag is not None
    assert not is_weak(etag)

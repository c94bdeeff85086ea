"""What another client does arrives here, and what is changed here is there to the line."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest

from calward.bootstrap.household import HOME
from calward.dav.href import resolve
from calward.store.calendars import calendar_named
from calward.store.objects import objects_in
from tests.contract.caldav_servers import Address
from tests.operations.world import ics, vevent
from tests.system.conftest import Other, another_client, event
from tests.system.desk import Desk
from tests.system.phone import Phone
from tests.system.rich_series import SERIES

pytestmark = pytest.mark.interop

STAMPS = (b"DTSTAMP:", b"LAST-MODIFIED:")
"""Lines that date a change."""
RICH = (
    "LAST-MODIFIED:20260101T000000Z",
    "CREATED:20260101T000000Z",
    "SEQUENCE:3",
    "DTSTART:20260303T120000Z",
    "DURATION:PT1H",
    "SUMMARY;LANGUAGE=en:Lunch",
    "DESCRIPTION:A first line\\nand a second one\\, with a comma\\; this goes on for longer th",
    " an a line may be",
    "LOCATION:Bistro",
    "CATEGORIES:Food,Friends",
    'X-P;X-Q="a;b":c',
    "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Soon",
    "TRIGGER:-PT10M",
    "X-WR-ALARMUID:7D1F",
    "END:VALARM",
)


def test_what_another_client_does_is_shown_alike(
    phone: Phone, other: Other, desk: Desk, address: Address
) -> None:
    here = other.url
    uid = f"-in-{other.name}"
    elsewhere = another_client(address)
    for name in ("lunch", "dinner", "tea", "brunch"):
        phone.adds(here, event(name + uid, name.title()).decode())
    phone.adds(here, SERIES["zoned"].named("series" + uid))
    desk.sync()
    assert desk.shows() == phone.shows(here)
    assert len(desk.shows()) == 4 + len(SERIES["zoned"].rows)

    later = event("lunch" + uid, "Long lunch").replace(b"T13", b"T15")
    phone.edits(here, "lunch" + uid, later.decode())
    phone.edits(here, "series" + uid, SERIES["all-day"].named("series" + uid))
    phone.deletes(here, "dinner" + uid)
    phone.moves(here, "brunch" + uid, elsewhere.url)
    phone.adds(here, event("supper" + uid, "Supper").decode())
    desk.sync()
    assert desk.shows() == phone.shows(here)
    titles = sorted({one.title for one in desk.shows()})
    assert titles == ["Fair", "Long lunch", "Spring fair", "Supper", "Tea"]
    elsewhere.remote.close()


def test_an_assistants_title_edit_changes_exactly_the_touched_lines(
    other: Other, desk: Desk, address: Address
) -> None:
    sent = ics(*vevent(f"lunch-in-{other.name}", *RICH)).encode()
    place = resolve(other.url, "lunch.ics")
    login = httpx2.BasicAuth(address.user, address.password)
    with httpx2.Client(auth=login) as plain:
        put(plain, place, sent)
        before = plain.get(place).content
        desk.sync()
        ask_and_approve(desk, title="Long lunch")
        desk.sync()
        after = plain.get(place).content
    # The server wrote what it was sent first in its own way; on a second look nothing is left for it to change.
    assert after == b"".join(retitled(before, after))
    assert held(desk) == after


def test_what_is_taken_for_the_servers_version_is_what_the_server_has(
    other: Other, desk: Desk, address: Address
) -> None:
    notes = "A line that is folded by each program at another place, however it is stored, and goes on. " * 3
    desk.do("calendar_create", title="Walk", start="2026-03-04T10:00", notes=notes, calendar=desk.calendar)
    desk.sync()
    (href,) = other.remote.listing(other.url)
    with httpx2.Client(auth=httpx2.BasicAuth(address.user, address.password)) as plain:
        assert held(desk) == plain.get(resolve(other.url, href)).content


def ask_and_approve(desk: Desk, title: str) -> None:
    """An assistant asks to see the event and then to change it; the owner agrees to both."""
    desk.do("assistant_add", name="Robin")
    desk.do("grant_set", assistant="Robin", calendar=desk.calendar, preset="careful")
    robin = desk.app.pipeline.assistant("Robin")
    window = {"from": "2026-03-03", "to": "2026-03-03"}
    hidden = desk.ask(robin, "calendar_details", **window)
    assert (hidden.events, hidden.need_approval) == ((), 1)
    desk.do("approval_decide", id=hidden.approval.id, approve=True)
    (lunch,) = desk.ask(robin, "calendar_details", **window).events
    asked = desk.ask(robin, "calendar_update", id=lunch.id, title=title)
    assert asked.status == "pending_approval"
    desk.do("approval_decide", id=asked.approval.id, approve=True)


def held(desk: Desk) -> bytes:
    """What the household takes for the server's version of the only event in the calendar."""
    with desk.app.store.reading() as conn:
        calendar = calendar_named(conn, HOME, desk.calendar)
        assert calendar is not None
        (row,) = objects_in(conn, HOME, calendar.id)
    assert row.base is not None
    return row.base


def put(plain: httpx2.Client, place: str, body: bytes) -> None:
    headers = {"Content-Type": "text/calendar; charset=utf-8"}
    plain.put(place, content=body, headers=headers).raise_for_status()


def retitled(before: bytes, after: bytes) -> Iterator[bytes]:
    """The lines of ``before`` with another title, in a language nobody named, dated as in ``after``."""
    dates = {
        line.partition(b":")[0]: line for line in after.splitlines(keepends=True) if line.startswith(STAMPS)
    }
    for line in before.splitlines(keepends=True):
        if line.startswith(b"SUMMARY"):
            yield b"SUMMARY:Long lunch\r\n"
        elif line.startswith(STAMPS):
            yield dates[line.partition(b":")[0]]
        else:
            yield line

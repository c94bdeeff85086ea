"""Single objects, new calendars, and what a collection says about itself."""

from __future__ import annotations

import pytest

from calward.dav import names
from calward.dav.collections import ALL_COMPONENTS, Rights, calendar_of, is_calendar
from calward.dav.errors import AlreadyThere, BadAnswer, Missing, ObjectRefused, PreconditionFailed
from calward.dav.messages import Answer, Ask
from calward.dav.mkcalendar import ask_make_calendar, read_make_calendar
from calward.dav.multistatus import Row, read_multistatus
from calward.dav.objects import (
    ask_create,
    ask_delete,
    ask_object,
    ask_update,
    etag_of,
    is_weak,
    is_whole,
    read_delete,
    read_object,
    read_put,
)
from calward.dav.xml import parse, text_of
from calward.model.ids import ETag, Href

URL = "https://cal.example/c/a.ics"
ICS = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"


def test_conditional_requests_ask_for_an_answer_that_no_proxy_packs() -> None:
    for ask in (
        ask_object(URL),
        ask_create(URL, ICS),
        ask_update(URL, ICS, ETag('"1"')),
        ask_delete(URL, ETag('"1"')),
    ):
        assert ("Accept-Encoding", "identity") in ask.headers


def test_every_write_names_what_it_expects() -> None:
    assert ("If-None-Match", "*") in ask_create(URL, ICS).headers
    assert ("If-Match", '"1"') in ask_update(URL, ICS, ETag('"1"')).headers
    assert ("If-Match", '"1"') in ask_delete(URL, ETag('"1"')).headers
    assert ask_create(URL, ICS).writes
    assert not ask_object(URL).writes


def test_an_object_is_read_with_its_etag() -> None:
    item = read_object(ask_object(URL), Answer(200, (("ETag", '"1"'),), ICS))
    assert (item.href, item.etag, item.body) == ("/c/a.ics", '"1"', ICS)
    assert read_object(ask_object(URL), Answer(200, body=ICS), Href("/c/a%2Eics")).href == "/c/a%2Eics"
    with pytest.raises(Missing):
        read_object(ask_object(URL), Answer(404))


@pytest.mark.parametrize("body", [b"", ICS[:-3], ICS[:20], b"<p>Sign in</p>", b"{}"])
def test_an_object_that_is_cut_off_is_not_taken(body: bytes) -> None:
    with pytest.raises(BadAnswer, match="cut off"):
        read_object(ask_object(URL), Answer(200, body=body))


def test_an_object_may_have_stray_space_around_it_and_any_case() -> None:
    assert is_whole(b"\xef\xbb\xbf\r\nbegin:vcalendar\nend:vcalendar\n\n")


def test_a_put_answers_the_etag_if_there_is_one() -> None:
    ask = ask_create(URL, ICS)
    assert read_put(ask, Answer(201, (("ETag", '"1"'),))) == '"1"'
    assert read_put(ask, Answer(204)) is None
    with pytest.raises(PreconditionFailed):
        read_put(ask, Answer(412))
    assert etag_of(Answer(200, (("ETag", " "),))) is None
    assert is_weak(ETag('W/"1"'))
    assert not is_weak(ETag('"W/1"'))


def test_a_delete_that_lists_what_it_left_is_no_success() -> None:
    ask = ask_delete(URL, ETag('"1"'))
    read_delete(ask, Answer(204))
    with pytest.raises(PreconditionFailed):
        read_delete(ask, Answer(207, body=b'<d:multistatus xmlns:d="DAV:"/>'))
    with pytest.raises(Missing):
        read_delete(ask, Answer(404))


def test_a_new_calendar_is_asked_for_with_its_properties() -> None:
    ask = ask_make_calendar("https://cal.example/h/new/", "A & B\x00", ["VEVENT", "VTODO"], "#00ff00")
    root = parse(ask.body)
    assert text_of(next(root.iter(names.DISPLAYNAME))) == "A & B"
    assert text_of(next(root.iter(names.COLOR))) == "#00ff00"
    assert [comp.get("name") for comp in root.iter(names.COMP)] == ["VEVENT", "VTODO"]
    assert "Depth" not in dict(ask.headers)
    assert b"calendar-color" not in ask_make_calendar("https://cal.example/h/new/", "A").body
    read_make_calendar(ask, Answer(201))
    for status, kind in ((405, AlreadyThere), (207, ObjectRefused), (409, ObjectRefused)):
        with pytest.raises(kind):
            read_make_calendar(ask, Answer(status))


def row_of(props: str, href: str = "/home/work/") -> Row:
    body = (
        f'<d:multistatus xmlns:d="DAV:" xmlns:c="{names.CALDAV}" xmlns:cs="{names.CALENDARSERVER}" '
        f'xmlns:a="{names.APPLE}" xmlns:nc="http://nextcloud.com/ns"><d:response><d:href>{href}</d:href>'
        f"<d:propstat><d:prop>{props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        "</d:response></d:multistatus>"
    )
    (row,) = read_multistatus(Ask("PROPFIND", URL), Answer(207, body=body.encode())).rows
    return row


def kinds(*names_: str) -> str:
    return f"<d:resourcetype>{''.join(f'<{name}/>' for name in names_)}</d:resourcetype>"


def privileges(*names_: str) -> str:
    held = "".join(f"<d:privilege><{name}/></d:privilege>" for name in names_)
    return f"<d:current-user-privilege-set>{held}</d:current-user-privilege-set>"


def test_a_calendar_tells_what_it_is() -> None:
    row = row_of(
        kinds("d:collection", "c:calendar", "cs:shared-owner")
        + "<d:displayname>Work</d:displayname><a:calendar-color> #FF8800FF </a:calendar-color>"
        + '<c:supported-calendar-component-set><c:comp name="vevent"/><c:comp/>'
        + "</c:supported-calendar-component-set>"
        + privileges("d:read", "d:write-content")
        + "<d:supported-report-set><d:supported-report><d:report><d:sync-collection/></d:report>"
        + "</d:supported-report></d:supported-report-set>"
        + "<cs:getctag>7</cs:getctag><d:sync-token>t</d:sync-token>"
        + "<c:max-resource-size>1000</c:max-resource-size>"
    )
    calendar = calendar_of("https://cal.example/home/", row)
    assert calendar.url == "https://cal.example/home/work/"
    assert (calendar.name, calendar.color, calendar.components) == ("Work", "#ff8800", frozenset({"VEVENT"}))
    assert calendar.rights == Rights(read=True, edit=True, create=False, delete=False)
    assert not calendar.rights.writable
    assert (calendar.ctag, calendar.sync_token, calendar.syncs) == ("7", "t", True)
    assert (calendar.shared, calendar.max_size) == (True, 1000)


def test_a_calendar_that_tells_nothing_is_taken_as_it_comes() -> None:
    row = row_of(kinds("d:collection", "c:calendar") + "<a:calendar-color>red</a:calendar-color>", "/home/work")
    calendar = calendar_of("https://cal.example/home/", row)
    assert (calendar.url, calendar.name, calendar.color) == ("https://cal.example/home/work/", "work", "")
    assert calendar.components == ALL_COMPONENTS
    assert (calendar.rights, calendar.sync_token, calendar.syncs) == (Rights(), None, False)
    assert (calendar.shared, calendar.max_size) == (False, None)


@pytest.mark.parametrize(
    ("held", "rights"),
    [
        (("d:all",), Rights()),
        (("d:write",), Rights()),
        (("d:read",), Rights(True, False, False, False)),
        (("d:read", "d:bind", "d:unbind"), Rights(True, False, True, True)),
        ((), Rights(False, False, False, False)),
    ],
)
def test_rights_contain_narrower_ones(held: tuple[str, ...], rights: Rights) -> None:
    row = row_of(kinds("c:calendar") + privileges(*held))
    assert calendar_of(URL, row).rights == rights


@pytest.mark.parametrize(
    "resource",
    [
        kinds("d:collection"),
        kinds("d:collection", "c:calendar", "c:schedule-inbox"),
        kinds("d:collection", "c:schedule-outbox"),
        kinds("d:collection", "c:calendar", "nc:deleted-calendar"),
        kinds("d:collection", "nc:trash-bin"),
        "<d:displayname>no type</d:displayname>",
    ],
)
def test_what_is_no_place_for_entries_is_no_calendar(resource: str) -> None:
    assert not is_calendar(row_of(resource))


def test_an_empty_component_set_means_every_component() -> None:
    row = row_of(kinds("c:calendar") + "<c:supported-calendar-component-set/>", "/")
    calendar = calendar_of(URL, row)
    assert calendar.components == ALL_COMPONENTS
    assert calendar.name == "/"

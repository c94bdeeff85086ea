"""Listings, changes, multiget and queries: what is asked and what is believed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from calward.dav import names
from calward.dav.calendar_query import ask_query, read_query
from calward.dav.errors import BadAnswer, BadSyncToken, Missing
from calward.dav.messages import Answer, Ask
from calward.dav.multiget import RemoteObject, ask_objects, read_objects, restore_lines
from calward.dav.propfind import ask_calendar, ask_listing, read_calendar, read_listing
from calward.dav.sync_collection import ask_changes, read_changes
from calward.dav.xml import parse, text_of
from calward.model.ids import Href, SyncToken
from calward.model.time import Span

URL = "https://cal.example/c/"
COLLECTION = "<d:resourcetype><d:collection/></d:resourcetype>"
ICS = "BEGIN:VCALENDAR\nEND:VCALENDAR\n"


def row(href: str, props: str = "", status: str = "") -> str:
    stat = (
        f"<d:propstat><d:prop>{props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        if props
        else ""
    )
    line = f"<d:status>HTTP/1.1 {status}</d:status>" if status else ""
    return f"<d:response><d:href>{href}</d:href>{line}{stat}</d:response>"


def etag(tag: str) -> str:
    return f"<d:getetag>{tag}</d:getetag>"


def data(text: str) -> str:
    return f"<c:calendar-data>{text}</c:calendar-data>"


def answer(*rows: str, token: str = "", url: str = URL) -> Answer:
    end = f"<d:sync-token>{token}</d:sync-token>" if token else ""
    body = f'<d:multistatus xmlns:d="DAV:" xmlns:c="{names.CALDAV}">{"".join(rows)}{end}</d:multistatus>'
    return Answer(207, body=body.encode(), url=url)


def headers(ask: Ask) -> dict[str, str]:
    return dict(ask.headers)


def test_a_listing_has_the_objects_and_not_the_collections() -> None:
    ask = ask_listing(URL)
    assert (ask.method, headers(ask)["Depth"]) == ("PROPFIND", "1")
    found = read_listing(
        ask,
        answer(
            row("/c/", COLLECTION),
            row("/c/a.ics", etag('"1"') + "<d:resourcetype/>"),
            row("/c/b.ics", "<d:resourcetype/>"),
            row("/c/gone.ics", status="404 Not Found"),
            row("/c/below/", COLLECTION),
            row("/c/odd", COLLECTION),
        ),
    )
    assert found == {"/c/a.ics": '"1"', "/c/b.ics": None}


def test_an_empty_calendar_lists_itself() -> None:
    assert read_listing(ask_listing(URL), answer(row("/c/", COLLECTION))) == {}


def test_a_listing_that_does_not_name_the_calendar_is_not_believed() -> None:
    for broken in (answer(), answer(row("/c/a.ics", etag('"1"')))):
        with pytest.raises(BadAnswer, match="cut off"):
            read_listing(ask_listing(URL), broken)


def test_a_server_may_name_the_calendar_by_another_path() -> None:
    aliased = answer(row("/real/c/", COLLECTION), row("/real/c/a.ics", etag('"1"')))
    assert read_listing(ask_listing(URL), aliased) == {"/real/c/a.ics": '"1"'}


def test_a_calendar_whose_own_row_is_gone_is_missing() -> None:
    with pytest.raises(Missing):
        read_listing(ask_listing(URL), answer(row("/c/", status="404 Not Found")))
    with pytest.raises(Missing, match="no calendar"):
        read_calendar(ask_calendar(URL), answer(row("/c/", COLLECTION)))
    with pytest.raises(Missing, match="no calendar"):
        read_calendar(ask_calendar(URL), answer(row("/somewhere", "<d:displayname>x</d:displayname>")))


def test_a_calendar_is_read_by_its_own_row_whatever_it_is_called() -> None:
    ask = ask_calendar(URL)
    kind = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Work</d:displayname>"
    calendar = read_calendar(ask, answer(row("/elsewhere/c/", kind)))
    assert (headers(ask)["Depth"], calendar.name) == ("0", "Work")
    assert calendar.url == "https://cal.example/elsewhere/c/"


def test_changes_are_asked_at_depth_0_with_the_token() -> None:
    ask = ask_changes(URL, SyncToken("a&b"))
    root = parse(ask.body)
    assert (ask.method, headers(ask)["Depth"], root.tag) == ("REPORT", "0", "{DAV:}sync-collection")
    assert text_of(root.find(names.SYNC_TOKEN)) == "a&b"
    assert b"limit" not in ask.body
    assert text_of(parse(ask_changes(URL, None).body).find(names.SYNC_TOKEN)) == ""
    assert b"<D:nresults>50</D:nresults>" in ask_changes(URL, None, 50).body


def test_changes_tell_apart_what_came_what_went_and_what_is_unclear() -> None:
    page = read_changes(
        ask_changes(URL, None),
        answer(
            row("/c/", COLLECTION + etag('"c"')),
            row("/c/a.ics", etag('"1"')),
            row("/c/b.ics", status="200 OK"),
            row("/c/gone.ics", status="404 Not Found"),
            row("/c/also-gone.ics", status="410 Gone"),
            row("/c/teapot.ics", status="418 I'm a teapot"),
            row("/c/again.ics", status="404 Not Found"),
            row("/c/again.ics", etag('"2"')),
            token="t2",
        ),
    )
    assert page.changed == {"/c/a.ics": '"1"', "/c/b.ics": None, "/c/again.ics": '"2"'}
    assert page.removed == {"/c/gone.ics", "/c/also-gone.ics"}
    assert page.unclear == {"/c/teapot.ics"}
    assert (page.token, page.truncated) == ("t2", False)


@pytest.mark.parametrize(
    "mark",
    [
        row("/c/", status="507 Insufficient Storage"),
        row("/c/", "<d:x/>").replace(
            "</d:response>", "<d:error><d:number-of-matches-within-limits/></d:error></d:response>"
        ),
    ],
)
def test_a_page_that_is_not_the_last_says_so(mark: str) -> None:
    page = read_changes(ask_changes(URL, None), answer(row("/c/a.ics", etag('"1"')), mark, token="t2"))
    assert page.truncated
    assert page.changed == {"/c/a.ics": '"1"'}


def test_changes_without_a_token_are_not_believed() -> None:
    with pytest.raises(BadAnswer, match="token"):
        read_changes(ask_changes(URL, None), answer(row("/c/a.ics", etag('"1"'))))


def test_a_refused_token_is_its_own_error() -> None:
    refused = Answer(412, body=b'<D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>')
    with pytest.raises(BadSyncToken):
        read_changes(ask_changes(URL, SyncToken("old")), refused)


def test_a_multiget_answers_in_the_spelling_that_was_asked() -> None:
    hrefs = [Href("/c/a%40b.ics"), Href("/c/gone&.ics"), Href("/c/silent.ics"), Href("/c/empty.ics")]
    ask = ask_objects(URL, hrefs)
    assert [text_of(child) for child in parse(ask.body).iter(names.HREF)] == hrefs
    got = read_objects(
        ask,
        answer(
            row("/c/a@b.ics", etag('"1"') + data(ICS)),
            row("/c/gone&amp;.ics", status="404 Not Found"),
            row("/c/empty.ics", etag('"2"') + "<c:calendar-data/>"),
            row("/c/not-asked.ics", etag('"3"') + data(ICS)),
        ),
        hrefs,
    )
    assert got.objects == (
        RemoteObject(Href("/c/a%40b.ics"), got.objects[0].etag, ICS.replace("\n", "\r\n").encode()),
    )
    assert got.missing == {"/c/gone&.ics"}
    assert got.silent == {"/c/silent.ics", "/c/empty.ics"}


def test_a_row_both_there_and_missing_is_there() -> None:
    hrefs = [Href("/c/a.ics")]
    both = answer(row("/c/a.ics", status="404 Not Found"), row("/c/a.ics", etag('"1"') + data(ICS)))
    got = read_objects(ask_objects(URL, hrefs), both, hrefs)
    assert (len(got.objects), got.missing, got.silent) == (1, frozenset(), frozenset())


def test_lines_get_back_the_ends_that_xml_took() -> None:
    assert restore_lines("A\nB\n") == b"A\r\nB\r\n"
    assert restore_lines("A\r\nB\n") == b"A\r\nB\n"
    body = parse(b"<x>A&#13;\nB&#13;\n</x>").text or ""
    assert restore_lines(body) == b"A\r\nB\r\n"


def test_a_query_names_its_component_and_its_span_in_utc() -> None:
    zone = timezone(timedelta(hours=2))
    span = Span(datetime(2026, 3, 1, 1, tzinfo=zone), datetime(2026, 3, 8, tzinfo=UTC))
    ask = ask_query(URL, "VEVENT", span)
    root = parse(ask.body)
    (times,) = root.iter(f"{{{names.CALDAV}}}time-range")
    assert (times.get("start"), times.get("end")) == ("20260228T230000Z", "20260308T000000Z")
    assert [comp.get("name") for comp in root.iter(f"{{{names.CALDAV}}}comp-filter")] == ["VCALENDAR", "VEVENT"]
    assert b"time-range" not in ask_query(URL, "VTODO").body
    found = answer(
        row("/c/", COLLECTION),
        row("/c/a.ics", etag('"1"') + data(ICS)),
        row("/c/b.ics", status="404 Not Found"),
        row("/c/c.ics", etag('"2"')),
    )
    (item,) = read_query(ask, found)
    assert (item.href, item.etag) == ("/c/a.ics", '"1"')

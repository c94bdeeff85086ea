"""A feed as a remote: taken apart, compared by meaning, never believed in part."""

from __future__ import annotations

import gzip
from datetime import date

import pytest

from calward.dav.errors import (
    AnswerTooLarge,
    BadAnswer,
    BadSyncToken,
    DavError,
    Missing,
    NotPermitted,
    Throttled,
    UnsafeTarget,
)
from calward.errors import InvalidInput
from calward.model.ids import ETag, Href
from calward.remotes.feed import Copy, FeedRemote, Validators, over_http
from calward.remotes.holidays import made_here
from calward.remotes.http import Http, Limits
from tests.operations.world import ics, vevent
from tests.unit.remotes.scripted import Play, say, scripted

PLACE = "https://feed.invalid/1/"
CALM = Limits(body=100_000)
LUNCH = vevent("lunch", "DTSTART:20260303T120000Z", "SUMMARY:Lunch")
DINNER = vevent("dinner", "DTSTART:20260303T190000Z", "SUMMARY:Dinner")
BOTH = ics("X-WR-CALNAME:Club", *LUNCH, *DINNER).encode()


def feed(data: bytes = BOTH, validators: Validators = Validators()) -> FeedRemote:  # noqa: B008  (frozen)
    return FeedRemote(lambda known: None if known and known == validators else Copy(data, validators), PLACE)


def test_each_event_is_an_object_of_its_own_in_a_calendar_that_can_only_be_read() -> None:
    remote = feed()
    calendar = remote.calendar(PLACE)
    assert (calendar.name, calendar.rights.writable) == ("Club", False)
    hrefs = list(remote.listing(PLACE))
    fetched = remote.fetch(PLACE, [*hrefs, Href("/1/other.ics")])
    assert [b"SUMMARY:Lunch" in one.body for one in fetched.objects] == [True, False]
    assert fetched.missing == {"/1/other.ics"}
    for write in (
        lambda: remote.put(PLACE, hrefs[0], b"", None),
        lambda: remote.delete(PLACE, hrefs[0], ETag("")),
        lambda: remote.make_calendar("a", "A"),
    ):
        with pytest.raises(NotPermitted):
            write()


def test_an_event_that_is_only_stamped_anew_is_the_same_event() -> None:
    again = feed(BOTH.replace(b"20260101T000000Z", b"20260302T090000Z"))
    assert again.listing(PLACE) == feed().listing(PLACE)
    assert again.calendar(PLACE).ctag == feed().calendar(PLACE).ctag
    assert feed(BOTH.replace(b"Lunch", b"Brunch")).listing(PLACE) != feed().listing(PLACE)


def test_what_has_not_changed_is_known_by_the_servers_own_word() -> None:
    validators = Validators('"1"', "Mon, 02 Mar 2026 09:00:00 GMT")
    token = feed(validators=validators).calendar(PLACE).sync_token
    assert token is not None
    same = feed(validators=validators).changes(PLACE, token)
    assert (same.changed, same.removed, same.token) == ({}, frozenset(), token)
    with pytest.raises(BadSyncToken):
        feed(validators=Validators('"2"')).changes(PLACE, token)


def test_without_a_word_of_the_server_all_is_compared_each_time() -> None:
    assert feed().calendar(PLACE).sync_token is None


def get(*plays: Play, known: Validators | None = None, body: int = 100_000) -> Copy | None:
    with scripted(*plays) as server:
        http = Http(server.url, None, limits=Limits(body=body), any_site=True)
        try:
            return over_http(http, server.url + "basic.ics?secret=bird")(known)
        finally:
            http.close()


def test_it_is_asked_for_by_what_was_seen_and_may_be_the_same() -> None:
    with scripted(say(304)) as server:
        http = Http(server.url, None, limits=CALM, any_site=True)
        assert over_http(http, server.url)(Validators('"1"', "yesterday")) is None
        http.close()
    assert server.heard[0].headers["if-none-match"] == '"1"'
    assert server.heard[0].headers["if-modified-since"] == "yesterday"
    copy = get(say(200, BOTH, [("ETag", '"2"'), ("Last-Modified", "today")]))
    assert copy == Copy(BOTH, Validators('"2"', "today"))


@pytest.mark.parametrize(
    ("play", "error"),
    [
        (say(200, b""), BadAnswer),
        (say(200, b"<html>Sign in</html>"), BadAnswer),
        (say(200, BOTH, [("Content-Type", "text/html")]), BadAnswer),
        (say(200, b"hello"), BadAnswer),
        (say(200, BOTH[:-20]), BadAnswer),
        (say(200, b"\xff\xfe" + BOTH), BadAnswer),
        (say(304), BadAnswer),
        (say(204), BadAnswer),
        (say(404), Missing),
        (say(410), Missing),
        (say(401), Missing),
        (say(403), Missing),
        (say(429, b"", [("Retry-After", "60")]), Throttled),
        (say(503), DavError),
        (say(200, gzip.compress(b"A" * 10_000_000), [("Content-Encoding", "gzip")]), AnswerTooLarge),
        (say(200, b"B" * 200_000), AnswerTooLarge),
        (say(302, b"", [("Location", "ftp://127.0.0.1/")]), UnsafeTarget),
    ],
)
def test_what_is_no_whole_calendar_is_an_error_that_names_no_address(play: Play, error: type[DavError]) -> None:
    with pytest.raises(error) as caught:
        get(play)
    assert "bird" not in caught.value.message
    assert "basic" not in caught.value.message


def test_a_feed_with_too_much_in_it_is_an_error_of_its_own() -> None:
    deep = b"BEGIN:VCALENDAR\r\n" + b"BEGIN:X\r\n" * 5000 + b"END:X\r\n" * 5000 + b"END:VCALENDAR\r\n"
    with pytest.raises(AnswerTooLarge):
        feed(deep).listing(PLACE)


def test_holidays_are_made_here_the_same_each_time_until_the_year_is_another() -> None:
    pytest.importorskip("holidays")
    made = made_here("de-by", date(2026, 3, 2))
    copy = made(None)
    assert copy is not None
    assert made(copy.validators) is None
    assert made_here("de-by", date(2026, 12, 2))(copy.validators) is None
    assert made_here("de-by", date(2027, 1, 2))(copy.validators) is not None
    remote = FeedRemote(made, PLACE)
    assert remote.calendar(PLACE).name == "Holidays DE-BY"
    bodies = [one.body for one in remote.fetch(PLACE, list(remote.listing(PLACE))).objects]
    assert any(b"DTSTART;VALUE=DATE:20260106" in body for body in bodies)
    assert sum(b"VALUE=DATE:2026" in body for body in bodies) > 10


@pytest.mark.parametrize("region", ["", "XX", "DE-XX", "../etc"])
def test_a_region_nobody_knows_is_told(region: str) -> None:
    pytest.importorskip("holidays")
    with pytest.raises(InvalidInput, match="DE-BY"):
        made_here(region, date(2026, 3, 2))(None)

"""What an answer means: the precondition in its body first, its status second."""

from __future__ import annotations

import pytest

from calward.dav import errors, names
from calward.dav.errors import (
    AlreadyThere,
    BadSyncToken,
    DavError,
    Locked,
    Missing,
    NoSpace,
    NotCalDav,
    NotPermitted,
    ObjectRefused,
    PreconditionFailed,
    ReportUnsupported,
    ServerTrouble,
    SignInRefused,
    Throttled,
    UidConflict,
)
from calward.dav.messages import Answer, Ask, Headers
from calward.dav.status import expect, failure, host_of, preconditions
from calward.errors import RemoteError

URL = "https://cal.example:8443/c/a.ics"


def error_body(inner: str) -> bytes:
    return (
        f'<d:error xmlns:d="DAV:" xmlns:c="{names.CALDAV}" xmlns:s="http://sabredav.org/ns">{inner}</d:error>'
    ).encode()


def meaning(method: str, status: int, inner: str = "", headers: Headers = ()) -> DavError:
    return failure(Ask(method, URL), Answer(status, headers, error_body(inner) if inner else b""))


@pytest.mark.parametrize("status", [400, 403, 409, 410, 412, 500, 507])
def test_a_bad_token_is_known_by_its_precondition_under_any_status(status: int) -> None:
    assert isinstance(meaning("REPORT", status, "<d:valid-sync-token/>"), BadSyncToken)


@pytest.mark.parametrize("status", [403, 409, 412])
@pytest.mark.parametrize("name", ["no-uid-conflict", "unique-scheduling-object-resource"])
def test_a_taken_uid_is_known_by_its_precondition_and_names_the_other(status: int, name: str) -> None:
    error = meaning("PUT", status, f"<s:x/><c:{name}><d:href>/c/b%20c.ics</d:href></c:{name}>")
    assert isinstance(error, UidConflict)
    assert error.existing == "/c/b%20c.ics"
    bare = meaning("PUT", status, f"<c:{name}/>")
    assert isinstance(bare, UidConflict)
    assert bare.existing is None


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        ("<d:supported-report/>", ReportUnsupported),
        ("<d:resource-must-be-null/>", AlreadyThere),
        ("<d:need-privileges><d:resource><d:href>/c/</d:href></d:resource></d:need-privileges>", NotPermitted),
        ("<d:quota-not-exceeded/>", NoSpace),
        ("<d:sufficient-disk-space/>", NoSpace),
    ],
)
def test_other_preconditions_have_their_errors(inner: str, kind: type[DavError]) -> None:
    assert isinstance(meaning("REPORT", 403, inner), kind)


@pytest.mark.parametrize("name", sorted(names.OBJECT_REFUSALS))
def test_why_an_object_is_refused_is_said_in_words(name: str) -> None:
    local = name.rpartition("}")[2]
    error = meaning("PUT", 403, f"<c:{local}/>")
    assert isinstance(error, ObjectRefused)
    assert error.precondition == local
    assert names.OBJECT_REFUSALS[name] in error.message


@pytest.mark.parametrize(
    ("method", "status", "kind"),
    [
        ("PROPFIND", 401, SignInRefused),
        ("PROPFIND", 403, NotPermitted),
        ("PROPFIND", 404, Missing),
        ("GET", 410, Missing),
        ("PROPFIND", 405, NotCalDav),
        ("PROPFIND", 200, NotCalDav),
        ("PROPFIND", 301, NotCalDav),
        ("PUT", 412, PreconditionFailed),
        ("DELETE", 412, PreconditionFailed),
        ("PUT", 423, Locked),
        ("PUT", 507, NoSpace),
        ("PUT", 409, ObjectRefused),
        ("PUT", 413, ObjectRefused),
        ("PUT", 415, ObjectRefused),
        ("PUT", 405, ObjectRefused),
        ("DELETE", 501, ObjectRefused),
        ("MKCALENDAR", 405, AlreadyThere),
        ("MKCALENDAR", 501, ObjectRefused),
        ("MKCALENDAR", 409, ObjectRefused),
        ("REPORT", 400, ReportUnsupported),
        ("REPORT", 405, ReportUnsupported),
        ("REPORT", 415, ReportUnsupported),
        ("REPORT", 501, ReportUnsupported),
        ("REPORT", 500, ServerTrouble),
        ("PUT", 502, ServerTrouble),
        ("PUT", 503, ServerTrouble),
        ("GET", 429, Throttled),
    ],
)
def test_without_a_precondition_the_status_and_the_method_decide(
    method: str, status: int, kind: type[DavError]
) -> None:
    error = meaning(method, status)
    assert type(error) is kind
    assert error.host == "cal.example:8443"
    assert "cal.example:8443" in error.message
    assert type(meaning(method, status, "<s:unheard-of/>")) is kind


def test_trouble_after_a_write_leaves_it_in_doubt_and_after_a_read_not() -> None:
    assert meaning("PUT", 500).in_doubt
    assert not meaning("GET", 500).in_doubt
    assert not meaning("PUT", 412).in_doubt
    assert meaning("PUT", 503, headers=(("Retry-After", "5"),)).in_doubt
    assert not meaning("PUT", 429).in_doubt


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("Retry-After", "120"),), 120.0),
        ((("Retry-After", "Sat, 21 Nov 2026 10:01:30 GMT"), ("Date", "Sat, 21 Nov 2026 10:00:00 GMT")), 90.0),
        ((("Retry-After", "Sat, 21 Nov 2026 09:00:00 GMT"), ("Date", "Sat, 21 Nov 2026 10:00:00 GMT")), 0.0),
        ((("Retry-After", "Sat, 21 Nov 2026 10:01:30 GMT"),), None),
        ((("Retry-After", "99999999999"),), None),
        ((("Retry-After", "soon"),), None),
        ((), None),
    ],
)
def test_when_to_come_back_is_in_seconds(headers: Headers, seconds: float | None) -> None:
    error = meaning("GET", 429, headers=headers)
    assert isinstance(error, Throttled)
    assert error.retry_after == seconds


def test_an_error_page_is_no_reason_to_doubt_a_known_status() -> None:
    page = (("Content-Type", "text/html"),)
    assert type(failure(Ask("GET", URL), Answer(404, page, b"<html>"))) is Missing
    assert type(failure(Ask("PUT", URL), Answer(502, page, b"<html>"))) is ServerTrouble
    assert type(failure(Ask("REPORT", URL), Answer(400, page, b"<html>"))) is NotCalDav


def test_a_page_after_a_write_is_accepted_only_where_something_was_made() -> None:
    page = (("Content-Type", "text/html"),)
    put = Ask("PUT", URL)
    assert expect(put, Answer(201, page, b"<html>Created")).status == 201
    with pytest.raises(NotCalDav):
        expect(put, Answer(200, page, b"<html>Sign in"))
    with pytest.raises(NotCalDav):
        expect(Ask("GET", URL), Answer(203, page, b"<html>"))
    assert expect(put, Answer(204)).status == 204


@pytest.mark.parametrize(
    "body", [b"", b"an error happened", b"<error>", b'<d:multistatus xmlns:d="DAV:"/>error']
)
def test_a_body_that_is_no_dav_error_has_no_preconditions(body: bytes) -> None:
    assert preconditions(Answer(403, body=body)) == ()


def test_an_answer_that_went_well_has_no_preconditions() -> None:
    assert preconditions(Answer(200, body=error_body("<d:valid-sync-token/>"))) == ()
    other = b'<d:other xmlns:d="DAV:"><d:error/></d:other>'
    assert preconditions(Answer(403, body=other)) == ()


def test_a_host_is_named_without_the_user() -> None:
    assert host_of("https://alice:pw@cal.example/x") == "cal.example"
    assert host_of("nonsense") == "the server"


def test_headers_are_found_in_any_case_and_joined() -> None:
    answer = Answer(200, (("DAV", "1, 2"), ("dav", "calendar-access")))
    assert answer.header("Dav") == "1, 2, calendar-access"
    assert answer.header("etag") == ""


def test_every_error_has_a_code_of_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RemoteError)]
    kinds = [kind for kind in kinds if kind not in (RemoteError, DavError)]
    assert len({kind.code for kind in kinds}) == len(kinds) > 20
    assert all(kind.code.startswith("remote_") for kind in kinds)
